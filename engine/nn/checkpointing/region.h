#pragma once
// One computation that is done again: what it needs for that, and what the second time gave.

#include "forward_state.h"
#include "recompute.h"
#include "saved_tensors.h"

namespace assay::nn {

class Region : public std::enable_shared_from_this<Region> {
public:
    // `kept`: what stands for the inputs until the second time.
    Region(const std::vector<at::Tensor>& inputs, std::vector<std::unique_ptr<Kept>> kept, bool draws, bool keepsSmall, Computation computation);

    // `outer` keeps what is an input; nullptr: whole.
    at::Tensor firstTime(const std::vector<at::Tensor>& inputs, Saver* outer);
    // In place of the result, or of a view into it.
    std::unique_ptr<Kept> keepResult(const at::Tensor& view);

private:
    struct Expected {
        std::vector<int64_t> sizes;
        at::ScalarType type;
    };
    class Recorder;
    class Collector;
    class SavedPart;
    class ResultPart;
    bool keptAnyway(const at::Tensor& saved, const std::vector<at::Tensor>& inputs) const;
    at::Tensor takeSaved(size_t index);
    at::Tensor takeResult();
    void secondTime(bool resultWanted);

    std::vector<std::unique_ptr<Kept>> inputs_;
    std::vector<bool> needsGradient_;
    Computation computation_;
    ForwardState state_;
    int64_t small_ = 0;  // bytes: saved tensors up to this size are kept
    std::vector<Expected> expected_;   // tensors saved the first time, in their order
    std::vector<at::Tensor> saved_;    // of the second time, until they are taken
    at::Tensor result_;
    int64_t resultUses_ = 0, resultTaken_ = 0;
};

}  // namespace assay::nn
