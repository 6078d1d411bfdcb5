#include <assay/models/data_rows_model.h>
#include <assay/models/format.h>

#include <algorithm>
#include <array>

namespace assay::models {
namespace {

constexpr int kShownCharacters = 400, kTipCharacters = 2000;
constexpr int kWarnTone = 3, kBadTone = 4;   // style::Tone; models know no style

struct Reason {
    const char* key;
    const char* text;
    bool keeps;
};
constexpr std::array kReasons = {
    Reason{"empty", QT_TRANSLATE_NOOP("assay::models::DataRowsModel", "No text"), false},
    Reason{"too_long", QT_TRANSLATE_NOOP("assay::models::DataRowsModel", "Longer than a document may be"), false},
    Reason{"not_utf8", QT_TRANSLATE_NOOP("assay::models::DataRowsModel", "Not UTF-8"), false},
    Reason{"nul_byte", QT_TRANSLATE_NOOP("assay::models::DataRowsModel", "Holds NUL characters"), true},
    Reason{"ragged_row", QT_TRANSLATE_NOOP("assay::models::DataRowsModel", "Other number of fields than the header"), false},
    Reason{"not_an_object", QT_TRANSLATE_NOOP("assay::models::DataRowsModel", "Not a JSON object"), false},
    Reason{"missing_column", QT_TRANSLATE_NOOP("assay::models::DataRowsModel", "A mapped column is missing"), false},
    Reason{"not_text", QT_TRANSLATE_NOOP("assay::models::DataRowsModel", "The mapped column holds no text"), false},
    Reason{"unknown_role", QT_TRANSLATE_NOOP("assay::models::DataRowsModel", "Unknown speaker"), true},
    Reason{"bad_json", QT_TRANSLATE_NOOP("assay::models::DataRowsModel", "Broken JSON"), false},
    Reason{"duplicate", QT_TRANSLATE_NOOP("assay::models::DataRowsModel", "Duplicate of an earlier row"), false},
};

const Reason* known(const QString& reason) {
    for (const Reason& r : kReasons)
        if (reason == QLatin1String(r.key)) return &r;
    return nullptr;
}

}  // namespace

QString rowReasonText(const QString& reason) {
    const Reason* r = known(reason);
    return r ? DataRowsModel::tr(r->text) : plain(reason);
}
bool rowReasonKeeps(const QString& reason) {
    const Reason* r = known(reason);
    return r && r->keeps;
}

DataRowsModel::DataRowsModel(QObject* parent) : QAbstractTableModel(parent) {}

void DataRowsModel::clear() { reset({}, {}, 0); }

void DataRowsModel::reset(const QStringList& columns, const std::map<QString, QString>& mapped, qint64 total) {
    beginResetModel();
    columns_ = columns;
    mapped_ = mapped;
    total_ = std::clamp<qint64>(total, 0, kMostRows);
    pages_.clear();
    order_.clear();
    asked_.clear();
    endResetModel();
}

void DataRowsModel::setPage(qint64 page, const Json& rows) {
    asked_.erase(page);
    if (page < 0 || page * kPageRows >= total_ || !rows.is_array()) return;
    std::vector<Row> held;
    held.reserve(rows.size());
    for (const Json& json : rows) {
        if (!json.is_object()) continue;
        Row row;
        row.row = jsonIntegerOr(json, "row", 0);
        row.line = jsonIntegerOr(json, "line", 0);
        row.usable = jsonBoolOr(json, "usable", true);
        row.reason = QString::fromStdString(jsonStringOr(json, "reason", ""));
        row.hint = QString::fromStdString(jsonStringOr(json, "hint", ""));
        row.cells.resize(static_cast<size_t>(columns_.size()));
        row.cut.resize(row.cells.size());
        const auto cells = json.find("cells"), cut = json.find("cut");
        for (size_t i = 0; i < row.cells.size(); ++i) {
            const std::string name = columns_[static_cast<qsizetype>(i)].toStdString();
            if (cells != json.end() && cells->is_object())
                if (auto cell = cells->find(name); cell != cells->end() && cell->is_string()) row.cells[i] = QString::fromStdString(cell->get<std::string>());
            if (cut != json.end() && cut->is_array()) row.cut[i] = std::find(cut->begin(), cut->end(), Json(name)) != cut->end();
        }
        held.push_back(std::move(row));
    }
    order_.remove(page);
    order_.push_front(page);
    pages_[page] = std::move(held);
    while (order_.size() > static_cast<size_t>(kMostPages)) {
        pages_.erase(order_.back());
        order_.pop_back();
    }
    const int first = static_cast<int>(page * kPageRows), last = static_cast<int>(std::min(total_, (page + 1) * kPageRows)) - 1;
    Q_EMIT dataChanged(index(first, 0), index(last, columnCount() - 1));
}

void DataRowsModel::pageFailed(qint64 page) { asked_.erase(page); }

int DataRowsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(total_); }
int DataRowsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(columns_.size()) + 2; }

