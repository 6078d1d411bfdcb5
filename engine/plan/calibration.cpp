#include "assay/plan/calibration.h"

#include <assay/core/clock.h>
#include <assay/core/durable.h>
#include <assay/core/paths.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <thread>

#include "gemm_probe.h"

namespace assay::plan {
namespace {

constexpr double kDisturbedSeconds = 600;

// Processor seconds of the thread that took longest: a wait for a core that others hold does not count.
double onThreads(int threads, const std::function<void(int)>& work) {
    std::vector<double> seconds(static_cast<size_t>(threads));
    const auto timed = [&](int t) {
        const double start = threadCpuSeconds();
        work(t);
        seconds[static_cast<size_t>(t)] = threadCpuSeconds() - start;
    };
    {
        std::vector<std::jthread> pool;
        for (int t = 1; t < threads; ++t) pool.emplace_back(timed, t);
        timed(0);
    }
    return *std::max_element(seconds.begin(), seconds.end());
}

// The best of several passes: what others do on the machine only ever slows a pass down.
double gemmRate(int64_t n, int threads, double seconds) {
    std::vector<float> a(static_cast<size_t>(n * n), 0.5f), b(a), c(a.size());
    std::vector<std::vector<float>> packs(static_cast<size_t>(threads), std::vector<float>(static_cast<size_t>(n) * 16));
    const int64_t strips = n / 6, repeats = std::max<int64_t>(1, static_cast<int64_t>(2e8 / std::pow(static_cast<double>(n), 3)));
    double best = 0;
    const double deadline = monotonicSeconds() + seconds;
    do {
        const double took = onThreads(threads, [&](int t) {
            for (int64_t i = 0; i < repeats; ++i)
                probeGemm(a.data(), b.data(), c.data(), n, strips * t / threads * 6, strips * (t + 1) / threads * 6, packs[static_cast<size_t>(t)].data());
        });
        best = std::max(best, 2.0 * std::pow(static_cast<double>(n), 3) * static_cast<double>(repeats) / took);
    } while (monotonicSeconds() < deadline);
    return best;
}

double memoryRate(int threads, double seconds) {
    constexpr size_t kFloats = size_t{24} << 20;  // 96 MiB
    std::vector<float> data(kFloats, 1.0f);
    double best = 0;
    const double deadline = monotonicSeconds() + seconds;
    do {
        const double took = onThreads(threads, [&](int t) {
            const size_t from = kFloats * static_cast<size_t>(t) / static_cast<size_t>(threads), to = kFloats * static_cast<size_t>(t + 1) / static_cast<size_t>(threads);
            for (size_t i = from; i < to; ++i) data[i] = data[i] * 0.5f + 0.5f;
        });
        best = std::max(best, 2.0 * sizeof(float) * kFloats / took);
    } while (monotonicSeconds() < deadline);
    return best;
}

std::optional<Calibration> fromJson(const Json& json) {
    Calibration out;
    out.cpuModel = jsonStringOr(json, "cpu_model", "");
    out.threads = static_cast<int>(jsonIntegerOr(json, "threads", 0));
    out.bytesPerS = jsonDoubleOr(json, "bytes_per_s", 0);
    out.measuredAt = jsonDoubleOr(json, "measured_at", 0);
    const auto gemm = json.find("gemm");
    if (gemm == json.end() || !gemm->is_array()) return {};
    for (const Json& g : *gemm) {
        if (!g.is_object()) return {};
        out.gemm.push_back({jsonIntegerOr(g, "size", 0), jsonDoubleOr(g, "flops_per_s", 0)});
        if (out.gemm.back().size <= 0 || !(out.gemm.back().flopsPerS > 0)) return {};
    }
    if (out.gemm.empty() || !(out.bytesPerS > 0) || out.threads < 1) return {};
    out.worker = jsonStringOr(json, "worker", "");
    if (const auto kernels = json.find("kernels"); kernels != json.end()) out.kernels = KernelRates::parse(*kernels);
    return out;
}

Json toJson(const Calibration& c) {
    Json gemm = Json::array();
    for (const GemmRate& g : c.gemm) gemm.push_back({{"size", g.size}, {"flops_per_s", g.flopsPerS}});
    Json out = {{"cpu_model", c.cpuModel}, {"threads", c.threads}, {"gemm", gemm}, {"bytes_per_s", c.bytesPerS}, {"measured_at", c.measuredAt}};
    if (c.kernels) {
        out["worker"] = c.worker;
        out["kernels"] = c.kernels->document();
    }
    return out;
}

}  // namespace

double Calibration::gemmAt(int64_t size) const {
    if (gemm.empty()) return 0;
    if (size <= gemm.front().size) return gemm.front().flopsPerS;
    for (size_t i = 1; i < gemm.size(); ++i) {
        if (size > gemm[i].size) continue;
        const double share = static_cast<double>(size - gemm[i - 1].size) / static_cast<double>(gemm[i].size - gemm[i - 1].size);
        return gemm[i - 1].flopsPerS + share * (gemm[i].flopsPerS - gemm[i - 1].flopsPerS);
    }
    return gemm.back().flopsPerS;
}

Calibration measureMachine(const std::string& cpuModel, int threads) {
    Calibration out;
    out.cpuModel = cpuModel;
    out.threads = std::max(1, threads);
    for (const int64_t size : {int64_t{96}, int64_t{240}, int64_t{480}}) out.gemm.push_back({size, gemmRate(size, out.threads, 0.1)});
    out.bytesPerS = memoryRate(out.threads, 0.15);
    out.measuredAt = wallSeconds();
    return out;
}

std::string calibrationPath() { return cacheRoot() + "/calibration.json"; }

std::optional<Calibration> loadCalibration(const std::string& path, const std::string& cpuModel, int threads, const std::string& worker) {
    const auto json = readJsonFile(path);
    if (!json || !json->is_object()) return {};
    const auto entries = json->find("entries");
    if (entries == json->end() || !entries->is_array()) return {};
    for (const Json& entry : *entries) {
        if (!entry.is_object()) continue;
        auto found = fromJson(entry);
        if (!found || found->cpuModel != cpuModel || found->threads != threads || found->worker != worker) continue;
        const double age = wallSeconds() - found->measuredAt;
        if (found->kernels && found->kernels->disturbed() && !(age >= 0 && age < kDisturbedSeconds)) continue;
        return found;
    }
    return {};
}

Result<void> storeCalibration(const std::string& path, const Calibration& calibration) {
    Json entries = Json::array();
    if (const auto json = readJsonFile(path); json && json->is_object() && json->contains("entries") && (*json)["entries"].is_array())
        for (const Json& entry : (*json)["entries"])
            if (entry.is_object() && (jsonStringOr(entry, "cpu_model", "") != calibration.cpuModel || jsonIntegerOr(entry, "threads", 0) != calibration.threads))
                entries.push_back(entry);
    entries.push_back(toJson(calibration));
    ASSAY_TRY_VOID(makeFolders(std::filesystem::path(path).parent_path().string()));
    return writeFileDurably(path, dumpJson({{"schema", 1}, {"entries", entries}}, 2) + "\n");
}

}  // namespace assay::plan
