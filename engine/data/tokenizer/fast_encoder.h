#pragma once
// Ids without offsets for tokenizers of a known shape: the text is read once, in place, cut by code, and each word is looked
// up in a cache of the thread. The ids are those of the general path (normalizer, pre-tokenizer steps, word model); tests
// compare the two on random texts. Encoders are immutable and may be used from any number of threads.
#include <assay/core/json.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "tokenizer/model.h"

namespace assay::data {

class FastEncoder {
public:
    virtual ~FastEncoder() = default;
    // Whether encode() takes this text as it stands; otherwise it wants it normalized.
    virtual bool takesRaw(std::string_view text) const = 0;
    // Appends the ids of a stretch of text in which added tokens are not to be looked for.
    virtual void encode(std::string_view text, std::vector<int32_t>& ids) const = 0;
};

struct FastParts {
    const Json& normalizer;    // of the tokenizer.json; null when absent
    const Json& preTokenizer;
    const WordModel& model;    // must outlive the encoder
    bool wordPiece = false;
    // The general path for one stretch; called for words that hold what the fast one leaves to it.
    std::function<void(std::string_view text, std::vector<int32_t>& ids)> general;
};
// Null when the tokenizer has no shape that there is a fast path for.
std::unique_ptr<FastEncoder> makeFastEncoder(const FastParts& parts);

// The two kinds; null as above.
std::unique_ptr<FastEncoder> makeFastByteLevel(const FastParts& parts);
std::unique_ptr<FastEncoder> makeFastBert(const FastParts& parts);

// True only for texts that NFC leaves as they are: all characters stand in ranges where nothing composes or is reordered.
bool surelyNfc(std::string_view text);

}  // namespace assay::data
