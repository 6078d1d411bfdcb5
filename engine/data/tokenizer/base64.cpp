#include "tokenizer/base64.h"

#include <array>
#include <cstdint>

namespace assay::data {
namespace {
constexpr std::string_view kDigits64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
}  // namespace

Result<std::string> fromBase64(std::string_view text, std::string_view what) {
    static const auto values = [] {
        std::array<int8_t, 256> v;
        v.fill(-1);
        for (size_t i = 0; i < kDigits64.size(); ++i) v[static_cast<unsigned char>(kDigits64[i])] = static_cast<int8_t>(i);
        return v;
    }();
    const std::string_view whole = text;
    while (text.ends_with('=') && whole.size() - text.size() < 2) text.remove_suffix(1);
    std::string out;
    out.reserve(text.size() / 4 * 3 + 2);
    uint32_t held = 0;
    int bits = 0;
    for (const char c : text) {
        const int8_t v = values[static_cast<unsigned char>(c)];
        if (v < 0) return fail(ErrorCode::kInvalidFile, "tokenizer: " + std::string(what) + " is not base64");
        held = held << 6 | static_cast<uint32_t>(v);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out += static_cast<char>(held >> bits & 0xFF);
        }
    }
    if (bits >= 6) return fail(ErrorCode::kInvalidFile, "tokenizer: " + std::string(what) + " is cut off base64");
    return out;
}

std::string toBase64(std::string_view bytes) {
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (size_t i = 0; i < bytes.size(); i += 3) {
        uint32_t v = 0;
        for (size_t k = 0; k < 3; ++k) v = v << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (size_t k = 0; k < 4; ++k) out += i + k <= bytes.size() ? kDigits64[v >> (18 - 6 * k) & 63] : '=';
    }
    return out;
}

}  // namespace assay::data
