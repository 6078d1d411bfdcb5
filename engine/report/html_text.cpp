#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "html.h"

namespace assay::report {

std::string plain(std::string_view text, size_t most) {
    std::string out;
    for (const char c : clean(text, most)) {
        if (c == '&') out += "&amp;";
        else if (c == '<') out += "&lt;";
        else if (c == '>') out += "&gt;";
        else if (c == '"') out += "&quot;";
        else if (c == '\'') out += "&#39;";
        else out += c;
    }
    return out;
}

std::string label(std::string_view text, size_t most) { return "<bdi>" + plain(text, most) + "</bdi>"; }

std::string shownWithError(const Metric& metric, const Value& value) {
    if (!value.value) return "<span class=no>not measured</span>";
    const std::string error = shownError(metric, value);
    return shown(metric, *value.value) + (error.empty() ? "" : " <small>± " + error + "</small>");
}

int colourOf(size_t index) { return static_cast<int>(index % 7) + 1; }

std::string marker(size_t index, double x, double y, double r, bool hollow) {
    const std::string attributes = fmt::format("class='m d{}{}'", colourOf(index), hollow ? " h" : "");
    auto polygon = [&](std::initializer_list<std::pair<double, double>> points) {
        std::string list;
        for (auto [px, py] : points) list += fmt::format("{:.1f},{:.1f} ", x + px * r, y + py * r);
        return fmt::format("<polygon {} points='{}'/>", attributes, list);
    };
    switch ((index + index / 7) % 7) {
        case 0: return fmt::format("<circle {} cx='{:.1f}' cy='{:.1f}' r='{:.1f}'/>", attributes, x, y, r);
        case 1: return polygon({{-.9, -.9}, {.9, -.9}, {.9, .9}, {-.9, .9}});
        case 2: return polygon({{0, -1.15}, {1.1, .8}, {-1.1, .8}});
        case 3: return polygon({{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}});
        case 4: return polygon({{-1.1, -.8}, {1.1, -.8}, {0, 1.15}});
        case 5: return polygon({{-.4, -1.15}, {.4, -1.15}, {.4, -.4}, {1.15, -.4}, {1.15, .4}, {.4, .4}, {.4, 1.15}, {-.4, 1.15}, {-.4, .4}, {-1.15, .4}, {-1.15, -.4}, {-.4, -.4}});
        default: return polygon({{0, -1.15}, {1.1, -.35}, {.7, .95}, {-.7, .95}, {-1.1, -.35}});
    }
}

std::string legendMark(size_t index) { return "<svg class=lm viewBox='0 0 12 12' aria-hidden=true>" + marker(index, 6, 6, 4.4, false) + "</svg>"; }

double Axis::place(double value) const {
    if (logarithmic) return (std::log10(value) - std::log10(low)) / (std::log10(high) - std::log10(low));
    return (value - low) / (high - low);
}

Axis makeAxis(double low, double high, bool fromZero, bool mayBeLogarithmic, int wanted) {
    Axis axis;
    if (mayBeLogarithmic && low > 0 && high / low > 40) {
        axis.logarithmic = true;
        axis.low = low / 1.3;
        axis.high = high * 1.5;
        const bool fine = high / low < 300;
        for (double decade = std::pow(10, std::floor(std::log10(axis.low))); decade <= axis.high; decade *= 10)
            for (double step : {1.0, 2.0, 5.0})
                if ((fine || step == 1.0) && decade * step >= axis.low && decade * step <= axis.high) axis.ticks.push_back(decade * step);
        return axis;
    }
    if (fromZero && low >= 0 && low < 0.75 * high) low = 0;
    double range = high - low;
    if (!(range > 0)) range = std::max(std::abs(high) * 0.1, 1e-9);
    if (low != 0 || !fromZero) low -= 0.08 * range;
    high += 0.1 * range;
    const double raw = (high - low) / wanted, power = std::pow(10, std::floor(std::log10(raw)));
    const double step = (raw / power <= 1 ? 1 : raw / power <= 2 ? 2 : raw / power <= 5 ? 5 : 10) * power;
    axis.low = low;
    axis.high = high;
    for (double k = std::ceil(low / step - 1e-9); k * step <= high && axis.ticks.size() < 40; ++k) axis.ticks.push_back(k * step);
    return axis;
}

}  // namespace assay::report
