#pragma once
// What the four plots share: a cached picture, accessibility, export. Private to this folder.

#include <assay/charts/frame.h>

#include <QByteArray>
#include <QObject>
#include <QPixmap>
#include <QWidget>
#include <functional>

namespace assay::widgets {

// The chart as it was painted last; pointer and crosshair are drawn over it without painting it again.
class PlotLayer {
public:
    void invalidate() { valid_ = false; }
    void paint(QWidget& widget, QPainter& painter, const std::function<void(QPainter&, const QRectF&, const charts::Look&)>& draw);

private:
    QPixmap pixmap_;
    bool valid_ = false;
};

// How a plot leaves the program; a child of the plot, so that the export button needs to know no class.
class PlotExport final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    std::function<void(QPainter&, const QRectF&)> draw;          // with the paper look
    std::function<QByteArray()> csv;
    std::function<void(const QString& path)> csvSource;          // full data, when there is more than is shown
};

// Focus, mouse tracking, repaint on a new theme, role "chart" for assistive technology.
PlotExport* setUpPlot(QWidget& plot, const QString& objectName, const QString& accessibleName, std::function<void()> themeChanged);
void describePlot(QWidget& plot, const QString& summary);
void drawFocusRing(QWidget& plot, QPainter& painter, const charts::Look& look);
void showPlainToolTip(const QPoint& globalPosition, const QString& text, QWidget* owner);

inline constexpr QSize kPlotHint{480, 280}, kPlotMinimum{220, 140};

}  // namespace assay::widgets
