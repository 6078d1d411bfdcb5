#include <assay/charts/scatter_chart.h>
#include <assay/models/format.h>
#include <assay/widgets/plot.h>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "plot_support.h"

namespace assay::widgets {

struct ScatterPlot::Private {
    explicit Private(ScatterPlot& plot) : plot(plot) {}

    ScatterPlot& plot;
    charts::ScatterChart chart;
    PlotLayer layer;
    PlotExport* exporter = nullptr;
    int hovered = -1;
    QPointF pressed, dragged;
    bool pressing = false, dragging = false;

    void changed() {
        layer.invalidate();
        describePlot(plot, chart.summary());
        plot.update();
    }
    void setView(charts::Range x, charts::Range y) {
        const charts::Range allX = chart.everythingX(), allY = chart.everythingY();
        if (x.valid() && x.low <= allX.low && x.high >= allX.high && y.low <= allY.low && y.high >= allY.high) x = y = {};
        if (x.valid() && (!(x.span() > allX.span() * 1e-6) || !(y.span() > allY.span() * 1e-6))) return;
        chart.viewX = x;
        chart.viewY = y;
        hovered = -1;
        layer.invalidate();
        plot.update();
    }
    void zoomAt(const QPointF& at, double factor) {
        const charts::Frame& frame = chart.frame();
        const double px = (at.x() - frame.area.left()) / frame.area.width(), py = (frame.area.bottom() - at.y()) / frame.area.height();
        charts::Range x{frame.x.value(px - px * factor), frame.x.value(px + (1 - px) * factor)}, y{frame.y.value(py - py * factor), frame.y.value(py + (1 - py) * factor)};
        const charts::Range allX = chart.everythingX(), allY = chart.everythingY();
        x = {std::max(x.low, allX.low), std::min(x.high, allX.high)};
        y = {std::max(y.low, allY.low), std::min(y.high, allY.high)};
        setView(x, y);
    }
    void zoomTo(const QRectF& rect) {
        const charts::Frame& frame = chart.frame();
        auto share = [&](double px) { return std::clamp((px - frame.area.left()) / frame.area.width(), 0.0, 1.0); };
        auto height = [&](double py) { return std::clamp((frame.area.bottom() - py) / frame.area.height(), 0.0, 1.0); };
        setView({frame.x.value(share(rect.left())), frame.x.value(share(rect.right()))}, {frame.y.value(height(rect.bottom())), frame.y.value(height(rect.top()))});
    }
    void paint(QPainter& painter) {
        layer.paint(plot, painter, [&](QPainter& on, const QRectF& rect, const charts::Look& look) { chart.paint(on, rect, look); });
        const charts::Look look = charts::screenLook();
        if (dragging) {
            QColor fill = look.tokens.accent;
            fill.setAlphaF(0.14f);
            painter.setPen(QPen(look.tokens.accent, 1));
            painter.setBrush(fill);
            painter.drawRect(QRectF(pressed, dragged).normalized().intersected(chart.frame().area));
        } else if (hovered >= 0 && hovered < static_cast<int>(chart.points.size())) {
            const charts::Point& p = chart.points[static_cast<size_t>(hovered)];
            auto text = [](const charts::Axis& axis, double value, double error) { return axis.valueText(value) + (error > 0 ? QStringLiteral(" ± ") + axis.valueText(error) : QString()); };
            const charts::Axis &x = chart.frame().x, &y = chart.frame().y;
            charts::drawReadout(painter, QRectF(plot.rect()).adjusted(2, 2, -2, -2), chart.frame().at(p.x, p.y), charts::label(p.name, look.small, 260),
                                {{QColor(), chart.xTitle, text(x, p.x, p.xError)}, {QColor(), chart.yTitle, text(y, p.y, p.yError)}}, look);
        }
        drawFocusRing(plot, painter, look);
    }
    void choose(int index) {
        if (index < 0 || index >= static_cast<int>(chart.points.size())) return;
        const QString id = chart.points[static_cast<size_t>(index)].id;
        chart.selected = id;
        changed();
        Q_EMIT plot.selected(id);
    }
    // Arrow keys walk from point to point in the order of x.
    void walk(int direction) {
        std::vector<int> order;
        for (int i = 0; i < static_cast<int>(chart.points.size()); ++i)
            if (std::isfinite(chart.points[static_cast<size_t>(i)].x) && std::isfinite(chart.points[static_cast<size_t>(i)].y)) order.push_back(i);
        if (order.empty()) return;
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return chart.points[static_cast<size_t>(a)].x < chart.points[static_cast<size_t>(b)].x; });
        auto at = std::find_if(order.begin(), order.end(), [&](int i) { return chart.points[static_cast<size_t>(i)].id == chart.selected; });
        std::ptrdiff_t next = direction > 0 ? 0 : static_cast<std::ptrdiff_t>(order.size()) - 1;
        if (at != order.end() && !chart.selected.isEmpty()) next = std::clamp<std::ptrdiff_t>(at - order.begin() + direction, 0, static_cast<std::ptrdiff_t>(order.size()) - 1);
        hovered = order[static_cast<size_t>(next)];
        choose(hovered);
    }
    bool key(QKeyEvent& event) {
        switch (event.key()) {
            case Qt::Key_Right:
            case Qt::Key_Down: walk(1); return true;
            case Qt::Key_Left:
            case Qt::Key_Up: walk(-1); return true;
            case Qt::Key_Return:
            case Qt::Key_Enter:
                if (chart.selected.isEmpty()) return false;
                Q_EMIT plot.opened(chart.selected);
                return true;
            case Qt::Key_Plus:
            case Qt::Key_Equal: zoomAt(chart.frame().area.center(), 0.5); return true;
            case Qt::Key_Minus: zoomAt(chart.frame().area.center(), 2); return true;
            case Qt::Key_0: setView({}, {}); return true;
            default: return false;
        }
    }
};

