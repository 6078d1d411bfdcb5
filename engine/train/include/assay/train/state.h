#pragma once
// What a run has to remember besides tensors. Everything else (learning rate, data order, dropout masks) is a pure
// function of the seed and these counters.

#include <assay/config/spec.h>
#include <assay/core/json.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace assay::train {

struct TrainingState {
    int64_t step = 0;             // steps done; a step that was skipped for a non-finite gradient counts
    int64_t updates = 0;          // optimizer updates applied
    int64_t tokens = 0;           // real tokens trained, padding excluded
    int64_t labelledTokens = 0;
    int64_t sequences = 0;        // consumed by all ranks: where the loader goes on
    int64_t skippedSteps = 0, rollbacks = 0;
    int64_t skippedInARow = 0;       // on_nonfinite: skip
    int64_t rollbacksInARow = 0;     // since the last checkpoint was made
    double rateFactor = 1;           // what rollbacks have multiplied the rate by
    std::map<std::string, int64_t> warnings;  // incidents by kind (watch.h)
    double seconds = 0;           // running time, pauses excluded
    double loss = 0;              // of the last step
    double evalLoss = 0;          // of the last evaluation; NaN before the first
    int64_t evalStep = -1;
    double bestMetric = 0;        // early stopping
    int64_t badEvaluations = -1;  // −1: no evaluation yet
    bool stoppedEarly = false;
};

// Circumstances under which bit-equality holds.
struct Circumstances {
    uint64_t seed = 0;
    int64_t threads = 1, world = 1;
    std::string instructionSet, torchVersion, productVersion, mklCbwr, specHash;
    std::string device = "cpu";  // or the name of the GPU: there bit-equality is not promised
};
Circumstances circumstances(uint64_t seed, int64_t world, const std::string& specHash, const std::string& device = "cpu");

Json stateToJson(const TrainingState& state, const Circumstances& now);
Result<TrainingState> stateFromJson(const Json& json);
// One line per difference that may break bit-equality; a different seed or spec is named as well.
std::vector<std::string> differences(const Json& stored, const Circumstances& now);

}  // namespace assay::train
