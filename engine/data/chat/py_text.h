#pragma once
// Python's text functions on valid UTF-8: what a character, white space, an upper-case form is.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::data::jinja {

inline size_t characterBytes(std::string_view s, size_t at) {
    const auto c = static_cast<unsigned char>(s[at]);
    return c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
}
size_t countCharacters(std::string_view s);
size_t byteOf(std::string_view s, size_t character);  // s.size() when there are fewer
char32_t characterAt(std::string_view s, size_t at);

bool isSpace(char32_t c);      // str.isspace, str.strip
bool isPrintable(char32_t c);  // what repr() leaves as it is
bool isAlpha(char32_t c), isDecimal(char32_t c), isDigit(char32_t c), isNumeric(char32_t c);
bool isUpper(char32_t c), isLower(char32_t c), isTitle(char32_t c);
bool isCased(char32_t c);

std::string upperText(std::string_view s), lowerText(std::string_view s), foldText(std::string_view s);
std::string titleText(std::string_view s), swapText(std::string_view s), capitalText(std::string_view s);

std::string_view::size_type firstNonSpace(std::string_view s);  // s.size(): none
std::string_view::size_type lastNonSpaceEnd(std::string_view s);

// Lines without their ends, as str.splitlines: begin, end, end with the line break.
struct TextLine {
    size_t begin, end, next;
};
std::vector<TextLine> textLines(std::string_view s);
std::string escapeHtml(std::string_view s);  // & < > ' "
bool invalidText(std::string_view s);           // holds bytes that are no UTF-8
std::string validText(std::string_view s);       // with U+FFFD for these

}  // namespace assay::data::jinja
