#pragma once
// Sets of code points, and those that the patterns of tokenizer files name, with the data of the engine that the reference
// implementation uses (Oniguruma, Unicode 16).
#include <assay/core/error.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::data {

class CodeSet {
public:
    using Range = std::pair<char32_t, char32_t>;  // both ends belong to it

    static CodeSet of(std::vector<Range> ranges);  // in any order
    // L, Lu, Letter, Han, Alnum, Any …; case, spaces, '_' and '-' do not count.
    static Result<CodeSet> named(std::string_view name);
    static CodeSet space();      // \s
    // \w. Oniguruma counts six numerals of Latin-1 to it (² ³ ¹ ¼ ½ ¾), but not between brackets.
    static CodeSet word(bool bracketed = false);
    static CodeSet digit();      // \d
    static CodeSet hexDigit();   // \h

    const std::vector<Range>& ranges() const { return ranges_; }
    bool empty() const { return ranges_.empty(); }
    CodeSet complement() const;
    CodeSet with(const CodeSet& other) const;
    CodeSet within(const CodeSet& other) const;
    bool operator==(const CodeSet&) const = default;

    // What stands between the brackets of a PCRE2 class that matches the same: PCRE2's own properties where they are part of
    // the set, which it tests faster than ranges.
    std::string pcreItems() const;

private:
    std::vector<Range> ranges_;
};

}  // namespace assay::data
