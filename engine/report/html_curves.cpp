#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "collect.h"
#include "html.h"

namespace assay::report {
namespace {

struct Line {
    std::string run, runName, name;
    size_t colour = 0;
    bool evaluation = false;
    std::vector<std::pair<double, double>> points;  // step, value; a NaN value is a gap
    size_t nonFinite = 0;
};

// At most two points a pixel column (least and greatest), so that a page stays small whatever the run recorded.
void thin(Line& line, size_t columns) {
    if (line.points.size() <= columns * 2) return;
    const double first = line.points.front().first, last = line.points.back().first;
    std::vector<std::pair<double, double>> out;
    size_t i = 0;
    for (size_t column = 0; column < columns && i < line.points.size(); ++column) {
        const double end = first + (last - first) * static_cast<double>(column + 1) / static_cast<double>(columns);
        const std::pair<double, double>*low = nullptr, *high = nullptr;
        for (; i < line.points.size() && (line.points[i].first <= end || column + 1 == columns); ++i) {
            const auto& p = line.points[i];
            if (std::isnan(p.second)) continue;
            if (!low || p.second < low->second) low = &p;
            if (!high || p.second > high->second) high = &p;
        }
        if (!low) continue;
        if (low == high) out.push_back(*low);
        else if (low->first < high->first) out.insert(out.end(), {*low, *high});
        else out.insert(out.end(), {*high, *low});
    }
    line.points = std::move(out);
}

std::string chart(const std::vector<Line>& lines, const std::vector<std::pair<std::string, double>>& references, int width, int height, const std::string& title) {
    double lowX = 1e300, highX = -1e300;
    std::vector<double> values;
    for (const Line& line : lines)
        for (auto [x, y] : line.points) {
            lowX = std::min(lowX, x);
            highX = std::max(highX, x);
            if (!std::isnan(y)) values.push_back(y);
        }
    if (values.empty()) return {};
    for (const auto& [name, value] : references) values.push_back(value);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const Axis ay = makeAxis(*low, *high, false, true, 5);
    const Axis ax = makeAxis(lowX, std::max(highX, lowX + 1), true, false, width < 500 ? 4 : 6);
    const double left = 52, right = width - 12, top = 10, bottom = height - 36;
    auto placeX = [&](double v) { return left + (right - left) * (v - lowX) / std::max(highX - lowX, 1.0); };
    auto placeY = [&](double v) { return bottom - ay.place(v) * (bottom - top); };
    std::string out = fmt::format("<svg class=chart viewBox='0 0 {} {}' role=img aria-label='{}'>", width, height, plain(title));
    for (double t : ay.ticks)
        out += fmt::format("<line class=grid x1='{:.1f}' x2='{:.1f}' y1='{:.1f}' y2='{:.1f}'/><text x='{:.1f}' y='{:.1f}' text-anchor=end>{}</text>", left, right, placeY(t), placeY(t), left - 7,
                           placeY(t) + 4, exact(t));
    for (double t : ax.ticks)
        if (t >= lowX - 1e-9 && t <= highX + 1e-9) out += fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor=middle>{}</text>", placeX(t), bottom + 16, exact(t));
    out += fmt::format("<line class=axis x1='{:.1f}' x2='{:.1f}' y1='{:.1f}' y2='{:.1f}'/><text x='{:.1f}' y='{}' text-anchor=middle>step</text>", left, right, bottom, bottom, (left + right) / 2, height - 4);
    for (const auto& [name, value] : references)
        out += fmt::format("<line class=ref x1='{:.1f}' x2='{:.1f}' y1='{:.1f}' y2='{:.1f}'/><text class=lab x='{:.1f}' y='{:.1f}' text-anchor=end>{}</text>", left, right, placeY(value), placeY(value), right,
                           placeY(value) - 5, plain(name + " " + figure(value)));
    for (const Line& line : lines) {
        std::string path;
        bool pen = false;
        for (auto [x, y] : line.points) {
            if (std::isnan(y)) {
                pen = false;
                continue;
            }
            path += fmt::format("{}{:.1f} {:.1f}", pen ? "L" : "M", placeX(x), placeY(y));
            pen = true;
        }
        out += fmt::format("<path class='curve d{}{}' d='{}'/>", colourOf(line.colour), line.evaluation ? "" : " thin", path);
        if (line.evaluation && line.points.size() <= 60)
            for (auto [x, y] : line.points)
                if (!std::isnan(y)) out += marker(line.colour, placeX(x), placeY(y), 4, false);
    }
    return out + "</svg>";
}

void references(const Json& run, std::vector<std::pair<std::string, double>>& out, int depth) {
    if (const Json* summary = member(run, "summary"))
        if (const Json* bigram = member(*summary, "data/bigram_nll"); bigram && bigram->is_number()) {
            const double value = bigram->get<double>();
            const bool known = std::any_of(out.begin(), out.end(), [&](const auto& r) { return r.second == value; });
            if (!known && std::isfinite(value)) out.emplace_back("bigram model, held-out", value);
        }
    if (const Json* children = member(run, "children"); children && children->is_array() && depth < 8)
        for (const Json& child : *children) references(child, out, depth + 1);
}

std::string unitOf(const std::string& group) {
    if (group == "loss") return "nat per token";
    if (group.ends_with("per_s")) return "tokens/s";
    if (group.ends_with("seconds")) return "s";
    if (group.ends_with("bytes") || group.ends_with("bytes_peak")) return "bytes";
    return "";
}

}  // namespace

std::string curves(const ReportInput& input) {
    std::vector<std::string> runs, groups;
    std::map<std::string, std::vector<Line>> lines;  // train/loss and eval/loss share a chart
    for (const Series& series : input.series) {
        Line line{series.run, series.runName, series.name, 0, series.name.starts_with("eval/"), {}, 0};
        auto known = std::find(runs.begin(), runs.end(), series.run);
        line.colour = static_cast<size_t>(known - runs.begin());
        if (known == runs.end()) runs.push_back(series.run);
        if (series.points.is_array())
            for (const Json& point : series.points) {
                if (!point.is_array() || point.size() < 4) continue;
                const double step = numberFromJson(point[0]);
                double value = numberFromJson(point[3]);
                if (!std::isfinite(step)) continue;
                if (!std::isfinite(value)) value = std::nan(""), ++line.nonFinite;
                line.points.emplace_back(step, value);
            }
        if (line.points.empty()) continue;
        thin(line, 600);
        const std::string group = series.name == "train/loss" || series.name == "eval/loss" ? "loss" : series.name;
        if (!lines.count(group)) groups.push_back(group);
        lines[group].push_back(std::move(line));
    }
    std::vector<std::pair<std::string, double>> baselines;
    for (const Json& run : input.runs) references(run, baselines, 0);
    std::string out;
    for (const std::string& group : groups) {
        const auto& list = lines[group];
        const std::string title = group == "loss" ? "Loss" : group;
        const auto refs = group == "loss" ? baselines : std::vector<std::pair<std::string, double>>{};
        const std::string wide = chart(list, refs, 560, 260, title), narrow = chart(list, refs, 360, 240, title);
        if (wide.empty()) continue;
        out += fmt::format("<section class=card><div class=hd><h2>{}</h2><span>{}</span></div><div class=pad><div class=wide>{}</div><div class=narrow>{}</div><div class=legend>", plain(title, 80), unitOf(group), wide,
                           narrow);
        for (const Line& line : list) {
            out += fmt::format("<span class=d{}>{}{}{}", colourOf(line.colour),
                               line.evaluation ? legendMark(line.colour) : "<svg class=lm viewBox='0 0 12 12' aria-hidden=true><path class='curve' d='M0 6H12'/></svg>",
                               plain(line.name, 60), runs.size() > 1 ? " · " + label(line.runName, 40) : "");
            if (line.nonFinite) out += fmt::format(" ({} not finite)", line.nonFinite);
            out += "</span>";
        }
        out += "</div></div></section>";
    }
    return out.empty() ? out : "<div class=two>" + out + "</div>";
}

}  // namespace assay::report
