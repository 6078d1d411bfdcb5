#pragma once
// A text, or a pair of texts, encoded with everything that a tokenizer file says about it: type ids, masks, windows of a
// long text, padding. Training uses Tokenizer::encode, which gives ids only and costs less.
#include <assay/core/error.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace assay::data {

// Thrown where a text cannot be encoded exactly (the pattern of the tokenizer runs into its match limit, the model has no
// token for a character and none for the unknown); caught at the edges, tryEncode gives it as a Result.
class EncodeError : public std::runtime_error {
public:
    explicit EncodeError(Error e) : std::runtime_error(e.text()), error(std::move(e)) {}
    Error error;
};

struct Truncation {
    enum class Strategy { kLongestFirst, kOnlyFirst, kOnlySecond };
    int64_t maxLength = 512;  // tokens, those that are added included
    int64_t stride = 0;       // tokens that neighbouring windows share
    Strategy strategy = Strategy::kLongestFirst;
    bool left = false;        // windows are counted from the end of the text
};

struct Padding {
    int64_t length = 0;  // 0: to the longest of the batch
    int64_t multipleOf = 0;
    int32_t id = 0, typeId = 0;
    bool left = false;
};

struct DetailOptions {
    bool addSpecial = false, parseSpecial = false;
    bool characterOffsets = false;       // code points instead of bytes
    std::optional<Truncation> truncation;
    std::optional<Padding> padding;
};

struct DetailedEncoding {
    std::vector<int32_t> ids, typeIds;
    std::vector<std::pair<uint32_t, uint32_t>> offsets;  // in the text that the token is of; (0, 0) for tokens that were added
    std::vector<int32_t> words;                          // number of the piece of the text, -1: none
    std::vector<uint8_t> special, attention;             // 1: added by the post-processor or padding; 1: no padding
    std::vector<DetailedEncoding> overflow;              // the windows after the first
    size_t size() const { return ids.size(); }
};

// As the Hugging Face library pads a batch; windows are padded too.
void pad(std::vector<DetailedEncoding>& batch, const Padding& padding);

}  // namespace assay::data
