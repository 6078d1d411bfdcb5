// Loads libassay_cuda.so as the worker does and prints one JSON document.
//
//   assay_cuda_check PLUGIN          {"abi":1,"devices":[…]}; exit 0 with no device, too
//   assay_cuda_check PLUGIN --run    the same with "self_check" for every device; exit 1 when one fails or
//   none is there
#include <assay/dist/cuda_abi.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using assay::dist::CudaAllocator;
using assay::dist::CudaDevice;
using assay::dist::CudaMessage;

[[noreturn]] void stop(const std::string& why) {
    std::fprintf(stderr, "assay_cuda_check: %s\n", why.c_str());
    std::exit(1);
}

template <class Function>
Function* find(void* library, const char* name) {
    void* symbol = ::dlsym(library, name);
    if (!symbol) stop(std::string(name) + " is not exported");
    return reinterpret_cast<Function*>(symbol);
}

// Calls a function of the plugin whose last argument takes the reason of a failure.
template <class Function, class... Arguments>
void call(Function* function, Arguments... arguments) {
    char why[4096] = "";
    if (function(arguments..., CudaMessage{why, sizeof why}) != 0) stop(why);
}

std::string deviceJson(void* library, int32_t index, bool run, bool& passed) {
    CudaDevice device{};
    call(find<decltype(assayCudaDevice)>(library, "assayCudaDevice"), index, &device);
    char head[512];
    std::snprintf(head, sizeof head,
                  "{\"name\":\"%s\",\"total_bytes\":%lld,\"free_bytes\":%lld,\"compute\":\"%d.%d\","
                  "\"multiprocessors\":%d,"
                  "\"driver_version\":%d,\"runtime_version\":%d",
                  device.name, static_cast<long long>(device.totalBytes),
                  static_cast<long long>(device.freeBytes), device.computeMajor, device.computeMinor,
                  device.multiprocessors, device.driverVersion, device.runtimeVersion);
    std::string out = head;
    if (run) {
        call(find<decltype(assayCudaResetPeaks)>(library, "assayCudaResetPeaks"), index);
        std::vector<char> report(1 << 16);
        call(find<decltype(assayCudaSelfCheck)>(library, "assayCudaSelfCheck"), index,
             CudaMessage{report.data(), report.size()});
        const std::string text = report.data();
        passed = passed && text.find("\"passed\":true") != std::string::npos;
        CudaAllocator memory{};
        call(find<decltype(assayCudaAllocatorStats)>(library, "assayCudaAllocatorStats"), index, &memory);
        out += ",\"self_check\":" + text +
               ",\"allocated_peak_bytes\":" + std::to_string(memory.allocatedPeakBytes) +
               ",\"reserved_peak_bytes\":" + std::to_string(memory.reservedPeakBytes);
    }
    return out + "}";
}

}  // namespace

int main(int argc, char** argv) {
    const bool run = argc == 3 && std::string_view(argv[2]) == "--run";
    if (argc != 2 && !run) {
        std::fprintf(stderr, "usage: assay_cuda_check PLUGIN [--run]\n");
        return 2;
    }
    void* library = ::dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    if (!library) stop(::dlerror());
    const int32_t version = find<decltype(assayCudaAbiVersion)>(library, "assayCudaAbiVersion")();
    if (version != assay::dist::kCudaAbiVersion) stop("ABI version " + std::to_string(version));
    int32_t count = -1;
    call(find<decltype(assayCudaDeviceCount)>(library, "assayCudaDeviceCount"), &count);
    bool passed = true;
    std::string devices;
    for (int32_t index = 0; index < count; ++index)
        devices += (index ? "," : "") + deviceJson(library, index, run, passed);
    std::printf("{\"abi\":%d,\"devices\":[%s]}\n", version, devices.c_str());
    std::fflush(stdout);
    if (run && count == 0) stop("no CUDA device is visible");
    return run && !passed ? 1 : 0;
}
