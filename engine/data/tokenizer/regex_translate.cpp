#include <optional>

#include "tokenizer/code_set.h"
#include "tokenizer/regex.h"
#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

tl::unexpected<Error> notIn(const std::string& what) { return fail(ErrorCode::kUnsupported, what + " in a tokenizer pattern is not supported", "use a tokenizer.json whose pattern does without it"); }

class Translator {
public:
    explicit Translator(std::string_view pattern) : p_(pattern) {}

    Result<std::string> run() {
        while (at_ < p_.size()) ASSAY_TRY_VOID(atom());
        return std::move(out_);
    }

private:
    char peek(size_t ahead = 0) const { return at_ + ahead < p_.size() ? p_[at_ + ahead] : '\0'; }
    bool takes(std::string_view text) {
        if (!p_.substr(at_).starts_with(text)) return false;
        at_ += text.size();
        return true;
    }
    void emit(const CodeSet& set, bool negated) {
        atom_ = out_.size();
        if (set.empty()) {
            out_ += negated ? "[\\x{0}-\\x{10ffff}]" : "(?!)";
        } else {
            out_ += (negated ? "[^" : "[") + set.pcreItems() + "]";
        }
    }

    Result<void> atom() {
        const char c = p_[at_];
        if (c == '\\') return escape();
        if (c == '[') {
            bool negated = false;
            bracketed_ = true;
            ASSAY_TRY(const CodeSet set, characterClass(negated, 0));
            bracketed_ = false;
            emit(set, negated);
            return {};
        }
        if (c == '(') return open();
        if (c == ')') {
            ++at_;
            out_ += ')';
            atom_ = groups_.empty() ? out_.size() - 1 : groups_.back();
            if (!groups_.empty()) {
                folds_ = folding_.back();
                folding_.pop_back();
                groups_.pop_back();
            }
            return {};
        }
        if (c == '{') return interval();
        if (c == '*' || c == '+' || c == '?' || c == '|' || c == '^' || c == '$' || c == '.') {
            if (c == '.') atom_ = out_.size();
            out_ += c;
            ++at_;
            literal_ = 0;
            return {};
        }
        const CodePoint point = codePointAt(p_, at_);
        atom_ = out_.size();
        out_ += p_.substr(at_, point.bytes);
        at_ += point.bytes;
        return fold(point.value);
    }

    // Without regard to case Oniguruma also matches one character for two: ß for ss, ﬁ for fi.
    Result<void> fold(char32_t c) {
        const char32_t lower = lowerCase(c);
        if (folds_ && ((literal_ == 's' && (lower == 's' || lower == 't')) || (literal_ == 'f' && (lower == 'f' || lower == 'i' || lower == 'l'))))
            return notIn("letters that have a ligature, without regard to case,");
        literal_ = lower;
        return {};
    }

    Result<void> open() {
        literal_ = 0;
        folding_.push_back(folds_);
        groups_.push_back(out_.size());
        if (takes("(?#")) return notIn("a comment");
        if (takes("(?~")) return notIn("the absence operator (?~)");
        if (peek(1) != '?' || std::string_view(":=!><").find(peek(2)) != std::string_view::npos) {
            out_ += '(';
            ++at_;
            while (at_ < p_.size() && std::string_view("?:=!><").find(p_[at_]) != std::string_view::npos && at_ < p_.size()) {
                out_ += p_[at_];
                const char last = p_[at_++];
                if (last == ':' || last == '=' || last == '!') break;
                if (last == '>' || (last == '<' && peek() != '=' && peek() != '!')) break;
            }
            return {};
        }
        // (?imx-imx) and (?imx-imx:…): Ruby's m is what others call s.
        out_ += "(?";
        at_ += 2;
        bool on = true;
        for (; at_ < p_.size() && p_[at_] != ')' && p_[at_] != ':'; ++at_) {
            const char c = p_[at_];
            if (c == '-') {
                on = false;
                out_ += '-';
            } else if (c == 'i') {
                folds_ = on;
                out_ += 'i';
            } else if (c == 'm') {
                out_ += 's';
            } else if (c == 'x') {
                out_ += 'x';
            } else {
                return notIn(std::string("the group (?") + c);
            }
        }
        if (peek() == ')') {  // holds to the end of the enclosing group
            out_ += ')';
            ++at_;
            folding_.pop_back();
            groups_.pop_back();
        } else {
            out_ += ':';
            ++at_;
        }
        return {};
    }

