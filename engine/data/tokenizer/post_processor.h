#pragma once
// What is put before and after the ids of a text: the "post_processor" of a tokenizer.json, for single sequences.
#include <assay/core/json.h>

#include <cstdint>
#include <vector>

namespace assay::data {

struct PostProcessor {
    std::vector<int32_t> before, after;
    bool trimOffsets = false;  // ByteLevel: spaces at the ends of a token do not belong to its offsets
};
Result<PostProcessor> makePostProcessor(const Json& json);

}  // namespace assay::data
