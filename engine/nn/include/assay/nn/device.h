#pragma once
// Between the host and the device of a model. Nothing here links CUDA: tensors on a device need libtorch_cuda in the
// process, which engine/dist's plugin brings.

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Event.h>

namespace assay::nn {

// The tensor on the device, as it is when it lies there already. To a GPU it goes through pinned memory and nobody waits:
// work queued on the device later sees it whole.
at::Tensor toDevice(const at::Tensor& host, at::Device device);
// A contiguous copy in the host's memory, whatever device it comes from. Waits for the device.
at::Tensor hostCopy(const at::Tensor& tensor);
// Uninitialised memory of the host for copies from and to the device: pinned for a GPU, where the machine grants it.
at::Tensor hostMemory(at::IntArrayRef sizes, at::ScalarType type, at::Device device);

// Copies to the host that are under way while the host goes on. What the device is given later does not change them.
class HostCopies {
public:
    explicit HostCopies(at::Device device);
    at::Tensor add(const at::Tensor& tensor);  // contiguous; its numbers are there once wait() has returned
    void started();                            // after the last add
    void wait() const;                         // any thread; throws what LibTorch throws

private:
    at::Device device_;
    c10::Event done_;
};

// Kernels that give the same bits each time are taken where LibTorch has them; where it has none it says so in the log. For the
// whole process. A resumed run on the same GPU then ends in the bits of one that was never stopped.
void preferSameBits();

// The device's own stream of random numbers (dropout). Lock its mutex before changing its state.
at::Generator generatorOf(at::Device device);
// The state of that stream starts anew from `seed`.
void seedDevice(at::Device device, uint64_t seed);

}  // namespace assay::nn
