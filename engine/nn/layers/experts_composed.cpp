#include <assay/torch.h>

#include "assay/nn/layers.h"
#include "layers/block_parts.h"
#include "layers/experts.h"
#include "layers/routing.h"

namespace assay::nn {
namespace {

// Mixed precision stays out of the router: a rounded logit sends tokens elsewhere.
class WithoutAutocast {
public:
    explicit WithoutAutocast(at::DeviceType device) : device_(device), before_(at::autocast::is_autocast_enabled(device)) { at::autocast::set_autocast_enabled(device_, false); }
    ~WithoutAutocast() { at::autocast::set_autocast_enabled(device_, before_); }
    WithoutAutocast(const WithoutAutocast&) = delete;
    WithoutAutocast& operator=(const WithoutAutocast&) = delete;

private:
    at::DeviceType device_;
    bool before_;
};

// Softmax over all experts. Its gradient takes in that of the load-balance loss.
struct RouterSoftmax : public torch::autograd::Function<RouterSoftmax> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& logits, const at::Tensor& routing, const MaybeTensor& counted, int64_t perToken, double balance) {
        at::Tensor p = at::softmax(logits, 1);
        context->save_for_backward({p, routing, tensorOf(counted)});
        context->saved_data["perToken"] = perToken;
        context->saved_data["balance"] = balance;
        return p;
    }
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context, torch::autograd::variable_list gradients) {
        const auto saved = context->get_saved_variables();
        const at::Tensor &p = saved[0], &counted = saved[2];
        at::Tensor g = gradients[0];
        if (const double balance = context->saved_data["balance"].toDouble(); balance != 0) {
            const at::Tensor slopes = balanceSlopes(saved[1], context->saved_data["perToken"].toInt(), balance).to(p.options());
            g = counted.defined() ? g + slopes * counted.unsqueeze(1) : g + slopes;
        }
        return {p * (g - (g * p).sum(1, true)), at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor()};
    }
};

}  // namespace

at::Tensor mixOfExperts(const at::Tensor& n, const ExpertsBlock& b) {
    const int64_t tokens = n.size(0), width = n.size(1), experts = static_cast<int64_t>(b.gate.size());
    at::Tensor shares, chosen;
    {
        const WithoutAutocast whole(n.device().type());
        const at::ScalarType type = n.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
        const at::Tensor p = RouterSoftmax::apply(at::linear(n.to(type), b.router.to(type)), b.routing, maybe(b.counted), b.perToken, b.balance);
        at::Tensor top;
        std::tie(top, chosen) = at::topk(p, b.perToken, 1);
        shares = top / top.sum(1, true);
        noteRouting(b.routing, b.layer, p, chosen, b.counted);
    }
    const at::Tensor order = at::argsort(chosen.flatten(), /*stable=*/true, 0, false);
    const at::Tensor counts = at::bincount(chosen.flatten(), {}, experts).cpu();
    const at::Tensor sorted = n.index_select(0, at::floor_divide(order, b.perToken));
    const std::vector<at::Tensor> inputs = sorted.split_with_sizes(at::IntArrayRef(counts.const_data_ptr<int64_t>(), b.gate.size()));
    std::vector<at::Tensor> outputs;
    for (size_t e = 0; e < b.gate.size(); ++e) {  // experts without a token too: their gradient is zero, not missing
        const at::Tensor in = castOperand(inputs[e]);
        const at::Tensor gate = activate(at::linear(in, castOperand(b.gate[e])), "silu");
        outputs.push_back(at::linear(castOperand(gated(gate, at::linear(in, castOperand(b.up[e])))), castOperand(b.down[e])));
    }
    const at::Tensor choices = at::cat(outputs).index_select(0, at::argsort(order)).view({tokens, b.perToken, width});
    return (choices * shares.to(choices.scalar_type()).unsqueeze(2)).sum(1);
}

}  // namespace assay::nn
