#include "layers/block_parts.h"
#include "layers/experts.h"
#include "layers/routing.h"

namespace assay::nn {
namespace {

// Rows of one expert among the sorted ones.
at::Tensor slice(const at::Tensor& sorted, const std::vector<int64_t>& first, size_t expert) { return sorted.narrow(0, first[expert], first[expert + 1] - first[expert]); }

struct ExpertsFunction : public torch::autograd::Function<ExpertsFunction> {
    static constexpr size_t kBefore = 3;  // inputs in front of the experts' weights
    // weights: gate, up and down of the first expert, then of the next.
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x, const at::Tensor& normWeight, const at::Tensor& router, at::TensorList weights,
                              const at::Tensor& routing, const MaybeTensor& counted, double eps, int64_t perToken, int64_t layer, double balance) {
        const size_t experts = weights.size() / 3;
        NormStatistics statistics;
        at::Tensor n = normForward(x, normWeight, at::Tensor(), eps, statistics);
        Route r = route(product(n, router.t()), perToken);
        noteRouting(routing, layer, r.probabilities, r.chosen, tensorOf(counted));
        at::Tensor sorted = gatherRows(n, r.rows);
        n.reset();
        const int64_t width = weights[0].size(0), choices = sorted.size(0);
        const at::Tensor gate = at::empty({choices, width}, x.options()), up = at::empty({choices, width}, x.options());
        for (size_t e = 0; e < experts; ++e) {
            if (r.first[e] == r.first[e + 1]) continue;
            multiply(slice(gate, r.first, e), slice(sorted, r.first, e), weights[3 * e].t());
            multiply(slice(up, r.first, e), slice(sorted, r.first, e), weights[3 * e + 1].t());
        }
        at::Tensor inner = swigluForward(gate, up);
        for (size_t e = 0; e < experts; ++e)  // what the experts were given is not needed any more
            if (r.first[e] < r.first[e + 1]) multiply(slice(sorted, r.first, e), slice(inner, r.first, e), weights[3 * e + 2].t());
        inner.reset();
        at::Tensor y = mixRows(sorted, r, true, x);

        torch::autograd::variable_list saved{x, normWeight, router, statistics.inverse, r.probabilities, r.chosen, r.weights, r.places, r.rows, gate, up, routing, tensorOf(counted)};
        saved.insert(saved.end(), weights.begin(), weights.end());
        context->save_for_backward(std::move(saved));
        context->saved_data["first"] = r.first;
        context->saved_data["perToken"] = perToken;
        context->saved_data["balance"] = balance;
        return y;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context, torch::autograd::variable_list gradients) {
        auto saved = context->get_saved_variables();
        const at::Tensor &x = saved[0], &normWeight = saved[1], &router = saved[2], &gate = saved[9], &up = saved[10], &routing = saved[11], &counted = saved[12];
        const NormStatistics statistics{at::Tensor(), saved[3]};
        const Route r{saved[4], saved[5], saved[6], saved[7], saved[8], context->saved_data["first"].toIntVector()};
        const at::Tensor* weights = &saved[13];
        const size_t experts = r.first.size() - 1;
        const double balance = context->saved_data["balance"].toDouble();
        at::NoGradGuard noGrad;
        const at::Tensor g = gradients[0].contiguous();
        torch::autograd::variable_list out(kBefore + 3 * experts + 6);
        auto give = [&](size_t expert, size_t part, const at::Tensor& input, const at::Tensor& gradient) {
            const at::Tensor& weight = weights[3 * expert + part];
            if (!weight.requires_grad()) return;
            const bool used = r.first[expert] < r.first[expert + 1];
            out[kBefore + 3 * expert + part] = used ? weightGradient(weight, slice(input, r.first, expert), slice(gradient, r.first, expert), WeightLayout::kOutIn) : at::zeros_like(weight);
        };

        // As if every choice had the share 1; the shares come in when what they multiply is there.
        at::Tensor outer = gatherRows(g, r.rows), inner = at::empty_like(gate), gateGradient, upGradient;
        for (size_t e = 0; e < experts; ++e)
            if (r.first[e] < r.first[e + 1]) multiply(slice(inner, r.first, e), slice(outer, r.first, e), weights[3 * e + 2]);
        swigluBackward(gate, up, inner, gateGradient, upGradient);
        const at::Tensor shares = shareRows(r, gateGradient, upGradient, inner, up);
        for (size_t e = 0; e < experts; ++e) give(e, 2, inner, outer);
        inner.reset();
        for (size_t e = 0; e < experts; ++e) {
            if (r.first[e] == r.first[e + 1]) continue;
            multiply(slice(outer, r.first, e), slice(upGradient, r.first, e), weights[3 * e + 1]);
            multiply(slice(outer, r.first, e), slice(gateGradient, r.first, e), weights[3 * e], {.accumulate = true});
        }
        at::Tensor back = mixRows(outer, r, false, at::Tensor());
        outer.reset();
        const at::Tensor n = normAgain(x, normWeight, at::Tensor(), statistics);
        {
            const at::Tensor sorted = gatherRows(n, r.rows);
            for (size_t e = 0; e < experts; ++e) {
                give(e, 0, sorted, gateGradient);
                give(e, 1, sorted, upGradient);
            }
        }
        gateGradient.reset();
        upGradient.reset();
        const at::Tensor slopes = balance != 0 ? balanceSlopes(routing, context->saved_data["perToken"].toInt(), balance) : at::Tensor();
        const at::Tensor logits = routeBackward(r, shares, slopes, counted);
        multiply(back, logits, router, {.accumulate = true});
        if (router.requires_grad()) out[2] = product(logits.t(), n);
        const NormGradients norm = normBackward(back, g, x, normWeight, false, statistics);
        out[0] = norm.input;
        out[1] = norm.weight;
        return out;
    }
};

}  // namespace

at::Tensor expertsBlock(const at::Tensor& x, const ExpertsBlock& b) {
    std::vector<at::Tensor> weights;
    for (size_t e = 0; e < b.gate.size(); ++e) weights.insert(weights.end(), {b.gate[e], b.up[e], b.down[e]});
    return ExpertsFunction::apply(x, b.norm.weight, b.router, at::TensorList(weights), b.routing, maybe(b.counted), b.norm.eps, b.perToken, b.layer, b.balance);
}

}  // namespace assay::nn
