#pragma once
// What AssayStyle paints, one function a part.

#include <QString>

class QPainter;
class QRect;
class QStyleOption;
class QStyleOptionButton;
class QStyleOptionComboBox;
class QWidget;

namespace assay::style {

void paintButtonPanel(QPainter& painter, const QStyleOption& option, const QWidget* widget);
void paintButtonLabel(QPainter& painter, const QStyleOptionButton& option, const QWidget* widget);
void paintToolPanel(QPainter& painter, const QStyleOption& option);
void paintCheck(QPainter& painter, const QStyleOption& option, bool round);
void paintField(QPainter& painter, const QStyleOption& option, const QWidget* widget);   // combo and spin boxes
void paintComboText(QPainter& painter, const QStyleOptionComboBox& option, const QRect& rect);
void paintIcon(QPainter& painter, const QString& name, const QStyleOption& option, int most = 16);
void paintRow(QPainter& painter, const QStyleOption& option, bool line);   // background of a row of an item view
void paintFocus(QPainter& painter, const QRect& rect);

}  // namespace assay::style
