#include "table_delegate.h"

#include "label_style.h"

#include <assay/style/icons.h>
#include <assay/style/tokens.h>

#include <QAbstractItemView>
#include <QApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::widgets {
namespace {

constexpr int kPadding = 10;   // left and right of a cell
constexpr int kDot = 16;       // dot and the space after it
constexpr int kBar = 48;       // fraction bar
constexpr int kBarGap = 8;

QFont badgeFont() {
    QFont font = style::font(style::Type::kSmall);
    font.setWeight(QFont::Medium);
    return font;
}

void paintBadge(QPainter& painter, const QRect& cell, const QString& text, style::Tone tone, Qt::Alignment alignment) {
    const QFont font = badgeFont();
    const QFontMetrics metrics(font);
    const int width = std::min(metrics.horizontalAdvance(text) + 17, cell.width());
    const int left = alignment & Qt::AlignRight ? cell.right() + 1 - width : alignment & Qt::AlignHCenter ? cell.x() + (cell.width() - width) / 2 : cell.x();
    const QRectF box(left, cell.y() + (cell.height() - 18) / 2, width, 18);
    painter.setPen(Qt::NoPen);
    painter.setBrush(style::toneBackground(tone));
    painter.drawRoundedRect(box, 9, 9);
    painter.setFont(font);
    painter.setPen(style::toneText(tone));
    painter.drawText(box, Qt::AlignCenter | Qt::TextSingleLine, metrics.elidedText(text, Qt::ElideRight, width - 14));
}

void paintFraction(QPainter& painter, const QRect& place, double fraction) {
    const QRectF track(place.x(), place.y() + place.height() / 2.0 - 2, place.width(), 4);
    painter.setPen(Qt::NoPen);
    painter.setBrush(style::tokens().line);
    painter.drawRoundedRect(track, 2, 2);
    painter.setBrush(style::tokens().accent);
    const double part = std::clamp(fraction, 0.0, 1.0) * track.width();
    if (part > 0) painter.drawRoundedRect(QRectF(track.x(), track.y(), std::max(part, 4.0), 4), 2, 2);
}

}  // namespace

int TableDelegate::toneOf(const QModelIndex& index) const {
    if (tone) return tone(index);
    if (toneRole < 0) return -1;
    bool number = false;
    const int value = index.data(toneRole).toInt(&number);
    return number ? value : -1;
}

int TableDelegate::colorOf(const QModelIndex& index) const {
    if (colorRole < 0) return -1;
    bool number = false;
    const int value = index.data(colorRole).toInt(&number);
    return number ? value : -1;
}

double TableDelegate::fractionOf(const QModelIndex& index) const {
    if (fractionRole < 0) return std::numeric_limits<double>::quiet_NaN();
    bool number = false;
    const double value = index.data(fractionRole).toDouble(&number);
    return number ? value : std::numeric_limits<double>::quiet_NaN();
}

void TableDelegate::paint(QPainter* painter, const QStyleOptionViewItem& given, const QModelIndex& index) const {
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    const style::Tokens& t = style::tokens();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRect all = option.rect.adjusted(0, 0, 0, -1);
    QRect cell = all.adjusted(kPadding, 0, -kPadding, 0);
    const QString text = oneLine(option.text);
    const bool selected = option.state & QStyle::State_Selected;
    // The view's own row background knows nothing of the selection in every cell.
    if (selected) painter->fillRect(all, t.accentBackground);
    else if ((option.state & QStyle::State_MouseOver) && (option.state & QStyle::State_Enabled)) painter->fillRect(all, t.background);
    if (const int color = colorOf(index); color >= 0) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(style::dataColor(color));
        painter->drawEllipse(QRectF(cell.x(), cell.y() + cell.height() / 2.0 - 4, 8, 8));
        cell.adjust(kDot, 0, 0, 0);
    }
    if (!option.icon.isNull()) {
        option.icon.paint(painter, QRect(cell.x(), cell.y() + (cell.height() - 16) / 2, 16, 16), Qt::AlignCenter, option.state & QStyle::State_Enabled ? QIcon::Normal : QIcon::Disabled);
        cell.adjust(22, 0, 0, 0);
    }
    if (const double fraction = fractionOf(index); std::isfinite(fraction)) {
        const int bar = std::min(kBar, cell.width());
        paintFraction(*painter, QRect(cell.x(), cell.y(), bar, cell.height()), fraction);
        cell.adjust(bar + kBarGap, 0, 0, 0);
    }
    if (const int toneIndex = toneOf(index); toneIndex >= 0 && !text.isEmpty()) {
        paintBadge(*painter, cell, text, static_cast<style::Tone>(std::clamp(toneIndex, 0, 4)), option.displayAlignment);
    } else if (cell.width() > 0) {
        QColor color = option.state & QStyle::State_Enabled ? option.palette.color(QPalette::Normal, QPalette::Text) : t.text3;
        const QVariant wished = index.data(Qt::ForegroundRole);
        if (wished.canConvert<QBrush>()) color = wished.value<QBrush>().color();
        if (selected && color == t.text3) color = t.text2;  // text 3 is made for the surface only
        painter->setFont(option.font);
        painter->setPen(color);
        const Qt::Alignment alignment = (option.displayAlignment & Qt::AlignHorizontal_Mask) | Qt::AlignVCenter;
        painter->drawText(cell, static_cast<int>(alignment) | Qt::TextSingleLine, option.fontMetrics.elidedText(text, option.textElideMode, cell.width()));
    }
    if ((option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_KeyboardFocusChange)) {
        painter->setBrush(Qt::NoBrush);
        painter->setPen(QPen(t.accent, 1.5));
        painter->drawRoundedRect(QRectF(all).adjusted(1.5, 1.5, -1.5, -1.5), 4, 4);
    }
    painter->restore();
}

QSize TableDelegate::sizeHint(const QStyleOptionViewItem& given, const QModelIndex& index) const {
    const QString text = oneLine(index.data(Qt::DisplayRole).toString());
    int width = 2 * kPadding + 2;
    width += toneOf(index) >= 0 ? QFontMetrics(badgeFont()).horizontalAdvance(text) + 17 : QFontMetrics(given.font).horizontalAdvance(text);
    if (colorOf(index) >= 0) width += kDot;
    if (std::isfinite(fractionOf(index))) width += kBar + kBarGap;
    if (!index.data(Qt::DecorationRole).isNull()) width += 22;
    return {width, style::size::kRowHeight};
}

bool TableDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option, const QModelIndex& index) {
    if (event->type() != QEvent::ToolTip) return QStyledItemDelegate::helpEvent(event, view, option, index);
    // What the model says, else the whole text when it is cut; plain in both cases.
    QString tip = index.data(Qt::ToolTipRole).toString();
    if (tip.isEmpty() && sizeHint(option, index).width() > option.rect.width()) tip = index.data(Qt::DisplayRole).toString();
    if (tip.isEmpty()) QToolTip::hideText();
    else QToolTip::showText(event->globalPos(), plainTip(tip), view->viewport(), option.rect);
    return true;
}

}  // namespace assay::widgets
