#pragma once
// What an experiment will need before it starts: memory per rank, time, energy, money, what stands in its way, and the same
// on other hardware. One estimator for the command, the tool and the studio. Reads nothing but what it is given.

#include <assay/config/spec.h>
#include <assay/model/config.h>
#include <assay/plan/calibration.h>
#include <assay/plan/hardware.h>
#include <assay/plan/history.h>
#include <assay/plan/memory.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace assay::plan {

struct ModelFacts {
    model::ModelConfig config;
    bool quantized = false;  // the file is
};
struct DataFacts {
    std::optional<int64_t> bytes;        // of the files that are here
    std::optional<int64_t> trainTokens;  // estimated from bytes, or counted
    int64_t evalTokens = 0;
    int64_t accuracyTokens = 0;          // of accuracy.perplexity.path, else the held-out ones
    std::vector<std::string> assumptions;
};

struct MachineGpu {
    std::string name;
    int64_t memoryBytes = 0;
};

struct Machine {
    std::string cpuModel;
    int threads = 1;
    int64_t memoryBytes = 0;
    std::optional<int64_t> diskFreeBytes;  // where the store is
    std::vector<MachineGpu> gpus;          // that the worker could use
    std::string gpuTrouble;                // why there is none
};

struct Input {
    config::Spec spec;
    std::string hardware;  // empty: the spec's cost.hardware
    int64_t gpus = 0;      // > 0: so many data-parallel ranks
    Machine machine;
    Calibration calibration;  // with all of the machine's threads, or those that the spec names
    // With so many: ranks on one machine share its cores. May measure, so it is asked only where a run has other threads than
    // `calibration`; empty: `calibration` serves.
    std::function<Calibration(int threads)> calibrationWith;
    std::vector<PastRun> history;
    std::function<Result<ModelFacts>(const config::Spec&)> model;
    std::function<DataFacts(const config::Spec&, const ModelFacts&)> data;
};

struct Seconds {
    double value = 0;
    double uncertainty = 0;  // ± as a fraction of the value
    Seconds& operator+=(const Seconds& other);
};

struct Warning {
    std::string key, message, hint;
    bool blocks = false;
};

struct Stage {
    std::string name;  // of the run
    config::Kind kind = config::Kind::kTrain;
    int64_t runs = 1;  // members of a sweep and seeds that need the same
    std::vector<int> members;  // which: places in config::expandSpec's list
    Memory memory;
    Seconds seconds;   // of one run
    std::optional<Seconds> step;  // of a train stage
};

struct Training {  // of the first train stage
    int64_t parameters = 0, steps = 0, tokensPerStep = 0, rows = 0, accumulation = 1, ranks = 1, zero = 0;
    double flopsPerStep = 0;
    std::optional<double> epochs;
    config::CheckpointingSpec checkpointing;
    Seconds step;
};

struct Elsewhere {
    const Hardware* hardware = nullptr;
    Seconds total;
    std::optional<double> costUsd;
    std::string fits;
};

// What the cost would be at another price, and at another share of the hours that are paid for and used.
struct Sensitivity {
    double priceLow = 0, priceHigh = 0;  // USD at −20 % and +20 %
    std::vector<std::pair<double, double>> utilisation;  // share → USD
};

struct Plan {
    std::vector<Stage> stages;
    size_t peakStage = 0;
    std::optional<Training> training;
    Seconds total;
    std::optional<double> energyJoules, costUsd;  // nothing: not known, which is not 0
    std::optional<Sensitivity> sensitivity;       // of the cost
    Hardware hardware;
    int64_t capacityBytes = 0;
    std::string fits;  // fits | tight | too_big
    std::vector<Warning> warnings;
    std::vector<Elsewhere> elsewhere;
    std::vector<std::string> assumptions;
};

// kNotFound for unknown hardware, and whatever `model` answers.
Result<Plan> makePlan(const Input& input);
Json planToJson(const Plan& plan);  // CONTRACT.md and PROTOCOL.md

// What of a correct file this build has no code for: neither model nor data is looked at.
std::vector<Warning> unsupportedIn(const config::Spec& spec);

// The micro-batches that global_batch allows, each with memory and step time, fastest that fits first (`--search`).
Result<Json> searchLayouts(const Input& input);

// The model that training makes of a description (engine/train/kinds).
Result<model::ModelConfig> describedModel(const config::ModelDescription& description, int64_t vocab, int64_t sequenceLength);
// 6·N·D and the attention term as METRICS.md counts them: forward and backward of `tokens` tokens.
double trainingFlops(const model::ModelConfig& config, double tokens, int64_t sequenceLength);
std::string fitOf(double needed, double capacity);  // fits below 80 %, tight below 100 %, too_big

}  // namespace assay::plan
