#pragma once
// What happens to a detailed encoding after the model: windows, post-processing, padding.
#include <assay/data/encoding.h>

#include <string_view>

#include "tokenizer/post_processor.h"

namespace assay::data {

// White space at the ends of a token's text: characters at the front, and what they are in the unit of the offsets.
struct TokenSpaces {
    uint32_t leading = 0, leadingUnits = 0, trailingUnits = 0;
};

// The tokens of one text, or one window of them.
struct Window {
    DetailedEncoding encoding;        // without its overflow
    std::vector<TokenSpaces> spaces;  // per token, when the post-processor trims
    std::vector<Window> overflow;
};

// Truncates, puts the added tokens in, joins the texts, pads. `second`: the other text of a pair, or null.
Result<DetailedEncoding> postProcess(Window first, std::optional<Window> second, const PostProcessor& post, const DetailOptions& options);

// Byte offsets into `text` become numbers of code points.
void toCharacters(std::string_view text, std::vector<std::pair<uint32_t, uint32_t>>& offsets);

}  // namespace assay::data
