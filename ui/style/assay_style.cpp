#include "assay_style.h"

#include "paint.h"

#include <assay/style/icons.h>
#include <assay/style/tokens.h>

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QPainter>
#include <QPushButton>
#include <QStyleFactory>
#include <QStyleOption>
#include <QToolButton>
#include <QTreeView>

namespace assay::style {

AssayStyle::AssayStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("fusion"))) {}

void AssayStyle::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    if (qobject_cast<QAbstractButton*>(widget) || qobject_cast<QComboBox*>(widget) || qobject_cast<QAbstractSpinBox*>(widget))
        widget->setAttribute(Qt::WA_Hover);
    // The style sheet's size of a spin box leaves its frame out; the row of controls shares one height.
    if (qobject_cast<QAbstractSpinBox*>(widget) && widget->minimumHeight() < size::kControlHeight) widget->setMinimumHeight(size::kControlHeight);
}

int AssayStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
        case PM_ButtonIconSize:
        case PM_SmallIconSize:
        case PM_ListViewIconSize:
        case PM_TabBarIconSize:
        case PM_ToolBarIconSize: return 16;
        case PM_IndicatorWidth:
        case PM_IndicatorHeight:
        case PM_ExclusiveIndicatorWidth:
        case PM_ExclusiveIndicatorHeight: return 16;
        case PM_CheckBoxLabelSpacing:
        case PM_RadioButtonLabelSpacing: return 8;
        case PM_LayoutLeftMargin:
        case PM_LayoutTopMargin:
        case PM_LayoutRightMargin:
        case PM_LayoutBottomMargin: return size::kGap;
        case PM_LayoutHorizontalSpacing:
        case PM_LayoutVerticalSpacing: return 8;
        case PM_ButtonShiftHorizontal:
        case PM_ButtonShiftVertical: return 0;
        case PM_SplitterWidth: return size::kGap;
        case PM_MenuButtonIndicator: return 18;
        case PM_TreeViewIndentation: return 18;
        case PM_ToolTipLabelFrameWidth: return 4;
        default: return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int AssayStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* answer) const {
    switch (hint) {
        case SH_EtchDisabledText:
        case SH_DitherDisabledText:
        case SH_UnderlineShortcut:
        case SH_ComboBox_Popup:                   // a plain list below the box
        case SH_ItemView_ActivateItemOnSingleClick: return 0;
        case SH_DialogButtonBox_ButtonsHaveIcons: return 0;
        case SH_ToolTip_WakeUpDelay: return 500;
        default: return QProxyStyle::styleHint(hint, option, widget, answer);
    }
}

QSize AssayStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& content, const QWidget* widget) const {
    switch (type) {
        case CT_PushButton: {
            const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
            int width = content.width() + 22;
            if (button && (button->features & QStyleOptionButton::HasMenu)) width += 4;
            if (button && button->text.isEmpty()) width = size::kControlHeight;
            return {width, qMax(size::kControlHeight, content.height() + 8)};
        }
        case CT_ToolButton: return {qMax(content.width() + 10, size::kControlHeight), qMax(content.height() + 6, size::kControlHeight)};
        case CT_ComboBox: return {content.width() + 38, size::kControlHeight};
        case CT_SpinBox: {
            const QSize base = QProxyStyle::sizeFromContents(type, option, content, widget);
            return {base.width() + 8, size::kControlHeight};
        }
        case CT_CheckBox:
        case CT_RadioButton: {
            QSize base = QProxyStyle::sizeFromContents(type, option, content, widget);
            base.setHeight(qMax(base.height(), 20));
            return base;
        }
        default: return QProxyStyle::sizeFromContents(type, option, content, widget);
    }
}

