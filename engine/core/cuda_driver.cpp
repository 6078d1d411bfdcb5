#include "assay/core/cuda_driver.h"

#include <dlfcn.h>

#include <cstdlib>

#include "assay/core/paths.h"

namespace assay {
namespace {

constexpr int kNoDevice = 100;                                     // CUDA_ERROR_NO_DEVICE
constexpr int kMajorAttribute = 75, kMinorAttribute = 76;          // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_…

struct Driver {
    int (*init)(unsigned) = nullptr;
    int (*version)(int*) = nullptr;
    int (*count)(int*) = nullptr;
    int (*name)(char*, int, int) = nullptr;
    int (*memory)(size_t*, int) = nullptr;
    int (*attribute)(int*, int, int) = nullptr;
    int (*errorText)(int, const char**) = nullptr;

    bool open() {  // stays open: the plugin uses the same library
        void* library = ::dlopen("libcuda.so.1", RTLD_NOW);
        if (!library) return false;
        const auto find = [&](auto& function, const char* symbol) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, symbol));
            return function != nullptr;
        };
        return find(init, "cuInit") && find(version, "cuDriverGetVersion") && find(count, "cuDeviceGetCount") && find(name, "cuDeviceGetName") &&
               find(memory, "cuDeviceTotalMem_v2") && find(attribute, "cuDeviceGetAttribute") && find(errorText, "cuGetErrorString");
    }
    std::string describe(int code) const {
        const char* text = nullptr;
        if (errorText(code, &text) != 0 || !text) text = "unknown error";
        return std::string(text) + " (CUDA error " + std::to_string(code) + ")";
    }
};

std::string noDevice() {
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    if (visible) return "the NVIDIA driver shows no GPU: CUDA_VISIBLE_DEVICES is \"" + std::string(visible) + "\"";
    return "the NVIDIA driver finds no GPU";
}

}  // namespace

CudaDriver cudaDriver() {
    CudaDriver out;
    Driver driver;
    if (!driver.open()) {
        out.trouble = "this machine has no NVIDIA driver (libcuda.so.1 cannot be loaded)";
        return out;
    }
    out.found = true;
    int count = 0;
    int code = driver.init(0);
    if (code == 0) code = driver.count(&count);
    if (code == kNoDevice || (code == 0 && count == 0)) {
        out.trouble = noDevice();
        return out;
    }
    if (code != 0) {
        out.trouble = "the NVIDIA driver does not work: " + driver.describe(code);
        return out;
    }
    if (driver.version(&out.version) != 0) out.version = 0;
    for (int device = 0; device < count; ++device) {  // a device of the driver interface is its number
        CudaGpu gpu;
        char name[256] = "";
        size_t bytes = 0;
        if (driver.name(name, sizeof name, device) == 0) gpu.name = name;
        if (driver.memory(&bytes, device) == 0) gpu.memoryBytes = static_cast<int64_t>(bytes);
        if (driver.attribute(&gpu.major, kMajorAttribute, device) != 0) gpu.major = 0;
        if (driver.attribute(&gpu.minor, kMinorAttribute, device) != 0) gpu.minor = 0;
        out.gpus.push_back(std::move(gpu));
    }
    return out;
}

std::string cudaPluginPath() {
    if (const char* named = std::getenv("ASSAY_CUDA_PLUGIN"); named && *named) return named;
    return executableFolder() + "/libassay_cuda.so";
}

}  // namespace assay
