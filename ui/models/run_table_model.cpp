#include <assay/models/format.h>
#include <assay/models/run_table_model.h>
#include <assay/models/run_text.h>

#include <QHash>
#include <QTimer>
#include <climits>
#include <cmath>
#include <map>

namespace assay::models {
namespace {

enum class Page : char { kUnasked, kAsked, kHeld, kStale };

struct GroupRows {
    RunTableModel::Group group;
    std::vector<std::shared_ptr<const RunRow>> rows;   // null: a placeholder
    std::vector<Page> pages;

    explicit GroupRows(RunTableModel::Group g) : group(std::move(g)) { resize(group.total); }
    void resize(qint64 total) {
        group.total = std::clamp<qint64>(total, 0, INT_MAX / 2);
        rows.resize(static_cast<size_t>(group.total));
        pages.resize((rows.size() + RunTableModel::kPageRows - 1) / RunTableModel::kPageRows, Page::kUnasked);
    }
};

// Cells that say something of every run of its own are never a difference.
bool comparable(const QString& key) {
    for (const char* own : {"id", "name", "status", "reason", "progress", "parent", "role", "group", "created_at", "started_at", "ended_at", "running_seconds", "attempt", "fork_of"})
        if (key == QLatin1String(own)) return false;
    return true;
}

}  // namespace

struct RunTableModel::Private {
    QList<Column> columns;
    std::vector<GroupRows> groups;
    bool grouped = false;
    QString pinned;
    RunRow pinnedRow;
    Json pinnedSpec;
    bool pinnedValues = false, differencesOnly = false;
    mutable QHash<QString, std::pair<int, int>> places;   // id → group, row
    mutable bool placesDirty = true;
    std::map<int, std::pair<int, int>> changed;           // group → first and last row that changed
    QTimer flush;