    // {n,m}; in Ruby's syntax + after it repeats, it does not make it possessive.
    Result<void> interval() {
        const size_t close = p_.find('}', at_);
        const std::string_view inside = close == p_.npos ? std::string_view() : p_.substr(at_ + 1, close - at_ - 1);
        if (inside.empty() || inside == "," || inside.find_first_not_of("0123456789,") != inside.npos) {
            atom_ = out_.size();
            out_ += "\\{";
            ++at_;
            return {};
        }
        out_ += inside[0] == ',' ? "{0" + std::string(inside) + "}" : "{" + std::string(inside) + "}";
        at_ = close + 1;
        if (peek() == '+') {
            out_.insert(atom_, "(?:");
            out_ += ")+";
            ++at_;
        }
        return {};
    }

    Result<void> escape() {
        if (at_ + 1 >= p_.size()) return fail(ErrorCode::kInvalidFile, "a tokenizer pattern ends in a backslash");
        literal_ = 0;
        bool negated = false;
        ASSAY_TRY(const auto set, classEscape(negated));
        if (set) {
            emit(*set, negated);
            return {};
        }
        const char e = p_[at_ + 1];
        if (e == 'b' || e == 'B') {  // word boundaries by the same word class
            const std::string w = "[" + CodeSet::word().pcreItems() + "]";
            const std::string border = "(?:(?<=" + w + ")(?!" + w + ")|(?<!" + w + ")(?=" + w + "))";
            out_ += e == 'b' ? border : "(?!" + border + ")";
            at_ += 2;
            return {};
        }
        if (e == 'A' || e == 'z' || e == 'Z') {
            out_ += {'\\', e};
            at_ += 2;
            return {};
        }
        if ((e >= '1' && e <= '9') || std::string_view("CKGgkMXRNOy").find(e) != std::string_view::npos) return notIn(std::string("\\") + e);
        ASSAY_TRY(const char32_t c, character());
        atom_ = out_.size();
        char text[16];
        std::snprintf(text, sizeof text, "\\x{%x}", static_cast<unsigned>(c));
        out_ += text;
        return fold(c);
    }

    // \s, \P{L} and the like at the place; nothing when it is another escape.
    Result<std::optional<CodeSet>> classEscape(bool& negated) {
        const char e = p_[at_ + 1];
        negated = e == 'S' || e == 'W' || e == 'D' || e == 'H' || e == 'P';
        switch (e) {
            case 's':
            case 'S': at_ += 2; return CodeSet::space();
            case 'w':
            case 'W': at_ += 2; return CodeSet::word(bracketed_);
            case 'd':
            case 'D': at_ += 2; return CodeSet::digit();
            case 'h':
            case 'H': at_ += 2; return CodeSet::hexDigit();
            case 'p':
            case 'P': break;
            default: return std::optional<CodeSet>();
        }
        if (peek(2) != '{') {  // \pL
            ASSAY_TRY(CodeSet set, CodeSet::named(p_.substr(at_ + 2, 1)));
            at_ += 3;
            return set;
        }
        const size_t close = p_.find('}', at_);
        if (close == p_.npos) return fail(ErrorCode::kInvalidFile, "\\p{ without } in a tokenizer pattern");
        std::string_view name = p_.substr(at_ + 3, close - at_ - 3);
        if (name.starts_with('^')) {
            negated = !negated;
            name.remove_prefix(1);
        }
        for (const std::string_view prefix : {"Script=", "script=", "sc=", "gc="})
            if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
        ASSAY_TRY(CodeSet set, CodeSet::named(name));
        at_ = close + 1;
        return set;
    }

