#include "offload.h"

#include <assay/torch.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "assay/nn/device.h"

namespace assay::nn {
namespace {

constexpr int64_t kSmallBytes = 64 << 10;  // a copy of its own takes longer than its bytes
constexpr int64_t kPartOfStorage = 4;      // smaller parts do not take the rest of their storage along

c10::Stream computing(at::Device device) { return c10::impl::VirtualGuardImpl(device.type()).getStream(device); }

// `waiting` goes on when all that `ahead` was given until now is done.
void order(const c10::Stream& ahead, const c10::Stream& waiting) {
    c10::Event event(ahead.device_type());
    event.record(ahead);
    event.block(waiting);
}

}  // namespace

OffloadLane::OffloadLane(at::Device device)
    : device(device), out(c10::impl::VirtualGuardImpl(device.type()).getStreamFromGlobalPool(device)), in(c10::impl::VirtualGuardImpl(device.type()).getStreamFromGlobalPool(device)) {}

// The memory of one or several saved tensors.
class Offload::Moved {
public:
    Moved(std::shared_ptr<OffloadLane> lane, at::Tensor host) : lane_(std::move(lane)), host_(std::move(host)) { lane_->tally.add(static_cast<int64_t>(host_.nbytes())); }
    ~Moved() { lane_->tally.add(-static_cast<int64_t>(host_.nbytes())); }
    Moved(const Moved&) = delete;
    Moved& operator=(const Moved&) = delete;

    void used() { ++uses_; }
    void fetch() {  // on the way back; the device's thread goes on
        if (back_.defined()) return;
        const c10::Stream computes = computing(lane_->device);
        back_ = at::empty(host_.sizes(), host_.options().device(lane_->device).pinned_memory(false));
        order(computes, lane_->in);  // the memory may be that of a tensor that is still in use there
        const c10::StreamGuard copies(lane_->in);
        back_.copy_(host_, /*non_blocking=*/true);
        arrived_.emplace(lane_->device.type());
        arrived_->record(lane_->in);
    }
    at::Tensor take() {  // whole; freed with its last use; a graph that is retained starts another round
        fetch();
        if (arrived_) arrived_->block(computing(lane_->device));
        arrived_.reset();
        at::Tensor out = back_;
        if (++taken_ % uses_ == 0) back_.reset();
        return out;
    }

private:
    std::shared_ptr<OffloadLane> lane_;
    at::Tensor host_, back_;
    std::optional<c10::Event> arrived_;
    int64_t uses_ = 0, taken_ = 0;
};

// What one layer moved. The first use of it in the backward pass brings that of the layer before.
class Offload::Group {
public:
    explicit Group(std::shared_ptr<Group> before) : before_(std::move(before)) {}
    void add(const std::shared_ptr<Moved>& moved) { moved_.push_back(moved); }
    void entered() {
        if (!before_) return;
        for (const auto& weak : before_->moved_)
            if (const auto moved = weak.lock()) moved->fetch();
        before_.reset();
    }

private:
    std::shared_ptr<Group> before_;
    std::vector<std::weak_ptr<Moved>> moved_;
};

class Offload::MovedPart final : public Kept {
public:
    MovedPart(std::shared_ptr<Moved> moved, std::shared_ptr<Group> group, const at::Tensor& view)
        : moved_(std::move(moved)), group_(std::move(group)), sizes_(view.sizes().vec()), strides_(view.strides().vec()), offset_(view.storage_offset()) {
        moved_->used();
    }
    at::Tensor tensor() override {
        group_->entered();
        return moved_->take().as_strided(sizes_, strides_, offset_);
    }

private:
    std::shared_ptr<Moved> moved_;
    std::shared_ptr<Group> group_;
    std::vector<int64_t> sizes_, strides_;
    int64_t offset_;
};

class Offload::StayingPart final : public Kept {
public:
    StayingPart(std::unique_ptr<Kept> kept, std::shared_ptr<Group> group) : kept_(std::move(kept)), group_(std::move(group)) {}
    at::Tensor tensor() override {
        group_->entered();
        return kept_->tensor();
    }

private:
    std::unique_ptr<Kept> kept_;
    std::shared_ptr<Group> group_;
};

class Offload::LayerSaver final : public Saver {
public:
    explicit LayerSaver(Offload& owner) : owner_(owner) {}
    std::unique_ptr<Kept> keep(const at::Tensor& saved) override { return owner_.keep(saved); }

private:
    Offload& owner_;
};

Offload::Offload(std::shared_ptr<OffloadLane> lane, const std::vector<at::Tensor>& stays) : lane_(std::move(lane)), saver_(std::make_unique<LayerSaver>(*this)) {
    for (const at::Tensor& tensor : stays)
        if (tensor.defined()) stays_.insert(tensor.storage().unsafeGetStorageImpl());
}

Offload::~Offload() {
    release(before_, lane_->device);
    release(now_, lane_->device);
}

void Offload::release(std::vector<UnderWay>& copies, at::Device device) {
    if (!copies.empty()) copies.back().done.block(computing(device));  // they end in their order
    copies.clear();
}

Offload::Layer::Layer(Offload& owner, bool last) : owner_(owner) {
    owner_.last_ = last;
    owner_.group_ = std::make_shared<Group>(std::move(owner_.group_));
    scope_ = std::make_unique<SelectiveScope>(owner_.saver_.get());
}

Offload::Layer::~Layer() {
    scope_.reset();
    release(owner_.before_, owner_.lane_->device);
    std::swap(owner_.before_, owner_.now_);
}

std::unique_ptr<Kept> Offload::keep(const at::Tensor& saved) {
    const auto stay = [&] { return std::make_unique<StayingPart>(keepWhole(saved), group_); };
    if (last_ || !saved.has_storage() || saved.device() != lane_->device || saved.layout() != at::kStrided) return stay();
    const c10::StorageImpl* storage = saved.storage().unsafeGetStorageImpl();
    const auto bytes = static_cast<int64_t>(saved.nbytes());
    if (bytes < kSmallBytes || static_cast<int64_t>(storage->nbytes()) > kPartOfStorage * bytes || stays_.contains(storage)) return stay();
    for (auto k = known_.rbegin(); k != known_.rend(); ++k) {
        if (k->memory._unsafe_get_target() != storage || k->version != saved._version() || k->type != saved.scalar_type()) continue;
        if (auto moved = k->moved.lock()) return std::make_unique<MovedPart>(std::move(moved), group_, saved);
    }
    return std::make_unique<MovedPart>(move(saved), group_, saved);
}

std::shared_ptr<Offload::Moved> Offload::move(const at::Tensor& saved) {
    at::NoGradGuard noGrad;
    const auto elements = static_cast<int64_t>(saved.storage().nbytes() / saved.element_size());
    const at::Tensor source = saved.detach().as_strided({elements}, {1}, 0), host = hostMemory(source.sizes(), source.scalar_type(), lane_->device);
    order(computing(lane_->device), lane_->out);
    c10::Event done(lane_->device.type());
    {
        const c10::StreamGuard copies(lane_->out);
        at::Tensor(host).copy_(source, /*non_blocking=*/true);
        done.record(lane_->out);
    }
    auto moved = std::make_shared<Moved>(lane_, host);
    now_.push_back({source, std::move(done)});
    known_.push_back({c10::weak_intrusive_ptr<c10::StorageImpl>(saved.storage().getWeakStorageImpl()), static_cast<uint32_t>(saved._version()), saved.scalar_type(), moved});
    group_->add(moved);
    return moved;
}

}  // namespace assay::nn
