#include <assay/charts/parallel_chart.h>
#include <assay/widgets/plot.h>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "plot_support.h"

namespace assay::widgets {

struct ParallelPlot::Private {
    explicit Private(ParallelPlot& plot) : plot(plot) {}

    ParallelPlot& plot;
    charts::ParallelChart chart;
    PlotLayer layer;
    int axis = -1;       // that is being brushed
    double start = 0;
    QPointF pointer;

    void changed() {
        layer.invalidate();
        describePlot(plot, chart.summary());
        plot.update();
    }
    void tellBrushes() {
        QStringList ids;
        for (const charts::Strand& strand : chart.strands)
            if (chart.kept(strand)) ids << strand.id;
        Q_EMIT plot.brushed(ids);
    }
    int strandIndex(const QString& id) const {
        for (size_t i = 0; i < chart.strands.size(); ++i)
            if (chart.strands[i].id == id) return static_cast<int>(i);
        return -1;
    }
    void paint(QPainter& painter) {
        layer.paint(plot, painter, [&](QPainter& on, const QRectF& rect, const charts::Look& look) { chart.paint(on, rect, look); });
        const charts::Look look = charts::screenLook();
        const int over = strandIndex(chart.hovered.isEmpty() && plot.hasFocus() ? chart.selected : chart.hovered);
        if (over >= 0 && axis < 0) {
            const charts::Strand& strand = chart.strands[static_cast<size_t>(over)];
            std::vector<charts::ReadoutRow> rows;
            for (size_t d = 0; d < chart.dimensions.size() && d < 12; ++d)
                rows.push_back({QColor(), chart.dimensions[d].title, chart.valueText(static_cast<int>(d), d < strand.values.size() ? strand.values[d] : charts::kNone)});
            charts::drawReadout(painter, QRectF(plot.rect()).adjusted(2, 2, -2, -2), pointer.isNull() ? chart.area().center() : pointer, charts::label(strand.name, look.small, 260), rows, look);
        }
        drawFocusRing(plot, painter, look);
    }
    void select(int index) {
        if (index < 0) return;
        chart.selected = chart.strands[static_cast<size_t>(index)].id;
        changed();
        Q_EMIT plot.selected(chart.selected);
    }
    void walk(int step) {
        const int n = static_cast<int>(chart.strands.size());
        for (int i = strandIndex(chart.selected) + step, tries = 0; tries < n; i += step, ++tries) {
            if (i < 0) i = n - 1;
            if (i >= n) i = 0;
            if (chart.kept(chart.strands[static_cast<size_t>(i)])) return select(i);
        }
    }
    void brushTo(double y) {
        charts::Dimension& dimension = chart.dimensions[static_cast<size_t>(axis)];
        const double a = chart.valueAt(axis, start), b = chart.valueAt(axis, y);
        dimension.brush = {std::min(a, b), std::max(a, b)};
        changed();
    }
};

ParallelPlot::ParallelPlot(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>(*this)) {
    PlotExport* exporter = setUpPlot(*this, QStringLiteral("parallel-plot"), tr("Parallel axes"), [this] { d_->layer.invalidate(); update(); });
    exporter->draw = [this](QPainter& painter, const QRectF& rect) { render(painter, rect); };
    exporter->csv = [this] { return d_->chart.csv(); };
}
ParallelPlot::~ParallelPlot() = default;

QSize ParallelPlot::sizeHint() const { return {640, 320}; }
QSize ParallelPlot::minimumSizeHint() const { return kPlotMinimum; }

void ParallelPlot::setAxes(std::vector<ParallelAxis> axes) {
    std::vector<charts::Dimension> out;
    for (ParallelAxis& axis : axes) {
        charts::Dimension dimension{std::move(axis.key), std::move(axis.title), std::move(axis.text), std::move(axis.categories), axis.lowerIsBetter, axis.log, {}};
        for (const charts::Dimension& old : d_->chart.dimensions)   // a brush outlives new data
            if (old.key == dimension.key && !old.key.isEmpty() && old.categories == dimension.categories) dimension.brush = old.brush;
        out.push_back(std::move(dimension));
    }
    d_->chart.dimensions = std::move(out);
    d_->changed();
}
void ParallelPlot::setLines(std::vector<ParallelLine> lines) {
    d_->chart.strands.clear();
    for (ParallelLine& line : lines) d_->chart.strands.push_back({std::move(line.id), std::move(line.name), line.color, std::move(line.values)});
    d_->chart.hovered.clear();
    d_->changed();
}
void ParallelPlot::setSelected(const QString& id) {
    if (d_->chart.selected == id) return;
    d_->chart.selected = id;
    d_->changed();
}
void ParallelPlot::render(QPainter& painter, const QRectF& rect) {
    d_->chart.paint(painter, rect, charts::paperLook());
    d_->layer.invalidate();
    update();
}

bool ParallelPlot::event(QEvent* event) {
    switch (event->type()) {
        case QEvent::Paint: {
            QPainter painter(this);
            d_->paint(painter);
            return true;
        }
        case QEvent::MouseMove: {
            const QPointF at = static_cast<QMouseEvent*>(event)->position();
            d_->pointer = at;
            if (d_->axis >= 0) {
                if (std::abs(at.y() - d_->start) > 3) d_->brushTo(at.y());
                return true;
            }
            const bool onAxis = d_->chart.axisAt(at) >= 0;
            const int over = onAxis ? -1 : d_->chart.strandAt(at);
            const QString id = over >= 0 ? d_->chart.strands[static_cast<size_t>(over)].id : QString();
            if (id != d_->chart.hovered) {
                d_->chart.hovered = id;
                d_->layer.invalidate();
            }
            update();
            setCursor(onAxis ? Qt::SizeVerCursor : over >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
            return true;
        }
        case QEvent::MouseButtonPress: {
            auto* mouse = static_cast<QMouseEvent*>(event);
            if (mouse->button() != Qt::LeftButton) break;
            setFocus(Qt::MouseFocusReason);
            d_->axis = d_->chart.axisAt(mouse->position());
            d_->start = mouse->position().y();
            if (d_->axis < 0) d_->select(d_->chart.strandAt(mouse->position()));
            return true;
        }
        case QEvent::MouseButtonRelease: {
            if (d_->axis < 0) return true;
            if (std::abs(static_cast<QMouseEvent*>(event)->position().y() - d_->start) <= 3) d_->chart.dimensions[static_cast<size_t>(d_->axis)].brush = {};   // a click clears
            d_->axis = -1;
            d_->changed();
            d_->tellBrushes();
            return true;
        }
        case QEvent::MouseButtonDblClick:
            for (charts::Dimension& dimension : d_->chart.dimensions) dimension.brush = {};
            d_->axis = -1;
            d_->changed();
            d_->tellBrushes();
            return true;
        case QEvent::Leave:
            d_->chart.hovered.clear();
            d_->layer.invalidate();
            update();
            break;
        case QEvent::KeyPress: {
            const int key = static_cast<QKeyEvent*>(event)->key();
            const bool forward = key == Qt::Key_Down || key == Qt::Key_Right, back = key == Qt::Key_Up || key == Qt::Key_Left;
            if ((forward || back) && !d_->chart.strands.empty()) {
                d_->pointer = {};
                d_->walk(forward ? 1 : -1);
                event->accept();
                return true;
            }
            if (key == Qt::Key_0) {
                for (charts::Dimension& dimension : d_->chart.dimensions) dimension.brush = {};
                d_->changed();
                d_->tellBrushes();
                event->accept();
                return true;
            }
            break;
        }
        case QEvent::FocusIn:
        case QEvent::FocusOut: update(); break;
        default: break;
    }
    return QWidget::event(event);
}

}  // namespace assay::widgets
