#include "tokenizer/python_literal.h"

#include <charconv>

#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

Error badLiteral(const std::string& reason) { return Error(ErrorCode::kInvalidFile, reason); }

// `digits` characters of `text` from `at` as a number.
Result<uint32_t> codeOf(std::string_view text, size_t at, size_t digits, int base) {
    uint32_t value = 0;
    const std::string_view part = text.substr(std::min(at, text.size()), digits);
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value, base);
    if (part.size() < digits || error != std::errc() || end != part.data() + part.size()) return fail(badLiteral("an escape lacks digits"));
    return value;
}

std::string_view simpleEscape(char c) {
    switch (c) {
        case '\\': return "\\";
        case '\'': return "'";
        case '"': return "\"";
        case 'n': return "\n";
        case 'r': return "\r";
        case 't': return "\t";
        case 'a': return "\a";
        case 'b': return "\b";
        case 'f': return "\f";
        case 'v': return "\v";
        default: return {};
    }
}

}  // namespace

Result<std::string> pythonLiteral(std::string_view text) {
    const bool bytes = text.starts_with('b') || text.starts_with('B');
    if (bytes) text.remove_prefix(1);
    if (text.size() < 2 || (text[0] != '\'' && text[0] != '"') || text.back() != text[0]) return fail(badLiteral("it is no string or bytes in quotation marks"));
    const char quote = text[0];
    text = text.substr(1, text.size() - 2);
    std::string out;
    const auto put = [&](uint32_t code) -> Result<void> {
        if (bytes && code > 0xFF) return fail(badLiteral("an escape is no byte"));
        if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return fail(badLiteral("an escape is no character"));
        bytes ? out.push_back(static_cast<char>(code)) : appendUtf8(out, code);
        return {};
    };
    for (size_t i = 0; i < text.size();) {
        const char c = text[i++];
        if (c == quote) return fail(badLiteral("text follows the closing quotation mark"));
        if (c != '\\') {
            if (bytes && static_cast<unsigned char>(c) >= 0x80) return fail(badLiteral("bytes hold a character that is not ASCII"));
            out.push_back(c);
            continue;
        }
        const char kind = i < text.size() ? text[i++] : '\0';
        if (const std::string_view simple = simpleEscape(kind); !simple.empty()) {
            out += simple;
        } else if (kind == 'x' || (!bytes && (kind == 'u' || kind == 'U'))) {
            const size_t digits = kind == 'x' ? 2 : kind == 'u' ? 4 : 8;
            ASSAY_TRY(const uint32_t code, codeOf(text, i, digits, 16));
            ASSAY_TRY_VOID(put(code));
            i += digits;
        } else if (kind >= '0' && kind <= '7') {
            size_t digits = 1;
            while (digits < 3 && i - 1 + digits < text.size() && text[i - 1 + digits] >= '0' && text[i - 1 + digits] <= '7') ++digits;
            ASSAY_TRY(const uint32_t code, codeOf(text, i - 1, digits, 8));
            ASSAY_TRY_VOID(put(code));
            i += digits - 1;
        } else {
            return fail(badLiteral("an escape is not known"));
        }
    }
    if (firstInvalidUtf8(out) != out.npos && !bytes) return fail(badLiteral("it is no UTF-8"));
    return out;
}

}  // namespace assay::data
