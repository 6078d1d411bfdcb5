#include "assay/nn/device.h"

#include <assay/torch.h>

#include <ATen/Context.h>
#include <c10/core/impl/VirtualGuardImpl.h>

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

at::Tensor hostMemory(at::IntArrayRef sizes, at::ScalarType type, at::Device device) {
    const at::TensorOptions options = at::TensorOptions(at::kCPU).dtype(type);
    if (device.is_cuda()) {
        try {
            return at::empty(sizes, options.pinned_memory(true));
        } catch (const c10::Error&) {  // the system grants no more: copies wait, and are right
        }
    }
    return at::empty(sizes, options);
}

HostCopies::HostCopies(at::Device device) : device_(device), done_(device.type()) {}

at::Tensor HostCopies::add(const at::Tensor& tensor) {
    at::NoGradGuard noGrad;
    at::Tensor host = hostMemory(tensor.sizes(), tensor.scalar_type(), device_);
    return host.copy_(tensor.detach(), /*non_blocking=*/true);
}

void HostCopies::started() { done_.record(c10::impl::VirtualGuardImpl(device_.type()).getStream(device_)); }
void HostCopies::wait() const { done_.synchronize(); }

void preferSameBits() {
    at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/true);
    at::globalContext().setDeterministicFillUninitializedMemory(false);  // nothing here reads what it has not written
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
