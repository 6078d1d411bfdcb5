#pragma once
// The exact way through a tokenizer.json's steps: every byte keeps the place of the input that it stands for. Slower than the
// way that only gives ids; the two give the same ids.
#include "tokenizer/added_tokens.h"
#include "tokenizer/detailed.h"
#include "tokenizer/model.h"
#include "tokenizer/normalizer.h"
#include "tokenizer/pre_tokenizer.h"

#include <span>

namespace assay::data {

struct TrackedSteps {
    const AddedTokenMatcher& raw;
    const Normalizer* normalizer;  // may be null
    const AddedTokenMatcher& normalized;
    const PreTokenizerPlan& plan;
    const WordModel& model;
    const std::vector<std::string>& tokens;  // by id
    bool trims;                              // the spaces of tokens are wanted
};
struct TrackedOptions {
    bool parseSpecial = false, characterOffsets = false;
    std::span<const std::pair<uint32_t, uint32_t>> plain = {};
};
// Throws EncodeError.
Window encodeTracked(const TrackedSteps& steps, std::string_view text, const TrackedOptions& options);

}  // namespace assay::data
