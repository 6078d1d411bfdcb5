#include "assay/plan/history.h"

#include <assay/config/config.h>
#include <assay/core/durable.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace assay::plan {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMaxEvents = size_t{32} << 20;

std::vector<double> valuesOf(std::string_view events, std::string_view name) {
    std::vector<double> out;
    const std::string key = "\"" + std::string(name) + "\":";
    for (size_t line = 0; line < events.size();) {
        size_t end = events.find('\n', line);
        if (end == std::string_view::npos) end = events.size();
        const std::string_view text = events.substr(line, end - line);
        if (text.find("\"type\":\"metric\"") != std::string_view::npos)
            if (const size_t at = text.find(key); at != std::string_view::npos) {
                const double value = std::strtod(std::string(text.substr(at + key.size(), 32)).c_str(), nullptr);
                if (value > 0) out.push_back(value);
            }
        line = end + 1;
    }
    return out;
}

std::optional<PastRun> readRun(const fs::path& folder, const std::string& cpuModel, int threads) {
    const auto environment = readJsonFile((folder / "environment.json").string());
    if (!environment || !environment->is_object()) return {};
    const auto cpu = environment->find("cpu");
    if (cpu == environment->end() || jsonStringOr(*cpu, "model", "") != cpuModel || jsonIntegerOr(*environment, "threads", 0) != threads) return {};
    if (jsonStringOr(*environment, "device", "cpu") != "cpu") return {};  // a GPU's times
    const auto config = readJsonFile((folder / "artifacts/model/config.json").string());  // there when a train run is done
    if (!config) return {};
    const auto yaml = readFile((folder / "spec.yaml").string(), size_t{1} << 20);
    if (!yaml) return {};
    const config::Loaded loaded = config::loadSpecText(*yaml, "spec.yaml", folder.string());
    if (!loaded.problems.empty() || loaded.spec.kind != config::Kind::kTrain || !loaded.spec.train || !loaded.spec.data) return {};
    const auto model = model::configFromHuggingFace(*config);
    const auto events = readFile((folder / "events.rank0.jsonl").string(), kMaxEvents);
    if (!model || !events) return {};
    PastRun run;
    run.id = folder.filename().string();
    run.config = *model;
    const auto& train = *loaded.spec.train;
    run.microBatch = train.microBatch > 0 ? train.microBatch : std::max<int64_t>(1, train.globalBatch / std::max<int64_t>(1, train.parallel.data));
    run.sequenceLength = loaded.spec.data->sequenceLength;
    run.precision = train.precision.kind;
    run.checkpointing = train.activationCheckpointing;
    run.stepTokens = static_cast<double>(train.globalBatch * run.sequenceLength);
    std::vector<double> seconds = valuesOf(*events, "train/step_seconds");
    if (seconds.size() < 3) return {};
    const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
    std::nth_element(seconds.begin(), middle, seconds.end());
    run.stepSeconds = *middle;
    for (const double peak : valuesOf(*events, "system/tensor_bytes_peak")) run.tensorPeak = std::max(run.tensorPeak, static_cast<int64_t>(peak));
    for (const double rss : valuesOf(*events, "system/rss_bytes")) run.residentBytes = std::max(run.residentBytes, static_cast<int64_t>(rss));
    return run;
}

}  // namespace

std::vector<PastRun> readHistory(const std::string& storeFolder, const std::string& cpuModel, int threads, size_t limit, const std::string& before) {
    std::vector<fs::path> folders;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(storeFolder + "/runs", error))
        if (before.empty() || entry.path().filename().string() < before) folders.push_back(entry.path());
    std::sort(folders.rbegin(), folders.rend());  // ids begin with the time
    std::vector<PastRun> out;
    size_t looked = 0;
    for (const fs::path& folder : folders) {
        if (out.size() >= limit || ++looked > 500) break;
        if (auto run = readRun(folder, cpuModel, threads)) out.push_back(std::move(*run));
    }
    return out;
}

}  // namespace assay::plan
