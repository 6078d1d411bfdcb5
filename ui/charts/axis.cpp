#include <assay/charts/axis.h>
#include <assay/models/format.h>

#include <QLocale>
#include <algorithm>
#include <cmath>

namespace assay::charts {
namespace {

constexpr size_t kMostTicks = 60;

double niceStep(double raw) {
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    const double lead = raw / power;
    return (lead <= 1.0000001 ? 1 : lead <= 2.0000001 ? 2 : lead <= 5.0000001 ? 5 : 10) * power;
}

void linearTicks(Axis& axis, int wanted) {
    double step = niceStep(axis.range.span() / std::max(wanted, 1));
    if (axis.whole && axis.range.span() >= 1) step = std::max(step, 1.0);
    if (!(step > 0) || !std::isfinite(step)) return;
    const double first = std::ceil(axis.range.low / step - 1e-6);
    for (double k = first; axis.ticks.size() < kMostTicks; ++k) {
        const double value = k * step;
        if (value > axis.range.high + step * 1e-6) break;
        axis.ticks.push_back(std::abs(k) < 0.5 ? 0 : value);
    }
}

void logTicks(Axis& axis, int wanted) {
    const double low = std::log10(axis.range.low), high = std::log10(axis.range.high);
    const double decades = high - low;
    if (decades < 0.7) return linearTicks(axis, wanted);   // less than a factor of five: plain steps read better
    const bool fine = decades * 3 <= wanted + 2;
    const int every = std::max(1, static_cast<int>(std::ceil(decades / std::max(wanted, 1))));
    for (int decade = static_cast<int>(std::floor(low)); decade <= high + 1e-9 && axis.ticks.size() < kMostTicks; ++decade) {
        if (decade % every != 0) continue;
        for (const double lead : {1.0, 2.0, 5.0}) {
            const double value = lead * std::pow(10.0, decade);
            if ((fine || lead == 1) && value >= axis.range.low * (1 - 1e-9) && value <= axis.range.high * (1 + 1e-9)) axis.ticks.push_back(value);
        }
    }
    if (axis.ticks.size() < 2) {
        axis.ticks.clear();
        linearTicks(axis, wanted);
    }
}

QString minus(QString text) { return text.replace(QLatin1Char('-'), QChar(0x2212)); }

// Decimals with which the ticks are told apart and each is written truly, at most `most`.
int decimalsOf(const std::vector<double>& values, int most) {
    for (int decimals = 0; decimals < most; ++decimals) {
        const double power = std::pow(10.0, decimals);
        const bool enough = std::all_of(values.begin(), values.end(), [&](double v) {
            const double scaled = v * power;
            return std::abs(scaled - std::round(scaled)) <= 1e-6 * std::max(1.0, std::abs(scaled) * 1e-6);
        });
        if (enough) return decimals;
    }
    return most;
}

QString exponent(double value, int digits = 4) {
    if (value == 0) return QStringLiteral("0");
    QString text = QLocale::c().toString(value, 'g', digits);
    text.replace(QLatin1String("e+"), QLatin1String("e")).replace(QLatin1String("e-0"), QLatin1String("e-")).replace(QLatin1String("e0"), QLatin1String("e"));
    return minus(text);
}

struct Written {   // one label taken apart: "$0.500", "1.2 MB", "−4 %"
    QString before, after;
    double number = kNone;
};

Written apart(const QString& label) {
    const QLocale locale;
    qsizetype begin = 0, end = label.size();
    while (begin < end && !label[begin].isDigit()) ++begin;
    while (end > begin && !label[end - 1].isDigit()) --end;
    Written out{label.left(begin), label.mid(end), kNone};
    const bool negative = out.before.contains(QChar(0x2212)) || out.before.contains(QLatin1Char('-'));
    out.before.remove(QChar(0x2212)).remove(QLatin1Char('-'));
    bool number = false;
    const double value = locale.toDouble(label.mid(begin, end - begin), &number);
    if (number) out.number = negative ? -value : value;
    return out;
}

// One axis has one number of decimals, that of its step: a formatter that sees one value at a time writes "1", "1.500", "2".
// Labels of several units (900 kB, 1 MB), of times and of powers stay as they are.
void evenDecimals(Axis& axis) {
    if (axis.ticks.empty() || (axis.log && axis.ticks.back() > 20 * axis.ticks.front())) return;   // decades: each as short as it can be
    std::vector<Written> parts;
    const Written* common = nullptr;
    double scale = kNone;
    for (const QString& label : axis.labels) parts.push_back(apart(label));
    for (size_t i = 0; i < parts.size(); ++i) {
        if (!std::isfinite(parts[i].number) || axis.labels[i].contains(QStringLiteral("e\u2212")) || axis.labels[i].contains(QLatin1String("e-")) || axis.labels[i].contains(QLatin1String("e+"))) return;
        if (axis.ticks[i] == 0) continue;
        if (common && (parts[i].before != common->before || parts[i].after != common->after)) return;
        common = &parts[i];
        const double ratio = axis.ticks[i] / parts[i].number, power = std::pow(10.0, std::round(std::log10(ratio)));
        if (!(std::abs(ratio / power - 1) < 0.05) || (std::isfinite(scale) && scale != power)) return;
        scale = power;
    }
    if (!common) return;
    std::vector<double> scaled;
    for (const double tick : axis.ticks) scaled.push_back(tick / scale);
    int decimals = decimalsOf(scaled, 9);
    if (decimals == 1 && common->before.contains(QLatin1Char('$'))) decimals = 2;   // money
    const QLocale locale;
    for (size_t i = 0; i < scaled.size(); ++i)
        axis.labels[i] = (scaled[i] < 0 ? QString(QChar(0x2212)) : QString()) + common->before + locale.toString(std::abs(scaled[i]), 'f', decimals) + common->after;
}

}  // namespace

void Range::include(double value) {
    if (!std::isfinite(value)) return;
    if (!valid()) low = high = value;
    low = std::min(low, value);
    high = std::max(high, value);
}

double Axis::place(double value) const {
    const double span = log ? std::log10(range.high / range.low) : range.span();
    if (!(span > 0)) return 0.5;
    if (log) return value > 0 ? std::log10(value / range.low) / span : -1;
    return (value - range.low) / span;
}

double Axis::value(double at) const {
    if (log) return range.low * std::pow(range.high / range.low, at);
    return range.low + at * range.span();
}

QString Axis::valueText(double v) const {
    if (text) return text(v);
    return models::formatNumber(v, std::abs(v) >= 1e4 && std::abs(v) < 1e9 ? 9 : 5);
}

Range padded(Range data, bool log, bool fromZero) {
    if (!data.valid()) return log ? Range{1, 10} : Range{0, 1};
    if (log) {
        double factor = std::pow(data.high / data.low, 0.06);
        if (!(factor > 1.0001)) factor = 2;
        return {std::max(data.low / factor, std::numeric_limits<double>::min()), data.high * factor};
    }
    if (fromZero && data.low > 0 && data.low < 0.75 * data.high) data.low = 0;
    double span = data.span();
    if (!(span > std::abs(data.high) * 1e-12)) span = data.high != 0 ? std::abs(data.high) * 0.2 : 1;   // constant: around its value
    const bool keepZero = fromZero && data.low == 0;
    return {keepZero ? 0 : data.low - span * 0.07, data.high + span * 0.07};
}

std::vector<QString> tickLabels(const std::vector<double>& ticks) {
    std::vector<QString> out;
    double most = 0, step = 0;
    for (size_t i = 0; i < ticks.size(); ++i) {
        most = std::max(most, std::abs(ticks[i]));
        if (i > 0) step = step == 0 ? ticks[i] - ticks[i - 1] : std::min(step, ticks[i] - ticks[i - 1]);
    }
    if (most == 0 || most >= 1e15 || most < 1e-3) {
        for (int digits = 4; digits <= 16; ++digits) {   // until neighbours differ
            out.clear();
            for (const double tick : ticks) out.push_back(exponent(tick, digits));
            if (std::adjacent_find(out.begin(), out.end()) == out.end()) break;
        }
        return out;
    }
    double smallest = most;
    for (const double tick : ticks)
        if (tick != 0) smallest = std::min(smallest, std::abs(tick));
    const bool wide = most / smallest > 1e3;   // log axes: each tick with its own suffix
    const QLocale locale;
    auto one = [&](double tick, double reference, int forced) {
        const std::pair<double, const char*> units[] = {{1e12, "T"}, {1e9, "B"}, {1e6, "M"}, {1e3, "k"}};
        std::pair<double, const char*> unit{1, ""};
        if (reference >= 1e4 || (wide && reference >= 1e3))
            for (const auto& candidate : units)
                if (reference >= candidate.first) {
                    unit = candidate;
                    break;
                }
        if (tick == 0) return QStringLiteral("0");
        if (std::abs(tick) < 1e-4) return exponent(tick);
        std::vector<double> scaled;
        if (wide) scaled.push_back(tick / unit.first);
        else
            for (const double t : ticks) scaled.push_back(t / unit.first);
        int decimals = forced >= 0 ? forced : decimalsOf(scaled, 12);
        if (unit.first > 1 && decimals > 2) {   // a narrow window far from zero: the whole number says more
            unit = {1, ""};
            scaled.assign(1, tick);
            if (!wide) scaled = ticks;
            decimals = decimalsOf(scaled, 12);
        }
        return minus(locale.toString(tick / unit.first, 'f', decimals)) + QLatin1String(unit.second);
    };
    for (const double tick : ticks) out.push_back(one(tick, wide ? std::abs(tick) : most, -1));
    return out;
}

void chooseTicks(Axis& axis, int wanted) {
    axis.ticks.clear();
    axis.labels.clear();
    if (!axis.range.valid()) return;
    if (axis.log) logTicks(axis, wanted);
    else linearTicks(axis, wanted);
    if (!axis.text) {
        axis.labels = tickLabels(axis.ticks);
        return;
    }
    for (const double tick : axis.ticks) axis.labels.push_back(axis.text(tick));
    evenDecimals(axis);
    // A formatter with few digits would write two ticks alike ("25", "25"): then the plain numbers stand there.
    for (size_t i = 1; i < axis.labels.size(); ++i)
        if (axis.labels[i] == axis.labels[i - 1]) {
            axis.labels = tickLabels(axis.ticks);
            break;
        }
}

}  // namespace assay::charts
