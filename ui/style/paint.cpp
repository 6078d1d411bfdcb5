#include "paint.h"

#include <assay/style/icons.h>
#include <assay/style/tokens.h>

#include <QAbstractSpinBox>
#include <QPainter>
#include <QPainterPath>
#include <QStyle>
#include <QStyleOption>
#include <QVariant>
#include <QWidget>

namespace assay::style {
namespace {

struct ButtonColors {
    QColor fill, border, text;
};

QColor mixed(const QColor& a, const QColor& b, double part) {
    return QColor::fromRgbF(static_cast<float>(a.redF() + (b.redF() - a.redF()) * part), static_cast<float>(a.greenF() + (b.greenF() - a.greenF()) * part),
                            static_cast<float>(a.blueF() + (b.blueF() - a.blueF()) * part));
}

ButtonColors buttonColors(const QStyleOption& option, const QWidget* widget) {
    const Tokens& t = tokens();
    const QString kind = widget ? widget->property("kind").toString() : QString();
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool down = option.state & (QStyle::State_Sunken | QStyle::State_On);
    const bool hover = option.state & QStyle::State_MouseOver;
    if (!enabled) return kind == QLatin1String("quiet") ? ButtonColors{Qt::transparent, Qt::transparent, t.text3} : ButtonColors{t.sunken, t.line, t.text3};
    if (kind == QLatin1String("primary")) {
        const QColor fill = down ? mixed(t.accent, t.text, 0.2) : hover ? mixed(t.accent, t.text, 0.1) : t.accent;
        return {fill, fill, t.onAccent};
    }
    if (kind == QLatin1String("danger")) return {down || hover ? t.badBackground : t.surface, down || hover ? t.bad : t.line, t.bad};
    if (kind == QLatin1String("quiet")) {
        if (option.state & QStyle::State_On) return {t.accentBackground, Qt::transparent, t.accent};
        return {down || hover ? t.sunken : QColor(Qt::transparent), Qt::transparent, down || hover ? t.text : t.text2};
    }
    if (option.state & QStyle::State_On) return {t.accentBackground, t.accent, t.accent};
    return {down ? t.sunken : hover ? t.background : t.surface, t.line, t.text};
}

void paintBox(QPainter& painter, const QRect& rect, const QColor& fill, const QColor& border, qreal radius) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(fill);
    painter.setPen(border.alpha() == 0 ? QPen(Qt::NoPen) : QPen(border, 1));
    painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    painter.restore();
}

}  // namespace

void paintButtonPanel(QPainter& painter, const QStyleOption& option, const QWidget* widget) {
    const ButtonColors colors = buttonColors(option, widget);
    paintBox(painter, option.rect, colors.fill, colors.border, size::kSmallRadius);
}

void paintButtonLabel(QPainter& painter, const QStyleOptionButton& option, const QWidget* widget) {
    const QColor color = buttonColors(option, widget).text;
    const bool menu = option.features & QStyleOptionButton::HasMenu;
    const int iconSide = option.icon.isNull() ? 0 : qMin(option.iconSize.width(), 16);
    const int gap = iconSide && !option.text.isEmpty() ? 6 : 0;
    const int arrow = menu ? 18 : 0;
    const QFontMetrics metrics(painter.font());
    const int most = option.rect.width() - 12 - iconSide - gap - arrow;
    const QString text = metrics.elidedText(option.text, Qt::ElideRight, most, Qt::TextShowMnemonic);
    const int textWidth = metrics.size(Qt::TextShowMnemonic, text).width();
    int x = option.rect.x() + (option.rect.width() - iconSide - gap - textWidth - arrow) / 2;
    const auto draw = [&](const QPixmap& picture, int side) {
        painter.drawPixmap(QRect(x, option.rect.y() + (option.rect.height() - side) / 2, side, side), picture);
    };
    if (iconSide) {
        QPixmap picture = option.icon.pixmap(QSize(iconSide, iconSide), painter.device()->devicePixelRatio(), QIcon::Normal);
        QPainter tint(&picture);  // icons follow the text of their button, whatever its kind
        tint.setCompositionMode(QPainter::CompositionMode_SourceIn);
        tint.fillRect(QRect(0, 0, iconSide, iconSide), color);
        tint.end();
        draw(picture, iconSide);
        x += iconSide + gap;
    }
    painter.setPen(color);
    painter.drawText(QRect(x, option.rect.y(), textWidth + 2, option.rect.height()), Qt::AlignVCenter | Qt::TextShowMnemonic | Qt::TextSingleLine, text);
    x += textWidth + 4;
    if (menu) draw(pixmap(QStringLiteral("chevron-down"), color, 14, painter.device()->devicePixelRatio()), 14);
}

