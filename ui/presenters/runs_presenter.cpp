#include <assay/config/config.h>
#include <assay/models/run_text.h>
#include <assay/presenters/runs_presenter.h>

#include <QDateTime>

#include "runs_private.h"

namespace assay::presenters {

using models::RunRow;
using models::RunTableModel;

namespace {

constexpr auto kPinnedKey = "runs.pinned";

const QStringList& fieldKeys() {
    static const QStringList kKeys = {QStringLiteral("name"),       QStringLiteral("status"),   QStringLiteral("progress"),        QStringLiteral("reason"),
                                      QStringLiteral("kind"),       QStringLiteral("tags"),     QStringLiteral("created_at"),      QStringLiteral("started_at"),
                                      QStringLiteral("ended_at"),   QStringLiteral("running_seconds"), QStringLiteral("attempt"),  QStringLiteral("role"),
                                      QStringLiteral("parent"),     QStringLiteral("group"),    QStringLiteral("fork_of"),         QStringLiteral("id")};
    return kKeys;
}

bool isNumberColumn(const QString& key) {
    return key == QLatin1String("running_seconds") || key == QLatin1String("attempt") || !fieldKeys().contains(key);
}

void flatten(const Json& value, const QString& path, QSet<QString>& out) {
    if (value.is_object() && !value.empty()) {
        for (const auto& [key, inner] : value.items()) flatten(inner, path.isEmpty() ? QString::fromStdString(key) : path + QLatin1Char('.') + QString::fromStdString(key), out);
        return;
    }
    if (!path.isEmpty()) out.insert(path);
}

QStringList defaultColumns() {
    return {QStringLiteral("name"), QStringLiteral("status"), QStringLiteral("progress"), QStringLiteral("kind"), QStringLiteral("eval/loss"),
            QStringLiteral("cost/usd"), QStringLiteral("running_seconds"), QStringLiteral("created_at")};
}

// Keys that every training experiment has, so that a filter can be typed before the first run.
QSet<QString> schemaKeys() {
    config::Spec spec;
    spec.kind = config::Kind::kTrain;
    spec.data.emplace();
    spec.model.emplace();
    spec.train.emplace();
    QSet<QString> keys;
    flatten(config::specToJson(spec), {}, keys);
    keys.remove(QStringLiteral("assay"));
    for (const QString& field : fieldKeys()) keys.remove(field);
    return keys;
}

}  // namespace

RunsPresenter::RunsPresenter(AppContext& context, QObject* parent) : QObject(parent), d_(std::make_unique<Private>(*this, context)) {
    d_->specKeys = schemaKeys();
    d_->columns = defaultColumns();
    for (const char* metric : {"train/loss", "eval/loss", "eval/perplexity", "train/tokens_per_s", "cost/usd", "cost/energy_joules", "system/tensor_bytes_peak"})
        d_->metricKeys.insert(QString::fromLatin1(metric));
    d_->applyColumns();
    connect(&d_->model, &RunTableModel::pageNeeded, this, [this](int group, int first) { d_->askPage(group, first, RunTableModel::kPageRows); });
    d_->refreshTimer.setSingleShot(true);
    d_->refreshTimer.setInterval(kRefreshMs);
    connect(&d_->refreshTimer, &QTimer::timeout, this, [this] { d_->query(true); });
    d_->liveTimer.setSingleShot(true);
    d_->liveTimer.setInterval(kLiveMs);
    connect(&d_->liveTimer, &QTimer::timeout, this, [this] {
        for (const auto& [id, row] : std::exchange(d_->live, {})) {
            const RunRow next = models::runRowFromJson(row);
            d_->learn(next);
            const auto held = d_->model.run(d_->model.indexOf(id));
            // A new run, or one that may have entered or left the query.
            if (!held || held->status != next.status) if (!d_->refreshTimer.isActive()) d_->refreshTimer.start();
            d_->model.updateRun(next);
        }
    });
    d_->undoTimer.setSingleShot(true);
    d_->undoTimer.setInterval(kUndoMs);
    connect(&d_->undoTimer, &QTimer::timeout, this, [this] { d_->finishRemoving(); });
    auto& session = context.session;
    connect(&session, &EngineSession::linkChanged, this, &RunsPresenter::changed);
    connect(&session, &EngineSession::resynchronized, this, [this] {
        d_->query(d_->listed);
        d_->loadPinned();
    });
    connect(&session, &EngineSession::runChanged, this, [this](const QString& run, const Json& row) {
        d_->live[run] = row;
        if (!d_->liveTimer.isActive()) d_->liveTimer.start();
    });
    connect(&session, &EngineSession::runRemoved, this, [this](const QString& run) {
        d_->live.erase(run);
        d_->model.removeRun(run);
        if (run == d_->pinned) pin({});
        if (!d_->refreshTimer.isActive()) d_->refreshTimer.start();
    });
    connect(&session, &EngineSession::event, this, [this](const QString& run, const QString& type, const Json& event) {
        if (type != QLatin1String("progress")) return;
        auto it = d_->live.find(run);
        if (it == d_->live.end()) {
            const auto held = d_->model.run(d_->model.indexOf(run));
            if (!held) return;
            it = d_->live.emplace(run, held->raw).first;
        }
        it->second["progress"] = event;
        if (!d_->liveTimer.isActive()) d_->liveTimer.start();
    });
    d_->pinned = context.settings.text(QLatin1String(kPinnedKey));
    connect(&context.settings, &Settings::changed, this, [this](const QString& key) {
        if (key == QLatin1String(kPinnedKey) && d_->context.settings.text(key) != d_->pinned) {
            d_->pinned = d_->context.settings.text(key);
            d_->loadPinned();
        }
    });
    if (session.isLive()) {
        QTimer::singleShot(0, this, [this] {
            if (!d_->listed && !d_->loading) d_->query(false);
            d_->loadPinned();
        });
    }
}

RunsPresenter::~RunsPresenter() {
    d_->finishRemoving();
}

models::RunTableModel& RunsPresenter::model() { return d_->model; }
const QString& RunsPresenter::filter() const { return d_->filter; }
QString RunsPresenter::filterError() const { return d_->check.ok ? QString() : d_->check.message; }
int RunsPresenter::filterErrorPosition() const { return d_->check.ok ? -1 : d_->check.position; }
RunsPresenter::Quick RunsPresenter::quick() const { return d_->quick; }
const QString& RunsPresenter::kind() const { return d_->kind; }
bool RunsPresenter::showStages() const { return d_->showStages; }
bool RunsPresenter::showTries() const { return d_->showTries; }
const QString& RunsPresenter::sortKey() const { return d_->sortKey; }
bool RunsPresenter::sortDescending() const { return d_->sortDescending; }
const QString& RunsPresenter::groupKey() const { return d_->groupKey; }
QString RunsPresenter::whereText() const { return d_->where(); }
QStringList RunsPresenter::columns() const { return d_->columns; }
bool RunsPresenter::isLoading() const { return d_->loading; }
bool RunsPresenter::isStale() const { return !d_->context.session.isLive(); }
const std::optional<Error>& RunsPresenter::error() const { return d_->error; }
QString RunsPresenter::warning() const { return d_->warning; }
qint64 RunsPresenter::total() const { return d_->total; }
qint64 RunsPresenter::allRuns() const { return d_->allRuns; }
const QString& RunsPresenter::pinned() const { return d_->pinned; }
QString RunsPresenter::pinnedName() const { return d_->pinnedName; }
bool RunsPresenter::differencesOnly() const { return d_->differencesOnly; }
bool RunsPresenter::isFiltered() const { return !d_->filter.trimmed().isEmpty() || d_->quick != Quick::kAll || !d_->kind.isEmpty(); }
void RunsPresenter::refresh() { d_->query(true); }

void RunsPresenter::setFilter(const QString& text) {
    if (text == d_->filter) return;
    d_->filter = text;
    d_->check = checkFilter(text);
    if (d_->check.ok) return d_->query(false);
    Q_EMIT changed();
}

void RunsPresenter::setQuick(Quick quick) {
    if (std::exchange(d_->quick, quick) != quick) d_->query(false);
}
void RunsPresenter::setKind(const QString& kind) {
    if (std::exchange(d_->kind, kind) != kind) d_->query(false);
}
void RunsPresenter::setShowStages(bool on) {
    if (std::exchange(d_->showStages, on) != on) d_->query(false);
}
void RunsPresenter::setShowTries(bool on) {
    if (std::exchange(d_->showTries, on) != on) d_->query(false);
}
void RunsPresenter::setGroupKey(const QString& key) {
    if (std::exchange(d_->groupKey, key) != key) d_->query(false);
}
void RunsPresenter::setSort(const QString& key, bool descending) {
    if (key == d_->sortKey && descending == d_->sortDescending) return;
    d_->sortKey = key;
    d_->sortDescending = descending;
    d_->query(false);
}

void RunsPresenter::clearFilters() {
    d_->filter.clear();
    d_->check = {};
    d_->quick = Quick::kAll;
    d_->kind.clear();
    d_->query(false);
}

QString RunsPresenter::Private::where(const QString& more) const {
    QStringList parts;
    if (check.ok && !filter.trimmed().isEmpty()) parts << QLatin1Char('(') + filter.trimmed() + QLatin1Char(')');
    switch (quick) {
        case Quick::kAll: break;
        case Quick::kRunning: parts << QStringLiteral("(status = running or status = starting or status = stopping)"); break;
        case Quick::kQueued: parts << QStringLiteral("status = queued"); break;
        case Quick::kFailed: parts << QStringLiteral("(status = failed or status = interrupted)"); break;
        case Quick::kToday:
            parts << QStringLiteral("created_at >= ") + QDate::currentDate().startOfDay().toUTC().toString(QStringLiteral("yyyy-MM-ddTHH:mm:ss"));
            break;
    }
    if (!kind.isEmpty()) parts << QStringLiteral("kind = ") + filterValue(kind);
    if (!showTries) parts << QStringLiteral("tag != try-it");
    for (const QString& id : removing) parts << QStringLiteral("id != ") + filterValue(id);
    if (!more.isEmpty()) parts << more;
    return parts.join(QStringLiteral(" and "));
}

Json RunsPresenter::Private::listParams(const QString& more, qint64 offset, int limit) const {
    Json params = {{"where", where(more).toStdString()}, {"sort", ((sortDescending ? QStringLiteral("-") : QString()) + sortKey).toStdString()}, {"limit", limit}, {"offset", offset}};
    if (!showStages) params["parents_only"] = true;
    // Settings are not part of a row: the engine adds those that are asked for.
    Json wanted = Json::array();
    for (const QString& key : columns)
        if (!fieldKeys().contains(key)) wanted.push_back(key.toStdString());
    if (!wanted.empty()) params["columns"] = std::move(wanted);
    return params;
}

void RunsPresenter::Private::query(bool keepRows) {
    if (!context.session.isLive() || !check.ok) {
        Q_EMIT self.changed();
        return;
    }
    const int mine = ++generation;
    refreshTimer.stop();
    loading = true;
    if (!groupKey.isEmpty()) {
        queryGroups(mine, keepRows);
    } else {
        context.session.call(QStringLiteral("runs.list"), listParams({}, 0, RunTableModel::kPageRows), &self, [this, mine, keepRows](Result<Json> reply) {
            if (mine != generation) return;
            loading = false;
            if (!reply) {
                error = reply.error();
                Q_EMIT self.changed();
                return;
            }
            error.reset();
            listed = true;
            takeWarnings(*reply);
            total = jsonIntegerOr(*reply, "total", 0);
            QList<RunRow> rows;
            for (const Json& row : reply->value("runs", Json::array())) rows.append(models::runRowFromJson(row));
            for (const RunRow& row : rows) learn(row);
            const QList<RunTableModel::Group> all = {{QString(), total}};
            if (keepRows && !model.isGrouped() && model.rowCount() > 0) {
                model.updateGroups(all);
                model.setPage(0, 0, rows);
            } else {
                model.setGroups(all, rows);
            }
            const int held = static_cast<int>(rows.size());
            if (held < std::min<qint64>(total, RunTableModel::kPageRows) && held > 0) askPage(0, held, RunTableModel::kPageRows - held);
            if (!self.isFiltered() && showTries && showStages) allRuns = total;
            Q_EMIT self.changed();
        });
    }
    // "No runs at all" and "none that match" are two things to say.
    context.session.call(QStringLiteral("runs.list"), {{"limit", 1}, {"where", showTries ? "" : "tag != try-it"}}, &self, [this, mine](Result<Json> reply) {
        if (mine != generation || !reply) return;
        allRuns = jsonIntegerOr(*reply, "total", 0);
        Q_EMIT self.changed();
    });
    Q_EMIT self.changed();
}

void RunsPresenter::Private::queryGroups(int mine, bool keepRows) {
    Json params = {{"key", groupKey.toStdString()}, {"where", where().toStdString()}};
    if (!showStages) params["parents_only"] = true;
    context.session.call(QStringLiteral("runs.groups"), std::move(params), &self, [this, mine, keepRows](Result<Json> reply) {
        if (mine != generation) return;
        loading = false;
        if (!reply) {
            error = reply.error();
            Q_EMIT self.changed();
            return;
        }
        error.reset();
        listed = true;
        takeWarnings(*reply);
        total = 0;
        groupValues.clear();
        QList<RunTableModel::Group> groups;
        for (const Json& group : reply->value("groups", Json::array())) {
            const Json value = group.value("value", Json());
            const qint64 count = jsonIntegerOr(group, "total", 0);
            groupValues.append(value);
            const QString text = value.is_string() ? QString::fromStdString(value.get<std::string>()) : value.is_null() ? QString() : QString::fromStdString(dumpJson(value));
            groups.append({groupKey == QLatin1String("status") ? models::statusText(text) : groupKey == QLatin1String("kind") ? models::kindText(text) : text, count});
            total += count;
        }
        keepRows ? model.updateGroups(groups) : model.setGroups(groups);
        Q_EMIT self.changed();
    });
}

QString RunsPresenter::Private::groupWhere(int group) const {
    if (groupKey.isEmpty() || group < 0 || group >= groupValues.size()) return {};
    const Json& value = groupValues[group];
    if (value.is_null()) return groupKey + QStringLiteral(" = null");
    const QString text = QString::fromStdString(value.is_string() ? value.get<std::string>() : dumpJson(value));
    return groupKey + QStringLiteral(" = ") + filterValue(text);
}

void RunsPresenter::Private::askPage(int group, qint64 first, int count) {
    const int mine = generation;
    context.session.call(QStringLiteral("runs.list"), listParams(groupWhere(group), first, count), &self, [this, mine, group, first, count](Result<Json> reply) {
        if (mine != generation) return;
        if (!reply) {
            error = reply.error();
            Q_EMIT self.changed();
            return;
        }
        QList<RunRow> rows;
        for (const Json& row : reply->value("runs", Json::array())) rows.append(models::runRowFromJson(row));
        for (const RunRow& row : rows) learn(row);
        model.setPage(group, static_cast<int>(first), rows);
        // An answer holds at most 3 MiB: the rest is asked for.
        const qint64 there = first + rows.size(), most = jsonIntegerOr(*reply, "total", 0);
        if (!rows.isEmpty() && rows.size() < count && there < most) askPage(group, there, count - static_cast<int>(rows.size()));
    });
}

// A misspelt key in the filter, the sort or the group. Columns of results that no run has yet are no mistake.
void RunsPresenter::Private::takeWarnings(const Json& reply) {
    QStringList lines;
    for (const Json& line : reply.value("warnings", Json::array())) {
        if (!line.is_string()) continue;
        const QString text = QString::fromStdString(line.get<std::string>());
        const bool ofColumn = std::any_of(columns.begin(), columns.end(), [&](const QString& key) {
            return text.contains(QLatin1Char('"') + key + QLatin1Char('"')) && !filter.contains(key) && key != sortKey && key != groupKey;
        });
        if (!ofColumn) lines << text;
    }
    warning = lines.join(QLatin1Char('\n'));
}

void RunsPresenter::Private::learn(const RunRow& row) {
    for (const auto& [key, value] : row.summary.items())
        if (value.is_number() || value.is_string()) metricKeys.insert(QString::fromStdString(key));
}

void RunsPresenter::Private::applyColumns() {
    QList<RunTableModel::Column> out;
    for (const QString& key : columns) out.append({key, models::columnTitle(key), isNumberColumn(key)});
    model.setColumns(out);
}

void RunsPresenter::setColumns(const QStringList& keys) {
    QStringList next;
    for (const QString& key : keys)
        if (!key.isEmpty() && !next.contains(key)) next << key;
    if (!next.contains(QStringLiteral("name"))) next.prepend(QStringLiteral("name"));
    if (next == d_->columns) return;
    d_->columns = next;
    d_->applyColumns();
    Q_EMIT columnsChanged();
    d_->query(true);
}

QList<RunsPresenter::KeyInfo> RunsPresenter::knownKeys() const {
    QList<KeyInfo> keys;
    for (const QString& key : fieldKeys()) keys.append({key, models::columnTitle(key), tr("Run")});
    QStringList metrics = d_->metricKeys.values(), settings = d_->specKeys.values();
    for (const QString& key : d_->columns)
        if (!fieldKeys().contains(key) && !metrics.contains(key) && !settings.contains(key)) settings << key;
    metrics.sort();
    settings.sort();
    for (const QString& key : metrics) keys.append({key, models::columnTitle(key), tr("Results")});
    for (const QString& key : settings) keys.append({key, key, tr("Settings")});
    return keys;
}

QStringList RunsPresenter::completions(const FilterPlace& place) const {
    QStringList all;
    switch (place.kind) {
        case FilterPlace::Kind::kKey:
            for (const KeyInfo& key : knownKeys())
                if (key.key != QLatin1String("progress")) all << key.key;
            all << QStringLiteral("tag") << QStringLiteral("not");
            break;
        case FilterPlace::Kind::kOperator: all = {QStringLiteral("="), QStringLiteral("!="), QStringLiteral("<"), QStringLiteral("<="), QStringLiteral(">"), QStringLiteral(">="), QStringLiteral("~")}; break;
        case FilterPlace::Kind::kJoin: all = {QStringLiteral("and"), QStringLiteral("or")}; break;
        case FilterPlace::Kind::kValue:
            if (place.key == QLatin1String("status"))
                all = {QStringLiteral("queued"), QStringLiteral("starting"), QStringLiteral("running"), QStringLiteral("stopping"), QStringLiteral("done"), QStringLiteral("failed"), QStringLiteral("cancelled"), QStringLiteral("stopped"), QStringLiteral("interrupted")};
            if (place.key == QLatin1String("kind"))
                all = {QStringLiteral("prepare"), QStringLiteral("train"), QStringLiteral("evaluate"), QStringLiteral("quantize"), QStringLiteral("benchmark"), QStringLiteral("generate"), QStringLiteral("verify"), QStringLiteral("pipeline")};
            if (place.key == QLatin1String("role")) all = {QStringLiteral("pipeline"), QStringLiteral("stage"), QStringLiteral("seed"), QStringLiteral("sweep")};
            break;
    }
    QStringList fitting;
    for (const QString& word : all)
        if (word.startsWith(place.word, Qt::CaseInsensitive)) fitting << word;
    for (const QString& word : all)
        if (!place.word.isEmpty() && !fitting.contains(word) && word.contains(place.word, Qt::CaseInsensitive)) fitting << word;
    return fitting;
}

Json RunsPresenter::state() const {
    Json columns = Json::array();
    for (const QString& key : d_->columns) columns.push_back(key.toStdString());
    return {{"filter", d_->filter.toStdString()}, {"quick", static_cast<int>(d_->quick)}, {"kind", d_->kind.toStdString()}, {"stages", d_->showStages}, {"tries", d_->showTries},
            {"sort", d_->sortKey.toStdString()}, {"descending", d_->sortDescending}, {"group", d_->groupKey.toStdString()}, {"columns", std::move(columns)}, {"differences", d_->differencesOnly}};
}

void RunsPresenter::restore(const Json& state) {
    if (!state.is_object()) return;
    auto text = [&](const char* key, const QString& fallback) { return QString::fromStdString(jsonStringOr(state, key, fallback.toStdString())); };
    d_->filter = text("filter", d_->filter);
    d_->check = checkFilter(d_->filter);
    d_->quick = static_cast<Quick>(std::clamp<int64_t>(jsonIntegerOr(state, "quick", 0), 0, 4));
    d_->kind = text("kind", {});
    d_->showStages = jsonBoolOr(state, "stages", false);
    d_->showTries = jsonBoolOr(state, "tries", false);
    d_->sortKey = text("sort", d_->sortKey);
    d_->sortDescending = jsonBoolOr(state, "descending", true);
    d_->groupKey = text("group", {});
    setDifferencesOnly(jsonBoolOr(state, "differences", false));
    QStringList columns;
    if (auto it = state.find("columns"); it != state.end() && it->is_array())
        for (const Json& key : *it)
            if (key.is_string()) columns << QString::fromStdString(key.get<std::string>());
    if (!columns.isEmpty()) {
        if (!columns.contains(QStringLiteral("name"))) columns.prepend(QStringLiteral("name"));
        columns.removeDuplicates();
        d_->columns = columns;
        d_->applyColumns();
        Q_EMIT columnsChanged();
    }
    d_->query(false);
}

}  // namespace assay::presenters
