#include "chat/lexer.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "chat/py_text.h"
#include "chat/runtime.h"
#include "tokenizer/unicode.h"

namespace assay::data::jinja {
namespace {

// Line ends become \n, one at the end of the source goes.
std::string normalized(std::string_view source) {
    std::string out;
    out.reserve(source.size());
    for (size_t i = 0; i < source.size(); ++i) {
        if (source[i] != '\r') out += source[i];
        else if (i + 1 == source.size() || source[i + 1] != '\n') out += '\n';
    }
    if (out.ends_with('\n')) out.pop_back();
    return out;
}

bool digit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
public:
    explicit Lexer(std::string_view source) : source_(normalized(source)) {}

    std::vector<Token> run() {
        while (at_ < source_.size()) root();
        push(TokenKind::kEnd);
        return std::move(tokens_);
    }

private:
    [[noreturn]] void bad(const std::string& what) const { throw TemplateError{what, line_}; }
    bool has(std::string_view text, size_t at) const { return std::string_view(source_).substr(at).starts_with(text); }
    Token& push(TokenKind kind, std::string_view text = {}) {
        tokens_.emplace_back();
        tokens_.back().kind = kind;
        tokens_.back().line = line_;
        tokens_.back().text = text;
        return tokens_.back();
    }
    void advance(size_t to) {
        line_ += static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_), source_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
        if (to > at_) lineStarts_ = source_[to - 1] == '\n';
        at_ = to;
    }
    size_t skipSpace(size_t at) const {
        while (at < source_.size()) {
            const CodePoint c = codePointAt(source_, at);
            if (!isSpace(c.value)) break;
            at += c.bytes;
        }
        return at;
    }

    // Text up to the next tag, and the tag.
    void root() {
        size_t tag = at_;
        for (;; ++tag) {
            tag = source_.find('{', tag);
            if (tag == source_.npos || tag + 1 >= source_.size()) {
                push(TokenKind::kText, std::string_view(source_).substr(at_));
                return advance(source_.size());
            }
            if (const char c = source_[tag + 1]; c == '%' || c == '{' || c == '#') break;
        }
        const char kind = source_[tag + 1];
        const char sign = tag + 2 < source_.size() && (source_[tag + 2] == '-' || source_[tag + 2] == '+') ? source_[tag + 2] : '\0';
        text(tag, sign, kind == '{');
        const size_t inside = tag + 2 + (sign ? 1 : 0);
        if (kind == '#') {
            advance(inside);
            return comment();
        }
        if (kind == '%') {
            if (size_t body; rawBegins(inside, body)) {
                advance(body);
                return raw();
            }
        }
        push(kind == '{' ? TokenKind::kVariableBegin : TokenKind::kBlockBegin);
        advance(inside);
        expression(kind == '{');
    }

    // The text before a tag, without what the tag strips.
    void text(size_t tag, char sign, bool variable) {
        std::string_view t = std::string_view(source_).substr(at_, tag - at_);
        if (sign == '-') {
            t = t.substr(0, lastNonSpaceEnd(t));
        } else if (sign != '+' && !variable) {
            const size_t newline = t.rfind('\n');
            const size_t begin = newline == t.npos ? 0 : newline + 1;
            if ((begin > 0 || lineStarts_) && firstNonSpace(t.substr(begin)) == t.size() - begin) t = t.substr(0, begin);
        }
        if (!t.empty()) push(TokenKind::kText, t);
        advance(tag);
    }

    // How a tag ends at `at`: "-%}" with all space behind, "+%}", "%}" with one newline. 0: it does not.
    size_t tagEnd(std::string_view end, size_t at, bool trims) const {
        if (source_[at] == '-' && has(end, at + 1)) return skipSpace(at + 1 + end.size());
        if (trims && source_[at] == '+' && has(end, at + 1)) return at + 1 + end.size();
        if (!has(end, at)) return 0;
        at += end.size();
        return trims && at < source_.size() && source_[at] == '\n' ? at + 1 : at;
    }

    void comment() {
        for (size_t at = at_; at < source_.size(); ++at)
            if (const size_t end = tagEnd("#}", at, true)) return advance(end);
        bad("a comment ({#) is not closed");
    }

