#pragma once
// The device a run computes on, and the CUDA plugin behind it (cuda_abi.h). The worker links nothing of CUDA: the plugin
// brings libtorch_cuda into the process, and ATen's operations then know the device.

#include <assay/core/error.h>
#include <assay/dist/cuda_abi.h>

#include <memory>
#include <string>
#include <string_view>

namespace assay::dist {

// libassay_cuda.so in this process. Never unloaded: kernels of it are registered in ATen. Any thread.
class CudaPlugin {
public:
    // Before the first ATen call of the process, because ATen remembers whether CUDA exists. kUnsupported: no such file, not
    // a plugin, or the plugin of another version; the message names the path, the hint says how to get the right one.
    static Result<const CudaPlugin*> load(const std::string& path);
    static const CudaPlugin* loaded();  // null: not loaded

    Result<int> deviceCount() const;
    Result<CudaDevice> device(int index) const;
    Result<CudaAllocator> memory(int index) const;  // figures of the caching allocator since the last resetPeaks
    Result<void> resetPeaks(int index) const;
    // `store`: a c10::intrusive_ptr<c10d::Store>, `out`: an empty c10::intrusive_ptr<c10d::Backend>.
    Result<void> makeNccl(const void* store, int rank, int world, double timeoutSeconds, void* out) const;
    Result<std::string> selfCheck(int index) const;  // JSON

private:
    friend struct CudaPluginLoader;
    CudaPlugin() = default;
    decltype(&assayCudaDeviceCount) deviceCount_ = nullptr;
    decltype(&assayCudaDevice) device_ = nullptr;
    decltype(&assayCudaAllocatorStats) memory_ = nullptr;
    decltype(&assayCudaResetPeaks) resetPeaks_ = nullptr;
    decltype(&assayCudaMakeNccl) makeNccl_ = nullptr;
    decltype(&assayCudaSelfCheck) selfCheck_ = nullptr;
};

struct DeviceChoice {
    int cuda = -1;         // index of the GPU; −1: the CPU
    std::string name = "cpu";  // "cpu", or the name of the GPU
    std::string sentence;  // for the log: what was chosen and why
};
// `wanted`: auto, cpu or cuda (CONTRACT.md). The GPU is the one of this rank's number on its machine (LOCAL_RANK). cuda
// fails where auto takes the CPU and says why. Loads the plugin when a GPU is there: before the first ATen call.
Result<DeviceChoice> chooseDevice(std::string_view wanted, int localRank);

}  // namespace assay::dist
