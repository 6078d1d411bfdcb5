#pragma once
// Colours of labels and surfaces by role, kept through theme switches.

#include <assay/style/tokens.h>

#include <QLabel>

namespace assay::widgets {

QColor dimColor(int level);                                    // 0 text, 2 text2, 3 text3
void colorLabel(QLabel* label, const QColor& color);           // by palette: cheaper than a style sheet, no cascade
void dress(QLabel* label, style::Type type, int dim);          // font, colour that follows the theme, plain text
void setSurface(QWidget* widget, const QString& name);          // "card", "header", "warn", "bad": rules of the style sheet
QString oneLine(const QString& text);                          // plain, without line breaks, for single-line places
QString plainTip(const QString& text);                         // tool tip that is never read as markup

}  // namespace assay::widgets
