#include <assay/models/json_table_model.h>

#include <cmath>

namespace assay::models {

struct JsonTableModel::Private {
    QList<Column> columns;
    QList<Json> rows;
};

JsonTableModel::JsonTableModel(QList<Column> columns, QObject* parent)
    : QAbstractTableModel(parent), d_(new Private{.columns = std::move(columns)}) {}

JsonTableModel::~JsonTableModel() = default;

const Json& JsonTableModel::row(int index) const { return d_->rows[index]; }
const QList<JsonTableModel::Column>& JsonTableModel::columns() const { return d_->columns; }
int JsonTableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(d_->rows.size()); }
int JsonTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(d_->columns.size()); }

// The same ids in the same order: the cells change in place and a selection survives; else the table is new.
void JsonTableModel::setRows(QList<Json> rows) {
    bool same = !rows.isEmpty() && rows.size() == d_->rows.size();
    for (qsizetype i = 0; same && i < rows.size(); ++i) {
        const std::string id = jsonStringOr(rows[i], "id", "");
        same = !id.empty() && id == jsonStringOr(d_->rows[i], "id", "");
    }
    if (!same) {
        beginResetModel();
        d_->rows = std::move(rows);
        endResetModel();
        return;
    }
    for (qsizetype i = 0; i < rows.size(); ++i) {
        if (rows[i] == d_->rows[i]) continue;
        d_->rows[i] = std::move(rows[i]);
        Q_EMIT dataChanged(index(static_cast<int>(i), 0), index(static_cast<int>(i), columnCount() - 1));
    }
}

QVariant JsonTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= d_->rows.size() || index.column() >= d_->columns.size()) return {};
    const Json& row = d_->rows[index.row()];
    const Column& column = d_->columns[index.column()];
    switch (role) {
        case Qt::DisplayRole: return column.text ? column.text(row) : QString();
        case Qt::AccessibleTextRole: return column.text ? column.title + QStringLiteral(": ") + column.text(row) : QString();
        case Qt::ToolTipRole: return column.toolTip ? column.toolTip(row) : QVariant();
        case Qt::TextAlignmentRole: return QVariant::fromValue(Qt::Alignment(column.number ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter));
        case kNumberRole: return column.number ? QVariant(column.number(row)) : QVariant();
        case kRowRole: return QString::fromStdString(dumpJson(row));
        case kToneRole: return column.tone ? column.tone(row) : -1;
        case kColorIndexRole: return column.color ? column.color(row) : -1;
        default: return {};
    }
}

QVariant JsonTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= d_->columns.size()) return {};
    const Column& column = d_->columns[section];
    if (role == Qt::DisplayRole) return column.title;
    if (role == Qt::ToolTipRole && !column.tip.isEmpty()) return column.tip;
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::Alignment(column.number ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter));
    return {};
}

}  // namespace assay::models
