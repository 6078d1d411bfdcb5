#include <fmt/format.h>

#include "assay/plan/plan.h"

namespace assay::plan {

// The rules of engine/train/kinds/job_parts.cpp: plan and run must speak of one model.
Result<model::ModelConfig> describedModel(const config::ModelDescription& d, int64_t vocab, int64_t sequenceLength) {
    const model::Family* family = model::findFamily(d.family);
    if (!family) return fail(ErrorCode::kUnsupported, fmt::format("model.from.family: this build does not know '{}'", d.family), "use gpt2, llama or mixtral");
    if (d.layers < 1 || d.hidden < 1 || d.heads < 1) return fail(ErrorCode::kInvalidFile, "model.from: layers, hidden and heads must be given", "for example {family: gpt2, layers: 4, hidden: 256, heads: 4}");
    const bool gated = d.family != "gpt2";
    const int64_t ffn = d.ffn > 0 ? d.ffn : gated ? (8 * d.hidden / 3 + 31) / 32 * 32 : 4 * d.hidden;
    return model::describe(d.family, d.layers, d.hidden, d.heads, d.kvHeads > 0 ? d.kvHeads : d.heads, ffn, d.context > 0 ? d.context : sequenceLength,
                           d.vocab > 0 ? d.vocab : vocab, d.tieEmbeddings, d.dropout,
                           {.count = d.experts, .perToken = d.expertsPerToken, .auxCoef = d.routerAuxLoss});
}

std::string fitOf(double needed, double capacity) { return needed < 0.8 * capacity ? "fits" : needed <= capacity ? "tight" : "too_big"; }

}  // namespace assay::plan
