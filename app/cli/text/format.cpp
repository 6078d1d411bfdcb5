#include "text/format.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace assay::cli {
namespace {

struct Character {
    char32_t code = 0;
    size_t bytes = 1;
    bool valid = false;
};

Character characterAt(std::string_view text, size_t at) {
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(at);
    if (first < 0x80) return {first, 1, true};
    const size_t length = first >= 0xF0 && first < 0xF5 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
    if (first >= 0xF5 || length == 0 || at + length > text.size()) return {first, 1, false};
    char32_t code = first & (0x7F >> length);
    for (size_t i = 1; i < length; ++i) {
        if ((byte(at + i) & 0xC0) != 0x80) return {first, 1, false};
        code = code << 6 | (byte(at + i) & 0x3F);
    }
    constexpr std::array<char32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    if (code < kLeast[length] || code > 0x10FFFF || surrogate) return {first, 1, false};
    return {code, length, true};
}

// Characters that move, hide or reorder what is around them.
bool isControl(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF;
}

int widthOf(char32_t c) {
    const bool combining = (c >= 0x300 && c <= 0x36F) || (c >= 0x1AB0 && c <= 0x1AFF) || (c >= 0x20D0 && c <= 0x20FF) || (c >= 0xFE00 && c <= 0xFE0F);
    if (combining) return 0;
    const bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF && c != 0x303F) || (c >= 0xAC00 && c <= 0xD7A3) ||
                      (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
                      (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
    return wide ? 2 : 1;
}

}  // namespace

std::string safeText(std::string_view text, bool keepNewlines) {
    std::string out;
    out.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
        const Character c = characterAt(text, at);
        if (!c.valid) out += fmt::format("\\x{:02x}", static_cast<unsigned>(c.code));
        else if (keepNewlines && (c.code == '\n' || c.code == '\t')) out += static_cast<char>(c.code);
        else if (c.code == '\n') out += "\\n";
        else if (c.code == '\t') out += "\\t";
        else if (c.code == '\r') out += "\\r";
        else if (isControl(c.code)) out += c.code < 0x100 ? fmt::format("\\x{:02x}", static_cast<unsigned>(c.code)) : fmt::format("\\u{:04x}", static_cast<unsigned>(c.code));
        else out.append(text.substr(at, c.bytes));
        at += c.bytes;
    }
    return out;
}

std::string formatInteger(int64_t value) {
    std::string digits = std::to_string(value);
    const size_t first = value < 0 ? 1 : 0;
    for (size_t at = digits.size(); at > first + 3;) {
        at -= 3;
        digits.insert(at, 1, ',');
    }
    return digits;
}

std::string formatNumber(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    const double size = std::fabs(value);
    if (size >= 1e15) return fmt::format("{:.3e}", value);
    if (size >= 1000 || value == std::floor(value)) return formatInteger(std::llround(value));
    if (size < 1e-4) return fmt::format("{:.2e}", value);
    const int decimals = std::max(0, 3 - static_cast<int>(std::floor(std::log10(size))));
    return fmt::format("{:.{}f}", value, decimals);
}

std::string formatBytes(double bytes) {
    constexpr std::array kUnits{"B", "kB", "MB", "GB", "TB", "PB"};
    size_t unit = 0;
    while (std::fabs(bytes) >= 999.5 && unit + 1 < kUnits.size()) {
        bytes /= 1000;
        ++unit;
    }
    if (unit == 0) return fmt::format("{:.0f} B", bytes);
    return fmt::format("{:.{}f} {}", bytes, bytes < 9.995 ? 2 : bytes < 99.95 ? 1 : 0, kUnits[unit]);
}

std::string formatSeconds(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) return "-";
    if (seconds < 9.995) return fmt::format("{:.2f} s", seconds);
    if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
    const int64_t whole = std::llround(seconds);
    if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string formatPercent(double fraction) { return fmt::format("{:.1f} %", 100 * fraction); }

std::string formatValue(const Json& value) {
    if (value.is_null()) return "-";
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_number_integer()) return formatInteger(value.get<int64_t>());
    if (value.is_number()) return formatNumber(value.get<double>());
    if (value.is_string()) return safeText(value.get_ref<const std::string&>());
    return safeText(dumpJson(value));
}

int displayWidth(std::string_view text) {
    int columns = 0;
    for (size_t at = 0; at < text.size();) {
        const Character c = characterAt(text, at);
        columns += c.valid ? widthOf(c.code) : 1;
        at += c.bytes;
    }
    return columns;
}

std::string cutToWidth(std::string_view text, int columns) {
    if (displayWidth(text) <= columns) return std::string(text);
    if (columns < 1) return {};
    std::string out;
    int used = 0;
    for (size_t at = 0; at < text.size();) {
        const Character c = characterAt(text, at);
        const int width = c.valid ? widthOf(c.code) : 1;
        if (used + width > columns - 1) break;
        out.append(text.substr(at, c.bytes));
        used += width;
        at += c.bytes;
    }
    return out + "…";
}

}  // namespace assay::cli