void paintToolPanel(QPainter& painter, const QStyleOption& option) {
    const Tokens& t = tokens();
    if (option.state & QStyle::State_On) return paintBox(painter, option.rect, t.accentBackground, Qt::transparent, size::kSmallRadius);
    if ((option.state & QStyle::State_Enabled) && (option.state & (QStyle::State_MouseOver | QStyle::State_Sunken)))
        paintBox(painter, option.rect, t.sunken, Qt::transparent, size::kSmallRadius);
}

void paintCheck(QPainter& painter, const QStyleOption& option, bool round) {
    const Tokens& t = tokens();
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool on = option.state & QStyle::State_On, partly = option.state & QStyle::State_NoChange;
    const int side = qMin(16, qMin(option.rect.width(), option.rect.height()));
    const QRect box(option.rect.x() + (option.rect.width() - side) / 2, option.rect.y() + (option.rect.height() - side) / 2, side, side);
    const bool filled = on || partly;
    const QColor fill = !enabled ? t.sunken : filled ? t.accent : t.surface;
    const QColor border = filled && enabled ? t.accent : (option.state & QStyle::State_MouseOver) && enabled ? t.accent : t.text3;
    paintBox(painter, box, fill, border, round ? side / 2.0 : 4);
    if (!filled) return;
    const QColor mark = enabled ? t.onAccent : t.text3;
    if (round) {
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(mark);
        painter.drawEllipse(QRectF(box).center(), 3, 3);
        painter.restore();
    } else {
        painter.drawPixmap(box.adjusted(1, 1, -1, -1), pixmap(partly ? QStringLiteral("minus") : QStringLiteral("check"), mark, side - 2, painter.device()->devicePixelRatio()));
    }
}

void paintField(QPainter& painter, const QStyleOption& option, const QWidget* widget) {
    const Tokens& t = tokens();
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool focus = widget ? widget->hasFocus() || (widget->focusProxy() && widget->focusProxy()->hasFocus()) : bool(option.state & QStyle::State_HasFocus);
    const bool invalid = widget && widget->property("invalid").toBool();
    const QColor border = invalid ? t.bad : focus ? t.accent : enabled && (option.state & QStyle::State_MouseOver) ? t.text3 : t.line;
    paintBox(painter, option.rect, enabled ? t.surface : t.background, border, size::kSmallRadius);
}

void paintComboText(QPainter& painter, const QStyleOptionComboBox& option, const QRect& rect) {
    QRect place = rect;
    if (!option.currentIcon.isNull()) {
        const int side = qMin(16, option.iconSize.height());
        option.currentIcon.paint(&painter, QRect(place.x(), place.y() + (place.height() - side) / 2, side, side), Qt::AlignCenter,
                                 option.state & QStyle::State_Enabled ? QIcon::Normal : QIcon::Disabled);
        place.adjust(side + 6, 0, 0, 0);
    }
    painter.setPen(option.state & QStyle::State_Enabled ? option.palette.color(QPalette::Active, QPalette::ButtonText) : tokens().text3);
    painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, QFontMetrics(painter.font()).elidedText(option.currentText, Qt::ElideRight, place.width()));
}

void paintIcon(QPainter& painter, const QString& name, const QStyleOption& option, int most) {
    const int side = qMin(most, qMin(option.rect.width(), option.rect.height()));
    if (side <= 0) return;
    const QColor color = option.state & QStyle::State_Enabled ? tokens().text2 : tokens().line;
    const QRect place(option.rect.x() + (option.rect.width() - side) / 2, option.rect.y() + (option.rect.height() - side) / 2, side, side);
    painter.drawPixmap(place, pixmap(name, color, side, painter.device()->devicePixelRatio()));
}

void paintRow(QPainter& painter, const QStyleOption& option, bool line) {
    const Tokens& t = tokens();
    if (option.state & QStyle::State_Selected) painter.fillRect(option.rect, t.accentBackground);
    else if ((option.state & QStyle::State_MouseOver) && (option.state & QStyle::State_Enabled)) painter.fillRect(option.rect, t.background);
    if (line) painter.fillRect(QRect(option.rect.x(), option.rect.bottom(), option.rect.width(), 1), t.line);
}

void paintFocus(QPainter& painter, const QRect& rect) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(tokens().accent, 2));
    painter.drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -1), size::kSmallRadius - 1, size::kSmallRadius - 1);
    painter.restore();
}

}  // namespace assay::style
