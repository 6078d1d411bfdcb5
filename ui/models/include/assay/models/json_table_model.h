#pragma once
// A read-only table over rows given at once (set-ups, problems, benchmark results, environment): columns say how a cell
// is read from a row. For tables of up to some thousand rows; runs have run_table_model.h.

#include <assay/core/json.h>

#include <QAbstractTableModel>
#include <functional>
#include <memory>

namespace assay::models {

class JsonTableModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { kNumberRole = Qt::UserRole + 1, kRowRole /* QString: dumped row */, kToneRole /* int of style::Tone; -1: none */, kColorIndexRole };
    struct Column {
        QString key;                                       // stable name, for saved layouts
        QString title, tip;
        std::function<QString(const Json& row)> text;      // what is shown
        std::function<double(const Json& row)> number;     // for sorting and right alignment; empty: text column
        std::function<int(const Json& row)> tone = {};     // badge tone; empty: no badge
        std::function<int(const Json& row)> color = {};    // data colour 0-6 of a dot before the text; empty or −1: none
        std::function<QString(const Json& row)> toolTip = {};
    };
    explicit JsonTableModel(QList<Column> columns, QObject* parent = nullptr);
    ~JsonTableModel() override;
    void setRows(QList<Json> rows);   // keyed diff by "id" when rows have one, so that a selection survives
    const Json& row(int index) const;
    const QList<Column>& columns() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace assay::models
