#pragma once
// The runs of an engine as a table that holds only the pages looked at. The engine filters and sorts; the model asks
// for pages (`pageNeeded`) and shows placeholders until they come. With grouping the top level are groups, each with
// its own pages. Thread of the owner; no network, no widgets.

#include <assay/models/run_row.h>

#include <QAbstractItemModel>
#include <memory>

namespace assay::models {

class RunTableModel final : public QAbstractItemModel {
    Q_OBJECT
public:
    static constexpr int kPageRows = 200;
    enum Role {
        kIdRole = Qt::UserRole + 1,   // run id; empty for a placeholder or a group
        kStatusRole,                  // status name, for the badge
        kFractionRole,                // 0-1 or NaN
        kNumberRole,                  // double where the cell is a number
        kIsGroupRole,
        kDiffersRole,                 // differs from the pinned baseline
        kColorIndexRole,              // stable colour of the run, see runColorIndex
        kIsPinnedRole,
        kActiveRole,
    };
    struct Column {
        QString key;     // what the engine filters and sorts by
        QString title;
        bool number = false;
    };
    struct Group {
        QString value;   // text of the group key; empty: all runs
        qint64 total = 0;
    };

    explicit RunTableModel(QObject* parent = nullptr);
    ~RunTableModel() override;

    void setColumns(QList<Column> columns);
    const QList<Column>& columns() const;
    // New result of a query: forgets all rows. One group with an empty value: no grouping.
    void setGroups(QList<Group> groups);
    // The same with the first rows of the first group: a view that fits its columns on a reset sees content.
    void setGroups(QList<Group> groups, const QList<RunRow>& firstRows);
    // Same query asked again: keeps the rows that are shown, refreshes them when their page comes.
    void updateGroups(QList<Group> groups);
    void setPage(int group, int firstRow, const QList<RunRow>& rows);
    void updateRun(const RunRow& row);   // in place, when it is among the rows held; batched into one dataChanged per loop
    void removeRun(const QString& id);
    void setPinned(const QString& id, const Json& resolvedSpec, const Json& summary);  // empty id: none
    void setDifferencesOnly(bool on);    // greys cells equal to the pinned run's

    bool isGrouped() const;
    qint64 totalRuns() const;
    std::optional<RunRow> run(const QModelIndex& index) const;
    QModelIndex indexOf(const QString& id, int column = 0) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

Q_SIGNALS:
    void pageNeeded(int group, int firstRow) const;   // once per page until setPage or a reset

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

// Colours are stable per run: same id, same index 0-6, on every page and in every session.
int runColorIndex(const QString& runId);

}  // namespace assay::models
