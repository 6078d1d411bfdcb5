#include "palette_delegate.h"

#include <assay/style/icons.h>
#include <assay/style/tokens.h>

#include <QPainter>

namespace assay::shell {

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const { return {200, 34}; }

void PaletteDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const style::Tokens& t = style::tokens();
    const bool selected = option.state & QStyle::State_Selected;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRect row = option.rect.adjusted(6, 1, -6, -1);
    if (selected) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(t.accentBackground);
        painter->drawRoundedRect(row, style::size::kSmallRadius, style::size::kSmallRadius);
    }
    const QColor color = selected ? t.accent : t.text;
    const qreal ratio = painter->device()->devicePixelRatioF();
    painter->drawPixmap(row.x() + 10, row.y() + (row.height() - 16) / 2, style::pixmap(index.data(kIconRole).toString(), selected ? t.accent : t.text2, 16, ratio));
    QRect place = row.adjusted(36, 0, -10, 0);
    const QString shortcut = index.data(kShortcutRole).toString(), detail = index.data(kDetailRole).toString();
    painter->setFont(style::font(style::Type::kSecondary));
    painter->setPen(t.text3);
    if (!shortcut.isEmpty()) {
        painter->drawText(place, Qt::AlignVCenter | Qt::AlignRight, shortcut);
        place.setRight(place.right() - painter->fontMetrics().horizontalAdvance(shortcut) - 12);
    }
    painter->setFont(style::font(style::Type::kBody));
    painter->setPen(color);
    const QString title = painter->fontMetrics().elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideMiddle, place.width() * 2 / 3);
    painter->drawText(place, Qt::AlignVCenter | Qt::AlignLeft, title);
    place.setLeft(place.left() + painter->fontMetrics().horizontalAdvance(title) + 10);
    painter->setFont(style::font(style::Type::kSecondary));
    painter->setPen(t.text2);
    painter->drawText(place, Qt::AlignVCenter | Qt::AlignLeft, painter->fontMetrics().elidedText(detail, Qt::ElideRight, place.width()));
    painter->restore();
}

}  // namespace assay::shell
