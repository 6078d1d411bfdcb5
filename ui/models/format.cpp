#include <assay/models/format.h>

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

namespace assay::models {
namespace {

QString formatWord(const char* text) { return QCoreApplication::translate("format", text); }

constexpr QChar kMinus(0x2212);
constexpr QChar kThin(0x00a0);   // between number and unit: they stay on one line

QString sign(double value) { return value < 0 ? QString(kMinus) : QString(); }

std::optional<QString> nonFinite(double value) {
    if (std::isnan(value)) return QStringLiteral("NaN");
    if (std::isinf(value)) return sign(value) + QStringLiteral("∞");
    return {};
}

// Digits of the magnitude; the sign is ours.
QString fixed(double value, int decimals) { return QLocale().toString(std::abs(value), 'f', decimals); }

// Digits after the point so that `significant` digits show, counted after rounding: 9.9996 with four is 10.00.
int decimalsFor(double magnitude, int significant) {
    if (magnitude == 0) return 0;
    const int decimals = std::clamp(significant - 1 - static_cast<int>(std::floor(std::log10(magnitude))), 0, 12);
    const double next = std::pow(10, std::floor(std::log10(magnitude)) + 1);
    const bool carries = magnitude >= next - 0.5 * std::pow(10, -decimals);
    return carries ? std::max(decimals - 1, 0) : decimals;
}

struct Scale {
    double factor;
    const char* suffix;
};

enum class Whole { kKeepsZeros, kDropsZeros };   // 25.0 k or 25 k

QString scaled(double value, std::initializer_list<Scale> scales, int significant, Whole whole = Whole::kKeepsZeros) {
    const double magnitude = std::abs(value);
    const Scale* chosen = scales.begin();
    for (const Scale& scale : scales)
        if (magnitude >= scale.factor * 0.9995) chosen = &scale;
    const double shown = magnitude / chosen->factor;
    const bool plainNumber = std::floor(shown) == shown && (chosen == scales.begin() || whole == Whole::kDropsZeros);
    const int decimals = plainNumber ? 0 : decimalsFor(std::max(shown, 1.0), significant);
    QString text = sign(value) + fixed(shown, decimals);
    if (*chosen->suffix) text += kThin + QString::fromUtf8(chosen->suffix);
    return text;
}

}  // namespace

QString notMeasured() { return QStringLiteral("—"); }

QString formatNumber(double value, int significant) {
    if (auto text = nonFinite(value)) return *text;
    const double magnitude = std::abs(value);
    if (magnitude != 0 && (magnitude >= 1e9 || magnitude < 1e-5)) {
        QString text = QLocale::c().toString(magnitude, 'e', significant - 1);
        return sign(value) + text;
    }
    if (magnitude >= std::pow(10, significant) - 0.5) return sign(value) + fixed(std::round(magnitude), 0);
    const bool whole = std::floor(magnitude) == magnitude;
    return sign(value) + fixed(magnitude, whole ? 0 : decimalsFor(magnitude, significant));
}

QString formatCount(double value) {
    if (auto text = nonFinite(value)) return *text;
    return sign(std::round(value)) + fixed(std::round(value), 0);
}

QString formatCompact(double value) {
    if (auto text = nonFinite(value)) return *text;
    return scaled(value, {{1, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "B"}, {1e12, "T"}}, 3, Whole::kDropsZeros);
}

QString formatBytes(double bytes) {
    if (auto text = nonFinite(bytes)) return *text;
    return scaled(bytes, {{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}}, 3);
}

QString formatSeconds(double seconds) {
    if (auto text = nonFinite(seconds)) return *text;
    const double magnitude = std::abs(seconds);
    if (magnitude > 1e12) return sign(seconds) + QStringLiteral("∞");   // 30,000 years: nothing that was measured
    if (magnitude == 0) return QStringLiteral("0") + kThin + QStringLiteral("s");
    if (magnitude < 0.9995) return scaled(seconds * 1e6, {{1, "µs"}, {1e3, "ms"}}, 3);
    if (magnitude < 59.95) return sign(seconds) + fixed(magnitude, decimalsFor(magnitude, 3)) + kThin + QStringLiteral("s");
    const auto whole = static_cast<qint64>(std::llround(magnitude));
    if (whole < 3600) return sign(seconds) + QStringLiteral("%1:%2").arg(whole / 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
    const qint64 minutes = (whole + 30) / 60;
    if (minutes < 48 * 60) return sign(seconds) + formatWord(QT_TRANSLATE_NOOP("format", "%1 h %2 min")).arg(minutes / 60).arg(minutes % 60);
    const qint64 hours = (whole + 1800) / 3600;
    return sign(seconds) + formatWord(QT_TRANSLATE_NOOP("format", "%1 d %2 h")).arg(hours / 24).arg(hours % 24);
}

QString formatUsd(double usd) {
    if (auto text = nonFinite(usd)) return *text;
    const double magnitude = std::abs(usd);
    if (magnitude == 0) return QStringLiteral("$0");
    const int decimals = magnitude >= 1 ? 2 : std::clamp(decimalsFor(magnitude, 2), 2, 8);
    return sign(usd) + QLatin1Char('$') + fixed(magnitude, decimals);
}

QString formatJoules(double joules) {
    if (auto text = nonFinite(joules)) return *text;
    const double magnitude = std::abs(joules);
    if (magnitude >= 3.6e4) return scaled(joules / 3600, {{1, "Wh"}, {1e3, "kWh"}, {1e6, "MWh"}}, 3);
    return scaled(joules, {{1, "J"}, {1e3, "kJ"}}, 3);
}

QString formatPercent(double fraction, int decimals) {
    if (auto text = nonFinite(fraction)) return *text;
    const QString digits = fixed(fraction * 100, decimals);
    return (digits == fixed(0, decimals) ? QString() : sign(fraction)) + digits + kThin + QLatin1Char('%');
}

QString formatChange(double fraction, int decimals) {
    if (auto text = nonFinite(fraction)) return *text;
    const QString digits = fixed(fraction * 100, decimals);
    const bool zero = digits == fixed(0, decimals);
    return (zero ? QString() : fraction < 0 ? QString(kMinus) : QStringLiteral("+")) + digits + kThin + QLatin1Char('%');
}

QString formatPlusMinus(double value, std::optional<double> standardError, int significant) {
    if (!standardError || !std::isfinite(*standardError) || !std::isfinite(value)) return formatNumber(value, significant);
    if (*standardError == 0) return formatNumber(value, significant) + QStringLiteral(" ± 0");
    // The error with two digits; the value to the same place.
    const int decimals = std::clamp(1 - static_cast<int>(std::floor(std::log10(*standardError))), 0, 8);
    return sign(value) + fixed(value, decimals) + QStringLiteral(" ± ") + fixed(*standardError, decimals);
}

QString shortened(const QString& text, int most) {
    const QString clean = plain(text);
    if (clean.size() <= most) return clean;
    if (most < 1) return {};
    int head = (most - 1) * 2 / 3, tail = most - 1 - head;
    // Never half of a character that takes two code units.
    if (head > 0 && clean[head - 1].isHighSurrogate()) --head;
    if (tail > 0 && clean[clean.size() - tail].isLowSurrogate()) --tail;
    return clean.left(head) + QStringLiteral("…") + clean.right(tail);
}

QString plain(const QString& text) {
    QString clean;
    clean.reserve(text.size());
    for (const QChar c : text) {
        const ushort code = c.unicode();
        if (code == '\n' || code == '\r' || code == '\t' || code == 0x85 || code == 0x2028 || code == 0x2029)
            clean += QLatin1Char(' ');
        else if (code < 0x20 || code == 0x7f)
            clean += QChar(code < 0x20 ? 0x2400 + code : 0x2421);   // control pictures
        else if (code >= 0x80 && code < 0xa0)
            clean += QChar::ReplacementCharacter;   // C1: controls without a picture
        else if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0x200e || code == 0x200f || code == 0x061c)
            continue;   // would turn the text around it
        else
            clean += c;
    }
    return clean;
}

QString formatTime(const QDateTime& time) {
    if (!time.isValid()) return notMeasured();
    const QDateTime local = time.toLocalTime();
    if (local.date() == QDate::currentDate()) return local.toString(QStringLiteral("HH:mm:ss"));
    return local.toString(QStringLiteral("yyyy-MM-dd HH:mm"));
}

QString formatAgo(const QDateTime& time, const QDateTime& now) {
    if (!time.isValid()) return notMeasured();
    const qint64 seconds = time.secsTo(now);
    if (seconds < 60) return formatWord(QT_TRANSLATE_NOOP("format", "just now"));
    if (seconds < 3600) return formatWord(QT_TRANSLATE_NOOP("format", "%1 min ago")).arg(seconds / 60);
    const QDateTime local = time.toLocalTime(), localNow = now.toLocalTime();
    const qint64 days = local.date().daysTo(localNow.date());
    if (days == 0) return formatWord(QT_TRANSLATE_NOOP("format", "today %1")).arg(local.toString(QStringLiteral("HH:mm")));
    if (days == 1) return formatWord(QT_TRANSLATE_NOOP("format", "yesterday %1")).arg(local.toString(QStringLiteral("HH:mm")));
    return local.toString(QStringLiteral("yyyy-MM-dd"));
}

}  // namespace assay::models
