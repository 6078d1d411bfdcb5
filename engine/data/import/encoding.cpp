// A guess at the encoding of a text that is not UTF-8, for the message: which of the common ones reads it without error and
// gives mostly letters of one kind.
#include <iconv.h>

#include <cerrno>

#include "import/byte_stream.h"
#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

constexpr size_t kLook = 4096;

// Share of the characters beyond ASCII that are letters of scripts the encoding is made for; below 0: it does not read the text.
double plausible(const char* encoding, std::string_view bytes, bool eastAsian) {
    const iconv_t converter = ::iconv_open("UTF-8", encoding);
    if (converter == reinterpret_cast<iconv_t>(-1)) return -1;
    std::string out(bytes.size() * 4 + 16, '\0');
    char *in = const_cast<char*>(bytes.data()), *to = out.data();
    size_t left = bytes.size(), room = out.size();
    const size_t rc = ::iconv(converter, &in, &left, &to, &room);
    const bool cut = rc == static_cast<size_t>(-1) && errno == EINVAL && left < 4;  // the sample ends inside a character
    ::iconv_close(converter);
    if (rc == static_cast<size_t>(-1) && !cut) return -1;
    out.resize(out.size() - room);
    double letters = 0, all = 0;
    for (size_t at = 0; at < out.size();) {
        const CodePoint c = codePointAt(out, at);
        at += c.bytes;
        if (c.value < 0x80) {
            if (c.value < 0x20 && c.value != '\t' && c.value != '\n' && c.value != '\r') return -1;
            continue;
        }
        if (c.value < 0xA0) return -1;  // control characters
        ++all;
        const bool wide = (c.value >= 0x3040 && c.value < 0xA000) || (c.value >= 0xAC00 && c.value < 0xD7A4) || (c.value >= 0x3000 && c.value < 0x3040) || (c.value >= 0xFF00 && c.value < 0xFFF0);
        const bool common = eastAsian ? wide && !(c.value >= 0x3400 && c.value < 0x4E00) : (charClass(c.value) & (kLetter | kPunctuation)) != 0;
        letters += common;
    }
    return all == 0 ? -1 : letters / all;
}

}  // namespace

std::string guessEncoding(std::string_view bytes) {
    bytes = bytes.substr(0, kLook);
    if (bytes.find('\0') != bytes.npos) {  // letters and zeros in turn
        size_t even = 0, odd = 0;
        for (size_t i = 0; i < bytes.size(); ++i) (i % 2 ? odd : even) += bytes[i] == '\0';
        if (odd > bytes.size() / 4 && even < odd / 4) return "UTF-16LE";
        if (even > bytes.size() / 4 && odd < even / 4) return "UTF-16BE";
        return {};
    }
    static constexpr const char* kEastAsian[] = {"GB18030", "SHIFT_JIS", "EUC-JP", "EUC-KR", "BIG5"};
    const char* best = nullptr;
    double score = 0.85;
    for (const char* name : kEastAsian)
        if (const double s = plausible(name, bytes, true); s > score) {
            score = s;
            best = name;
        }
    if (best) return best;
    // Cyrillic texts have letters above 0xBF nearly everywhere, western ones a few among ASCII.
    size_t high = 0, letters = 0;
    for (const char c : bytes) {
        high += static_cast<unsigned char>(c) >= 0xC0;
        letters += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
    if (high > letters && plausible("WINDOWS-1251", bytes, false) > 0.9) return "WINDOWS-1251";
    if (plausible("WINDOWS-1252", bytes, false) > 0.5) return "WINDOWS-1252";
    return {};
}

std::string encodingHint(std::string_view bytes) {
    const std::string guess = guessEncoding(bytes);
    return guess.empty() ? "convert the file to UTF-8, for example with iconv" : "it looks like " + guess + ": convert the file with iconv -f " + guess + " -t UTF-8 IN > OUT";
}

}  // namespace assay::data
