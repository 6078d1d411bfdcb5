#pragma once
// From the texts of tokens back to text: the "decoder" of a tokenizer.json.
#include <assay/core/json.h>

#include <string>
#include <vector>

namespace assay::data {

class Decoder {
public:
    virtual ~Decoder() = default;
    // `raw`: bytes as they are, for streaming; otherwise byte tokens that form no character become U+FFFD each.
    virtual void apply(std::vector<std::string>& tokens, bool raw) const = 0;
    virtual bool isByteLevel() const { return false; }
};
using DecoderPtr = std::shared_ptr<const Decoder>;
Result<DecoderPtr> makeDecoder(const Json& json);  // null gives a null pointer

}  // namespace assay::data
