#pragma once
// The normalization rules that SentencePiece compiles into a model: a double-array trie (darts-clone's layout) from text to
// a place in a list of replacements.
#include <assay/core/error.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/normalizer.h"

namespace assay::data {

class CharsMap {
public:
    // `blob`: u32 size of the trie in bytes, the trie, replacements with a NUL after each. Every offset is checked here or on use.
    static Result<CharsMap> parse(std::string_view blob);
    struct Match {
        size_t length = 0;  // 0: no rule
        std::string_view by;
    };
    Match longest(std::string_view text) const;   // SentencePiece's choice
    Match shortest(std::string_view text) const;  // the Hugging Face library's

private:
    template <class Each>
    void prefixes(std::string_view text, Each each) const;
    std::string_view replacement(uint32_t at) const;
    std::vector<uint32_t> units_;
    std::string texts_;
};

// The normalizer "Precompiled"; `charsmap` in base64. As the Hugging Face library does it: a grapheme of fewer than six bytes
// is replaced whole by what the shortest rule that begins it says, otherwise its characters one by one.
Result<NormalizerPtr> makePrecompiled(std::string_view charsmap);

}  // namespace assay::data
