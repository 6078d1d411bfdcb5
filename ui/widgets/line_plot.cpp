#include <assay/charts/line_chart.h>
#include <assay/models/format.h>
#include <assay/widgets/plot.h>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "plot_support.h"

namespace assay::widgets {
namespace {

constexpr double kDragStart = 5;       // pixels before a press is a drag
constexpr double kNarrowest = 1e-9;    // of the whole range: deeper zooms run out of digits

}  // namespace

struct LinePlot::Private {
    explicit Private(LinePlot& plot) : plot(plot) {}

    LinePlot& plot;
    charts::LineChart chart;
    PlotLayer layer;
    PlotExport* exporter = nullptr;
    charts::Range zoom;                // invalid: everything
    double crosshair = charts::kNone;  // x of the data
    double pointerY = 0;
    QPointF pressed;
    bool pressing = false, dragging = false;
    double dragX = 0;

    void changed() {
        layer.invalidate();
        describePlot(plot, chart.summary());
        plot.update();
    }
    void setZoom(charts::Range range, bool tell = true) {
        const charts::Range all = chart.everything();
        if (range.valid()) {
            range.low = std::max(range.low, all.low);
            range.high = std::min(range.high, all.high);
            const bool whole = range.low <= all.low && range.high >= all.high;
            const double least = std::max(all.span() * kNarrowest, std::abs(all.high) * 1e-13);
            if (whole) range = {};
            else if (!(range.span() > least)) return;
        }
        if (range.valid() == zoom.valid() && (!range.valid() || range == zoom)) return;
        zoom = range;
        chart.setView(zoom);
        layer.invalidate();
        plot.update();
        if (tell) Q_EMIT plot.rangeChanged(zoom.low, zoom.high);
    }
    double valueAt(double px) const {
        const QRectF& area = chart.frame().area;
        return chart.frame().x.value(std::clamp((px - area.left()) / area.width(), 0.0, 1.0));
    }
    void zoomAt(double px, double factor) {
        const charts::Frame& frame = chart.frame();
        const double at = std::clamp((px - frame.area.left()) / frame.area.width(), 0.0, 1.0);
        setZoom({frame.x.value(at - at * factor), frame.x.value(at + (1 - at) * factor)});
    }
    void setCrosshair(double x) {
        if (x == crosshair || (std::isnan(x) && std::isnan(crosshair))) return;
        crosshair = x;
        plot.update();
        Q_EMIT plot.hovered(x);
    }
    void toggle(const QString& id) {
        chart.setHidden(id, !chart.isHidden(id));
        changed();
    }
    QString legendAt(const QPointF& at) const {
        for (const auto& item : chart.legend())
            if (item.rect.contains(at)) return item.id;
        return {};
    }
    void paint(QPainter& painter) {
        layer.paint(plot, painter, [&](QPainter& on, const QRectF& rect, const charts::Look& look) { chart.paint(on, rect, look); });
        const charts::Look look = charts::screenLook();
        const QRectF& area = chart.frame().area;
        if (dragging) {
            QColor fill = look.tokens.accent;
            fill.setAlphaF(0.14f);
            const double low = std::clamp(std::min(pressed.x(), dragX), area.left(), area.right()), high = std::clamp(std::max(pressed.x(), dragX), area.left(), area.right());
            painter.fillRect(QRectF(low, area.top(), high - low, area.height()), fill);
            painter.setPen(QPen(look.tokens.accent, 1));
            painter.drawLine(QPointF(low, area.top()), QPointF(low, area.bottom()));
            painter.drawLine(QPointF(high, area.top()), QPointF(high, area.bottom()));
        } else if (std::isfinite(crosshair) && chart.hasPoints()) {
            paintCrosshair(painter, look);
        }
        drawFocusRing(plot, painter, look);
    }
    void paintCrosshair(QPainter& painter, const charts::Look& look) {
        std::vector<charts::ReadoutRow> rows;
        const double x = chart.valueText(crosshair, rows, look);
        const charts::Frame& frame = chart.frame();
        if (!std::isfinite(x)) return;
        const double px = frame.px(x);
        if (px < frame.area.left() - 1 || px > frame.area.right() + 1) return;
        painter.setPen(QPen(look.tokens.text3, 1));
        const double line = std::floor(px) + 0.5;
        painter.drawLine(QPointF(line, frame.area.top()), QPointF(line, frame.area.bottom()));
        const QString heading = (frame.x.title.isEmpty() ? QStringLiteral("x") : models::shortened(frame.x.title, 24)) + QLatin1Char(' ') + frame.x.valueText(x);
        charts::drawReadout(painter, QRectF(plot.rect()).adjusted(2, 2, -2, -2), QPointF(px, std::clamp(pointerY, frame.area.top() + 40, frame.area.bottom())), heading, rows, look);
    }
    bool mouseMove(QMouseEvent& event) {
        const QPointF at = event.position();
        pointerY = at.y();
        if (pressing && !dragging && std::abs(at.x() - pressed.x()) > kDragStart) dragging = true;
        if (dragging) {
            dragX = at.x();
            plot.update();
            return true;
        }
        const bool inside = chart.hasPoints() && chart.frame().area.adjusted(-2, -2, 2, 2).contains(at);
        setCrosshair(inside ? valueAt(at.x()) : charts::kNone);
        if (inside) plot.update();
        plot.setCursor(!legendAt(at).isEmpty() ? Qt::PointingHandCursor : inside ? Qt::CrossCursor : Qt::ArrowCursor);
        return true;
    }
    bool press(QMouseEvent& event) {
        if (event.button() != Qt::LeftButton) return false;
        const QString id = legendAt(event.position());
        if (!id.isEmpty()) {
            toggle(id);
            return true;
        }
        if (!chart.hasPoints() || !chart.frame().area.contains(event.position())) return false;
        pressing = true;
        pressed = event.position();
        dragX = pressed.x();
        return true;
    }
    bool release(QMouseEvent& event) {
        if (event.button() != Qt::LeftButton || !pressing) return false;
        pressing = false;
        if (dragging) {
            dragging = false;
            const double a = valueAt(std::min(pressed.x(), event.position().x())), b = valueAt(std::max(pressed.x(), event.position().x()));
            if (b > a) setZoom({a, b});
            plot.update();
        }
        return true;
    }
    bool key(QKeyEvent& event) {
        const QRectF& area = chart.frame().area;
        const double middle = std::isfinite(crosshair) ? chart.frame().px(crosshair) : area.center().x();
        switch (event.key()) {
            case Qt::Key_Left:
            case Qt::Key_Right: return step(event.key() == Qt::Key_Right ? 1 : -1, event.modifiers() & Qt::ShiftModifier ? 10 : 1);
            case Qt::Key_Plus:
            case Qt::Key_Equal: zoomAt(middle, 0.5); return true;
            case Qt::Key_Minus: zoomAt(middle, 2); return true;
            case Qt::Key_0: plot.resetZoom(); return true;
            case Qt::Key_Escape:
                if (pressing || dragging) pressing = dragging = false;
                else if (std::isfinite(crosshair)) setCrosshair(charts::kNone);
                else return false;   // a dialog around it may want to close
                plot.update();
                return true;
            default: break;
        }
        // 1 … 9 hide and show a curve: the legend without a mouse.
        const int digit = event.key() - Qt::Key_1;
        if (digit >= 0 && digit < 9 && static_cast<size_t>(digit) < chart.legend().size() && !(event.modifiers() & (Qt::ControlModifier | Qt::AltModifier))) {
            toggle(chart.legend()[static_cast<size_t>(digit)].id);
            return true;
        }
        return false;
    }
    bool step(int direction, int points) {
        const std::vector<double> xs = chart.xs();
        if (xs.empty()) return true;
        std::ptrdiff_t at = 0;
        if (std::isfinite(crosshair)) {
            at = std::lower_bound(xs.begin(), xs.end(), crosshair) - xs.begin();
            const auto last = static_cast<std::ptrdiff_t>(xs.size()) - 1;
            if (at > 0 && (at > last || xs[static_cast<size_t>(at)] - crosshair > crosshair - xs[static_cast<size_t>(at - 1)])) --at;
            at = std::clamp<std::ptrdiff_t>(at + direction * points, 0, last);
        } else {
            at = direction > 0 ? 0 : static_cast<std::ptrdiff_t>(xs.size()) - 1;
        }
        pointerY = chart.frame().area.center().y();
        setCrosshair(xs[static_cast<size_t>(at)]);
        return true;
    }
};

LinePlot::LinePlot(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>(*this)) {
    d_->exporter = setUpPlot(*this, QStringLiteral("line-plot"), tr("Curves"), [this] { d_->layer.invalidate(); update(); });
    d_->exporter->draw = [this](QPainter& painter, const QRectF& rect) { render(painter, rect); };
    d_->exporter->csv = [this] { return d_->chart.csv(); };
}
LinePlot::~LinePlot() = default;

QSize LinePlot::sizeHint() const { return kPlotHint; }
QSize LinePlot::minimumSizeHint() const { return kPlotMinimum; }

void LinePlot::setAxes(const QString& xTitle, const QString& yTitle, std::function<QString(double)> xText, std::function<QString(double)> yText) {
    d_->chart.setAxes(xTitle, yTitle, std::move(xText), std::move(yText));
    d_->changed();
}
void LinePlot::setLogX(bool on) {
    if (on == d_->chart.logX()) return;
    d_->zoom = {};
    d_->chart.setView({});
    d_->chart.setLog(on, d_->chart.logY());
    d_->changed();
}
void LinePlot::setLogY(bool on) {
    d_->chart.setLog(d_->chart.logX(), on);
    d_->changed();
}
void LinePlot::setSmoothing(double weight) {
    d_->chart.setSmoothing(weight);
    d_->changed();
}
void LinePlot::setCurves(std::vector<PlotCurve> curves) {
    std::vector<charts::Curve> out;
    out.reserve(curves.size());
    for (PlotCurve& c : curves) out.push_back({std::move(c.id), std::move(c.name), c.color, c.dashed, c.faint, std::move(c.points), std::move(c.nonFinite), std::move(c.band)});
    d_->chart.setCurves(std::move(out));
    d_->changed();
}
void LinePlot::setLines(std::vector<PlotLine> lines) {
    std::vector<charts::Mark> marks;
    for (PlotLine& line : lines) marks.push_back({line.x, std::move(line.text), line.tone});
    d_->chart.setMarks(std::move(marks));
    d_->changed();
}
void LinePlot::setXRange(double low, double high) {
    d_->chart.setExtent({low, high});
    d_->changed();
}
void LinePlot::setNote(const QString& text) {
    d_->chart.setNote(text);
    d_->changed();
}
void LinePlot::setSampled(bool on) {
    d_->chart.setSampled(on);
    d_->changed();
}
void LinePlot::setEmptyText(const QString& text) {
    d_->chart.setEmptyText(text);
    d_->changed();
}
void LinePlot::setLegend(bool on) {
    d_->chart.setLegend(on);
    d_->changed();
}
int LinePlot::pixelColumns() const {
    const double width = d_->chart.frame().area.width();   // known once it was painted
    return std::max(1, static_cast<int>(std::ceil((width > 0 ? width : std::max(1, this->width() - 72)) * devicePixelRatioF())));
}
void LinePlot::resetZoom() { d_->setZoom({}); }
void LinePlot::setCsvSource(std::function<void(const QString& path)> source) { d_->exporter->csvSource = std::move(source); }

void LinePlot::render(QPainter& painter, const QRectF& rect) {
    d_->chart.paint(painter, rect, charts::paperLook());
    d_->layer.invalidate();   // the frame on screen is another one
    update();
}

bool LinePlot::event(QEvent* event) {
    switch (event->type()) {
        case QEvent::Paint: {
            QPainter painter(this);
            d_->paint(painter);
            return true;
        }
        case QEvent::MouseMove: return d_->mouseMove(static_cast<QMouseEvent&>(*event));
        case QEvent::MouseButtonPress:
            if (d_->press(static_cast<QMouseEvent&>(*event))) {
                setFocus(Qt::MouseFocusReason);
                return true;
            }
            break;
        case QEvent::MouseButtonRelease:
            if (d_->release(static_cast<QMouseEvent&>(*event))) return true;
            break;
        case QEvent::MouseButtonDblClick:
            if (d_->legendAt(static_cast<QMouseEvent*>(event)->position()).isEmpty()) resetZoom();
            return true;
        case QEvent::Wheel: {
            auto* wheel = static_cast<QWheelEvent*>(event);
            // Sideways and outside of the axes the page scrolls.
            if (wheel->angleDelta().y() == 0 || !d_->chart.hasPoints() || !d_->chart.frame().area.contains(wheel->position())) break;
            d_->zoomAt(wheel->position().x(), std::pow(0.8, wheel->angleDelta().y() / 120.0));
            wheel->accept();
            return true;
        }
        case QEvent::Leave: d_->setCrosshair(charts::kNone); break;
        case QEvent::KeyPress:
            if (d_->key(static_cast<QKeyEvent&>(*event))) {
                event->accept();
                return true;
            }
            break;
        case QEvent::ToolTip: {
            auto* help = static_cast<QHelpEvent*>(event);
            const QString id = d_->legendAt(help->pos());
            QString text;
            for (const charts::Curve& curve : d_->chart.curves())
                if (!id.isEmpty() && curve.id == id) text = models::shortened(curve.name, 400);
            showPlainToolTip(help->globalPos(), text, this);
            return true;
        }
        case QEvent::FocusIn:
        case QEvent::FocusOut: update(); break;
        default: break;
    }
    return QWidget::event(event);
}

}  // namespace assay::widgets
