#include "recompute.h"

#include <assay/torch.h>

#include <algorithm>
#include <utility>

#include "region.h"

namespace assay::nn {

// Keeps everything but the results of marked computations. A result is known by its memory, which a weak handle reserves: the
// address cannot come back for another tensor while the handle is there.
struct SelectiveTracker final : public Saver {
    struct Result {
        c10::weak_intrusive_ptr<c10::StorageImpl> memory;
        uint32_t version;
        std::shared_ptr<Region> region;
    };
    std::vector<Result> results;
    Saver* rest = nullptr;
    SelectiveTracker* before = nullptr;
    std::unique_ptr<SaverScope> force;

    std::unique_ptr<Kept> keep(const at::Tensor& saved) override {
        if (saved.has_storage())
            for (auto r = results.rbegin(); r != results.rend(); ++r)
                if (r->memory._unsafe_get_target() == saved.storage().unsafeGetStorageImpl() && r->version == saved._version()) return r->region->keepResult(saved);
        return rest ? rest->keep(saved) : keepWhole(saved);
    }
};

namespace {

thread_local SelectiveTracker* currentTracker = nullptr;

}  // namespace

SelectiveScope::SelectiveScope(Saver* rest) : tracker_(std::make_unique<SelectiveTracker>()) {
    tracker_->rest = rest;
    tracker_->before = currentTracker;
    tracker_->force = std::make_unique<SaverScope>(tracker_.get());
    currentTracker = tracker_.get();
}
SelectiveScope::~SelectiveScope() { currentTracker = tracker_->before; }
bool SelectiveScope::active() { return currentTracker && at::GradMode::is_enabled(); }

at::Tensor recomputedNow(const std::vector<at::Tensor>& inputs, bool draws, Computation computation) {
    SelectiveTracker& tracker = *currentTracker;
    std::vector<std::unique_ptr<Kept>> kept;
    for (const at::Tensor& input : inputs) kept.push_back(tracker.keep(input));
    const auto region = std::make_shared<Region>(inputs, std::move(kept), draws, true, std::move(computation));
    at::Tensor result;
    {
        struct Inside {  // marks inside belong to this one
            SelectiveTracker* before = std::exchange(currentTracker, nullptr);
            ~Inside() { currentTracker = before; }
        } inside;
        result = region->firstTime(inputs, &tracker);
    }
    const bool own = std::none_of(inputs.begin(), inputs.end(), [&](const at::Tensor& input) { return input.storage().unsafeGetStorageImpl() == result.storage().unsafeGetStorageImpl(); });
    if (own) tracker.results.push_back({c10::weak_intrusive_ptr<c10::StorageImpl>(result.storage().getWeakStorageImpl()), static_cast<uint32_t>(result._version()), region});
    return result;
}

at::Tensor checkpointed(const std::vector<at::Tensor>& inputs, bool draws, Computation computation) {
    if (!at::GradMode::is_enabled()) return computation(inputs);
    std::vector<std::unique_ptr<Kept>> kept;
    for (const at::Tensor& input : inputs) kept.push_back(keepWhole(input));
    return std::make_shared<Region>(inputs, std::move(kept), draws, false, std::move(computation))->firstTime(inputs, nullptr);
}

}  // namespace assay::nn
