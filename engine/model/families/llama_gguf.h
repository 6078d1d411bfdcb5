#pragma once
#include "assay/model/gguf.h"

namespace assay::model {

Result<ModelConfig> llamaFromGguf(const GgufFile& file);
// blk.3.attn_q.weight → model.layers.3.self_attn.q_proj.weight; empty for tables that are computed (rope_freqs);
// unknown names come back unchanged.
std::string llamaFromGgufName(std::string_view name, bool& permutedRows);

}  // namespace assay::model
