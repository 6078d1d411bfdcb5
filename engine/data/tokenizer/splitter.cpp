#include "tokenizer/splitter.h"

#include "tokenizer/regex.h"
#include "tokenizer/unicode.h"

namespace assay::data {

const char* const kGpt2Pattern = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
const char* const kLlama3Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
const char* const kQwen2Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

namespace {

constexpr uint8_t kAny = kLetter | kNumber | kSpace;

class Cursor {
public:
    Cursor(std::string_view text, uint32_t to) : text_(text.substr(0, to)), to_(to) {}
    uint8_t classAt(uint32_t i, uint32_t& next) const {
        const CodePoint c = codePointAt(text_, i);
        next = i + c.bytes;
        return c.valid ? charClass(c.value) : uint8_t{0};
    }
    // End of the run of characters with (class & mask) == wanted from i on, at most `limit` characters.
    template <class Test>
    uint32_t run(uint32_t i, Test test, uint32_t limit = UINT32_MAX) const {
        while (i < to_ && limit-- > 0) {
            uint32_t next;
            if (!test(classAt(i, next))) break;
            i = next;
        }
        return i;
    }
    // Length of an English contraction at i (after the apostrophe at i), 0: none. With `fold` in any case.
    uint32_t contraction(uint32_t i, bool fold) const {
        auto at = [&](uint32_t k) -> char {
            if (k >= to_) return 0;
            char c = text_[k];
            return fold && c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
        };
        const char a = at(i + 1), b = at(i + 2);
        if (a == 's' || a == 't' || a == 'm' || a == 'd') return 2;
        if ((a == 'r' && b == 'e') || (a == 'v' && b == 'e') || (a == 'l' && b == 'l')) return 3;
        // U+017F folds to s
        if (fold && i + 2 < to_ && text_[i + 1] == '\xC5' && text_[i + 2] == '\xBF') return 3;
        return 0;
    }
    char byte(uint32_t i) const { return i < to_ ? text_[i] : '\0'; }
    uint32_t end() const { return to_; }
    // \s+(?!\S)|\s+ from i on, which is white space whose run ends at `runEnd`.
    uint32_t blanks(uint32_t i, uint32_t runEnd) const {
        if (runEnd == to_) return runEnd;
        const uint32_t last = runEnd - codePointBefore(text_, runEnd).bytes;
        return last > i ? last : runEnd;
    }

private:
    std::string_view text_;
    uint32_t to_;
};

bool isLetter(uint8_t c) { return c & kLetter; }
bool isNumber(uint8_t c) { return c & kNumber; }
bool isSpace(uint8_t c) { return c & kSpace; }
bool isRest(uint8_t c) { return !(c & kAny); }

class Gpt2Splitter : public Splitter {
public:
    void matches(std::string_view text, uint32_t from, uint32_t to, std::vector<Span>& out) const override {
        const Cursor cursor(text, to);
        for (uint32_t i = from; i < to;) {
            const uint32_t j = endOf(cursor, i);
            out.push_back({i, j});
            i = j;
        }
    }

private:
    static uint32_t endOf(const Cursor& t, uint32_t i) {
        if (t.byte(i) == '\'')
            if (const uint32_t n = t.contraction(i, false)) return i + n;
        uint32_t p = i, next;
        uint8_t c = t.classAt(i, next);
        if (t.byte(i) == ' ' && next < t.end()) {
            uint32_t after;
            const uint8_t following = t.classAt(next, after);
            if (!isSpace(following)) {
                p = next;
                c = following;
                next = after;
            }
        }
        if (isLetter(c)) return t.run(next, isLetter);
        if (isNumber(c)) return t.run(next, isNumber);
        if (isRest(c)) return t.run(next, isRest);
        return t.blanks(p, t.run(next, isSpace));
    }
};

// Llama 3, cl100k and Qwen 2: they differ in how many digits make a piece.
class Llama3Splitter : public Splitter {
public:
    explicit Llama3Splitter(uint32_t digits) : digits_(digits) {}
    void matches(std::string_view text, uint32_t from, uint32_t to, std::vector<Span>& out) const override {
        const Cursor cursor(text, to);
        for (uint32_t i = from; i < to;) {
            const uint32_t j = endOf(cursor, i);
            out.push_back({i, j});
            i = j;
        }
    }

private:
    uint32_t endOf(const Cursor& t, uint32_t i) const {
        if (t.byte(i) == '\'')
            if (const uint32_t n = t.contraction(i, true)) return i + n;
        uint32_t next;
        const uint8_t c = t.classAt(i, next);
        if (isLetter(c)) return t.run(next, isLetter);
        if (isNumber(c)) return t.run(next, isNumber, digits_ - 1);
        const bool newline = t.byte(i) == '\n' || t.byte(i) == '\r';
        if (!newline && next < t.end()) {
            uint32_t after;
            if (isLetter(t.classAt(next, after))) return t.run(after, isLetter);
        }
        uint32_t p = i;
        if (t.byte(i) == ' ' && next < t.end()) {
            uint32_t after;
            if (isRest(t.classAt(next, after))) p = next;
        }
        if (p != i || isRest(c)) {
            uint32_t j = t.run(p, isRest);
            while (j < t.end() && (t.byte(j) == '\r' || t.byte(j) == '\n')) ++j;
            return j;
        }
        const uint32_t runEnd = t.run(i, isSpace);
        for (uint32_t k = runEnd; k > i; --k)
            if (t.byte(k - 1) == '\n' || t.byte(k - 1) == '\r') return k;
        return t.blanks(i, runEnd);
    }
    uint32_t digits_;
};

class RegexSplitter : public Splitter {
public:
    explicit RegexSplitter(std::shared_ptr<const Regex> regex) : regex_(std::move(regex)) {}
    void matches(std::string_view text, uint32_t from, uint32_t to, std::vector<Span>& out) const override {
        // The piece alone: look-around must not see what lies outside of it.
        const std::string_view piece = text.substr(from, to - from);
        size_t at = 0, b = 0, e = 0;
        while (at < piece.size() && regex_->find(piece, at, b, e)) {
            if (e == b) {
                at = e + (e < piece.size() ? codePointAt(piece, e).bytes : 1);
                continue;
            }
            out.push_back({from + static_cast<uint32_t>(b), from + static_cast<uint32_t>(e)});
            at = e;
        }
    }

private:
    std::shared_ptr<const Regex> regex_;
};

class LiteralSplitter : public Splitter {
public:
    explicit LiteralSplitter(std::string literal) : literal_(std::move(literal)) {}
    void matches(std::string_view text, uint32_t from, uint32_t to, std::vector<Span>& out) const override {
        if (literal_.empty()) return;
        const std::string_view bounded = text.substr(0, to);
        for (size_t at = bounded.find(literal_, from); at != bounded.npos; at = bounded.find(literal_, at + literal_.size()))
            out.push_back({static_cast<uint32_t>(at), static_cast<uint32_t>(at + literal_.size())});
    }

private:
    std::string literal_;
};

}  // namespace

Result<SplitterPtr> makeRegexSplitter(const std::string& pattern, bool general) {
    if (!general) {
        if (pattern == kGpt2Pattern) return std::make_shared<Gpt2Splitter>();
        if (pattern == kLlama3Pattern) return std::make_shared<Llama3Splitter>(3);
        if (pattern == kQwen2Pattern) return std::make_shared<Llama3Splitter>(1);
    }
    ASSAY_TRY(auto regex, Regex::compile(pattern));
    return std::make_shared<RegexSplitter>(std::move(regex));
}
SplitterPtr makeLiteralSplitter(std::string literal) { return std::make_shared<LiteralSplitter>(std::move(literal)); }

}  // namespace assay::data
