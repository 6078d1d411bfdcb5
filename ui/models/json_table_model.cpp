#include <assay/models/json_table_model.h>

#include <QHash>
#include <optional>

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

namespace {

// Ids of all rows, when each has one of its own.
std::optional<QHash<QString, int>> idsOf(const QList<Json>& rows) {
    QHash<QString, int> ids;
    for (qsizetype i = 0; i < rows.size(); ++i) {
        const QString id = QString::fromStdString(jsonStringOr(rows[i], "id", ""));
        if (id.isEmpty() || ids.contains(id)) return {};
        ids.insert(id, static_cast<int>(i));
    }
    return ids;
}

}  // namespace

// Rows that have ids of their own are removed, moved, inserted and changed in place; others are a new table.
void JsonTableModel::setRows(QList<Json> rows) {
    const auto next = idsOf(rows), held = idsOf(d_->rows);
    if (!next || !held || d_->rows.isEmpty() || rows.isEmpty()) {
        beginResetModel();
        d_->rows = std::move(rows);
        endResetModel();
        return;
    }
    auto idAt = [this](int i) { return QString::fromStdString(jsonStringOr(d_->rows[i], "id", "")); };
    for (int i = static_cast<int>(d_->rows.size()) - 1; i >= 0; --i) {
        if (next->contains(idAt(i))) continue;
        beginRemoveRows({}, i, i);
        d_->rows.removeAt(i);
        endRemoveRows();
    }
    for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
        const QString id = QString::fromStdString(jsonStringOr(rows[i], "id", ""));
        if (!held->contains(id)) {
            beginInsertRows({}, i, i);
            d_->rows.insert(i, std::move(rows[i]));
            endInsertRows();
            continue;
        }
        int from = i;
        while (idAt(from) != id) ++from;
        if (from != i) {
            beginMoveRows({}, from, from, {}, i);
            d_->rows.move(from, i);
            endMoveRows();
        }
        if (rows[i] == d_->rows[i]) continue;
        d_->rows[i] = std::move(rows[i]);
        Q_EMIT dataChanged(index(i, 0), index(i, columnCount() - 1));
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
    if (role == Qt::UserRole) return column.key;   // for saved layouts
    if (role == Qt::ToolTipRole && !column.tip.isEmpty()) return column.tip;
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::Alignment(column.number ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter));
    return {};
}

}  // namespace assay::models
