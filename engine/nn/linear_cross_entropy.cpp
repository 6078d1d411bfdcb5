#include "assay/nn/linear_cross_entropy.h"

#include <assay/torch.h>

#include <algorithm>

#include "assay/nn/device.h"
#include "layers/product.h"
#include "layers/row_loops.h"

namespace assay::nn {
namespace {

constexpr int64_t kChunkElements = int64_t{1} << 23;  // 32 MiB of fp32 logits: large enough for full gemm speed
constexpr int64_t kDeviceChunkElements = int64_t{1} << 25;  // 128 MiB on a GPU

struct Wanted {
    bool hidden = false, weight = false;
    at::Tensor hiddenGradient, weightGradient;
};

void checkLabels(const at::Tensor& labels, int64_t vocabulary) {
    const auto* given = labels.const_data_ptr<int64_t>();
    for (int64_t i = 0; i < labels.size(0); ++i)
        TORCH_CHECK_INDEX(given[i] == -100 || (given[i] >= 0 && given[i] < vocabulary), "label ", given[i], " in a vocabulary of ", vocabulary);
}

// On other devices, of LibTorch's operations.
at::Tensor computeElsewhere(const at::Tensor& hidden, const at::Tensor& weight, const at::Tensor& labels, double scale, Wanted& wanted) {
    const int64_t rows = hidden.size(0), vocabulary = weight.size(0);
    // Rows without a label need no logits at all. Which they are is found where the labels lie: on the host nobody waits.
    const at::Device device = hidden.device();
    if (labels.is_cpu()) checkLabels(labels, vocabulary);  // on a GPU it would end the process's use of it
    const at::Tensor found = labels.ne(-100).nonzero().flatten();
    const bool all = found.size(0) == rows;
    const at::Tensor scored = all ? found : toDevice(found, device);
    const at::Tensor h = all ? hidden : hidden.index_select(0, scored);
    // Products in the type of the hidden states, softmax and sums in fp32 at least.
    const at::ScalarType narrow = hidden.scalar_type(), wide = narrow == at::kDouble ? at::kDouble : at::kFloat;
    const bool mixed = narrow != weight.scalar_type();
    const at::Tensor w = weight.to(narrow);
    const at::Tensor target = toDevice(all ? labels : labels.index_select(0, found), device);
    const int64_t count = h.size(0), step = std::clamp<int64_t>(kDeviceChunkElements / std::max<int64_t>(vocabulary, 1), 32, 4096);

    at::Tensor total = at::zeros({}, at::TensorOptions(device).dtype(at::kDouble));
    if (wanted.hidden) wanted.hiddenGradient = at::empty_like(h);
    if (wanted.weight) wanted.weightGradient = count == 0 ? at::zeros_like(weight) : at::empty_like(weight);
    for (int64_t first = 0; first < count; first += step) {
        const int64_t n = std::min(step, count - first);
        const at::Tensor part = h.narrow(0, first, n), label = target.narrow(0, first, n).unsqueeze(1);
        at::Tensor p = at::_log_softmax(at::mm(part, w.t()).to(wide), 1, false);
        total.sub_(p.gather(1, label).sum(at::kDouble));
        if (!wanted.hidden && !wanted.weight) continue;
        p.exp_();  // softmax; minus one at the label and times scale it is the gradient of the logits
        p.scatter_add_(1, label, at::full({n, 1}, -1.0, p.options()));
        p = p.mul_(scale).to(narrow);
        if (wanted.hidden) {
            at::Tensor out = wanted.hiddenGradient.narrow(0, first, n);
            at::mm_out(out, p, w);
        }
        if (wanted.weight) {
            if (mixed) {
                const at::Tensor product = at::mm(p.t(), part);
                if (first == 0) wanted.weightGradient.copy_(product);
                else wanted.weightGradient.add_(product);
            } else if (first == 0) at::mm_out(wanted.weightGradient, p.t(), part);
            else wanted.weightGradient.addmm_(p.t(), part);
        }
    }
    if (wanted.hidden && !all) wanted.hiddenGradient = at::zeros_like(hidden).index_copy_(0, scored, wanted.hiddenGradient);
    return total.mul_(scale);
}

at::Tensor compute(const at::Tensor& hidden, const at::Tensor& weight, const at::Tensor& labels, double scale, Wanted& wanted) {
    if (!hidden.device().is_cpu()) return computeElsewhere(hidden, weight, labels, scale, wanted);
    const int64_t rows = hidden.size(0), vocabulary = weight.size(0);
    // Rows without a label need no logits at all.
    checkLabels(labels, vocabulary);
    const auto* given = labels.const_data_ptr<int64_t>();
    const int64_t count = rows - std::count(given, given + rows, int64_t{-100});
    const bool all = count == rows;
    const at::Tensor scored = all ? at::Tensor() : labels.ne(-100).nonzero().flatten();
    const at::Tensor h = all ? hidden.contiguous() : hidden.index_select(0, scored);
    const at::Tensor target = all ? labels : labels.index_select(0, scored);
    // Chunks of equal size, so that the last is no small remainder.
    const int64_t most = std::clamp<int64_t>(kChunkElements / std::max<int64_t>(vocabulary, 1), 32, 4096), chunks = (count + most - 1) / most;
    const int64_t step = chunks > 0 ? (count + chunks - 1) / chunks : 1;
    const bool wide = loopsTake(h) && h.scalar_type() == weight.scalar_type();  // else a narrow type: its logits are widened

    double total = 0;
    if (wanted.hidden) wanted.hiddenGradient = at::empty_like(h);
    if (wanted.weight) wanted.weightGradient = count == 0 ? at::zeros_like(weight) : at::empty_like(weight);
    const bool gradient = wanted.hidden || wanted.weight;
    const at::Tensor buffer = at::empty({std::min(step, count), vocabulary}, h.options());  // logits, then their gradient in place
    for (int64_t first = 0; first < count; first += step) {
        const int64_t n = std::min(step, count - first);
        const at::Tensor part = h.narrow(0, first, n), label = target.narrow(0, first, n);
        at::Tensor p = buffer.narrow(0, 0, n);
        multiply(p, part, weight.t());
        at::Tensor logits = wide ? p : p.to(at::kFloat);
        total += crossEntropyRows(logits, label, scale, gradient);
        if (!gradient) continue;
        if (!wide) p.copy_(logits);
        if (wanted.hidden) multiply(wanted.hiddenGradient.narrow(0, first, n), p, weight);
        if (wanted.weight) multiply(wanted.weightGradient, p.t(), part, {.accumulate = first > 0});
    }
    if (wanted.hidden && !all) wanted.hiddenGradient = at::zeros_like(hidden).index_copy_(0, scored, wanted.hiddenGradient);
    return at::scalar_tensor(total * scale, at::kDouble);
}

struct LinearCrossEntropy : public torch::autograd::Function<LinearCrossEntropy> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& hidden, const at::Tensor& weight,
                              const at::Tensor& labels, double scale) {
        Wanted wanted{.hidden = hidden.requires_grad(), .weight = weight.requires_grad()};
        at::Tensor loss = compute(hidden.detach(), weight.detach(), labels, scale, wanted);
        context->saved_data["hidden"] = wanted.hiddenGradient;
        context->saved_data["weight"] = wanted.weightGradient;
        return loss;
    }
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context, torch::autograd::variable_list gradients) {
        const at::Tensor& factor = gradients[0];
        // Reading the factor would make the host wait for a device: there it is always multiplied by.
        const bool one = factor.is_cpu() && factor.item<double>() == 1.0;
        auto scaled = [&](const char* name) {
            at::Tensor out = context->saved_data[name].toTensor();
            context->saved_data[name] = at::Tensor();  // the caller owns it now
            return out.defined() && !one ? out.mul_(factor) : out;
        };
        at::Tensor hidden = scaled("hidden"), weight = scaled("weight");
        return {hidden, weight, at::Tensor(), at::Tensor()};
    }
};

}  // namespace

at::Tensor linearCrossEntropy(const at::Tensor& hidden, const at::Tensor& weight, const at::Tensor& labels, double scale) {
    if (!at::GradMode::is_enabled()) {
        Wanted nothing;
        return compute(hidden, weight, labels, scale, nothing);
    }
    return LinearCrossEntropy::apply(hidden, weight, labels, scale);
}

}  // namespace assay::nn
