#pragma once
// What is put before and after the ids of a text: the "post_processor" of a tokenizer.json, for single sequences.
#include <assay/core/json.h>

#include <cstdint>
#include <vector>

namespace assay::data {

struct PostProcessor {
    std::vector<int32_t> before, after;
    bool prefixSpace = true;   // with trimOffsets: the first space of the text belongs to its token, it may have been put there
    bool trimOffsets = false;  // ByteLevel: spaces at the ends of a token do not belong to its offsets
};
Result<PostProcessor> makePostProcessor(const Json& json);

}  // namespace assay::data
