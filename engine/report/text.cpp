// Figures and names as they read in every format.

#include <assay/report/present.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace assay::report {
namespace {

// Next code point of UTF-8 text; malformed bytes read as U+FFFD one by one.
uint32_t next(std::string_view text, size_t& i) {
    auto byte = [&](size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
    const unsigned b = byte(i);
    size_t length = b < 0x80 ? 1 : b >= 0xF0 && b < 0xF5 ? 4 : b >= 0xE0 && b < 0xF0 ? 3 : b >= 0xC2 && b < 0xE0 ? 2 : 0;
    uint32_t code = length == 1 ? b : length == 2 ? b & 0x1F : length == 3 ? b & 0x0F : b & 0x07;
    for (size_t k = 1; k < length; ++k) {
        if ((byte(i + k) & 0xC0) != 0x80) length = 0;
        else code = code << 6 | (byte(i + k) & 0x3F);
    }
    if (length == 0) {
        ++i;
        return 0xFFFD;
    }
    i += length;
    return code;
}

bool invisible(uint32_t c) {  // controls, and characters that reorder or hide what follows
    return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x061C || (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xFFF0 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE007F);
}
bool combining(uint32_t c) { return (c >= 0x0300 && c <= 0x036F) || (c >= 0x1AB0 && c <= 0x1AFF) || (c >= 0x1DC0 && c <= 0x1DFF) || (c >= 0x20D0 && c <= 0x20FF); }

std::string grouped(std::string digits) {  // 1234567 → 1,234,567
    const size_t start = digits.starts_with('-') ? 1 : 0;
    const size_t dot = std::min(digits.find('.'), digits.size());
    if (digits.find('e') != std::string::npos) return digits;
    for (size_t i = dot; i > start + 3;) digits.insert(i -= 3, ",");
    return digits;
}

}  // namespace

std::string clean(std::string_view text, size_t most) {
    std::string out;
    size_t count = 0, marks = 0;
    for (size_t i = 0; i < text.size();) {
        if (count++ >= most) return out + "…";
        const size_t begin = i;
        const uint32_t c = next(text, i);
        marks = combining(c) ? marks + 1 : 0;
        if (marks > 3) continue;  // piles of accents would run over other lines
        if (c == '\n' || c == '\t') out += ' ';
        else if (invisible(c)) out += fmt::format("\\u{:04x}", c);
        else if (c == 0xFFFD) out += "\xEF\xBF\xBD";
        else out.append(text.substr(begin, i - begin));
    }
    return out;
}

std::string figure(double value, int significant) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
    if (value == 0) return "0";
    const double size = std::abs(value);
    if (size >= 1e15 || size < 1e-5) return fmt::format("{:.{}e}", value, significant - 1);
    const int whole = static_cast<int>(std::floor(std::log10(size))) + 1;
    return grouped(fmt::format("{:.{}f}", value, std::max(0, significant - whole)));
}

std::string shortName(const Setup& setup, size_t most) {
    auto letters = [](std::string_view t) { return static_cast<size_t>(std::count_if(t.begin(), t.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; })); };
    auto cut = [](std::string_view t, size_t keep) {
        size_t i = 0, n = 0;
        for (; i < t.size(); ++i)
            if ((static_cast<unsigned char>(t[i]) & 0xC0) != 0x80 && ++n > keep) break;
        return i < t.size() ? std::string(t.substr(0, i)) + "…" : std::string(t);
    };
    if (letters(setup.name) <= most) return setup.name;
    const std::string tail = cut(setup.setup, most - std::min<size_t>(most, 6));
    if (setup.name.size() <= setup.setup.size() + 4) return tail;
    const std::string head = setup.name.substr(0, setup.name.size() - setup.setup.size() - 4);  // " · " is four bytes
    return cut(head, std::max<size_t>(3, most - std::min(most, letters(tail) + 4))) + " · " + tail;
}

std::string exact(double value) {
    if (!std::isfinite(value)) return figure(value);
    return grouped(fmt::format("{:.10g}", value));
}

static std::string withSign(std::string text) {  // a real minus sign
    if (text.starts_with('-')) return "−" + text.substr(1);
    return text;
}

std::string shown(const Metric& metric, double value) {
    const std::string_view unit = metric.unit, name = metric.name;
    if (!std::isfinite(value)) return figure(value);
    if (unit == "USD") return "$" + withSign(figure(value, 3));
    if (unit == "bytes") return withSign(figure(value / 1e6, value < 1e9 ? 3 : 4)) + " MB";
    if (name == "accuracy.same_top1") return fmt::format("{:.2f} %", 100 * value);
    if (name == "accuracy.perplexity_ratio") return fmt::format("{:.4f}", value);
    return withSign(figure(value, name == "accuracy.kl_divergence" ? 3 : 4));
}

std::string shownError(const Metric& metric, const Value& value) {
    if (!value.value || !value.se || !std::isfinite(*value.se) || *value.se == 0) return {};
    double se = *value.se;
    if (std::string_view(metric.unit) == "bytes") se /= 1e6;
    // Four decimals as the ratio itself, unless nothing of the error would show.
    return std::string_view(metric.name) == "accuracy.perplexity_ratio" && std::abs(se) >= 5e-5 ? fmt::format("{:.4f}", se) : figure(se, std::string_view(metric.name) == "accuracy.perplexity_ratio" ? 1 : 2);
}

std::string shownValue(const Metric& metric, const Value& value) {
    if (!value.value) return "not measured";
    const std::string error = shownError(metric, value);
    return shown(metric, *value.value) + (error.empty() ? "" : " ± " + error);
}

std::string relationSign(std::string_view relation) { return relation == "<=" ? "≤" : relation == ">=" ? "≥" : std::string(relation); }

std::string duration(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) return "unknown";
    if (seconds < 60) return figure(seconds, 3) + " s";
    const auto total = static_cast<int64_t>(std::min(seconds + 0.5, 9e15));
    if (total < 3600) return fmt::format("{} min {:02} s", total / 60, total % 60);
    return fmt::format("{} h {:02} min", total / 3600, total % 3600 / 60);
}

std::string axisTitle(const Metric& metric) {
    if (std::string_view(metric.unit) == "bytes") return std::string(metric.label) + ", MB";
    if (std::string_view(metric.unit) == "USD" || !*metric.unit) return metric.label;
    return fmt::format("{}, {}", metric.label, metric.unit);
}

}  // namespace assay::report
