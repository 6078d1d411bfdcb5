#pragma once
#include <string>
#include <string_view>

namespace assay::cli {

// The first `characters` of UTF-8 text; a byte that is no character counts as one.
inline std::string cutToCharacters(std::string_view text, size_t characters) {
    size_t at = 0;
    for (size_t n = 0; at < text.size() && n < characters; ++n) {
        ++at;
        while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
    }
    return std::string(text.substr(0, at));
}

}  // namespace assay::cli
