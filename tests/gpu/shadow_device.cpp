#include "shadow_device.h"

#include <assay/torch.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ATen/Context.h>
#include <ATen/EmptyTensor.h>
#include <ATen/autocast_mode.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/DeviceType.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/library.h>

#include <atomic>
#include <map>
#include <mutex>

namespace assay::shadow {
namespace {

constexpr c10::DeviceType kType = c10::DeviceType::PrivateUse1;
constexpr size_t kArenaBytes = size_t{256} << 20, kAlignment = 64;

std::atomic<int64_t> waits{0}, readBytes{0}, sentBytes{0}, operations{0}, liveBytes{0};
thread_local bool inside = false;  // an operation of the device at work: its own copies are no transfers

// One file in memory, mapped twice: without access at the addresses that tensors have, and readable for the operations.
class Arena {
public:
    static Arena& get() {
        static Arena arena;
        return arena;
    }
    void* allocate(size_t bytes) {
        const size_t size = std::max<size_t>((bytes + kAlignment - 1) / kAlignment * kAlignment, kAlignment);
        const std::lock_guard lock(mutex_);
        for (auto it = free_.begin(); it != free_.end(); ++it) {
            if (it->second < size) continue;
            const size_t at = it->first, rest = it->second - size;
            free_.erase(it);
            if (rest > 0) free_[at + size] = rest;
            used_[at] = size;
            liveBytes += static_cast<int64_t>(size);
            return shown_ + at;
        }
        TORCH_CHECK_WITH(OutOfMemoryError, false, "CUDA out of memory. Tried to allocate ", bytes, " bytes on the shadow device");
    }
    void release(void* pointer) {
        const std::lock_guard lock(mutex_);
        const auto used = used_.find(offset(pointer));
        const size_t at = used->first, size = used->second;
        used_.erase(used);
        liveBytes -= static_cast<int64_t>(size);
        auto here = free_.emplace(at, size).first;
        if (auto next = std::next(here); next != free_.end() && next->first == at + size) {
            here->second += next->second;
            free_.erase(next);
        }
        if (here != free_.begin())
            if (auto before = std::prev(here); before->first + before->second == at) {
                before->second += here->second;
                free_.erase(here);
            }
    }
    char* open(const void* pointer) const { return open_ + offset(pointer); }

private:
    Arena() {
        const int file = ::memfd_create("shadow", 0);
        TORCH_CHECK(file >= 0 && ::ftruncate(file, kArenaBytes) == 0, "no memory for the shadow device");
        shown_ = static_cast<char*>(::mmap(nullptr, kArenaBytes, PROT_NONE, MAP_SHARED, file, 0));
        open_ = static_cast<char*>(::mmap(nullptr, kArenaBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
        TORCH_CHECK(shown_ != MAP_FAILED && open_ != MAP_FAILED, "no addresses for the shadow device");
        ::close(file);
        free_[0] = kArenaBytes;
    }
    size_t offset(const void* pointer) const { return static_cast<size_t>(static_cast<const char*>(pointer) - shown_); }

    char *shown_ = nullptr, *open_ = nullptr;
    std::mutex mutex_;
    std::map<size_t, size_t> free_, used_;  // place → size
};

struct ShadowAllocator final : c10::Allocator {
    static void release(void* pointer) {
        if (pointer) Arena::get().release(pointer);
    }
    c10::DataPtr allocate(size_t bytes) override {
        void* pointer = bytes > 0 ? Arena::get().allocate(bytes) : nullptr;
        return {pointer, pointer, &release, c10::Device(kType, 0)};
    }
    c10::DeleterFnPtr raw_deleter() const override { return &release; }
    void copy_data(void* to, const void* from, size_t bytes) const override { std::memcpy(Arena::get().open(to), Arena::get().open(from), bytes); }
};
ShadowAllocator& allocator() {
    static ShadowAllocator one;
    return one;
}

struct ShadowGuard final : c10::impl::DeviceGuardImplInterface {
    c10::DeviceType type() const override { return kType; }
    c10::Device exchangeDevice(c10::Device) const override { return {kType, 0}; }
    c10::Device getDevice() const override { return {kType, 0}; }
    void setDevice(c10::Device) const override {}
    void uncheckedSetDevice(c10::Device) const noexcept override {}
    c10::Stream getStream(c10::Device) const override { return c10::Stream(c10::Stream::DEFAULT, c10::Device(kType, 0)); }
    c10::Stream getDefaultStream(c10::Device) const override { return c10::Stream(c10::Stream::DEFAULT, c10::Device(kType, 0)); }
    c10::Stream exchangeStream(c10::Stream stream) const override { return stream; }
    c10::DeviceIndex deviceCount() const noexcept override { return 1; }
    void synchronizeDevice(c10::DeviceIndex) const override { ++waits; }
};

// Random numbers are those of the CPU's generator: the operations are the CPU's.
struct ShadowHooks final : at::PrivateUse1HooksInterface {
    bool isBuilt() const override { return true; }
    bool isAvailable() const override { return true; }
    bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
    c10::DeviceIndex deviceCount() const override { return 1; }
    c10::DeviceIndex getCurrentDevice() const override { return 0; }
    const at::Generator& getDefaultGenerator(c10::DeviceIndex) const override { return at::detail::getDefaultCPUGenerator(); }
};

// The tensor as the operations see it: the same bytes, on the CPU.
at::Tensor opened(const at::Tensor& tensor) {
    if (tensor.is_cpu()) return tensor;
    char* data = tensor.numel() > 0 ? Arena::get().open(tensor.storage().data()) + static_cast<size_t>(tensor.storage_offset()) * tensor.element_size() : nullptr;
    return at::from_blob(data, tensor.sizes(), tensor.strides(), tensor.options().device(at::kCPU).requires_grad(false));
}

void checkDevice(const c10::OperatorHandle& op, const at::Tensor& tensor) {
    if (!tensor.defined() || !tensor.is_cpu() || tensor.dim() == 0) return;
    TORCH_CHECK(false, "shadow: ", op.schema().name(), " expected all tensors on the device, found one of the host with sizes ", tensor.sizes());
}

void runOnCpu(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
    const size_t count = op.schema().arguments().size();
    for (const c10::IValue& value : torch::jit::last(*stack, count)) {
        if (value.isTensor()) checkDevice(op, value.toTensor());
        else if (value.isTensorList())
            for (const at::Tensor& tensor : value.toTensorVector()) checkDevice(op, tensor);
    }
    ++operations;
    const bool before = inside;
    inside = true;
    try {
        at::native::cpu_fallback(op, stack, /*error_on_views=*/true);
    } catch (...) {
        inside = before;
        throw;
    }
    inside = before;
}

at::Tensor emptyTensor(at::IntArrayRef size, std::optional<at::ScalarType> type, std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>, std::optional<at::MemoryFormat> format) {
    return at::detail::empty_generic(size, &allocator(), c10::DispatchKeySet(c10::DispatchKey::PrivateUse1), type.value_or(at::kFloat), format);
}
at::Tensor emptyStrided(at::IntArrayRef size, at::IntArrayRef stride, std::optional<at::ScalarType> type, std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>) {
    return at::detail::empty_strided_generic(size, stride, &allocator(), c10::DispatchKeySet(c10::DispatchKey::PrivateUse1), type.value_or(at::kFloat));
}
at::Tensor copyFrom(const at::Tensor& from, const at::Tensor& to, bool) {
    if (!inside && from.is_cpu() && !to.is_cpu()) sentBytes += static_cast<int64_t>(from.nbytes());
    if (!inside && !from.is_cpu() && to.is_cpu()) {
        ++waits;
        readBytes += static_cast<int64_t>(from.nbytes());
    }
    opened(to).copy_(opened(from));
    return to;
}
at::Tensor copyFromAndResize(const at::Tensor& from, const at::Tensor& to) {
    if (from.sizes() != to.sizes()) {  // an empty tensor that an operation was given to put its result into
        TORCH_CHECK(to.numel() == 0 && !to.is_cpu(), "shadow: a result of ", from.sizes(), " does not fit into ", to.sizes());
        const at::Tensor room = emptyTensor(from.sizes(), to.scalar_type(), {}, {}, {}, {});
        to.unsafeGetTensorImpl()->set_storage_keep_dtype(room.storage());
        to.unsafeGetTensorImpl()->set_sizes_contiguous(from.sizes());
    }
    return copyFrom(from, to, false);
}
at::Scalar localScalar(const at::Tensor& tensor) {
    if (!inside) {
        ++waits;
        readBytes += static_cast<int64_t>(tensor.nbytes());
    }
    return opened(tensor).item();
}

}  // namespace

TORCH_LIBRARY_IMPL(_, PrivateUse1, m) { m.fallback(torch::CppFunction::makeFromBoxedFunction<&runOnCpu>()); }
TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
    m.impl("empty.memory_format", TORCH_FN(emptyTensor));
    m.impl("empty_strided", TORCH_FN(emptyStrided));
    m.impl("as_strided", TORCH_FN(at::native::as_strided_tensorimpl));
    m.impl("view", TORCH_FN(at::native::view));
    m.impl("_reshape_alias", TORCH_FN(at::native::_reshape_alias));
    m.impl("_copy_from", TORCH_FN(copyFrom));
    m.impl("_copy_from_and_resize", TORCH_FN(copyFromAndResize));
    m.impl("_local_scalar_dense", TORCH_FN(localScalar));
}
// What autocast makes narrow on the CPU, of the operations that are used.
TORCH_LIBRARY_IMPL(_, AutocastPrivateUse1, m) { m.fallback(torch::CppFunction::makeFallthrough()); }
TORCH_LIBRARY_IMPL(aten, AutocastPrivateUse1, m) {
    KERNEL_PRIVATEUSEONE(mm, lower_precision_fp)
    KERNEL_PRIVATEUSEONE(bmm, lower_precision_fp)
    KERNEL_PRIVATEUSEONE(addmm, lower_precision_fp)
    KERNEL_PRIVATEUSEONE(baddbmm, lower_precision_fp)
    KERNEL_PRIVATEUSEONE(linear, lower_precision_fp)
    KERNEL_PRIVATEUSEONE(matmul, lower_precision_fp)
    KERNEL_PRIVATEUSEONE(scaled_dot_product_attention, lower_precision_fp)
}

C10_REGISTER_GUARD_IMPL(PrivateUse1, ShadowGuard);

at::Device device() {
    [[maybe_unused]] static const bool once = [] {
        static ShadowHooks hooks;
        c10::register_privateuse1_backend("shadow");
        c10::SetAllocator(kType, &allocator());
        at::RegisterPrivateUse1HooksInterface(&hooks);
        return true;
    }();
    return {kType, 0};
}

Counts counts() { return {waits, readBytes, sentBytes, operations, liveBytes}; }

void resetCounts() {
    waits = readBytes = sentBytes = operations = 0;
}

}  // namespace assay::shadow
