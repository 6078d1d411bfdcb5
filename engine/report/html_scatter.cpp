// The one chart: cost across, accuracy up, 95 % error bars on both, the frontier, the target and the cheapest set-up
// that meets it.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "html.h"

namespace assay::report {
namespace {

constexpr double k95 = 1.959964;  // normal quantile

struct Point {
    size_t index;
    const Setup* setup;
    double x, y, ex, ey;  // values and half widths of the 95 % intervals
    double px = 0, py = 0;
};
struct Box {
    double left, top, right, bottom;
    bool hits(const Box& o) const { return left < o.right && o.left < right && top < o.bottom && o.top < bottom; }
};

std::string tick(const Metric& metric, double value, const Axis& axis) {
    const double step = axis.ticks.size() > 1 && !axis.logarithmic ? std::abs(axis.ticks[1] - axis.ticks[0]) : std::abs(value);
    const double scale = std::string_view(metric.unit) == "bytes" ? 1e-6 : 1;
    const int decimals = step > 0 ? std::clamp(-static_cast<int>(std::floor(std::log10(step * scale) + 1e-9)), 0, 8) : 0;
    std::string text = fmt::format("{:.{}f}", std::abs(value) < step * 1e-6 ? 0 : value * scale, decimals);
    return std::string_view(metric.unit) == "USD" ? "$" + text : text;
}

std::string cut(const std::string& name) {
    size_t n = 0, i = 0;
    for (; i < name.size(); ++i)
        if ((static_cast<unsigned char>(name[i]) & 0xC0) != 0x80 && ++n > 36) break;
    return i < name.size() ? name.substr(0, i) + "…" : name;
}

class Labels {  // greedy: the important ones first, each at the first free place around its point
public:
    Labels(Box area, const std::vector<Point>& points) : area_(area) {
        for (const Point& p : points) taken_.push_back({p.px - 6, p.py - 6, p.px + 6, p.py + 6});
    }
    std::string put(const Point& p, const std::string& name, bool strong, bool force, bool faint) {
        const std::string text = cut(name);
        size_t letters = 0;
        for (char c : text) letters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
        const double width = static_cast<double>(letters) * (strong ? 6.5 : 6.1) + 2;
        struct Try {
            double dx, dy;
            const char* anchor;
        };
        for (const Try& t : {Try{11, -8, "start"}, Try{11, 17, "start"}, Try{-11, -8, "end"}, Try{-11, 17, "end"}, Try{0, -13, "middle"}, Try{0, 22, "middle"},
                             Try{14, 4, "start"}, Try{-14, 4, "end"}, Try{16, -22, "start"}, Try{0, -28, "middle"}, Try{-12, -28, "end"}, Try{10, -36, "start"}, Try{10, -50, "end"}, Try{10, -64, "end"}, Try{16, 31, "start"}, Try{-16, -22, "end"}, Try{-16, 31, "end"}}) {
            const double x = p.px + t.dx, y = p.py + t.dy;
            const double left = t.anchor[0] == 's' ? x : t.anchor[0] == 'e' ? x - width : x - width / 2;
            const Box box{left, y - 10, left + width, y + 3};
            if (box.left < area_.left || box.right > area_.right || box.top < area_.top || box.bottom > area_.bottom) continue;
            if (std::any_of(taken_.begin(), taken_.end(), [&](const Box& other) { return box.hits(other); })) continue;
            taken_.push_back(box);
            return fmt::format("<text class='lab{}{}' x='{:.1f}' y='{:.1f}' text-anchor='{}'>{}</text>", strong ? " b" : "", faint ? " faint" : "", x, y, t.anchor, plain(text));
        }
        if (!force) return {};
        const bool right = p.px < (area_.left + area_.right) / 2;
        return fmt::format("<text class='lab b' x='{:.1f}' y='{:.1f}' text-anchor='{}'>{}</text>", p.px + (right ? 11 : -11), p.py - 8, right ? "start" : "end", plain(text));
    }
    void block(const Box& box) { taken_.push_back(box); }

private:
    Box area_;
    std::vector<Box> taken_;
};

}  // namespace

std::string scatterChart(const Comparison& c, int width, int height) {
    const Metric& mx = *findMetric(c.x);
    const Metric& my = *findMetric(c.y);
    std::vector<Point> points;
    for (size_t i = 0; i < c.setups.size(); ++i) {
        const Setup& s = c.setups[i];
        const Value &x = s.*mx.value, &y = s.*my.value;
        if (!x.value || !y.value || !std::isfinite(*x.value) || !std::isfinite(*y.value)) continue;
        auto half = [](const Value& v) { return v.se && std::isfinite(*v.se) ? k95 * *v.se : 0; };
        points.push_back({i, &s, *x.value, *y.value, half(x), half(y)});
    }
    if (points.empty()) return "<p class='note pad'>No set-up has both a cost and an accuracy that could be drawn; the table below shows what was measured.</p>";
    double lowX = 1e300, highX = -1e300, lowY = 1e300, highY = -1e300;
    for (const Point& p : points) {
        lowX = std::min(lowX, p.x - p.ex);
        highX = std::max(highX, p.x + p.ex);
        lowY = std::min(lowY, p.y - p.ey);
        highY = std::max(highY, p.y + p.ey);
    }
    highX += 0.06 * (highX - std::min(lowX, 0.0));  // room for the names of the dearest
    const bool goalY = c.target && c.target->metric == c.y, goalX = c.target && c.target->metric == c.x;
    if (goalY) lowY = std::min(lowY, c.target->value), highY = std::max(highY, c.target->value);
    if (goalX) lowX = std::min(lowX, c.target->value), highX = std::max(highX, c.target->value);
    const double left = width < 500 ? 50 : 64, right = width - 14, top = 18, bottom = height - 46;
    Axis ax = makeAxis(lowX, highX, true, true, width < 500 ? 4 : 6), ay = makeAxis(lowY, highY, false, true, 6);
    auto placeX = [&](double v) { return left + std::clamp(ax.place(v), 0.0, 1.0) * (right - left); };
    auto placeY = [&](double v) { return bottom - std::clamp(ay.place(v), 0.0, 1.0) * (bottom - top); };

    std::string out = fmt::format("<svg class=chart viewBox='0 0 {} {}' role=img aria-label='{} against {} for {} set-ups; the table below holds the figures'>", width, height,
                                  plain(my.label), plain(mx.label), points.size());
    for (double t : ay.ticks)
        out += fmt::format("<line class=grid x1='{:.1f}' x2='{:.1f}' y1='{:.1f}' y2='{:.1f}'/><text x='{:.1f}' y='{:.1f}' text-anchor=end>{}</text>", left, right, placeY(t), placeY(t),
                           left - 8, placeY(t) + 4, tick(my, t, ay));
    for (double t : ax.ticks)
        out += fmt::format("<line class=axis x1='{0:.1f}' x2='{0:.1f}' y1='{1:.1f}' y2='{2:.1f}'/><text x='{0:.1f}' y='{3:.1f}' text-anchor=middle>{4}</text>", placeX(t), bottom, bottom + 4,
                           bottom + 17, tick(mx, t, ax));
    out += fmt::format("<line class=axis x1='{:.1f}' x2='{:.1f}' y1='{:.1f}' y2='{:.1f}'/>", left, right, bottom, bottom);
    out += fmt::format("<text x='{:.1f}' y='{}' text-anchor=middle>← {}</text>", (left + right) / 2, height - 8, plain(axisTitle(mx) + (ax.logarithmic ? " (log)" : "")));
    out += fmt::format("<text transform='translate(12 {:.1f}) rotate(-90)' text-anchor=middle>← {}</text>", (top + bottom) / 2, plain(axisTitle(my) + (ay.logarithmic ? " (log)" : "")));

    for (Point& p : points) p.px = placeX(p.x), p.py = placeY(p.y);
    Labels labels({left, top - 8, right + 6, bottom - 2}, points);
    if (goalY) {
        const double y = placeY(c.target->value);
        out += fmt::format("<line class=goal x1='{:.1f}' x2='{:.1f}' y1='{:.1f}' y2='{:.1f}'/><text class=goal x='{:.1f}' y='{:.1f}' text-anchor=end>target {} {}</text>", left, right, y, y, right,
                           y - 5, plain(relationSign(c.target->relation)), exact(c.target->value));
        labels.block({right - 90, y - 16, right, y});
    }
    if (goalX) {
        const double x = placeX(c.target->value);
        out += fmt::format("<line class=goal x1='{0:.1f}' x2='{0:.1f}' y1='{1:.1f}' y2='{2:.1f}'/><text class=goal x='{3:.1f}' y='{4:.1f}'>target {5} {6}</text>", x, top, bottom, x + 5, top + 8,
                           plain(relationSign(c.target->relation)), exact(c.target->value));
    }
    std::vector<Point> front;
    for (const Point& p : points)
        if (p.setup->onFrontier) front.push_back(p);
    std::sort(front.begin(), front.end(), [](const Point& a, const Point& b) { return a.x != b.x ? a.x < b.x : a.y > b.y; });
    if (front.size() > 1) {
        out += "<polyline class=front points='";
        for (const Point& p : front) out += fmt::format("{:.1f},{:.1f} ", p.px, p.py);
        out += "'/>";
    }
    std::string marks, names;
    std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.setup->onFrontier < b.setup->onFrontier; });
    for (const Point& p : points) {
        const bool faint = !p.setup->onFrontier && p.setup->id != c.baseline;
        marks += fmt::format("<g class='d{}{}'><title>{}: {} {}, {} {}</title>", colourOf(p.index), faint ? " faint" : "", plain(p.setup->name, 80), plain(mx.label), shown(mx, p.x), plain(my.label),
                             shown(my, p.y));
        if (p.ex > 0) marks += fmt::format("<line class=e x1='{:.1f}' x2='{:.1f}' y1='{:.1f}' y2='{:.1f}'/>", placeX(p.x - p.ex), placeX(p.x + p.ex), p.py, p.py);
        if (p.ey > 0) marks += fmt::format("<line class=e x1='{:.1f}' x2='{:.1f}' y1='{:.1f}' y2='{:.1f}'/>", p.px, p.px, placeY(p.y - p.ey), placeY(p.y + p.ey));
        marks += marker(p.index, p.px, p.py, 5, !p.setup->comparable);
        if (p.setup->id == c.cheapest) marks += fmt::format("<circle class=ring cx='{:.1f}' cy='{:.1f}' r='10'/>", p.px, p.py);
        marks += "</g>";
    }
    auto rank = [&](const Point& p) { return p.setup->id == c.cheapest ? 0 : p.setup->id == c.baseline ? 1 : p.setup->onFrontier ? 2 : 3; };
    std::stable_sort(points.begin(), points.end(), [&](const Point& a, const Point& b) { return rank(a) < rank(b); });
    for (const Point& p : points) {
        if (rank(p) == 3 && points.size() > 20) continue;  // the table and the tips name the others
        const std::string name = shortName(*p.setup, 24) + (p.setup->id == c.baseline ? " · baseline" : "");
        names += labels.put(p, name, rank(p) == 0, rank(p) == 0, rank(p) == 3);
    }
    return out + marks + names + "</svg>";
}

}  // namespace assay::report