    // One character, escaped or not.
    Result<char32_t> character() {
        if (p_[at_] != '\\') {
            const CodePoint c = codePointAt(p_, at_);
            at_ += c.bytes;
            return c.value;
        }
        if (at_ + 1 >= p_.size()) return fail(ErrorCode::kInvalidFile, "a tokenizer pattern ends in a backslash");
        const char e = p_[at_ + 1];
        at_ += 2;
        switch (e) {
            case 'n': return U'\n';
            case 't': return U'\t';
            case 'r': return U'\r';
            case 'f': return U'\f';
            case 'v': return U'\v';
            case 'a': return U'\a';
            case 'e': return char32_t{0x1B};
            case 'b': return U'\b';
            case 'u': return hex(4, 4);
            case 'x': {
                if (peek() != '{') return hex(1, 2);
                ++at_;
                ASSAY_TRY(const char32_t c, hex(1, 8));
                if (peek() != '}') return fail(ErrorCode::kInvalidFile, "\\x{ without } in a tokenizer pattern");
                ++at_;
                return c;
            }
            case '0': return char32_t{0};
            default: break;
        }
        if ((e >= '1' && e <= '9') || (e >= 'a' && e <= 'z') || (e >= 'A' && e <= 'Z')) return notIn(std::string("\\") + e);
        --at_;
        const CodePoint c = codePointAt(p_, at_);
        at_ += c.bytes;
        return c.value;
    }
    Result<char32_t> hex(size_t least, size_t most) {
        uint64_t value = 0;
        size_t n = 0;
        for (; n < most && at_ < p_.size() && std::isxdigit(static_cast<unsigned char>(p_[at_])); ++n, ++at_)
            value = value * 16 + static_cast<uint64_t>(std::stoi(std::string(1, p_[at_]), nullptr, 16));
        if (n < least || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) return fail(ErrorCode::kInvalidFile, "a tokenizer pattern names a character that is none");
        return static_cast<char32_t>(value);
    }

    // At '['. `negated` stays outside of the result, since without regard to case a complement is another one.
    Result<CodeSet> characterClass(bool& negated, int depth) {
        if (depth > 16) return notIn("classes nested that deep");
        ++at_;
        negated = takes("^");
        CodeSet whole, items;
        bool intersects = false, first = true;
        while (true) {
            if (at_ >= p_.size()) return fail(ErrorCode::kInvalidFile, "[ without ] in a tokenizer pattern");
            if (p_[at_] == ']' && !first) break;
            if (takes("&&")) {
                whole = intersects ? whole.within(items) : items;
                intersects = true;
                items = {};
                continue;
            }
            ASSAY_TRY(const CodeSet item, classItem(depth));
            items = items.with(item);
            first = false;
        }
        ++at_;
        return intersects ? whole.within(items) : items;
    }
    Result<CodeSet> classItem(int depth) {
        bool inner = false;
        if (p_[at_] == '[') {
            if (peek(1) == ':') {
                const size_t close = p_.find(":]", at_);
                if (close != p_.npos) {
                    std::string_view name = p_.substr(at_ + 2, close - at_ - 2);
                    if (name.starts_with('^')) inner = true, name.remove_prefix(1);
                    CodeSet set = CodeSet::word(true);
                    if (name != "word") {
                        ASSAY_TRY(set, CodeSet::named(name));
                    }
                    at_ = close + 2;
                    return inner ? set.complement() : set;
                }
            }
            ASSAY_TRY(const CodeSet set, characterClass(inner, depth + 1));
            return inner ? set.complement() : set;
        }
        if (p_[at_] == '\\' && at_ + 1 < p_.size()) {
            ASSAY_TRY(const auto set, classEscape(inner));
            if (set) return inner ? set->complement() : *set;
        }
        ASSAY_TRY(const char32_t from, character());
        if (peek() != '-' || peek(1) == ']' || peek(1) == '\0') return CodeSet::of({{from, from}});
        if (peek(1) == '[' || (peek(1) == '\\' && std::string_view("sSwWdDhHpP").find(peek(2)) != std::string_view::npos)) return CodeSet::of({{from, from}});
        ++at_;
        ASSAY_TRY(const char32_t to, character());
        if (to < from) return fail(ErrorCode::kInvalidFile, "a range in a tokenizer pattern ends before it begins", "use the tokenizer.json that belongs to the model");
        return CodeSet::of({{from, to}});
    }

    std::string_view p_;
    size_t at_ = 0, atom_ = 0;  // place in the pattern; where the last atom stands in what is written
    std::string out_;
    std::vector<size_t> groups_;
    std::vector<bool> folding_;
    bool folds_ = false, bracketed_ = false;
    char32_t literal_ = 0;
};

}  // namespace

Result<std::string> translatePattern(std::string_view pattern) { return Translator(pattern).run(); }

}  // namespace assay::data
