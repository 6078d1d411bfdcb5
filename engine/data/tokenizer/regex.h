#pragma once
// Regular expressions of tokenizer files (Oniguruma's Ruby syntax, as the Hugging Face library reads them) on PCRE2-JIT.
#include <assay/core/error.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace assay::data {

class Regex {
public:
    // kUnsupported for what PCRE2 cannot express, kInvalidFile for a wrong pattern.
    static Result<std::shared_ptr<const Regex>> compile(const std::string& pattern);
    ~Regex();
    // First match at or after `from`. A hostile pattern costs bounded time: at the match limits EncodeError is thrown, since
    // what is found without them is unknown.
    bool find(std::string_view text, size_t from, size_t& begin, size_t& end) const;
    // All matches in order, empty ones too, except where the match before ended.
    void eachMatch(std::string_view text, const std::function<void(size_t begin, size_t end)>& each) const;
    bool matchesEmpty() const { return matchesEmpty_; }

private:
    Regex() = default;
    void* code_ = nullptr;
    bool matchesEmpty_ = false;
    std::string pattern_;
};

// The pattern in PCRE2's terms: classes and properties of the reference's Unicode version, set operations worked out,
// Ruby's meaning of (?m), \h and {n,m}+.
Result<std::string> translatePattern(std::string_view pattern);

}  // namespace assay::data
