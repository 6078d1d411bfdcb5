#include "assay/nn/device.h"

#include <assay/torch.h>

#include <ATen/Context.h>

#include <mutex>

namespace assay::nn {

at::Tensor toDevice(const at::Tensor& host, at::Device device) {
    if (host.device() == device) return host;
    if (!device.is_cuda() || !host.is_cpu()) return host.to(device);
    // The caching host allocator keeps the pinned block until the copy has run.
    return host.pin_memory().to(device, /*non_blocking=*/true);
}

at::Tensor hostCopy(const at::Tensor& tensor) {
    at::NoGradGuard noGrad;
    const at::Tensor plain = tensor.detach();
    return plain.is_cpu() ? plain.clone(at::MemoryFormat::Contiguous) : plain.contiguous().to(at::kCPU);
}

at::Generator generatorOf(at::Device device) {
    return device.is_cpu() ? at::detail::getDefaultCPUGenerator() : at::globalContext().defaultGenerator(device);
}

void seedDevice(at::Device device, uint64_t seed) {
    at::Generator generator = generatorOf(device);
    const std::lock_guard lock(generator.mutex());
    generator.set_current_seed(seed);
}

}  // namespace assay::nn
