#pragma once
// Between the host and the device of a model. Nothing here links CUDA: tensors on a device need libtorch_cuda in the
// process, which engine/dist's plugin brings.

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

namespace assay::nn {

// The tensor on the device, as it is when it lies there already. To a GPU it goes through pinned memory and nobody waits:
// work queued on the device later sees it whole.
at::Tensor toDevice(const at::Tensor& host, at::Device device);
// A contiguous copy in the host's memory, whatever device it comes from. Waits for the device.
at::Tensor hostCopy(const at::Tensor& tensor);
// The device's own stream of random numbers (dropout). Lock its mutex before changing its state.
at::Generator generatorOf(at::Device device);
// The state of that stream starts anew from `seed`.
void seedDevice(at::Device device, uint64_t seed);

}  // namespace assay::nn
