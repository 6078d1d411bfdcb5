#pragma once
#include <QStyledItemDelegate>

namespace assay::shell {

// A row of the palette: icon, title, what it is in text2, key at the right.
class PaletteDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    enum Role { kDetailRole = Qt::UserRole + 1, kShortcutRole, kIconRole };
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace assay::shell
