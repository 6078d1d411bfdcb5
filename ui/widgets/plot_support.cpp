#include "plot_support.h"

#include <assay/style/theme_notifier.h>
#include <assay/widgets/plot.h>

#include <QAccessible>
#include <QAccessibleWidget>
#include <QPainter>
#include <QToolTip>
#include <cmath>

namespace assay::widgets {
namespace {

class AccessiblePlot final : public QAccessibleWidget {
public:
    explicit AccessiblePlot(QWidget* plot) : QAccessibleWidget(plot, QAccessible::Chart) {}
};

QAccessibleInterface* makeAccessiblePlot(const QString&, QObject* object) {
    auto* widget = qobject_cast<QWidget*>(object);
    if (widget && widget->findChild<PlotExport*>(QString(), Qt::FindDirectChildrenOnly)) return new AccessiblePlot(widget);
    return nullptr;
}

}  // namespace

void PlotLayer::paint(QWidget& widget, QPainter& painter, const std::function<void(QPainter&, const QRectF&, const charts::Look&)>& draw) {
    const qreal scale = widget.devicePixelRatioF();
    const QSize size(static_cast<int>(std::ceil(widget.width() * scale)), static_cast<int>(std::ceil(widget.height() * scale)));
    if (!valid_ || pixmap_.size() != size || pixmap_.devicePixelRatio() != scale) {
        if (pixmap_.size() != size) pixmap_ = QPixmap(size);
        pixmap_.setDevicePixelRatio(scale);
        const charts::Look look = charts::screenLook();
        pixmap_.fill(look.tokens.surface);
        QPainter on(&pixmap_);
        draw(on, QRectF(QPointF(), QSizeF(widget.size())), look);
        valid_ = true;
    }
    painter.drawPixmap(0, 0, pixmap_);
}

PlotExport* setUpPlot(QWidget& plot, const QString& objectName, const QString& accessibleName, std::function<void()> themeChanged) {
    static const bool installed = (QAccessible::installFactory(makeAccessiblePlot), true);
    Q_UNUSED(installed)
    plot.setObjectName(objectName);
    plot.setAccessibleName(accessibleName);
    plot.setMouseTracking(true);
    plot.setFocusPolicy(Qt::StrongFocus);
    plot.setAttribute(Qt::WA_OpaquePaintEvent);
    plot.setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    QObject::connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, &plot, std::move(themeChanged));
    auto* exporter = new PlotExport(&plot);
    exporter->setObjectName(objectName + QStringLiteral("-export"));
    return exporter;
}

void describePlot(QWidget& plot, const QString& summary) {
    if (plot.accessibleDescription() != summary) plot.setAccessibleDescription(summary);
}

void drawFocusRing(QWidget& plot, QPainter& painter, const charts::Look& look) {
    if (!plot.hasFocus()) return;
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(look.tokens.accent, 1));
    painter.drawRoundedRect(QRectF(plot.rect()).adjusted(1.5, 1.5, -1.5, -1.5), 4, 4);
}

void showPlainToolTip(const QPoint& globalPosition, const QString& text, QWidget* owner) {
    // A tool tip guesses whether it holds markup; text from data must stay text.
    QToolTip::showText(globalPosition, text.isEmpty() ? QString() : QStringLiteral("<span>") + text.toHtmlEscaped() + QStringLiteral("</span>"), owner);
}

}  // namespace assay::widgets
