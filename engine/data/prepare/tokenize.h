#pragma once
#include <assay/core/progress.h>
#include <assay/data/tokenizer.h>

#include <stop_token>

#include "prepare/pack.h"

namespace assay::data {

// Ids of each text: BOS when the tokenizer adds one, the text (control-token text in it is plain text), EOS when there is
// one. The result does not depend on the number of threads. `done` bytes of `meter` go on from `doneBefore`.
Result<TokenizedDocuments> tokenizeDocuments(const Tokenizer& tokenizer, const std::vector<std::string_view>& texts, const std::vector<int64_t>& lines,
                                             int threads, ProgressMeter& meter, double doneBefore, const std::stop_token& stop);

}  // namespace assay::data
