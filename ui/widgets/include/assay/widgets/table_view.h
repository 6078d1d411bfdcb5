#pragma once
// The table of every page: right-aligned numbers, status badges and colour dots by model role, copy as TSV, columns that
// can be moved, hidden, sized and remembered, keyboard only if wished.

#include <assay/core/json.h>

#include <QTreeView>
#include <functional>

namespace assay::widgets {

class TableView final : public QTreeView {   // a tree, so that grouped runs work; flat models look like a table
    Q_OBJECT
public:
    explicit TableView(QWidget* parent = nullptr);
    void setModel(QAbstractItemModel* model) override;
    Json layout() const;                          // columns: order, widths, hidden, sort
    void setLayoutState(const Json& layout);
    void copySelection() const;                   // TSV of visible columns, with a header line
    void setEmptyText(const QString& text);       // painted when there is no row
    // Which roles carry badge tone, dot colour and fraction; −1 where a model has none.
    void setRoles(int toneRole, int colorRole, int fractionRole, std::function<int(const QModelIndex&)> tone = {});
    // Columns that are always as wide as their content, and at least as wide as said; −1: an ordinary one.
    void setFirmColumns(std::function<int(int column)> leastWidth);
    void setExpendableColumns(std::vector<int> columns);   // left out where the room is short, the first one first
    void fitHeight(int mostRows);                 // as high as its rows, at most so many (tables inside cards)

Q_SIGNALS:
    void opened(const QModelIndex& index);        // double click or Enter
    void sortRequested(int column, Qt::SortOrder order);
    void contextMenuRequested(const QModelIndex& index, const QPoint& global);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    int sizeHintForColumn(int column) const override;

private:
    friend class TableColumns;
    struct Private;
    Private* d_;
};

}  // namespace assay::widgets
