#include "table_header.h"

#include "label_style.h"

#include <assay/style/tokens.h>

#include <QPainter>
#include <QStyleOption>
#include <algorithm>

namespace assay::widgets {
namespace {

constexpr int kHeaderPadding = 10;       // as that of a cell
constexpr int kArrow = 7, kArrowGap = 5;

QFont titleFont() {
    QFont font = style::font(style::Type::kSmall);
    font.setWeight(QFont::Medium);
    return font;
}

void paintArrow(QPainter& painter, double left, double middle, bool descending) {
    const double half = kArrow / 2.0, height = descending ? 2 : -2;
    const QPointF points[] = {{left, middle - height}, {left + half, middle + height}, {left + kArrow, middle - height}};
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(style::tokens().text2, 1.25, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(points, 3);
}

}  // namespace

TableHeader::TableHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {}

bool TableHeader::isSorted(int logicalIndex) const { return isSortIndicatorShown() && sortIndicatorSection() == logicalIndex; }

QSize TableHeader::sectionSizeFromContents(int logicalIndex) const {
    const QString title = model()->headerData(logicalIndex, orientation(), Qt::DisplayRole).toString();
    return {QFontMetrics(titleFont()).horizontalAdvance(title) + 2 * kHeaderPadding + 2 + (isSorted(logicalIndex) ? kArrow + kArrowGap : 0), 28};
}

void TableHeader::paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const {
    if (!rect.isValid() || !model()) return;
    QStyleOptionHeaderV2 option;
    initStyleOption(&option);
    initStyleOptionForIndex(&option, logicalIndex);
    const style::Tokens& t = style::tokens();
    const bool hovered = option.state & QStyle::State_MouseOver;
    painter->save();
    painter->fillRect(rect, hovered ? t.background : t.surface);
    painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), t.line);
    const Qt::Alignment alignment = option.textAlignment;
    const bool right = alignment & Qt::AlignRight, sorted = isSorted(logicalIndex);
    QRect cell = rect.adjusted(kHeaderPadding, 0, -kHeaderPadding, -1);
    const QFontMetrics metrics(titleFont());
    const int room = std::max(0, cell.width() - (sorted ? kArrow + kArrowGap : 0));
    const QString title = metrics.elidedText(oneLine(model()->headerData(logicalIndex, orientation(), Qt::DisplayRole).toString()), Qt::ElideRight, room);
    const int width = metrics.horizontalAdvance(title);
    if (sorted) {
        const double left = right ? cell.right() + 1 - width - kArrowGap - kArrow : cell.left() + width + kArrowGap;
        paintArrow(*painter, left, rect.center().y() + 0.5, sortIndicatorOrder() == Qt::DescendingOrder);
    }
    painter->setFont(titleFont());
    painter->setPen(hovered ? t.text : t.text2);
    painter->drawText(cell, static_cast<int>((alignment & Qt::AlignHorizontal_Mask) | Qt::AlignVCenter) | Qt::TextSingleLine, title);
    painter->restore();
}

}  // namespace assay::widgets
