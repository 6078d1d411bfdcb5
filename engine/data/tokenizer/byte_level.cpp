#include "tokenizer/byte_level.h"

#include <array>

#include "tokenizer/unicode.h"

namespace assay::data {
namespace {
struct Alphabet {
    std::array<std::string, 256> chars;
    std::array<int, 0x144> bytes;
    Alphabet() {
        bytes.fill(-1);
        char32_t next = 0x100;
        for (int b = 0; b < 256; ++b) {
            const bool printable = (b >= 0x21 && b <= 0x7E) || (b >= 0xA1 && b <= 0xAC) || b >= 0xAE;
            const char32_t c = printable ? static_cast<char32_t>(b) : next++;
            appendUtf8(chars[static_cast<size_t>(b)], c);
            bytes[c] = b;
        }
    }
};
const Alphabet& alphabet() {
    static const Alphabet a;
    return a;
}
}  // namespace

std::string_view byteChar(unsigned char byte) { return alphabet().chars[byte]; }
int byteOf(char32_t c) { return c < alphabet().bytes.size() ? alphabet().bytes[c] : -1; }

std::string toByteChars(std::string_view bytes) {
    std::string out;
    out.reserve(bytes.size() * 2);
    for (char c : bytes) out += byteChar(static_cast<unsigned char>(c));
    return out;
}

std::optional<std::string> fromByteChars(std::string_view t) {
    std::string out;
    for (size_t i = 0; i < t.size();) {
        const CodePoint c = codePointAt(t, i);
        const int byte = c.valid ? byteOf(c.value) : -1;
        if (byte < 0) return std::nullopt;
        out += static_cast<char>(byte);
        i += c.bytes;
    }
    return out;
}

}  // namespace assay::data
