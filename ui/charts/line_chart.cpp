#include <assay/charts/line_chart.h>
#include <assay/models/format.h>

#include <QLocale>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "say.h"

namespace assay::charts {
void LineChart::setCurves(std::vector<Curve> curves) {
    curves_ = std::move(curves);
    wholeX_ = !curves_.empty() && std::all_of(curves_.begin(), curves_.end(), [](const Curve& curve) {
        return std::all_of(curve.points.begin(), curve.points.end(), [](const QPointF& p) { return p.x() == std::floor(p.x()); });
    });
    prepare();
}

void LineChart::setAxes(const QString& xTitle, const QString& yTitle, Text xText, Text yText) {
    xTitle_ = xTitle;
    yTitle_ = yTitle;
    xText_ = std::move(xText);
    yText_ = std::move(yText);
}

void LineChart::setLog(bool x, bool y) {
    if (x == logX_ && y == logY_) return;
    logX_ = x;
    logY_ = y;
    prepare();
}

void LineChart::setSmoothing(double weight) {
    weight = std::isfinite(weight) ? std::clamp(weight, 0.0, 0.9999) : 0;
    if (weight == smoothing_) return;
    smoothing_ = weight;
    prepare();
}

void LineChart::setHidden(const QString& id, bool hidden) {
    if (hidden) hidden_.insert(id);
    else hidden_.remove(id);
}

void LineChart::prepare() {
    prepared_.clear();
    for (const Curve& curve : curves_) {
        Prepared one;
        std::vector<QPointF> points;
        points.reserve(curve.points.size());
        for (const QPointF& p : curve.points) {
            if (!std::isfinite(p.x()) || !std::isfinite(p.y())) continue;
            if ((logX_ && p.x() <= 0) || (logY_ && p.y() <= 0)) ++one.left;
            else points.push_back(p);
        }
        // Smoothed before values are left out would mix signs into a logarithm; after is what the axis shows.
        if (smoothing_ > 0 && !curve.faint && points.size() > 2) one.smooth = CurveData(smoothed(points, smoothing_));
        one.raw = CurveData(std::move(points));
        prepared_.push_back(std::move(one));
    }
}

bool LineChart::hasPoints() const {
    return std::any_of(prepared_.begin(), prepared_.end(), [](const Prepared& p) { return !p.raw.empty(); });
}

Range LineChart::everything() const {
    if (extent_.valid() && std::isfinite(extent_.low) && std::isfinite(extent_.high) && extent_.span() > 0 && (!logX_ || extent_.low > 0)) return extent_;
    Range out;
    for (size_t i = 0; i < prepared_.size(); ++i) {
        if (hidden_.contains(curves_[i].id) || prepared_[i].raw.empty()) continue;
        out.include(prepared_[i].raw.points().front().x());
        out.include(prepared_[i].raw.points().back().x());
    }
    if (extent_.valid() && !logX_) {
        out.include(extent_.low);
        out.include(extent_.high);
    } else if (extent_.valid() && logX_) {
        out.include(extent_.high);
    }
    if (!out.valid()) return logX_ ? Range{1, 10} : Range{0, 1};
    if (out.span() <= 0) {   // one point stands in the middle
        if (logX_) return {out.low / 2, out.high * 2};
        const double room = out.low != 0 ? std::abs(out.low) * 0.05 : 1;
        return {out.low - room, out.high + room};
    }
    return out;
}

Range LineChart::view() const { return view_.valid() && view_.span() > 0 && (!logX_ || view_.low > 0) ? view_ : everything(); }

QString LineChart::note() const {
    QStringList parts;
    if (!note_.isEmpty()) parts << note_;
    size_t left = 0;
    for (size_t i = 0; i < prepared_.size(); ++i)
        if (!hidden_.contains(curves_[i].id)) left += prepared_[i].left;
    if (left > 0) parts << say(QT_TRANSLATE_N_NOOP("charts", "%n value(s) ≤ 0 left out on the logarithmic axis"), static_cast<int>(std::min<size_t>(left, 2000000000)));
    if (smoothing_ > 0) parts << (sampled_ ? say(QT_TRANSLATE_NOOP("charts", "smoothing %1 over the sampled points")) : say(QT_TRANSLATE_NOOP("charts", "smoothing %1"))).arg(QLocale().toString(smoothing_, 'g', 3));
    return parts.join(QStringLiteral(" · "));
}

QString LineChart::summary() const {
    if (curves_.empty()) return empty_;
    QStringList lines;
    lines << say(QT_TRANSLATE_N_NOOP("charts", "%n curve(s)"), static_cast<int>(curves_.size()));
    for (size_t i = 0; i < curves_.size() && i < 12; ++i) {
        const auto& points = prepared_[i].raw.points();
        QString line = models::shortened(curves_[i].name, 60) + QStringLiteral(": ");
        if (points.empty()) line += say(QT_TRANSLATE_NOOP("charts", "no finite value"));
        else line += say(QT_TRANSLATE_NOOP("charts", "last %1 at %2")).arg(yText_ ? yText_(points.back().y()) : models::formatNumber(points.back().y()), xText_ ? xText_(points.back().x()) : models::formatNumber(points.back().x()));
        if (!curves_[i].nonFinite.empty()) line += QStringLiteral(", ") + say(QT_TRANSLATE_N_NOOP("charts", "%n not finite"), static_cast<int>(curves_[i].nonFinite.size()));
        lines << line;
    }
    if (curves_.size() > 12) lines << say(QT_TRANSLATE_N_NOOP("charts", "and %n more"), static_cast<int>(curves_.size() - 12));
    return lines.join(QStringLiteral("; "));
}

std::vector<double> LineChart::xs() const {
    std::vector<double> out;
    const Range shown = view();
    for (size_t i = 0; i < prepared_.size(); ++i) {
        if (hidden_.contains(curves_[i].id)) continue;
        Axis axis;
        axis.log = logX_;
        axis.range = shown;
        for (const QPointF& p : prepared_[i].raw.thin(axis, 400))
            if (p.x() >= shown.low && p.x() <= shown.high) out.push_back(p.x());
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

double LineChart::valueText(double x, std::vector<ReadoutRow>& rows, const Look& look) const {
    constexpr size_t kMostRows = 12;
    double read = kNone;
    size_t more = 0;
    for (size_t i = 0; i < prepared_.size(); ++i) {
        const CurveData& data = prepared_[i].raw;
        if (hidden_.contains(curves_[i].id) || data.empty()) continue;
        const QPointF p = data.points()[data.nearest(x)];
        if (!std::isfinite(read) || std::abs(p.x() - x) < std::abs(read - x)) read = p.x();
    }
    if (!std::isfinite(read)) return read;
    for (size_t i = 0; i < prepared_.size(); ++i) {
        const CurveData& data = prepared_[i].raw;
        if (hidden_.contains(curves_[i].id) || data.empty()) continue;
        // A curve that has ended, or has not begun, has no value here.
        const double slack = view().span() * 0.01;
        if (read < data.points().front().x() - slack || read > data.points().back().x() + slack) continue;
        if (rows.size() >= kMostRows) {
            ++more;
            continue;
        }
        const size_t at = data.nearest(read);
        QString text = frame_.y.valueText(data.points()[at].y());
        if (!prepared_[i].smooth.empty()) text += QStringLiteral("  ~ ") + frame_.y.valueText(prepared_[i].smooth.points()[at].y());
        rows.push_back({look.data(curves_[i].color), curves_[i].name, text});
    }
    if (more > 0) rows.push_back({QColor(), say(QT_TRANSLATE_N_NOOP("charts", "and %n more"), static_cast<int>(more)), QString()});
    return read;
}

QByteArray csvField(const QString& text) {
    QString t = text;
    t.remove(QChar(0));
    const QString bare = t.trimmed();
    if (!bare.isEmpty() && QStringLiteral("=+-@|%＝＋－＠").contains(bare[0])) t.prepend(QLatin1Char('\''));
    QByteArray out = t.toUtf8();
    if (out.contains(',') || out.contains('"') || out.contains('\n') || out.contains('\r') || out.contains('\t')) {
        out.replace('"', "\"\"");
        out = '"' + out + '"';
    }
    return out;
}

QByteArray csvNumber(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    char text[40];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return QByteArray(text, static_cast<int>(end - text));
}

QByteArray LineChart::csv() const {
    QByteArray out = "curve," + csvField(xTitle_.isEmpty() ? QStringLiteral("x") : xTitle_) + "," + csvField(yTitle_.isEmpty() ? QStringLiteral("y") : yTitle_) + ",low,high\r\n";
    for (const Curve& curve : curves_) {
        const QByteArray name = csvField(curve.name);
        size_t bad = 0;
        for (size_t i = 0; i < curve.points.size(); ++i) {
            for (; bad < curve.nonFinite.size() && curve.nonFinite[bad] < curve.points[i].x(); ++bad) out += name + "," + csvNumber(curve.nonFinite[bad]) + ",nan,,\r\n";
            out += name + "," + csvNumber(curve.points[i].x()) + "," + csvNumber(curve.points[i].y());
            if (curve.band.size() == curve.points.size()) out += "," + csvNumber(curve.band[i].x()) + "," + csvNumber(curve.band[i].y()) + "\r\n";
            else out += ",,\r\n";
        }
        for (; bad < curve.nonFinite.size(); ++bad) out += name + "," + csvNumber(curve.nonFinite[bad]) + ",nan,,\r\n";
    }
    return out;
}

}  // namespace assay::charts
