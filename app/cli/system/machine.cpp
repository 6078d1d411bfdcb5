#include "system/machine.h"

#include <assay/core/clock.h>
#include <assay/core/durable.h>
#include <assay/core/paths.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <set>
#include <sstream>
#include <thread>

namespace assay::cli {
namespace fs = std::filesystem;
namespace {

constexpr std::array kFeatures{"sse4_2", "avx", "avx2", "fma", "f16c", "bmi2", "avx_vnni", "avx512f", "avx512bw", "avx512vl", "avx512_vnni",
                               "avx512_bf16", "avx512_fp16", "amx_tile", "amx_int8", "amx_bf16", "asimd", "asimddp", "asimdhp", "sve", "sve2", "i8mm", "bf16"};

std::string trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return std::string(text);
}

// Sums in eight chains, so that the loop waits for memory and not for the adder.
uint64_t sum(const uint64_t* begin, const uint64_t* end) {
    std::array<uint64_t, 8> parts{};
    for (; begin + 8 <= end; begin += 8)
        for (size_t i = 0; i < 8; ++i) parts[i] += begin[i];
    uint64_t total = 0;
    for (uint64_t part : parts) total += part;
    return total;
}

}  // namespace

Cpu cpuFrom(std::string_view cpuInfo, int allowedProcessors) {
    Cpu cpu;
    cpu.cores = allowedProcessors;
    std::set<std::string> flags;
    std::set<std::pair<std::string, std::string>> cores;
    std::string package, line;
    int processors = 0;
    std::istringstream stream{std::string(cpuInfo)};
    while (std::getline(stream, line)) {
        const size_t colon = line.find(':');
        if (colon == std::string::npos) continue;
        const std::string key = trimmed(std::string_view(line).substr(0, colon)), value = trimmed(std::string_view(line).substr(colon + 1));
        if (key == "processor") ++processors;
        if ((key == "model name" || key == "Model") && cpu.model.empty()) cpu.model = value;
        if (key == "physical id") package = value;
        if (key == "core id") cores.emplace(package, value);
        if ((key == "flags" || key == "Features") && flags.empty()) {
            std::istringstream words(value);
            for (std::string word; words >> word;) flags.insert(word);
        }
    }
    for (const char* feature : kFeatures)
        if (flags.count(feature)) cpu.features.emplace_back(feature);
    cpu.physicalCores = cores.empty() ? processors : static_cast<int>(cores.size());
    if (cpu.cores <= 0) cpu.cores = processors;
    if (cpu.model.empty()) cpu.model = "unknown";
    return cpu;
}

Cpu thisCpu() {
    cpu_set_t set;
    CPU_ZERO(&set);
    const int allowed = ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : static_cast<int>(std::thread::hardware_concurrency());
    auto text = readFile("/proc/cpuinfo", size_t{16} << 20);
    return cpuFrom(text ? *text : std::string(), allowed);
}

int64_t memoryBytes() { return static_cast<int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE); }

std::optional<double> measureReadGbPerS() {
    constexpr size_t kBytes = size_t{256} << 20;
    void* memory = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return {};
    ::madvise(memory, kBytes, MADV_HUGEPAGE);
    auto* words = static_cast<uint64_t*>(memory);
    constexpr size_t kWords = kBytes / sizeof(uint64_t);
    const size_t threads = static_cast<size_t>(std::clamp(thisCpu().cores, 1, 64));
    std::atomic<uint64_t> sink{0};
    const auto pass = [&](auto work) {
        std::vector<std::jthread> pool;
        for (size_t t = 0; t < threads; ++t)
            pool.emplace_back([&, t] { work(words + kWords * t / threads, words + kWords * (t + 1) / threads); });
    };
    pass([](uint64_t* begin, uint64_t* end) { std::fill(begin, end, 1); });  // the first touch places the pages
    double best = 0;
    const double deadline = monotonicSeconds() + 0.4;
    int passes = 0;
    do {
        const double start = monotonicSeconds();
        pass([&](const uint64_t* begin, const uint64_t* end) { sink += sum(begin, end); });
        best = std::max(best, static_cast<double>(kBytes) / (monotonicSeconds() - start) / 1e9);
    } while (++passes < 3 || monotonicSeconds() < deadline);
    ::munmap(memory, kBytes);
    return sink.load() ? std::optional(best) : std::nullopt;
}

Json gpus(const CudaDriver& driver) {
    Json list = Json::array();
    for (const CudaGpu& gpu : driver.gpus)
        list.push_back({{"name", gpu.name}, {"memory_bytes", gpu.memoryBytes}, {"compute_capability", std::to_string(gpu.major) + "." + std::to_string(gpu.minor)}});
    if (!list.empty()) return list;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/proc/driver/nvidia/gpus", error)) {
        Json gpu = {{"name", "NVIDIA GPU"}, {"bus", entry.path().filename().string()}};
        auto text = readFile((entry.path() / "information").string(), 64 << 10);
        std::istringstream stream(text ? *text : std::string());
        for (std::string line; std::getline(stream, line);)
            if (line.starts_with("Model:")) gpu["name"] = trimmed(std::string_view(line).substr(6));
        list.push_back(std::move(gpu));
    }
    return list;
}

std::optional<LibTorch> installedLibTorch() {
    std::optional<LibTorch> found;
    std::error_code error;
    constexpr std::string_view kPrefix = "libtorch-";
    for (const auto& entry : fs::directory_iterator(cacheRoot(), error)) {
        const std::string name = entry.path().filename().string();
        const fs::path library = entry.path() / "torch/lib/libtorch_cpu.so";
        if (!name.starts_with(kPrefix) || !fs::exists(library, error)) continue;
        LibTorch candidate{name.substr(kPrefix.size()), library.string()};
        if (!found || candidate.version > found->version) found = std::move(candidate);
    }
    return found;
}

}  // namespace assay::cli