    bool rawBegins(size_t at, size_t& body) const {
        at = skipSpace(at);
        if (!has("raw", at)) return false;
        at = skipSpace(at + 3);
        if (at >= source_.size()) return false;
        if (source_[at] == '-' && has("%}", at + 1)) body = skipSpace(at + 3);
        else if (has("%}", at)) body = at + 2;
        else return false;
        return true;
    }
    void raw() {
        for (size_t tag = source_.find("{%", at_); tag != source_.npos; tag = source_.find("{%", tag + 1)) {
            size_t at = tag + 2;
            const char sign = at < source_.size() && (source_[at] == '-' || source_[at] == '+') ? source_[at++] : '\0';
            at = skipSpace(at);
            if (!has("endraw", at)) continue;
            at = skipSpace(at + 6);
            const size_t end = at < source_.size() ? tagEnd("%}", at, true) : 0;
            if (end == 0) continue;
            text(tag, sign, false);
            return advance(end);
        }
        bad("a raw block is not closed");
    }

    void expression(bool variable) {
        std::string open;  // brackets that wait to be closed
        while (true) {
            if (at_ >= source_.size()) bad(variable ? "a print tag ({{) is not closed" : "a block tag ({%) is not closed");
            if (open.empty()) {
                // `-` before the end belongs to the tag; print tags know no `+`.
                if (const size_t end = tagEnd(variable ? "}}" : "%}", at_, !variable)) {
                    push(variable ? TokenKind::kVariableEnd : TokenKind::kBlockEnd);
                    return advance(end);
                }
            }
            if (const size_t next = skipSpace(at_); next > at_) {
                advance(next);
                continue;
            }
            if (number() || name() || string()) continue;
            operation(open);
        }
    }

    size_t digits(size_t at) const {  // (\d+_)*\d+; the end, or `at` when there are none
        if (at >= source_.size() || !digit(source_[at])) return at;
        while (at < source_.size() && (digit(source_[at]) || (source_[at] == '_' && at + 1 < source_.size() && digit(source_[at + 1])))) ++at;
        return at;
    }
    bool number() {
        if (!digit(source_[at_])) return false;
        const size_t whole = digits(at_);
        size_t end = whole;
        if (at_ == 0 || source_[at_ - 1] != '.') {
            if (end < source_.size() && source_[end] == '.')
                if (const size_t f = digits(end + 1); f > end + 1) end = f;
            if (end < source_.size() && (source_[end] == 'e' || source_[end] == 'E')) {
                size_t e = end + 1;
                if (e < source_.size() && (source_[e] == '+' || source_[e] == '-')) ++e;
                if (const size_t x = digits(e); x > e) end = x;
            }
        }
        std::string text;
        if (end > whole) {
            for (const char c : std::string_view(source_).substr(at_, end - at_))
                if (c != '_') text += c;
            push(TokenKind::kFloat).real = std::strtod(text.c_str(), nullptr);
            advance(end);
            return true;
        }
        int base = 10;
        size_t begin = at_;
        end = whole;
        if (source_[at_] == '0') {
            const char c = at_ + 1 < source_.size() ? static_cast<char>(source_[at_ + 1] | 0x20) : '\0';
            base = c == 'x' ? 16 : c == 'o' ? 8 : c == 'b' ? 2 : 10;
            const auto fits = [&](char d) {
                const int v = digit(d) ? d - '0' : (d | 0x20) >= 'a' && (d | 0x20) <= 'f' ? (d | 0x20) - 'a' + 10 : 99;
                return v < base;
            };
            if (base != 10) {
                size_t e = at_ + 2;
                while (e < source_.size() && (fits(source_[e]) || (source_[e] == '_' && e + 1 < source_.size() && fits(source_[e + 1])))) ++e;
                if (e == at_ + 2) base = 10;
                else begin = at_ + 2, end = e;
            }
            if (base == 10) {  // zeros only
                end = at_ + 1;
                while (end < source_.size() && (source_[end] == '0' || (source_[end] == '_' && end + 1 < source_.size() && source_[end + 1] == '0'))) ++end;
            }
        }
        for (const char c : std::string_view(source_).substr(begin, end - begin))
            if (c != '_') text += c;
        int64_t value = 0;
        if (std::from_chars(text.data(), text.data() + text.size(), value, base).ec != std::errc()) bad("the number " + text + " is beyond 64 bits");
        push(TokenKind::kInteger).integer = value;
        advance(end);
        return true;
    }

    bool name() {
        size_t end = at_;
        while (end < source_.size()) {
            const CodePoint c = codePointAt(source_, end);
            if (c.value != '_' && !(charClass(c.value) & kWord)) break;
            end += c.bytes;
        }
        if (end == at_) return false;
        push(TokenKind::kName, std::string_view(source_).substr(at_, end - at_));
        advance(end);
        return true;
    }

