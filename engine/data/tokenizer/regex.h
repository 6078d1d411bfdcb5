#pragma once
// Regular expressions of tokenizer files (Oniguruma's Ruby syntax, as the Hugging Face library reads them) on PCRE2-JIT.
#include <assay/core/error.h>

#include <memory>
#include <string>
#include <string_view>

namespace assay::data {

class Regex {
public:
    // kUnsupported for what PCRE2 cannot express (class intersection), kInvalidFile for a wrong pattern.
    static Result<std::shared_ptr<const Regex>> compile(const std::string& pattern);
    ~Regex();
    // First match at or after `from`. When the match limits are hit the search ends as if there were no match: hostile
    // patterns cost bounded time.
    bool find(std::string_view text, size_t from, size_t& begin, size_t& end) const;

private:
    Regex() = default;
    void* code_ = nullptr;
};

// The pattern in PCRE2's terms: \s without U+180E, \w with combining marks, \h as hexadecimal digit.
Result<std::string> translatePattern(std::string_view pattern);

}  // namespace assay::data