    const RunRow* at(int group, int row) const {
        if (group < 0 || static_cast<size_t>(group) >= groups.size()) return nullptr;
        const auto& rows = groups[static_cast<size_t>(group)].rows;
        return row >= 0 && static_cast<size_t>(row) < rows.size() ? rows[static_cast<size_t>(row)].get() : nullptr;
    }
    std::optional<std::pair<int, int>> place(const QString& id) const {
        if (placesDirty) {
            places.clear();
            for (size_t g = 0; g < groups.size(); ++g)
                for (size_t r = 0; r < groups[g].rows.size(); ++r)
                    if (groups[g].rows[r]) places.insert(groups[g].rows[r]->id, {static_cast<int>(g), static_cast<int>(r)});
            placesDirty = false;
        }
        auto it = places.find(id);
        return it == places.end() ? std::nullopt : std::optional(*it);
    }
    // The columns' keys as the engine finds them in a spec.
    void readPinnedSpec() {
        Json values = Json::object();
        for (const Column& column : columns)
            if (Json value = specValue(pinnedSpec, column.key); !value.is_null()) values[column.key.toStdString()] = std::move(value);
        pinnedRow.raw = Json{{"values", std::move(values)}};
        if (!pinnedSpec.is_object()) return;
        if (auto kind = pinnedSpec.find("kind"); kind != pinnedSpec.end() && kind->is_string()) {
            pinnedRow.raw["kind"] = *kind;
            pinnedRow.kind = QString::fromStdString(kind->get<std::string>());
        }
        if (auto tags = pinnedSpec.find("tags"); tags != pinnedSpec.end() && tags->is_array())
            for (const Json& tag : *tags)
                if (tag.is_string()) pinnedRow.tags.append(QString::fromStdString(tag.get<std::string>()));
    }
    bool differs(const RunRow& run, const QString& key) const {
        return pinnedValues && run.id != pinned && comparable(key) && run.value(key) != pinnedRow.value(key);
    }
};

RunTableModel::RunTableModel(QObject* parent) : QAbstractItemModel(parent), d_(std::make_unique<Private>()) {
    d_->flush.setSingleShot(true);
    d_->flush.setInterval(0);
    connect(&d_->flush, &QTimer::timeout, this, [this] {
        for (const auto& [group, rows] : std::exchange(d_->changed, {})) {
            const QModelIndex parent = d_->grouped ? index(group, 0) : QModelIndex();
            const int last = std::min(rows.second, rowCount(parent) - 1);
            if (rows.first <= last && columnCount() > 0) Q_EMIT dataChanged(index(rows.first, 0, parent), index(last, columnCount() - 1, parent));
        }
    });
}

RunTableModel::~RunTableModel() = default;

void RunTableModel::setColumns(QList<Column> columns) {
    beginResetModel();
    d_->columns = std::move(columns);
    d_->pinnedRow.tags.clear();
    d_->readPinnedSpec();
    endResetModel();
}

const QList<RunTableModel::Column>& RunTableModel::columns() const { return d_->columns; }

void RunTableModel::setGroups(QList<Group> groups) { setGroups(std::move(groups), {}); }

void RunTableModel::setGroups(QList<Group> groups, const QList<RunRow>& firstRows) {
    beginResetModel();
    d_->grouped = !(groups.size() == 1 && groups.front().value.isEmpty()) && !groups.isEmpty();
    d_->groups.clear();
    for (Group& group : groups) d_->groups.emplace_back(std::move(group));
    if (!d_->groups.empty()) {
        GroupRows& first = d_->groups.front();
        const size_t count = std::min(first.rows.size(), static_cast<size_t>(firstRows.size()));
        for (size_t i = 0; i < count; ++i) first.rows[i] = std::make_shared<const RunRow>(firstRows[static_cast<qsizetype>(i)]);
        for (size_t page = 0; page < first.pages.size() && std::min((page + 1) * kPageRows, first.rows.size()) <= count; ++page) first.pages[page] = Page::kHeld;
    }
    d_->placesDirty = true;
    d_->changed.clear();
    endResetModel();
}

void RunTableModel::updateGroups(QList<Group> groups) {
    bool same = static_cast<size_t>(groups.size()) == d_->groups.size();
    for (qsizetype i = 0; same && i < groups.size(); ++i) same = groups[i].value == d_->groups[static_cast<size_t>(i)].group.value;
    if (!same) return setGroups(std::move(groups));
    for (size_t g = 0; g < d_->groups.size(); ++g) {
        GroupRows& held = d_->groups[g];
        const int before = static_cast<int>(held.rows.size()), after = static_cast<int>(std::clamp<qint64>(groups[static_cast<qsizetype>(g)].total, 0, INT_MAX / 2));
        const QModelIndex parent = d_->grouped ? index(static_cast<int>(g), 0) : QModelIndex();
        if (after > before) {
            beginInsertRows(parent, before, after - 1);
            held.resize(after);
            endInsertRows();
        } else if (after < before) {
            beginRemoveRows(parent, after, before - 1);
            held.resize(after);
            d_->placesDirty = true;
            endRemoveRows();
        }
        for (Page& page : held.pages)
            if (page != Page::kUnasked) page = Page::kStale;
        // What is on screen is painted again and so asks for its page.
        if (after > 0 && columnCount() > 0) Q_EMIT dataChanged(index(0, 0, parent), index(after - 1, columnCount() - 1, parent));
        if (d_->grouped && after != before) Q_EMIT dataChanged(parent, parent);
    }
}

void RunTableModel::setPage(int group, int firstRow, const QList<RunRow>& rows) {
    if (group < 0 || static_cast<size_t>(group) >= d_->groups.size() || firstRow < 0) return;
    GroupRows& held = d_->groups[static_cast<size_t>(group)];
    const int count = std::min(static_cast<int>(rows.size()), static_cast<int>(held.rows.size()) - firstRow);
    if (count <= 0) return;
    for (int i = 0; i < count; ++i) held.rows[static_cast<size_t>(firstRow + i)] = std::make_shared<const RunRow>(rows[i]);
    d_->placesDirty = true;
    for (int page = firstRow / kPageRows; page * kPageRows < firstRow + count; ++page) {
        // A page is there when all its rows are: an answer may hold less than was asked for.
        const int end = std::min((page + 1) * kPageRows, static_cast<int>(held.rows.size()));
        if (firstRow + count >= end) held.pages[static_cast<size_t>(page)] = Page::kHeld;
    }
    const QModelIndex parent = d_->grouped ? index(group, 0) : QModelIndex();
    if (columnCount() > 0) Q_EMIT dataChanged(index(firstRow, 0, parent), index(firstRow + count - 1, columnCount() - 1, parent));
}

void RunTableModel::updateRun(const RunRow& row) {
    const auto place = d_->place(row.id);
    if (!place) return;
    auto& slot = d_->groups[static_cast<size_t>(place->first)].rows[static_cast<size_t>(place->second)];
    RunRow next = row;
    // Live rows carry no spec values; those of a run never change.
    if (next.raw.is_object() && !next.raw.contains("values"))
        if (auto it = slot->raw.find("values"); it != slot->raw.end()) next.raw["values"] = *it;
    slot = std::make_shared<const RunRow>(std::move(next));
    if (row.id == d_->pinned) d_->pinnedRow.summary = row.summary;
    auto [it, fresh] = d_->changed.try_emplace(place->first, place->second, place->second);
    if (!fresh) it->second = {std::min(it->second.first, place->second), std::max(it->second.second, place->second)};
    if (!d_->flush.isActive()) d_->flush.start();
}

void RunTableModel::removeRun(const QString& id) {
    const auto place = d_->place(id);
    if (!place) return;
    GroupRows& held = d_->groups[static_cast<size_t>(place->first)];
    const QModelIndex parent = d_->grouped ? index(place->first, 0) : QModelIndex();
    beginRemoveRows(parent, place->second, place->second);
    held.rows.erase(held.rows.begin() + place->second);
    held.resize(static_cast<qint64>(held.rows.size()));
    // The rows behind it moved up: a page whose last row came from one that is not held is asked for again.
    for (size_t page = static_cast<size_t>(place->second / kPageRows); page < held.pages.size(); ++page) {
        const size_t end = std::min((page + 1) * kPageRows, held.rows.size());
        if (held.pages[page] == Page::kHeld && !held.rows[end - 1]) held.pages[page] = Page::kUnasked;
    }
    d_->placesDirty = true;
    d_->changed.erase(place->first);
    endRemoveRows();
    if (d_->grouped) Q_EMIT dataChanged(parent, parent);
    // Whatever changed before the rows moved: once, as a whole.
    const int left = static_cast<int>(held.rows.size());
    if (left > 0) {
        d_->changed[place->first] = {0, left - 1};
        if (!d_->flush.isActive()) d_->flush.start();
    }
}

void RunTableModel::setPinned(const QString& id, const Json& resolvedSpec, const Json& summary) {
    d_->pinned = id;
    d_->pinnedValues = !id.isEmpty();
    d_->pinnedRow = {};
    d_->pinnedRow.id = id;
    if (summary.is_object()) d_->pinnedRow.summary = summary;
    d_->pinnedSpec = resolvedSpec;
    d_->readPinnedSpec();
    setDifferencesOnly(d_->differencesOnly);
}

void RunTableModel::setDifferencesOnly(bool on) {
    d_->differencesOnly = on;
    for (size_t g = 0; g < d_->groups.size(); ++g) {
        const int rows = static_cast<int>(d_->groups[g].rows.size());
        if (rows == 0) continue;
        d_->changed[static_cast<int>(g)] = {0, rows - 1};
    }
    if (!d_->changed.empty() && !d_->flush.isActive()) d_->flush.start();
}

bool RunTableModel::isGrouped() const { return d_->grouped; }

qint64 RunTableModel::totalRuns() const {
    qint64 total = 0;
    for (const GroupRows& group : d_->groups) total += group.group.total;
    return total;
}

std::optional<RunRow> RunTableModel::run(const QModelIndex& index) const {
    if (!index.isValid() || index.model() != this) return {};
    if (d_->grouped && index.internalId() == 0) return {};
    const RunRow* row = d_->at(d_->grouped ? static_cast<int>(index.internalId()) - 1 : 0, index.row());
    return row ? std::optional(*row) : std::nullopt;
}

QModelIndex RunTableModel::indexOf(const QString& id, int column) const {
    const auto place = d_->place(id);
    if (!place) return {};
    return index(place->second, column, d_->grouped ? index(place->first, 0) : QModelIndex());
}

// internalId: 0 at the top level, else group + 1 of a run below a group.
QModelIndex RunTableModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : quintptr{0});
}