QRect AssayStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part, const QWidget* widget) const {
    const QRect all = option->rect;
    if (control == CC_ComboBox) {
        if (part == SC_ComboBoxArrow) return visualRect(option->direction, all, QRect(all.right() - 25, all.top(), 26, all.height()));
        if (part == SC_ComboBoxEditField) return visualRect(option->direction, all, all.adjusted(8, 1, -26, -1));
        if (part == SC_ComboBoxListBoxPopup || part == SC_ComboBoxFrame) return all;
    }
    if (control == CC_SpinBox) {
        const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
        const bool buttons = spin && spin->buttonSymbols != QAbstractSpinBox::NoButtons;
        const int left = all.right() - 21;
        if (part == SC_SpinBoxFrame) return all;
        if (part == SC_SpinBoxEditField) return visualRect(option->direction, all, all.adjusted(7, 1, buttons ? -24 : -7, -1));
        if (!buttons) return {};
        const int half = all.height() / 2;
        if (part == SC_SpinBoxUp) return visualRect(option->direction, all, QRect(left, all.top() + 1, 20, half - 1));
        if (part == SC_SpinBoxDown) return visualRect(option->direction, all, QRect(left, all.top() + half, 20, half - 1));
    }
    return QProxyStyle::subControlRect(control, option, part, widget);
}

void AssayStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const {
    switch (element) {
        case PE_PanelButtonCommand: return paintButtonPanel(*painter, *option, widget);
        case PE_PanelButtonTool: return paintToolPanel(*painter, *option);
        case PE_IndicatorCheckBox:
        case PE_IndicatorItemViewItemCheck: return paintCheck(*painter, *option, false);
        case PE_IndicatorRadioButton: return paintCheck(*painter, *option, true);
        case PE_IndicatorArrowDown: return paintIcon(*painter, QStringLiteral("chevron-down"), *option);
        case PE_IndicatorArrowUp: return paintIcon(*painter, QStringLiteral("chevron-up"), *option);
        case PE_IndicatorArrowRight: return paintIcon(*painter, QStringLiteral("chevron-right"), *option);
        case PE_IndicatorArrowLeft: return paintIcon(*painter, QStringLiteral("chevron-left"), *option);
        case PE_IndicatorHeaderArrow:
            if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option))
                paintIcon(*painter, header->sortIndicator == QStyleOptionHeader::SortUp ? QStringLiteral("chevron-up") : QStringLiteral("chevron-down"), *option);
            return;
        case PE_IndicatorBranch:
            if (option->state & State_Children)
                paintIcon(*painter, option->state & State_Open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"), *option);
            return;
        case PE_PanelItemViewRow: return paintRow(*painter, *option, qobject_cast<const QTreeView*>(widget) != nullptr);
        case PE_FrameFocusRect:
            // Mouse clicks leave no ring; item views mark the current row themselves.
            if ((option->state & State_KeyboardFocusChange) && !qobject_cast<const QAbstractItemView*>(widget)) paintFocus(*painter, option->rect);
            return;
        default: QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void AssayStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const {
    if (element == CE_PushButton) {
        // The ring lies on the edge of the button, not around its text.
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
            paintButtonPanel(*painter, *button, widget);
            paintButtonLabel(*painter, *button, widget);
            if ((button->state & State_HasFocus) && (button->state & State_KeyboardFocusChange)) paintFocus(*painter, button->rect);
            return;
        }
    }
    if (element == CE_ComboBoxLabel) {
        if (const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option)) {
            if (!box->editable) paintComboText(*painter, *box, subControlRect(CC_ComboBox, box, SC_ComboBoxEditField, widget));
            return;
        }
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void AssayStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const {
    if (control == CC_ComboBox) {
        paintField(*painter, *option, widget);
        QStyleOption arrow(*option);
        arrow.rect = subControlRect(control, option, SC_ComboBoxArrow, widget);
        return paintIcon(*painter, QStringLiteral("chevron-down"), arrow);
    }
    if (control == CC_SpinBox) {
        paintField(*painter, *option, widget);
        const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
        if (!spin || spin->buttonSymbols == QAbstractSpinBox::NoButtons) return;
        for (const auto& [part, step, name] : {std::tuple(SC_SpinBoxUp, QAbstractSpinBox::StepUpEnabled, QStringLiteral("chevron-up")),
                                               std::tuple(SC_SpinBoxDown, QAbstractSpinBox::StepDownEnabled, QStringLiteral("chevron-down"))}) {
            QStyleOption arrow(*option);
            arrow.rect = subControlRect(control, option, part, widget);
            if (!(spin->stepEnabled & step)) arrow.state &= ~State_Enabled;
            paintIcon(*painter, name, arrow, 12);
        }
        return;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

}  // namespace assay::style
