#include "layers/tied_embedding.h"

#include <assay/torch.h>

#include "layers/row_loops.h"

namespace assay::nn {
namespace {

struct TiedEmbeddingFunction : public torch::autograd::Function<TiedEmbeddingFunction> {
    static torch::autograd::variable_list forward(torch::autograd::AutogradContext* context, const at::Tensor& table, const at::Tensor& ids) {
        context->save_for_backward({ids});
        context->saved_data["sizes"] = table.sizes().vec();
        context->set_materialize_grads(false);
        return {at::embedding(table, ids), table.detach()};
    }
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context, torch::autograd::variable_list gradients) {
        at::NoGradGuard noGrad;
        at::Tensor rows = std::move(gradients[0]), table = std::move(gradients[1]);
        gradients.clear();
        if (!rows.defined()) return {table, at::Tensor()};
        const at::Tensor ids = context->get_saved_variables()[0].flatten();
        const auto sizes = context->saved_data["sizes"].toIntVector();
        if (!table.defined()) table = at::zeros(sizes, rows.options());
        else if (table.use_count() > 1 || !table.is_contiguous()) table = table.clone(at::MemoryFormat::Contiguous);  // someone else's
        rows = rows.reshape({ids.numel(), sizes[1]});
        if (loopsTake(table) && rows.scalar_type() == table.scalar_type()) addRowsAt(table, ids, rows.contiguous());
        else table.index_add_(0, ids, rows.to(table.scalar_type()));
        return {table, at::Tensor()};
    }
};

}  // namespace

TiedRows tiedEmbedding(const at::Tensor& table, const at::Tensor& ids) {
    auto out = TiedEmbeddingFunction::apply(table, ids);
    return {out[0], out[1]};
}

}  // namespace assay::nn
