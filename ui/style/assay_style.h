#pragma once
// Fusion with the tokens' look: buttons by kind (dynamic property "kind": primary, quiet, danger), combo and spin boxes,
// check marks, tree chevrons, and a focus ring that is drawn only when the keyboard moves the focus.

#include <QProxyStyle>

namespace assay::style {

class AssayStyle final : public QProxyStyle {
    Q_OBJECT
public:
    AssayStyle();
    void polish(QWidget* widget) override;
    using QProxyStyle::polish;
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* answer) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size, const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part, const QWidget* widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const override;
};

}  // namespace assay::style
