#pragma once
// How a cell looks: a line below, numbers to the right, badges, dots and fraction bars by role.

#include <QStyledItemDelegate>
#include <functional>

namespace assay::widgets {

class TableDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    int toneRole = -1, colorRole = -1, fractionRole = -1;
    std::function<int(const QModelIndex&)> tone;   // instead of a role; −1: no badge

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option, const QModelIndex& index) override;

private:
    int toneOf(const QModelIndex& index) const;
    int colorOf(const QModelIndex& index) const;
    double fractionOf(const QModelIndex& index) const;   // NaN: none
};

}  // namespace assay::widgets