    bool string() {
        const char quote = source_[at_];
        if (quote != '\'' && quote != '"') return false;
        size_t end = at_ + 1;
        while (end < source_.size() && source_[end] != quote) end += source_[end] == '\\' ? 2 : 1;
        if (end >= source_.size()) bad("a string is not closed");
        push(TokenKind::kString).text = unescaped(std::string_view(source_).substr(at_ + 1, end - at_ - 1));
        advance(end + 1);
        return true;
    }

    // Python's escapes. A backslash before what is no escape stays.
    std::string unescaped(std::string_view s) const {
        std::string out;
        for (size_t i = 0; i < s.size(); ++i) {
            if (s[i] != '\\' || i + 1 >= s.size()) {
                out += s[i];
                continue;
            }
            const char c = s[++i];
            const auto hex = [&](size_t n) {
                char32_t value = 0;
                for (size_t k = 1; k <= n; ++k) {
                    const char d = i + k < s.size() ? s[i + k] : '\0';
                    const int v = digit(d) ? d - '0' : (d | 0x20) >= 'a' && (d | 0x20) <= 'f' ? (d | 0x20) - 'a' + 10 : -1;
                    if (v < 0) bad(std::string("the escape \\") + c + " in a string wants " + std::to_string(n) + " hexadecimal digits");
                    value = value * 16 + static_cast<char32_t>(v);
                }
                if (value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) bad("an escape in a string names no character");
                appendUtf8(out, value);
                i += n;
            };
            switch (c) {
                case '\n': break;
                case '\\': case '\'': case '"': out += c; break;
                case 'a': out += '\a'; break;
                case 'b': out += '\b'; break;
                case 'f': out += '\f'; break;
                case 'n': out += '\n'; break;
                case 'r': out += '\r'; break;
                case 't': out += '\t'; break;
                case 'v': out += '\v'; break;
                case 'x': hex(2); break;
                case 'u': hex(4); break;
                case 'U': hex(8); break;
                case 'N': bad("characters by name (\\N{…}) are not known here; write the character itself");
                default:
                    if (c >= '0' && c <= '7') {
                        char32_t value = 0;
                        size_t k = 0;
                        for (; k < 3 && i + k < s.size() && s[i + k] >= '0' && s[i + k] <= '7'; ++k) value = value * 8 + static_cast<char32_t>(s[i + k] - '0');
                        appendUtf8(out, value);
                        i += k - 1;
                    } else if (static_cast<unsigned char>(c) >= 0x80) {
                        // Jinja2 writes such a character as an escape first, so that this backslash becomes its beginning.
                        const CodePoint p = codePointAt(s, i);
                        char text[16];
                        std::snprintf(text, sizeof text, p.value < 0x100 ? "\\x%02x" : p.value < 0x10000 ? "\\u%04x" : "\\U%08x", static_cast<unsigned>(p.value));
                        out += text;
                        i += p.bytes - 1;
                    } else {
                        out += '\\';
                        out += c;
                    }
            }
        }
        return out;
    }

    void operation(std::string& open) {
        static constexpr std::string_view kTwo[] = {"//", "**", "==", "!=", ">=", "<="}, kOne = "+-/*%~[](){}<>=.:|,;";
        const std::string_view rest = std::string_view(source_).substr(at_);
        for (const std::string_view two : kTwo)
            if (rest.starts_with(two)) {
                push(TokenKind::kOperator, two);
                return advance(at_ + 2);
            }
        const char c = rest[0];
        if (kOne.find(c) == kOne.npos) {
            const size_t n = characterBytes(rest, 0);
            bad("the character '" + std::string(rest.substr(0, n)) + "' is not expected in a tag");
        }
        if (c == '{') open += '}';
        if (c == '(') open += ')';
        if (c == '[') open += ']';
        if (c == '}' || c == ')' || c == ']') {
            if (open.empty()) bad(std::string("there is a '") + c + "' too many");
            if (open.back() != c) bad(std::string("'") + c + "' stands where '" + open.back() + "' is expected");
            open.pop_back();
        }
        push(TokenKind::kOperator, rest.substr(0, 1));
        advance(at_ + 1);
    }

    std::string source_;
    size_t at_ = 0;
    int line_ = 1;
    bool lineStarts_ = true;
    std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> lex(std::string_view source) { return Lexer(source).run(); }

}  // namespace assay::data::jinja
