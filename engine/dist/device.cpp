#include "assay/dist/device.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include <assay/core/cuda_driver.h>

namespace assay::dist {
namespace {

constexpr const char* kHowToGet = "make it with packaging/dev build --cuda (about 3 GB of CUDA libraries come with deps --cuda-run), name another with ASSAY_CUDA_PLUGIN, or set device: cpu";

constexpr int kOldestCapability = 75;  // of the CUDA 13 builds of LibTorch

const CudaPlugin* theLoadedPlugin = nullptr;  // set once, by the thread that starts the process

// Runs a function of the plugin whose last argument takes the reason of a failure.
template <class Function, class... Arguments>
Result<void> callPlugin(Function* function, Arguments... arguments) {
    char why[4096] = "";
    if (function(arguments..., CudaMessage{why, sizeof why}) == 0) return {};
    return fail(ErrorCode::kUnsupported, std::string("the CUDA plugin failed: ") + why, "assay doctor shows the driver and the GPUs");
}

std::string gigabytes(int64_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f GB", static_cast<double>(bytes) / 1e9);
    return text;
}

}  // namespace

struct CudaPluginLoader {
    std::string path;
    void* library = nullptr;

    tl::unexpected<Error> refuse(const std::string& what) const { return fail(ErrorCode::kUnsupported, "the CUDA plugin " + path + " " + what, kHowToGet); }

    template <class Function>
    bool find(Function& function, const char* name) const {
        function = reinterpret_cast<Function>(::dlsym(library, name));
        return function != nullptr;
    }

    Result<const CudaPlugin*> load() {
        std::error_code ec;
        if (!std::filesystem::is_regular_file(path, ec)) return refuse("is not there");
        // All symbols now: a missing library must show here, not in the middle of a step. Global: the kernels of
        // libtorch_cuda find each other through the process's table.
        library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
        if (!library) {
            const char* why = ::dlerror();
            return refuse(std::string("cannot be loaded: ") + (why ? why : "unknown reason"));
        }
        decltype(&assayCudaAbiVersion) version = nullptr;
        if (!find(version, "assayCudaAbiVersion")) return refuse("is a library, but no plugin of Assay");
        if (const int32_t theirs = version(); theirs != kCudaAbiVersion)
            return refuse("has interface version " + std::to_string(theirs) + ", this worker needs " + std::to_string(kCudaAbiVersion));
        static CudaPlugin plugin;
        const bool whole = find(plugin.deviceCount_, "assayCudaDeviceCount") && find(plugin.device_, "assayCudaDevice") && find(plugin.memory_, "assayCudaAllocatorStats") &&
                           find(plugin.resetPeaks_, "assayCudaResetPeaks") && find(plugin.makeNccl_, "assayCudaMakeNccl") && find(plugin.selfCheck_, "assayCudaSelfCheck");
        if (!whole) return refuse("lacks a function of its interface version");
        theLoadedPlugin = &plugin;
        return theLoadedPlugin;
    }
};

Result<const CudaPlugin*> CudaPlugin::load(const std::string& path) {
    if (theLoadedPlugin) return theLoadedPlugin;
    CudaPluginLoader loader;
    loader.path = path;
    return loader.load();
}

const CudaPlugin* CudaPlugin::loaded() { return theLoadedPlugin; }

Result<int> CudaPlugin::deviceCount() const {
    int32_t count = 0;
    ASSAY_TRY_VOID(callPlugin(deviceCount_, &count));
    return count;
}

Result<CudaDevice> CudaPlugin::device(int index) const {
    CudaDevice out{};
    ASSAY_TRY_VOID(callPlugin(device_, index, &out));
    return out;
}

Result<CudaAllocator> CudaPlugin::memory(int index) const {
    CudaAllocator out{};
    ASSAY_TRY_VOID(callPlugin(memory_, index, &out));
    return out;
}

Result<void> CudaPlugin::resetPeaks(int index) const { return callPlugin(resetPeaks_, index); }

Result<void> CudaPlugin::makeNccl(const void* store, int rank, int world, double timeoutSeconds, void* out) const {
    return callPlugin(makeNccl_, store, rank, world, timeoutSeconds, out);
}

Result<std::string> CudaPlugin::selfCheck(int index) const {
    std::vector<char> report(size_t{1} << 16);
    ASSAY_TRY_VOID(callPlugin(selfCheck_, index, CudaMessage{report.data(), report.size()}));
    return std::string(report.data());
}

Result<DeviceChoice> chooseDevice(std::string_view wanted, int localRank) {
    DeviceChoice choice;
    if (wanted == "cpu") {
        choice.sentence = "computes on the CPU, as device: cpu says";
        return choice;
    }
    const bool must = wanted == "cuda";
    auto without = [&](ErrorCode code, const std::string& why, const std::string& hint) -> Result<DeviceChoice> {
        if (must) return fail(code, "device: cuda: " + why, hint);
        choice.sentence = "computes on the CPU: " + why;
        return choice;
    };
    const CudaDriver driver = cudaDriver();
    if (!driver.found) return without(ErrorCode::kUnsupported, driver.trouble, "install NVIDIA's driver, or set device: cpu or auto");
    if (!driver.trouble.empty()) return without(ErrorCode::kUnsupported, driver.trouble, "check nvidia-smi and CUDA_VISIBLE_DEVICES, or set device: cpu or auto");
    const auto gpus = static_cast<int>(driver.gpus.size());
    if (localRank >= gpus)
        return fail(ErrorCode::kBadUsage, "device: rank " + std::to_string(localRank) + " of this machine has no GPU of its own: there " + (gpus == 1 ? "is 1" : "are " + std::to_string(gpus)),
                    "start as many ranks on a machine as it has GPUs, or set device: cpu");
    // cuBLAS sums in one order when its work space is fixed; it reads this when its library is loaded.
    ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", /*overwrite=*/0);
    auto plugin = CudaPlugin::load(cudaPluginPath());
    if (!plugin) return must ? fail(std::move(plugin.error()).with("device: cuda")) : without(plugin.error().code, plugin.error().message + " (" + plugin.error().hint + ")", "");
    const auto seen = (*plugin)->deviceCount();
    if (!seen) return without(seen.error().code, seen.error().message, seen.error().hint);
    if (const int count = *seen; localRank >= count)
        return without(ErrorCode::kUnsupported, "the driver shows " + std::to_string(gpus) + " GPUs, LibTorch's CUDA " + std::to_string(count) + ": the driver is older than CUDA 13 needs",
                       "update NVIDIA's driver to 580 or newer, or set device: cpu");
    const auto found = (*plugin)->device(localRank);  // makes the first context: here a GPU that is locked or broken shows
    if (!found) return without(found.error().code, found.error().message, found.error().hint);
    const CudaDevice& device = *found;
    if (device.computeMajor * 10 + device.computeMinor < kOldestCapability)
        return without(ErrorCode::kUnsupported, std::string("LibTorch has no code for ") + device.name + ": its compute capability is " + std::to_string(device.computeMajor) + "." + std::to_string(device.computeMinor),
                       "it takes 7.5 (Turing, 2018) or newer; set device: cpu");
    choice.cuda = localRank;
    choice.name = device.name;
    choice.sentence = std::string("computes on GPU ") + std::to_string(localRank) + ": " + device.name + ", " + gigabytes(device.totalBytes) + ", " + gigabytes(device.freeBytes) +
                      " free, compute capability " + std::to_string(device.computeMajor) + "." + std::to_string(device.computeMinor);
    return choice;
}

}  // namespace assay::dist
