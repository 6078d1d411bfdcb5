#include <assay/charts/bar_chart.h>
#include <assay/widgets/plot.h>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "plot_support.h"

namespace assay::widgets {

struct BarPlot::Private {
    explicit Private(BarPlot& plot) : plot(plot) {}

    BarPlot& plot;
    charts::BarChart chart;
    PlotLayer layer;
    int column = -1;   // under the pointer or chosen by keys

    void changed() {
        layer.invalidate();
        column = -1;
        describePlot(plot, chart.summary());
        plot.update();
    }
    void setColumn(int next) {
        if (next == column) return;
        column = next;
        plot.update();
    }
    void paint(QPainter& painter) {
        layer.paint(plot, painter, [&](QPainter& on, const QRectF& rect, const charts::Look& look) { chart.paint(on, rect, look); });
        const charts::Look look = charts::screenLook();
        if (column >= 0 && column < chart.columns()) {
            const QRectF& area = chart.frame().area;
            const double room = area.width() / chart.columns();
            QColor fill = look.tokens.text;
            fill.setAlphaF(0.05f);
            painter.fillRect(QRectF(area.left() + column * room, area.top(), room, area.height()), fill);
            charts::drawReadout(painter, QRectF(plot.rect()).adjusted(2, 2, -2, -2), QPointF(area.left() + (column + 0.5) * room, area.top() + 48), chart.columnTitle(column),
                                chart.columnRows(column, look), look);
        }
        drawFocusRing(plot, painter, look);
    }
};

BarPlot::BarPlot(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>(*this)) {
    PlotExport* exporter = setUpPlot(*this, QStringLiteral("bar-plot"), tr("Bars"), [this] { d_->layer.invalidate(); update(); });
    exporter->draw = [this](QPainter& painter, const QRectF& rect) { render(painter, rect); };
    exporter->csv = [this] { return d_->chart.csv(); };
}
BarPlot::~BarPlot() = default;

QSize BarPlot::sizeHint() const { return {360, 220}; }
QSize BarPlot::minimumSizeHint() const { return kPlotMinimum; }

void BarPlot::setAxes(const QString& xTitle, const QString& yTitle, std::function<QString(double)> yText) {
    d_->chart.xTitle = xTitle;
    d_->chart.yTitle = yTitle;
    d_->chart.yText = std::move(yText);
    d_->changed();
}
void BarPlot::setSeries(const QStringList& names) {
    d_->chart.series = names;
    d_->changed();
}
void BarPlot::setGroups(std::vector<BarGroup> groups) {
    d_->chart.groups.clear();
    d_->chart.edges.clear();
    d_->chart.counts.clear();
    for (BarGroup& group : groups) d_->chart.groups.push_back({std::move(group.name), std::move(group.values), std::move(group.errors)});
    d_->changed();
}
void BarPlot::setHistogram(std::vector<double> edges, std::vector<double> counts, double limit, const QString& limitText) {
    d_->chart.groups.clear();
    d_->chart.edges = std::move(edges);
    d_->chart.counts = std::move(counts);
    d_->chart.limit = limit;
    d_->chart.limitText = limitText;
    d_->changed();
}
void BarPlot::setEmptyText(const QString& text) {
    d_->chart.emptyText = text;
    d_->changed();
}
void BarPlot::render(QPainter& painter, const QRectF& rect) {
    d_->chart.paint(painter, rect, charts::paperLook());
    d_->layer.invalidate();
    update();
}

bool BarPlot::event(QEvent* event) {
    switch (event->type()) {
        case QEvent::Paint: {
            QPainter painter(this);
            d_->paint(painter);
            return true;
        }
        case QEvent::MouseMove: d_->setColumn(d_->chart.columnAt(static_cast<QMouseEvent*>(event)->position())); return true;
        case QEvent::Leave: d_->setColumn(-1); break;
        case QEvent::KeyPress: {
            const int key = static_cast<QKeyEvent*>(event)->key();
            if ((key == Qt::Key_Left || key == Qt::Key_Right) && d_->chart.columns() > 0) {
                const int step = key == Qt::Key_Right ? 1 : -1;
                d_->setColumn(d_->column < 0 ? (step > 0 ? 0 : d_->chart.columns() - 1) : std::clamp(d_->column + step, 0, d_->chart.columns() - 1));
                event->accept();
                return true;
            }
            break;
        }
        case QEvent::FocusOut: d_->setColumn(-1); update(); break;
        case QEvent::FocusIn: update(); break;
        default: break;
    }
    return QWidget::event(event);
}

}  // namespace assay::widgets
