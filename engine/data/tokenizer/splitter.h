#pragma once
// Splitters: find the pieces that a pattern matches. Patterns of well-known tokenizers are recognised by their exact text
// and matched by hand-written code; all others go through PCRE2.
#include <memory>

#include <assay/core/error.h>

#include "tokenizer/text.h"

namespace assay::data {

class Splitter {
public:
    virtual ~Splitter() = default;
    // Appends the matches inside text[from, to), in order, not overlapping; what lies between them is no match.
    virtual void matches(std::string_view text, uint32_t from, uint32_t to, std::vector<Span>& out) const = 0;
};
using SplitterPtr = std::shared_ptr<const Splitter>;

extern const char* const kGpt2Pattern;
extern const char* const kLlama3Pattern;
extern const char* const kQwen2Pattern;

// `general`: by PCRE2 even when the pattern is a known one (tests compare the two).
Result<SplitterPtr> makeRegexSplitter(const std::string& pattern, bool general = false);
SplitterPtr makeLiteralSplitter(std::string literal);

}  // namespace assay::data
