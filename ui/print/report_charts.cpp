#include "report_charts.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace assay::print {
namespace {

constexpr double k95 = 1.959964;   // normal quantile

charts::Text metricText(const report::Metric& metric) {
    const bool bytes = std::string_view(metric.unit) == "bytes", dollars = std::string_view(metric.unit) == "USD";
    return [bytes, dollars](double v) { return (dollars ? QStringLiteral("$") : QString()) + QString::fromStdString(report::exact(bytes ? v / 1e6 : std::abs(v) < 1e-12 ? 0 : v)); };
}

void references(const Json& run, std::vector<charts::Reference>& out, int depth) {
    if (!run.is_object()) return;
    if (const auto summary = run.find("summary"); summary != run.end() && summary->is_object())
        if (const auto bigram = summary->find("data/bigram_nll"); bigram != summary->end() && bigram->is_number()) {
            const double value = bigram->get<double>();
            const bool known = std::any_of(out.begin(), out.end(), [&](const auto& r) { return r.y == value; });
            if (!known && std::isfinite(value)) out.push_back({value, QStringLiteral("bigram model, held-out ") + QString::fromStdString(report::figure(value))});
        }
    if (const auto children = run.find("children"); children != run.end() && children->is_array() && depth < 8)
        for (const Json& child : *children) references(child, out, depth + 1);
}

QString unitOf(const std::string& group) {
    if (group == "loss") return QStringLiteral("nats/token");
    if (group.ends_with("per_s")) return QStringLiteral("tokens/s");
    if (group.ends_with("seconds")) return QStringLiteral("s");
    if (group.ends_with("bytes") || group.ends_with("bytes_peak")) return QStringLiteral("bytes");
    return {};
}

}  // namespace

QString fromText(const std::string& text, size_t most) { return QString::fromStdString(report::clean(text, most)); }

charts::ScatterChart scatterOf(const report::Comparison& c) {
    charts::ScatterChart out;
    const report::Metric &mx = *report::findMetric(c.x), &my = *report::findMetric(c.y);
    out.xTitle = QStringLiteral("← ") + QString::fromStdString(report::axisTitle(mx));
    out.yTitle = QStringLiteral("← ") + QString::fromStdString(report::axisTitle(my));
    out.xText = metricText(mx);
    out.yText = metricText(my);
    charts::Range x;
    std::vector<QPointF> front;
    for (size_t i = 0; i < c.setups.size(); ++i) {
        const report::Setup& s = c.setups[i];
        const report::Value &vx = s.*mx.value, &vy = s.*my.value;
        charts::Point p;
        p.id = QString::fromStdString(s.id);
        p.name = fromText(report::shortName(s, 36)) + (s.id == c.baseline ? QStringLiteral(" · baseline") : QString());
        p.color = p.marker = static_cast<int>(i);
        p.x = vx.value.value_or(charts::kNone);
        p.y = vy.value.value_or(charts::kNone);
        auto half = [](const report::Value& v) { return v.se && std::isfinite(*v.se) ? k95 * *v.se : 0; };
        p.xError = half(vx);
        p.yError = half(vy);
        p.faded = !s.onFrontier && s.id != c.baseline;
        p.ringed = s.id == c.cheapest;
        x.include(p.x);
        if (s.onFrontier && std::isfinite(p.x) && std::isfinite(p.y)) front.emplace_back(p.x, p.y);
        out.points.push_back(std::move(p));
    }
    out.logX = x.valid() && x.low > 0 && x.high / x.low > 40;
    std::sort(front.begin(), front.end(), [](const QPointF& a, const QPointF& b) { return a.x() != b.x() ? a.x() < b.x() : a.y() > b.y(); });
    out.frontier = std::move(front);
    if (c.target && c.target->metric == c.y) {
        out.target = c.target->value;
        out.targetText = QStringLiteral("target ") + QString::fromStdString(report::relationSign(c.target->relation) + " " + report::exact(c.target->value));
    }
    return out;
}

std::vector<CurveChart> curvesOf(const report::ReportInput& input) {
    std::vector<std::string> runs, groups;
    std::map<std::string, std::vector<charts::Curve>> curves;   // train/loss and eval/loss share a chart
    for (const report::Series& series : input.series) {
        charts::Curve curve;
        const bool evaluation = series.name.starts_with("eval/");
        auto known = std::find(runs.begin(), runs.end(), series.run);
        curve.color = static_cast<int>(known - runs.begin());
        if (known == runs.end()) runs.push_back(series.run);
        curve.id = QString::fromStdString(series.run + "/" + series.name);
        curve.name = fromText(series.name, 60) + QStringLiteral(" · ") + fromText(series.runName, 40);
        curve.dashed = evaluation;
        if (series.points.is_array())
            for (const Json& point : series.points) {
                if (!point.is_array() || point.size() < 4) continue;
                const double step = numberFromJson(point[0]), value = numberFromJson(point[3]);
                if (!std::isfinite(step)) continue;
                if (std::isfinite(value)) curve.points.emplace_back(step, value);
                else curve.nonFinite.push_back(step);
            }
        if (curve.points.empty() && curve.nonFinite.empty()) continue;
        const std::string group = series.name == "train/loss" || series.name == "eval/loss" ? "loss" : series.name;
        if (!curves.count(group)) groups.push_back(group);
        curves[group].push_back(std::move(curve));
    }
    std::vector<charts::Reference> levels;
    for (const Json& run : input.runs) references(run, levels, 0);
    std::vector<CurveChart> out;
    for (const std::string& group : groups) {
        CurveChart one;
        one.title = group == "loss" ? QStringLiteral("Loss") : fromText(group, 80);
        one.unit = unitOf(group);
        one.chart.setAxes(QStringLiteral("step"), one.unit, {}, {});
        if (group == "loss") one.chart.setReferences(levels);
        one.chart.setCurves(std::move(curves[group]));
        out.push_back(std::move(one));
    }
    return out;
}

}  // namespace assay::print
