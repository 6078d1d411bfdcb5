#pragma once
// Charts. All take points that the engine has already thinned (M4), know the theme, have a crosshair, zoom by dragging
// and wheel, reset by double click, and leave as PNG, SVG, PDF and CSV. Sources: STUDIO.md, "Behaviour".

#include <assay/core/error.h>
#include <assay/core/json.h>
#include <assay/style/tokens.h>

#include <QPointF>
#include <QWidget>
#include <functional>
#include <memory>
#include <vector>

class QPainter;

namespace assay::widgets {

struct PlotCurve {
    QString id, name;
    int color = 0;                          // data colour
    bool dashed = false, faint = false;     // faint: the raw line behind a smoothed one
    std::vector<QPointF> points;            // finite; x ascending
    std::vector<double> nonFinite;          // drawn as marks at the lower edge, counted in the legend
    std::vector<QPointF> band;              // empty, or low/high pairs: points[i].x, band[i] = (low, high)
};
struct PlotLine {      // vertical mark: resumed, checkpoint, now
    double x = 0;
    QString text;
    style::Tone tone = style::Tone::kNeutral;
};

class LinePlot final : public QWidget {
    Q_OBJECT
public:
    explicit LinePlot(QWidget* parent = nullptr);
    ~LinePlot() override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    void setAxes(const QString& xTitle, const QString& yTitle, std::function<QString(double)> xText = {}, std::function<QString(double)> yText = {});
    void setLogX(bool on);
    void setLogY(bool on);                  // values ≤ 0 are left out and counted in the note
    void setSmoothing(double weight);       // 0 off … 0.99: exponential with bias correction, raw line kept faint
    void setCurves(std::vector<PlotCurve> curves);   // keeps the zoom when the person has zoomed
    void setLines(std::vector<PlotLine> lines);
    void setXRange(double low, double high);          // what is there to see, e.g. 0 … steps; NaN: from the data
    void setNote(const QString& text);      // "12.4 M points, min-max per pixel"
    void setSampled(bool on);               // the points are a thinned curve: the note of smoothing says what it works on
    void setEmptyText(const QString& text);
    void setLegend(bool on);
    int pixelColumns() const;               // width of the axis rectangle in device pixels
    void resetZoom();
    // Full data for CSV export, when the chart holds a sample: called on export; empty: the points shown.
    void setCsvSource(std::function<void(const QString& path)> source);
    void render(QPainter& painter, const QRectF& rect);   // vector drawing for export and print

Q_SIGNALS:
    void rangeChanged(double low, double high);   // x range on screen, after zoom or reset (both NaN: everything)
    void hovered(double x);

protected:
    bool event(QEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

struct ScatterPoint {
    QString id, name;
    int color = 0, marker = 0;
    double x = 0, y = 0;
    double xError = 0, yError = 0;          // half widths; 0: none
    bool faded = false, ringed = false;     // dominated; the answer
};
class ScatterPlot final : public QWidget {   // cost against accuracy
    Q_OBJECT
public:
    explicit ScatterPlot(QWidget* parent = nullptr);
    ~ScatterPlot() override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    void setAxes(const QString& xTitle, const QString& yTitle, std::function<QString(double)> xText = {}, std::function<QString(double)> yText = {});
    void setLogX(bool on);
    void setPoints(std::vector<ScatterPoint> points);
    void setFrontier(std::vector<QPointF> line);
    void setTarget(double y, const QString& text);   // NaN: none
    void setSelected(const QString& id);
    void setEmptyText(const QString& text);
    void render(QPainter& painter, const QRectF& rect);
Q_SIGNALS:
    void selected(const QString& id);
    void opened(const QString& id);

protected:
    bool event(QEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

struct BarGroup {
    QString name;
    std::vector<double> values;             // one a series; NaN: none
    std::vector<double> errors;             // may be empty
};
class BarPlot final : public QWidget {       // histograms and grouped bars
    Q_OBJECT
public:
    explicit BarPlot(QWidget* parent = nullptr);
    ~BarPlot() override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    void setAxes(const QString& xTitle, const QString& yTitle, std::function<QString(double)> yText = {});
    void setSeries(const QStringList& names);
    void setGroups(std::vector<BarGroup> groups);
    // Histogram: count per bin between consecutive edges (edges = bins + 1); a mark at a limit, bins beyond it faded.
    void setHistogram(std::vector<double> edges, std::vector<double> counts, double limit, const QString& limitText);
    void setEmptyText(const QString& text);
    void render(QPainter& painter, const QRectF& rect);

protected:
    bool event(QEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

struct ParallelAxis {
    QString key, title;
    std::function<QString(double)> text;
    QStringList categories;                 // not empty: values are indices into it
    bool lowerIsBetter = false, log = false;
};
struct ParallelLine {
    QString id, name;
    int color = 0;
    std::vector<double> values;             // one an axis; NaN: gap
};
class ParallelPlot final : public QWidget {  // parallel coordinates; brushing an axis filters
    Q_OBJECT
public:
    explicit ParallelPlot(QWidget* parent = nullptr);
    ~ParallelPlot() override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    void setAxes(std::vector<ParallelAxis> axes);
    void setLines(std::vector<ParallelLine> lines);
    void setSelected(const QString& id);
    void render(QPainter& painter, const QRectF& rect);
Q_SIGNALS:
    void selected(const QString& id);
    void brushed(const QStringList& ids);   // those inside every brush

protected:
    bool event(QEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

// The export menu of a chart (PNG, SVG, PDF, CSV, copy as picture), for a card's header. `failed` hears what went wrong
// (disk full, no permission); without it a message box says so. A file is whole or not there.
QWidget* makeExportButton(QWidget* plot, const QString& suggestedName, std::function<void(const QString& error)> failed = {});
// The same without asking where; format by the ending: .png, .svg, .pdf, .csv.
Result<void> exportPlot(QWidget* plot, const QString& path);

}  // namespace assay::widgets