const DataRowsModel::Row* DataRowsModel::rowAt(int index) const {
    const qint64 page = index / kPageRows;
    const auto found = pages_.find(page);
    if (found == pages_.end()) {
        if (asked_.insert(page).second) Q_EMIT pageNeeded(page);
        return nullptr;
    }
    if (order_.front() != page) {
        order_.remove(page);
        order_.push_front(page);
    }
    const auto at = static_cast<size_t>(index % kPageRows);
    return at < found->second.size() ? &found->second[at] : nullptr;
}

QVariant DataRowsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= total_) return {};
    const int last = columnCount() - 1, column = index.column();
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::Alignment((column == 0 ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != Qt::AccessibleTextRole && role != kToneRole && role != kRowNumberRole && role != kUsableRole && role != kFullTextRole) return {};
    const Row* row = rowAt(index.row());
    if (role == kRowNumberRole) return row ? row->row : 0;
    if (role == kUsableRole) return row ? row->usable : true;
    if (role == kToneRole) {
        if (!row || column != last || row->reason.isEmpty()) return -1;
        return row->usable ? kWarnTone : kBadTone;
    }
    if (!row) return role == Qt::DisplayRole ? QVariant(QStringLiteral("…")) : QVariant();
    if (column == 0) {
        if (role == Qt::ToolTipRole) return row->line > 0 ? tr("Row %1, line %2 of the file").arg(formatCount(static_cast<double>(row->row)), formatCount(static_cast<double>(row->line))) : QVariant();
        return formatCount(static_cast<double>(row->row));
    }
    if (column == last) {
        if (role == Qt::ToolTipRole) return row->hint.isEmpty() ? QVariant() : plain(row->hint);
        return row->reason.isEmpty() ? QString() : rowReasonText(row->reason);
    }
    const QString& cell = row->cells[static_cast<size_t>(column - 1)];
    if (cell.isNull()) return role == Qt::ToolTipRole ? QVariant() : QVariant(notMeasured());
    if (role == kFullTextRole) return cell;
    if (role == Qt::ToolTipRole) {
        if (cell.size() < 60) return {};
        QString text = shortened(cell.left(kTipCharacters), kTipCharacters);
        if (row->cut[static_cast<size_t>(column - 1)]) text += QStringLiteral("… ") + tr("(cut after 2,000 characters)");
        return text;
    }
    return shortened(cell.left(kShownCharacters * 2), kShownCharacters);
}

QVariant DataRowsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::Alignment((section == 0 ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    if (section == 0) return role == Qt::DisplayRole ? QVariant(tr("Row")) : QVariant();
    if (section == columnCount() - 1) return role == Qt::DisplayRole ? QVariant(tr("Remark")) : QVariant();
    const QString name = columns_[section - 1];
    const auto mapped = mapped_.find(name);
    const QString shown = shortened(name, 40);
    if (role == Qt::ToolTipRole) return mapped == mapped_.end() ? tr("Column “%1”: not used").arg(shown) : tr("Column “%1”: %2").arg(shown, mapped->second);
    return mapped == mapped_.end() || mapped->second == name ? shown : shown + QStringLiteral(" → ") + mapped->second;
}

}  // namespace assay::models
