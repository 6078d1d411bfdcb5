#pragma once
// Curves over a common axis: raw and smoothed, bands, marks, legend. Data in, picture out; the widget adds the mouse.

#include <assay/charts/curve_data.h>
#include <assay/charts/frame.h>

#include <QSet>

namespace assay::charts {

struct Curve {
    QString id, name;
    int color = 0;
    bool dashed = false, faint = false;
    std::vector<QPointF> points;      // finite; x ascending
    std::vector<double> nonFinite;
    std::vector<QPointF> band;        // (low, high), one a point
};
struct Mark {
    double x = 0;
    QString text;
    style::Tone tone = style::Tone::kNeutral;
};
struct Reference {                    // a level across the chart, e.g. a bigram model
    double y = 0;
    QString text;
};

class LineCanvas;

class LineChart {
public:
    void setCurves(std::vector<Curve> curves);
    void setAxes(const QString& xTitle, const QString& yTitle, Text xText, Text yText);
    void setLog(bool x, bool y);
    void setSmoothing(double weight);
    void setMarks(std::vector<Mark> marks) { marks_ = std::move(marks); }
    void setReferences(std::vector<Reference> references) { references_ = std::move(references); }
    void setExtent(Range x) { extent_ = x; }      // invalid: from the data
    void setView(Range x) { view_ = x; }          // zoom; invalid: everything
    void setNote(const QString& text) { note_ = text; }
    void setSampled(bool on) { sampled_ = on; }   // the points are a thinned curve: smoothing works on those, and the note says so
    void setEmptyText(const QString& text) { empty_ = text; }
    void setLegend(bool on) { legend_ = on; }
    void setMarkers(bool on) { markers_ = on; }   // on curves of few points
    void setHidden(const QString& id, bool hidden);
    bool isHidden(const QString& id) const { return hidden_.contains(id); }

    const std::vector<Curve>& curves() const { return curves_; }
    Range everything() const;                     // x without zoom
    Range view() const;                           // x on screen
    bool logX() const { return logX_; }
    bool logY() const { return logY_; }
    QString note() const;                         // what could not be drawn, and the caller's note
    QString summary() const;                      // for screen readers
    QByteArray csv() const;                       // the points shown, one row each

    struct LegendItem {
        QRectF rect;
        QString id;
    };
    // Draws everything into `outer`; the frame and the legend are then those of this picture.
    void paint(QPainter& painter, const QRectF& outer, const Look& look);
    const Frame& frame() const { return frame_; }
    const std::vector<LegendItem>& legend() const { return items_; }
    bool hasPoints() const;
    double valueText(double x, std::vector<ReadoutRow>& rows, const Look& look) const;   // the x that is read
    std::vector<double> xs() const;               // of all visible points, for the keyboard

private:
    struct Prepared {
        CurveData raw, smooth;
        size_t left = 0;                          // values that a logarithmic axis cannot show
    };
    void prepare();
    void paintCurve(QPainter& painter, size_t index, const Look& look, LineCanvas* canvas, double scale) const;
    void paintLine(QPainter& painter, const CurveData& data, const Curve& curve, const QColor& color, double width, bool dashed, LineCanvas* canvas, double scale) const;
    void paintBand(QPainter& painter, const Curve& curve, const QColor& color) const;
    void paintNonFinite(QPainter& painter, const Curve& curve, const Look& look) const;
    void paintMarks(QPainter& painter, const Look& look) const;
    double layoutLegend(const QRectF& outer, const Look& look);
    void paintLegend(QPainter& painter, const Look& look) const;
    QString legendText(const Curve& curve) const;

    std::vector<Curve> curves_;
    std::vector<Prepared> prepared_;
    std::vector<Mark> marks_;
    std::vector<Reference> references_;
    QSet<QString> hidden_;
    QString xTitle_, yTitle_, note_, empty_;
    Text xText_, yText_;
    Range extent_, view_;
    bool logX_ = false, logY_ = false, legend_ = true, markers_ = true, sampled_ = false;
    bool wholeX_ = false;                         // every x is a whole number: steps, tokens
    double smoothing_ = 0;
    size_t moreItems_ = 0;
    Frame frame_;
    std::vector<LegendItem> items_;
};

QByteArray csvField(const QString& text);   // RFC 4180, and a text that a spreadsheet would run as a formula is disarmed
QByteArray csvNumber(double value);         // shortest exact digits; inf, -inf, nan; NaN as "not there" is the caller's

}  // namespace assay::charts
