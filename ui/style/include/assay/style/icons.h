#pragma once
// Single-colour SVG files of resources/icons (embedded), tinted when they are loaded and again when the theme changes.

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace assay::style {

// `name`: file name without ending, e.g. "home". Unknown: a visible placeholder in debug, nothing else.
QIcon icon(const QString& name);                                   // text2; accent when selected; text3 when disabled
QPixmap pixmap(const QString& name, const QColor& color, int size, qreal devicePixelRatio);

}  // namespace assay::style
