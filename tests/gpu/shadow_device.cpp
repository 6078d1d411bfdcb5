#include "shadow_device.h"

#include <assay/torch.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ATen/Context.h>
#include <ATen/EmptyTensor.h>
#include <ATen/autocast_mode.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/SDPBackend.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/native/transformers/attention.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/DeviceType.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/library.h>

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

namespace assay::shadow {
namespace {

constexpr c10::DeviceType kType = c10::DeviceType::PrivateUse1;
constexpr size_t kArenaBytes = size_t{256} << 20, kAlignment = 64;

std::atomic<int64_t> waits{0}, readBytes{0}, sentBytes{0}, operations{0}, liveBytes{0}, peakBytes{0};
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
            peakBytes = std::max<int64_t>(peakBytes, liveBytes);
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

// Streams beside the one that computes. What they are given is done as late as it can be: when somebody waits for it. So a
// tensor that is read before its copy arrived, or whose memory is used anew before it was copied, gives wrong numbers here.
class Streams {
public:
    static Streams& get() {
        static Streams streams;
        return streams;
    }
    struct Mark {
        c10::StreamId stream;
        size_t ticket;
    };
    c10::StreamId make() {
        const std::lock_guard lock(mutex_);
        return static_cast<c10::StreamId>(++made_);
    }
    void give(c10::StreamId stream, std::function<void()> work) {
        const std::lock_guard lock(mutex_);
        queues_[stream].work.push_back(std::move(work));
    }
    Mark mark(c10::StreamId stream) {
        const std::lock_guard lock(mutex_);
        Queue& queue = queues_[stream];
        return {stream, queue.done + queue.work.size()};
    }
    bool reached(const Mark& mark) {
        const std::lock_guard lock(mutex_);
        return queues_[mark.stream].done >= mark.ticket;
    }
    void reach(const Mark& mark) {
        const std::lock_guard lock(mutex_);
        Queue& queue = queues_[mark.stream];
        while (queue.done < mark.ticket) {
            const auto work = std::move(queue.work.front());
            queue.work.pop_front();
            ++queue.done;
            work();
        }
    }

private:
    struct Queue {
        std::deque<std::function<void()>> work;
        size_t done = 0;
    };
    std::recursive_mutex mutex_;  // work of one stream may wait for another
    std::map<c10::StreamId, Queue> queues_;
    int made_ = 0;
};
thread_local c10::StreamId currentStream = 0;  // 0 computes, at once

c10::Stream streamOf(c10::StreamId id) { return c10::Stream(c10::Stream::UNSAFE, c10::Device(kType, 0), id); }

struct ShadowGuard final : c10::impl::DeviceGuardImplInterface {
    c10::DeviceType type() const override { return kType; }
    c10::Device exchangeDevice(c10::Device) const override { return {kType, 0}; }
    c10::Device getDevice() const override { return {kType, 0}; }
    void setDevice(c10::Device) const override {}
    void uncheckedSetDevice(c10::Device) const noexcept override {}
    c10::Stream getStream(c10::Device) const override { return streamOf(currentStream); }
    c10::Stream getDefaultStream(c10::Device) const override { return streamOf(0); }
    c10::Stream getStreamFromGlobalPool(c10::Device, bool) const override { return streamOf(Streams::get().make()); }
    c10::Stream exchangeStream(c10::Stream stream) const override { return streamOf(std::exchange(currentStream, stream.id())); }
    void record(void** event, const c10::Stream& stream, c10::DeviceIndex, c10::EventFlag) const override {
        if (!*event) *event = new Streams::Mark{};
        *static_cast<Streams::Mark*>(*event) = Streams::get().mark(stream.id());
    }
    void block(void* event, const c10::Stream& stream) const override {
        const Streams::Mark mark = *static_cast<Streams::Mark*>(event);
        if (stream.id() == 0) Streams::get().reach(mark);
        else Streams::get().give(stream.id(), [mark] { Streams::get().reach(mark); });
    }
    bool queryEvent(void* event) const override { return Streams::get().reached(*static_cast<Streams::Mark*>(event)); }
    void synchronizeEvent(void* event) const override {
        ++waits;
        Streams::get().reach(*static_cast<Streams::Mark*>(event));
    }
    void destroyEvent(void* event, c10::DeviceIndex) const noexcept override { delete static_cast<Streams::Mark*>(event); }
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
at::Tensor copyFrom(const at::Tensor& from, const at::Tensor& to, bool nonBlocking) {
    if (!inside && currentStream != 0) {
        TORCH_CHECK(nonBlocking, "shadow: a copy on a stream of its own makes the host wait");
        (from.is_cpu() ? sentBytes : readBytes) += static_cast<int64_t>(from.nbytes());
        // The host's side lives until then, as LibTorch's pinned memory does; the device's is whoever holds it.
        Streams::get().give(currentStream, [source = opened(from), target = opened(to)] { at::Tensor(target).copy_(source); });
        return to;
    }
    if (!inside && from.is_cpu() && !to.is_cpu()) sentBytes += static_cast<int64_t>(from.nbytes());
    if (!inside && !from.is_cpu() && to.is_cpu()) {
        if (!nonBlocking) ++waits;
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

// Attention: the CPU's flash kernel, which keeps what a GPU's keeps. It knows no dropout; then the formula is taken.
int64_t attentionOf(const at::Tensor&, const at::Tensor&, const at::Tensor&, const std::optional<at::Tensor>&, double dropout, bool, std::optional<double>, bool) {
    const bool fused = dropout == 0 && at::globalContext().userEnabledFlashSDP();
    return static_cast<int64_t>(fused ? at::SDPBackend::overrideable : at::SDPBackend::math);
}
at::Tensor moved(const at::Tensor& result) {
    const at::Tensor out = emptyStrided(result.sizes(), result.strides(), result.scalar_type(), {}, {}, {});
    opened(out).copy_(result);
    return out;
}
std::optional<at::Tensor> openedMask(const std::optional<at::Tensor>& mask) {
    if (!mask || !mask->defined()) return {};
    return opened(*mask);
}
std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, c10::SymInt, c10::SymInt, at::Tensor, at::Tensor, at::Tensor> attention(
    const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const std::optional<at::Tensor>& mask, double dropout, bool causal, bool, std::optional<double> scale) {
    ++operations;
    const auto [out, sums] = at::_scaled_dot_product_flash_attention_for_cpu(opened(q), opened(k), opened(v), dropout, causal, openedMask(mask), scale);
    return {moved(out), moved(sums), {}, {}, q.size(2), k.size(2), {}, {}, {}};
}
std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor> attentionBackward(
    const at::Tensor& g, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask, std::array<bool, 4>, const at::Tensor& out, const at::Tensor& sums,
    const at::Tensor&, const at::Tensor&, c10::SymInt, c10::SymInt, double dropout, bool causal, const at::Tensor&, const at::Tensor&, std::optional<double> scale) {
    ++operations;
    const auto [gq, gk, gv] =
        at::_scaled_dot_product_flash_attention_for_cpu_backward(opened(g), opened(q), opened(k), opened(v), opened(out), opened(sums), dropout, causal, openedMask(mask), scale);
    return {moved(gq), moved(gk), moved(gv), {}};
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
    // LibTorch has a formula for devices without a kernel; a GPU has one.
    m.impl("silu_backward", torch::CppFunction::makeFromBoxedFunction<&runOnCpu>());
    m.impl("_scaled_dot_product_fused_attention_overrideable", TORCH_FN(attention));
    m.impl("_scaled_dot_product_fused_attention_overrideable_backward", TORCH_FN(attentionBackward));
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

[[maybe_unused]] const bool attends = (at::native::_fused_sdp_choice_stub.set_privateuse1_dispatch_ptr(&attentionOf), true);

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

Counts counts() { return {waits, readBytes, sentBytes, operations, liveBytes, peakBytes}; }

void resetCounts() {
    waits = readBytes = sentBytes = operations = 0;
    peakBytes = liveBytes.load();
}

}  // namespace assay::shadow
