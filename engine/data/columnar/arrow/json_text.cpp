#include "json_text.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace assay::data {
namespace {

template <class T>
void appendShortest(std::string& out, T value) {
    if (std::isnan(value)) {
        out += "\"nan\"";
    } else if (std::isinf(value)) {
        out += value > 0 ? "\"inf\"" : "\"-inf\"";
    } else {
        char text[40];
        const auto end = std::to_chars(text, text + sizeof text, value).ptr;
        out.append(text, end);
    }
}

struct Split {  // value = whole × unit + rest, 0 <= rest < unit
    int64_t whole, rest;
};
Split floorSplit(int64_t value, int64_t unit) {
    Split s{value / unit, value % unit};
    if (s.rest < 0) {
        s.rest += unit;
        --s.whole;
    }
    return s;
}

// Howard Hinnant's civil_from_days: days since 1970-01-01 to a date of the proleptic Gregorian calendar.
void appendCivil(std::string& out, int64_t days) {
    const Split era = floorSplit(days + 719468, 146097);
    const int64_t day = era.rest, year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    const int64_t ofYear = day - (365 * year + year / 4 - year / 100), month = (5 * ofYear + 2) / 153;
    const int64_t m = month < 10 ? month + 3 : month - 9;
    char text[48];
    std::snprintf(text, sizeof text, "%04lld-%02lld-%02lld", static_cast<long long>(year + era.whole * 400 + (m <= 2)), static_cast<long long>(m),
                  static_cast<long long>(ofYear - (153 * month + 2) / 5 + 1));
    out += text;
}

void appendFraction(std::string& out, int64_t rest, int64_t perSecond) {
    if (rest == 0) return;
    out += '.';
    for (int64_t unit = perSecond / 10; unit > 0; unit /= 10) out += static_cast<char>('0' + rest / unit % 10);
}

void appendClock(std::string& out, int64_t seconds, int64_t rest, int64_t perSecond) {
    char text[48];
    std::snprintf(text, sizeof text, "%02lld:%02lld:%02lld", static_cast<long long>(seconds / 3600), static_cast<long long>(seconds / 60 % 60), static_cast<long long>(seconds % 60));
    out += text;
    appendFraction(out, rest, perSecond);
}

}  // namespace

void appendQuoted(std::string& out, std::string_view text) {
    static constexpr char kHex[] = "0123456789abcdef";
    out += '"';
    size_t from = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c >= 0x20 && c != '"' && c != '\\') continue;
        out.append(text, from, i - from);
        from = i + 1;
        switch (c) {
            case '"': out += "\\\""; break;
            case '\\': out += "\\\\"; break;
            case '\n': out += "\\n"; break;
            case '\r': out += "\\r"; break;
            case '\t': out += "\\t"; break;
            default:
                out += "\\u00";
                out += kHex[c >> 4];
                out += kHex[c & 15];
        }
    }
    out.append(text, from);
    out += '"';
}

void appendBase64(std::string& out, std::string_view bytes) {
    static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    out += '"';
    for (size_t i = 0; i < bytes.size(); i += 3) {
        const size_t n = std::min<size_t>(3, bytes.size() - i);
        uint32_t v = 0;
        for (size_t k = 0; k < 3; ++k) v = v << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (size_t k = 0; k < 4; ++k) out += k <= n ? kDigits[v >> (18 - 6 * k) & 63] : '=';
    }
    out += '"';
}

void appendReal(std::string& out, double value) { appendShortest(out, value); }
void appendReal(std::string& out, float value) { appendShortest(out, value); }

void appendDate(std::string& out, int64_t days) {
    out += '"';
    appendCivil(out, days);
    out += '"';
}

void appendMoment(std::string& out, int64_t value, int64_t perSecond, bool zoned) {
    const Split seconds = floorSplit(value, perSecond), days = floorSplit(seconds.whole, 86400);
    out += '"';
    appendCivil(out, days.whole);
    out += 'T';
    appendClock(out, days.rest, seconds.rest, perSecond);
    out += zoned ? "Z\"" : "\"";
}

void appendTimeOfDay(std::string& out, int64_t value, int64_t perSecond) {
    const Split seconds = floorSplit(value, perSecond);
    out += '"';
    appendClock(out, floorSplit(seconds.whole, 86400).rest, seconds.rest, perSecond);
    out += '"';
}

void appendSeconds(std::string& out, int64_t value, int64_t perSecond) {
    uint64_t size = value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    if (value < 0) out += '-';
    out += std::to_string(size / static_cast<uint64_t>(perSecond));
    appendFraction(out, static_cast<int64_t>(size % static_cast<uint64_t>(perSecond)), perSecond);
}

}  // namespace assay::data