QModelIndex RunTableModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || child.internalId() == 0) return {};
    return createIndex(static_cast<int>(child.internalId()) - 1, 0, quintptr{0});
}

int RunTableModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return d_->grouped ? static_cast<int>(d_->groups.size()) : d_->groups.empty() ? 0 : static_cast<int>(d_->groups[0].rows.size());
    if (!d_->grouped || parent.internalId() != 0 || parent.column() != 0 || static_cast<size_t>(parent.row()) >= d_->groups.size()) return 0;
    return static_cast<int>(d_->groups[static_cast<size_t>(parent.row())].rows.size());
}

int RunTableModel::columnCount(const QModelIndex&) const { return static_cast<int>(d_->columns.size()); }

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.column() >= d_->columns.size()) return {};
    const Column& column = d_->columns[index.column()];
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::Alignment((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    if (d_->grouped && index.internalId() == 0) {
        const Group& group = d_->groups[static_cast<size_t>(index.row())].group;
        switch (role) {
            case Qt::DisplayRole:
            case Qt::AccessibleTextRole:
                if (index.column() != 0) return QString();
                return QStringLiteral("%1 (%2)").arg(group.value.isEmpty() ? tr("none") : plain(group.value), formatCount(static_cast<double>(group.total)));
            case kIsGroupRole: return true;
            case kIdRole: return QString();
            case kColorIndexRole: return -1;
            case kDiffersRole:
            case kIsPinnedRole:
            case kActiveRole: return false;
            default: return {};
        }
    }
    const int group = d_->grouped ? static_cast<int>(index.internalId()) - 1 : 0;
    if (static_cast<size_t>(group) >= d_->groups.size()) return {};
    GroupRows& held = d_->groups[static_cast<size_t>(group)];
    if (static_cast<size_t>(index.row()) >= held.rows.size()) return {};
    Page& page = held.pages[static_cast<size_t>(index.row() / kPageRows)];
    if (role == Qt::DisplayRole && (page == Page::kUnasked || page == Page::kStale)) {
        page = Page::kAsked;
        Q_EMIT pageNeeded(group, index.row() / kPageRows * kPageRows);
    }
    const RunRow* run = held.rows[static_cast<size_t>(index.row())].get();
    if (!run) {
        switch (role) {
            case Qt::DisplayRole: return index.column() == 0 ? QStringLiteral("…") : QString();
            case Qt::AccessibleTextRole: return index.column() == 0 ? tr("loading") : QString();
            case kIdRole: return QString();
            case kColorIndexRole: return -1;
            case kIsGroupRole:
            case kDiffersRole:
            case kIsPinnedRole:
            case kActiveRole: return false;
            default: return {};
        }
    }
    switch (role) {
        case Qt::DisplayRole:
            // Differences only: what equals the baseline steps back; the tool tip still has it.
            if (d_->differencesOnly && d_->pinnedValues && run->id != d_->pinned && comparable(column.key) && !d_->differs(*run, column.key)) return QStringLiteral("·");
            return runCellText(*run, column.key);
        case Qt::AccessibleTextRole: return QStringLiteral("%1: %2").arg(column.title, runCellText(*run, column.key));
        case Qt::ToolTipRole: {
            QString text = runCellText(*run, column.key);
            if (column.key == QLatin1String("status") && !run->reason.isEmpty()) text += QStringLiteral(" · ") + plain(run->reason);
            if (d_->differs(*run, column.key)) text += QLatin1Char('\n') + tr("Baseline: %1").arg(runCellText(d_->pinnedRow, column.key));
            return text.toHtmlEscaped();   // tool tips would take markup for markup
        }
        case kIdRole: return run->id;
        case kStatusRole: return run->status;
        case kFractionRole: {
            if (column.key != QLatin1String("progress") || !run->isActive()) return {};
            return run->fraction();
        }
        case kNumberRole: {
            if (!column.number) return {};
            const QVariant value = run->value(column.key);
            return value.typeId() == QMetaType::Double ? value : QVariant();
        }
        case kIsGroupRole: return false;
        case kDiffersRole: return d_->differs(*run, column.key);
        case kColorIndexRole: return index.column() == 0 ? runColorIndex(run->id) : -1;
        case kIsPinnedRole: return run->id == d_->pinned && !d_->pinned.isEmpty();
        case kActiveRole: return run->isActive();
        default: return {};
    }
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= d_->columns.size()) return {};
    const Column& column = d_->columns[section];
    if (role == Qt::DisplayRole) return column.title;
    if (role == Qt::ToolTipRole) return column.key.toHtmlEscaped();
    if (role == Qt::UserRole) return column.key;   // for saved layouts
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::Alignment((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    return {};
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    if (d_->grouped && index.internalId() == 0) return Qt::ItemIsEnabled;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
}

// FNV-1a of the id: the same on every machine.
int runColorIndex(const QString& runId) {
    quint32 hash = 2166136261u;
    for (const char byte : runId.toUtf8()) hash = (hash ^ static_cast<quint8>(byte)) * 16777619u;
    return static_cast<int>(hash % 7);
}

}  // namespace assay::models
