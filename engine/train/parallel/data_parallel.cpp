// Buckets, and what happens when a gradient is complete.
#include <assay/torch.h>

#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>

#include "parallel/bucket_layout.h"
#include "parallel/data_parallel.h"

namespace assay::train {
namespace {

constexpr size_t kScattersUnderWay = 2;  // each holds a second copy of its bucket

}  // namespace

// LibTorch calls it after a gradient was added to a leaf: once for each backward pass that reaches it, also when a pass over
// recomputed layers runs inside another.
class DataParallel::Hook final : public torch::autograd::PostAccumulateGradHook {
public:
    Hook(DataParallel& owner, size_t parameter) : owner_(owner), parameter_(parameter) {}
    void operator()(const torch::autograd::Variable&) override { owner_.gradientMade(parameter_); }

private:
    DataParallel& owner_;
    size_t parameter_;
};

DataParallel::DataParallel(const std::vector<nn::Parameter>& parameters, dist::Collective& group, const ParallelOptions& options)
    : parameters_(parameters), group_(group), options_(options) {
    at::NoGradGuard noGrad;
    layOut();
    makeOwned();
    for (size_t i = 0; i < parameters_.size(); ++i)
        if (parameters_[i].value.requires_grad()) torch::autograd::impl::set_post_acc_grad_hooks(parameters_[i].value, std::make_unique<Hook>(*this, i));
}

DataParallel::~DataParallel() {
    for (const nn::Parameter& p : parameters_) torch::autograd::impl::set_post_acc_grad_hooks(p.value, nullptr);
    for (Bucket& b : buckets_)
        if (b.pending) (void)b.pending->wait();
}

void DataParallel::layOut() {
    std::vector<LayoutInput> inputs;
    for (const nn::Parameter& p : parameters_) inputs.push_back({p.value.numel(), static_cast<int64_t>(c10::elementSize(sumTypeOf(p)))});
    const bool scatter = options_.shard && !options_.wholeParameters;
    slots_.resize(parameters_.size());
    for (const BucketShape& shape : bucketLayout(inputs, {options_.firstBucketBytes, options_.bucketBytes, scatter ? group_.world() : 1})) {
        Bucket b{.parameters = shape.parameters, .offsets = shape.offsets, .flat = {}, .own = {}, .pending = {}};
        const nn::Parameter& first = parameters_[shape.parameters[0]];
        b.flat = at::zeros({shape.elements}, first.value.options().dtype(sumTypeOf(first)).requires_grad(false));
        if (scatter) b.own = b.flat.narrow(0, group_.rank() * (shape.elements / group_.world()), shape.elements / group_.world());
        for (size_t n = 0; n < b.parameters.size(); ++n) {
            const at::Tensor& value = parameters_[b.parameters[n]].value;
            Place& place = slots_[b.parameters[n]];
            place.bucket = buckets_.size();
            place.view = b.flat.narrow(0, b.offsets[n], value.numel()).view(value.sizes());
        }
        buckets_.push_back(std::move(b));
    }
}

void DataParallel::begin() {
    for (Place& place : slots_) {
        place.filled = false;
        place.fired = 0;
    }
    sent_ = 0;
    overlapping_ = false;
    failure_ = {};
}

void DataParallel::nextBatch(bool last) {
    overlapping_ = last;
    for (Bucket& b : buckets_) b.waiting = b.parameters.size();
    for (Place& place : slots_) place.fired = 0;
}

void DataParallel::gradientMade(size_t parameter) {
    at::NoGradGuard noGrad;
    Place& place = slots_[parameter];
    at::Tensor& gradient = at::Tensor(parameters_[parameter].value).mutable_grad();
    if (!gradient.is_alias_of(place.view)) {
        if (place.filled) place.view.add_(gradient);
        else place.view.copy_(gradient);
        // A view where the types agree: what comes next is added to the bucket itself. Else the narrow gradient is not kept.
        if (gradient.scalar_type() == place.view.scalar_type()) gradient = place.view;
        else gradient.reset();
        place.filled = true;
    }
    ++place.fired;
    if (!overlapping_) {
        place.expected = std::max(place.expected, place.fired);
        return;
    }
    if (place.bucket < sent_) {
        failure_ = fail(ErrorCode::kInternal, "the gradient of " + parameters_[parameter].info.name + " changed after it was sent to the other ranks");
        return;
    }
    if (place.fired != place.expected) return;
    --buckets_[place.bucket].waiting;
    // All ranks send in the same order, whatever is ready first.
    while (sent_ < buckets_.size() && buckets_[sent_].waiting == 0) send(sent_++);
}

void DataParallel::send(size_t index) {
    Bucket& b = buckets_[index];
    if (b.own.defined()) {
        if (index >= kScattersUnderWay)
            if (auto done = waitFor(index - kScattersUnderWay); !done && failure_) failure_ = std::move(done);
        b.pending = group_.reduceScatterAsync(b.own, b.flat, dist::Reduce::kSum);
    } else {
        b.pending = group_.allReduceAsync(b.flat, dist::Reduce::kSum);
    }
}

Result<void> DataParallel::waitFor(size_t index) {
    auto pending = std::move(buckets_[index].pending);
    return pending ? pending->wait() : Result<void>();
}

Result<void> DataParallel::finish() {
    at::NoGradGuard noGrad;
    for (size_t i = 0; i < slots_.size(); ++i) {
        Place& place = slots_[i];
        place.expected = std::max(place.expected, place.fired);
        if (!place.filled) place.view.zero_();
        at::Tensor(parameters_[i].value).mutable_grad() = place.view;
    }
    while (sent_ < buckets_.size()) send(sent_++);
    for (size_t b = 0; b < buckets_.size(); ++b)
        if (auto done = waitFor(b); !done && failure_) failure_ = std::move(done);
    overlapping_ = false;
    return failure_;
}

int64_t DataParallel::gradientBytes() const {
    int64_t bytes = 0;
    for (const Bucket& b : buckets_) bytes += static_cast<int64_t>(b.flat.nbytes());
    return bytes;
}

}  // namespace assay::train
