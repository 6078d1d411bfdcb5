#pragma once
// The header of a TableView: titles stand exactly over their columns; the arrow of the sorted one goes beside its title, at the
// left of a right-aligned one, so that the title stays over the numbers.

#include <QHeaderView>

namespace assay::widgets {

class TableHeader final : public QHeaderView {
    Q_OBJECT
public:
    explicit TableHeader(QWidget* parent);

protected:
    void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override;
    QSize sectionSizeFromContents(int logicalIndex) const override;

private:
    bool isSorted(int logicalIndex) const;
};

}  // namespace assay::widgets