ScatterPlot::ScatterPlot(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>(*this)) {
    d_->exporter = setUpPlot(*this, QStringLiteral("scatter-plot"), tr("Cost against accuracy"), [this] { d_->layer.invalidate(); update(); });
    d_->exporter->draw = [this](QPainter& painter, const QRectF& rect) { render(painter, rect); };
    d_->exporter->csv = [this] { return d_->chart.csv(); };
}
ScatterPlot::~ScatterPlot() = default;

QSize ScatterPlot::sizeHint() const { return {560, 360}; }
QSize ScatterPlot::minimumSizeHint() const { return kPlotMinimum; }

void ScatterPlot::setAxes(const QString& xTitle, const QString& yTitle, std::function<QString(double)> xText, std::function<QString(double)> yText) {
    if (d_->chart.xTitle != xTitle || d_->chart.yTitle != yTitle) d_->chart.viewX = d_->chart.viewY = {};   // another metric: the old zoom means nothing
    d_->chart.xTitle = xTitle;
    d_->chart.yTitle = yTitle;
    d_->chart.xText = std::move(xText);
    d_->chart.yText = std::move(yText);
    d_->changed();
}
void ScatterPlot::setLogX(bool on) {
    if (on != d_->chart.logX) d_->chart.viewX = d_->chart.viewY = {};
    d_->chart.logX = on;
    d_->changed();
}
void ScatterPlot::setPoints(std::vector<ScatterPoint> points) {
    d_->chart.points.clear();
    for (ScatterPoint& p : points) d_->chart.points.push_back({std::move(p.id), std::move(p.name), p.color, p.marker, p.x, p.y, p.xError, p.yError, p.faded, p.ringed});
    d_->hovered = -1;
    d_->changed();
}
void ScatterPlot::setFrontier(std::vector<QPointF> line) {
    d_->chart.frontier = std::move(line);
    d_->changed();
}
void ScatterPlot::setTarget(double y, const QString& text) {
    d_->chart.target = y;
    d_->chart.targetText = text;
    d_->changed();
}
void ScatterPlot::setSelected(const QString& id) {
    if (d_->chart.selected == id) return;
    d_->chart.selected = id;
    d_->changed();
}
void ScatterPlot::setEmptyText(const QString& text) {
    d_->chart.emptyText = text;
    d_->changed();
}
void ScatterPlot::render(QPainter& painter, const QRectF& rect) {
    d_->chart.paint(painter, rect, charts::paperLook());
    d_->layer.invalidate();
    update();
}

bool ScatterPlot::event(QEvent* event) {
    switch (event->type()) {
        case QEvent::Paint: {
            QPainter painter(this);
            d_->paint(painter);
            return true;
        }
        case QEvent::MouseMove: {
            const QPointF at = static_cast<QMouseEvent*>(event)->position();
            if (d_->pressing && !d_->dragging && (at - d_->pressed).manhattanLength() > 6) d_->dragging = true;
            d_->dragged = at;
            const int over = d_->dragging ? -1 : d_->chart.pointAt(at);
            if (over != d_->hovered || d_->dragging) update();
            d_->hovered = over;
            setCursor(over >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
            return true;
        }
        case QEvent::MouseButtonPress: {
            auto* mouse = static_cast<QMouseEvent*>(event);
            if (mouse->button() != Qt::LeftButton) break;
            setFocus(Qt::MouseFocusReason);
            const int over = d_->chart.pointAt(mouse->position());
            if (over >= 0) d_->choose(over);
            else if (d_->chart.frame().area.contains(mouse->position())) d_->pressing = true;
            d_->pressed = mouse->position();
            return true;
        }
        case QEvent::MouseButtonRelease:
            if (d_->dragging) d_->zoomTo(QRectF(d_->pressed, static_cast<QMouseEvent*>(event)->position()).normalized());
            d_->pressing = d_->dragging = false;
            update();
            return true;
        case QEvent::MouseButtonDblClick: {
            const int over = d_->chart.pointAt(static_cast<QMouseEvent*>(event)->position());
            if (over >= 0) Q_EMIT opened(d_->chart.points[static_cast<size_t>(over)].id);
            else d_->setView({}, {});
            return true;
        }
        case QEvent::Wheel: {
            auto* wheel = static_cast<QWheelEvent*>(event);
            if (wheel->angleDelta().y() == 0 || !d_->chart.frame().area.contains(wheel->position())) break;
            d_->zoomAt(wheel->position(), std::pow(0.8, wheel->angleDelta().y() / 120.0));
            wheel->accept();
            return true;
        }
        case QEvent::Leave:
            d_->hovered = -1;
            update();
            break;
        case QEvent::KeyPress:
            if (d_->key(static_cast<QKeyEvent&>(*event))) {
                event->accept();
                return true;
            }
            break;
        case QEvent::FocusIn:
        case QEvent::FocusOut: update(); break;
        default: break;
    }
    return QWidget::event(event);
}

}  // namespace assay::widgets
