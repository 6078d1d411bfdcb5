#include "region.h"

#include <assay/torch.h>

#include <algorithm>

namespace assay::nn {
namespace {

struct Enough {};  // thrown when the last tensor that is needed is there

bool sameMemory(const at::Tensor& a, const at::Tensor& b) { return a.has_storage() && b.has_storage() && a.storage().unsafeGetStorageImpl() == b.storage().unsafeGetStorageImpl(); }

}  // namespace

class Region::SavedPart final : public Kept {
public:
    SavedPart(std::shared_ptr<Region> region, size_t index) : region_(std::move(region)), index_(index) {}
    at::Tensor tensor() override { return region_->takeSaved(index_); }

private:
    std::shared_ptr<Region> region_;
    size_t index_;
};

class Region::ResultPart final : public Kept {
public:
    ResultPart(std::shared_ptr<Region> region, const at::Tensor& view)
        : region_(std::move(region)), sizes_(view.sizes().vec()), strides_(view.strides().vec()), offset_(view.storage_offset()) {}
    at::Tensor tensor() override {
        const at::Tensor result = region_->takeResult();
        if (result.sizes() == sizes_ && result.strides() == strides_ && result.storage_offset() == offset_) return result;
        return result.as_strided(sizes_, strides_, offset_);
    }

private:
    std::shared_ptr<Region> region_;
    std::vector<int64_t> sizes_, strides_;
    int64_t offset_;
};

// The first time: notes what is saved and keeps a place for it.
class Region::Recorder final : public Saver {
public:
    Recorder(Region& region, const std::vector<at::Tensor>& inputs, Saver* outer) : region_(region), inputs_(inputs), outer_(outer) {}
    std::unique_ptr<Kept> keep(const at::Tensor& saved) override {
        if (region_.keptAnyway(saved, inputs_)) return outer_ ? outer_->keep(saved) : keepWhole(saved);
        region_.expected_.push_back({saved.sizes().vec(), saved.scalar_type()});
        return std::make_unique<SavedPart>(region_.shared_from_this(), region_.expected_.size() - 1);
    }

private:
    Region& region_;
    const std::vector<at::Tensor>& inputs_;
    Saver* outer_;
};

// The second time: collects the same tensors in the same order.
class Region::Collector final : public Saver {
public:
    Collector(Region& region, const std::vector<at::Tensor>& inputs, bool resultWanted) : region_(region), inputs_(inputs), resultWanted_(resultWanted) {}
    std::unique_ptr<Kept> keep(const at::Tensor& saved) override {
        if (region_.keptAnyway(saved, inputs_)) return nullptr;
        auto& there = region_.saved_;
        TORCH_CHECK(there.size() < region_.expected_.size(), "a recomputed part of the forward pass saved more tensors than the first time");
        const Expected& expected = region_.expected_[there.size()];
        TORCH_CHECK(saved.sizes() == expected.sizes && saved.scalar_type() == expected.type, "a recomputed part of the forward pass made another tensor than the first time");
        there.push_back(saved.detach());
        if (there.size() == region_.expected_.size() && !resultWanted_) throw Enough();
        return nullptr;
    }

private:
    Region& region_;
    const std::vector<at::Tensor>& inputs_;
    bool resultWanted_;
};

Region::Region(const std::vector<at::Tensor>& inputs, std::vector<std::unique_ptr<Kept>> kept, bool draws, bool keepsSmall, Computation computation)
    : inputs_(std::move(kept)), computation_(std::move(computation)), state_(inputs.front().device(), draws) {
    for (const at::Tensor& input : inputs) needsGradient_.push_back(input.requires_grad());
    // Statistics of a row beside the row itself are not worth a second computation of their own.
    if (keepsSmall) small_ = static_cast<int64_t>(inputs.front().nbytes()) / 8;
}

bool Region::keptAnyway(const at::Tensor& saved, const std::vector<at::Tensor>& inputs) const {
    if (saved.is_leaf() && saved.requires_grad()) return true;  // a parameter
    if (static_cast<int64_t>(saved.nbytes()) <= small_) return true;
    return std::any_of(inputs.begin(), inputs.end(), [&](const at::Tensor& input) { return sameMemory(input, saved); });
}

at::Tensor Region::firstTime(const std::vector<at::Tensor>& inputs, Saver* outer) {
    Recorder recorder(*this, inputs, outer);
    const SaverScope scope(&recorder);
    return computation_(inputs);
}

std::unique_ptr<Kept> Region::keepResult(const at::Tensor& view) {
    ++resultUses_;
    return std::make_unique<ResultPart>(shared_from_this(), view);
}

void Region::secondTime(bool resultWanted) {
    std::vector<at::Tensor> inputs;
    for (size_t i = 0; i < inputs_.size(); ++i) inputs.push_back(inputs_[i]->tensor().detach().requires_grad_(needsGradient_[i]));
    saved_.clear();
    const ForwardStateScope state(state_);
    const at::AutoGradMode gradients(true);
    Collector collector(*this, inputs, resultWanted);
    const SaverScope scope(&collector);
    try {
        at::Tensor result = computation_(inputs);
        if (resultWanted) result_ = result.detach();
    } catch (const Enough&) {
    }
    TORCH_CHECK(saved_.size() == expected_.size(), "a recomputed part of the forward pass saved fewer tensors than the first time");
}

at::Tensor Region::takeSaved(size_t index) {
    if (index >= saved_.size() || !saved_[index].defined()) secondTime(resultTaken_ % std::max<int64_t>(resultUses_, 1) != 0);
    return std::move(saved_[index]);
}

// Freed with its last use; a graph that is retained starts another round.
at::Tensor Region::takeResult() {
    if (!result_.defined()) secondTime(true);
    at::Tensor out = result_;
    if (++resultTaken_ % resultUses_ == 0) result_.reset();
    return out;
}

}  // namespace assay::nn
