#pragma once
// What earlier runs of a store took, read from their folders (spec.yaml, environment.json, the event file, the model's
// config.json), so that a plan on the same machine starts from measurements.

#include <assay/config/spec.h>
#include <assay/model/config.h>

#include <optional>
#include <string>
#include <vector>

namespace assay::plan {

struct PastRun {
    std::string id;
    model::ModelConfig config;
    int64_t microBatch = 0, sequenceLength = 0;
    double stepTokens = 0;   // positions a step, padding too
    double stepSeconds = 0;  // median of train/step_seconds
    int64_t tensorPeak = 0, residentBytes = 0;
    config::PrecisionSpec::Kind precision = config::PrecisionSpec::Kind::kFp32;
    config::CheckpointingSpec checkpointing;
};

// Train runs that are done, made on this processor with so many threads; the newest first, at most `limit`. `before`: only
// runs with a smaller id, so that what was submitted then is not predicted from itself.
std::vector<PastRun> readHistory(const std::string& storeFolder, const std::string& cpuModel, int threads, size_t limit = 50, const std::string& before = {});

}  // namespace assay::plan
