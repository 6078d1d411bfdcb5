#include <assay/pages/page.h>

#include <QEvent>
#include <QLayout>
#include <QScrollArea>
#include <QSplitter>

namespace assay::pages {
namespace {

void collect(QWidget* widget, QWidgetList& stops);

void collect(QLayout* layout, QWidgetList& stops) {
    for (int i = 0; i < layout->count(); ++i) {
        QLayoutItem* item = layout->itemAt(i);
        if (QWidget* widget = item->widget()) collect(widget, stops);
        else if (QLayout* inner = item->layout()) collect(inner, stops);
    }
}

// What Tab stops at inside `widget`, as the layouts have it. A control with parts of its own (a box with its line) is one stop.
void collect(QWidget* widget, QWidgetList& stops) {
    if (auto* area = qobject_cast<QScrollArea*>(widget)) {
        if (area->widget()) collect(area->widget(), stops);
    } else if (auto* splitter = qobject_cast<QSplitter*>(widget)) {
        for (int i = 0; i < splitter->count(); ++i) collect(splitter->widget(i), stops);
    } else if (widget->focusPolicy() & Qt::TabFocus) {
        stops.append(widget);
    } else if (widget->layout()) {
        collect(widget->layout(), stops);
    }
}

}  // namespace

bool Page::event(QEvent* event) {
    const bool done = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show) orderTabs();
    return done;
}

// Tab follows the page as it is laid out, not the order in which its parts happened to be made: an export button stands
// before the chart that it needs, rows that come later stand where they are seen.
void Page::orderTabs() {
    QWidgetList stops;
    if (layout()) collect(layout(), stops);
    if (stops == tabStops_) return;
    for (qsizetype i = 1; i < stops.size(); ++i) QWidget::setTabOrder(stops[i - 1], stops[i]);
    tabStops_ = stops;
}

}  // namespace assay::pages
