#pragma once
// Parts of a forward pass that are computed again in the backward pass instead of being kept (Chen et al. 2016; which parts:
// Korthikanti et al. 2023). Gradients are those of the plain pass bit by bit: the second computation sees the same inputs, random
// numbers and casts, autograd meets one graph only, and every gradient arrives once. Without gradients nothing is done twice.

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <vector>

namespace assay::nn {

// Called once now and, when its tensors are needed, again in the backward pass, maybe on another thread: what it captures must
// live so long. It may change nothing outside and none of its inputs.
using Computation = std::function<at::Tensor(const std::vector<at::Tensor>& inputs)>;

// Keeps `inputs` and nothing that autograd saves inside, but parameters. The second time stops after the last tensor that is
// needed, so that a final matrix product is not repeated. `draws`: it takes random numbers.
at::Tensor checkpointed(const std::vector<at::Tensor>& inputs, bool draws, Computation computation);

struct SelectiveTracker;
// While one is alive on the thread, computations marked by `recomputed` are not kept.
class SelectiveScope {
public:
    // `rest`: keeps what is not marked; it must live as long as the scope. nullptr: all of it is kept.
    explicit SelectiveScope(class Saver* rest = nullptr);
    ~SelectiveScope();
    SelectiveScope(const SelectiveScope&) = delete;
    SelectiveScope& operator=(const SelectiveScope&) = delete;
    static bool active();

private:
    std::unique_ptr<SelectiveTracker> tracker_;
};
at::Tensor recomputedNow(const std::vector<at::Tensor>& inputs, bool draws, Computation computation);

// Marks what is large and cheap: in a SelectiveScope neither what autograd saves inside is kept nor the result, whoever saves it.
// Nobody may change the result in place. Marks inside of marks, and outside of the scope, do nothing.
template <class Body>
at::Tensor recomputed(const std::vector<at::Tensor>& inputs, Body body, bool draws = false) {
    return SelectiveScope::active() ? recomputedNow(inputs, draws, std::move(body)) : body(inputs);
}

}  // namespace assay::nn
