#pragma once
// The rows of a data file as a table that holds only the pages looked at: asks with `pageNeeded`, shows placeholders until
// they come. Cells are text of data: shown plain, on one line. Thread of the owner; no network, no widgets.

#include <assay/core/json.h>

#include <QAbstractTableModel>
#include <QStringList>
#include <list>
#include <map>
#include <set>
#include <vector>

namespace assay::models {

// "empty" → "No text"; a reason without words of its own is shown as it is.
QString rowReasonText(const QString& reason);
bool rowReasonKeeps(const QString& reason);      // the row is used all the same

class DataRowsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    static constexpr int kPageRows = 100, kMostPages = 60;
    static constexpr qint64 kMostRows = 100'000'000;   // a view cannot hold more
    enum Role { kToneRole = Qt::UserRole + 1 /* int of style::Tone; -1: none */, kRowNumberRole /* of the file, from 1; 0: placeholder */, kUsableRole, kFullTextRole };

    explicit DataRowsModel(QObject* parent = nullptr);

    void clear();
    // Forgets all rows. `mapped`: column → role, said in its heading.
    void reset(const QStringList& columns, const std::map<QString, QString>& mapped, qint64 total);
    void setPage(qint64 page, const Json& rows);     // "rows" of `data_rows`
    void pageFailed(qint64 page);                    // may be asked for again
    const QStringList& columns() const { return columns_; }
    qint64 total() const { return total_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;   // row, the columns, remark
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void pageNeeded(qint64 page) const;              // once a page until setPage, pageFailed or reset

private:
    struct Row {
        qint64 row = 0, line = 0;
        bool usable = true;
        QString reason, hint;
        std::vector<QString> cells;                  // null: the row has no such column
        std::vector<bool> cut;
    };
    const Row* rowAt(int index) const;
    QStringList columns_;
    std::map<QString, QString> mapped_;
    qint64 total_ = 0;
    mutable std::map<qint64, std::vector<Row>> pages_;
    mutable std::list<qint64> order_;                // pages, last used first
    mutable std::set<qint64> asked_;
};

}  // namespace assay::models
