#include <assay/models/format.h>
#include <assay/presenters/compare_presenter.h>

#include <algorithm>
#include <cmath>

#include "background.h"
#include "compare_private.h"

namespace assay::presenters {
namespace {

constexpr int kCompareSoonMs = 400, kMostCandidates = 60;
constexpr size_t kLargeRuns = 24;   // more runs than this are compared off the GUI thread
constexpr auto kSettingsKey = "compare.last";

QString bare(QString text) {   // "run:ID/SET-UP" names a run too
    if (text.startsWith(QLatin1String("run:"))) text.remove(0, 4);
    return text.section(QLatin1Char('/'), 0, 0);
}

// A quoted value of the engine's filter; quotes cannot be part of one.
QString quoted(QString text) {
    text.remove(QLatin1Char('"')).remove(QLatin1Char('\\'));
    return QStringLiteral("\"%1\"").arg(text);
}

}  // namespace

QString plainText(const std::string& text) { return models::plain(QString::fromStdString(text)); }

void eachRun(const Json& run, const std::function<void(const Json&)>& visit, int depth) {
    constexpr int kDeepest = 8;
    if (!run.is_object()) return;
    visit(run);
    auto children = run.find("children");
    if (children == run.end() || !children->is_array() || depth >= kDeepest) return;
    for (const Json& child : *children) eachRun(child, visit, depth + 1);
}

ComparePresenter::ComparePresenter(AppContext& context, QObject* parent) : QObject(parent), d_(std::make_unique<Private>(*this, context)) {
    d_->refetch.setSingleShot(true);
    d_->refetch.setInterval(kCompareSoonMs);
    connect(&d_->refetch, &QTimer::timeout, this, [this] {
        for (const QString& run : std::exchange(d_->dirty, {})) d_->fetch(run);
    });
    auto& session = context.session;
    connect(&session, &EngineSession::resynchronized, this, [this] { d_->fetchAll(); });
    connect(&session, &EngineSession::linkChanged, this, &ComparePresenter::changed);
    connect(&session, &EngineSession::runRemoved, this, [this](const QString& run) {
        if (d_->runs.contains(run)) removeRun(run);
    });
    connect(&session, &EngineSession::event, this, [this](const QString& run, const QString& type, const Json& event) {
        if (type != QLatin1String("run") && type != QLatin1String("setup") && type != QLatin1String("result")) return;
        auto known = d_->rootOf.find(run);
        QString root = known == d_->rootOf.end() ? QString() : known->second;
        if (root.isEmpty()) {   // a stage that was made just now
            auto row = event.find("row");
            if (row == event.end() || !row->is_object()) return;
            auto above = d_->rootOf.find(QString::fromStdString(jsonStringOr(*row, "parent", "")));
            if (above == d_->rootOf.end()) return;
            root = above->second;
        }
        d_->dirty.insert(root);
        if (!d_->refetch.isActive()) d_->refetch.start();
    });
    if (const Json last = context.settings.value(QString::fromLatin1(kSettingsKey)); last.is_object()) restore(last);
}

ComparePresenter::~ComparePresenter() = default;

const QStringList& ComparePresenter::runs() const { return d_->runs; }
bool ComparePresenter::isLoading() const { return !d_->asking.isEmpty() || d_->building; }
bool ComparePresenter::isStale() const { return !d_->context.session.isLive(); }
const std::optional<Error>& ComparePresenter::error() const { return d_->error; }
const report::Comparison& ComparePresenter::comparison() const { return d_->comparison; }
const QString& ComparePresenter::targetText() const { return d_->target; }
QString ComparePresenter::targetError() const { return d_->targetError; }
const QList<Json>& ComparePresenter::rows() const { return d_->rows; }
const QList<models::RunRow>& ComparePresenter::candidates() const { return d_->candidates; }
void ComparePresenter::setPdfWriter(PdfWriter writer) { d_->pdf = std::move(writer); }
bool ComparePresenter::isExporting() const { return d_->exporting; }

QString ComparePresenter::runName(const QString& run) const {
    auto it = d_->names.find(run);
    return it == d_->names.end() || it->second.isEmpty() ? run : it->second;
}

void ComparePresenter::open(const QStringList& runs, const QString& baseline) {
    QStringList ids;
    for (const QString& run : runs)
        if (const QString id = bare(run); !id.isEmpty() && !ids.contains(id)) ids << id;
    if (!baseline.isEmpty()) d_->baseline = baseline;
    else if (ids != d_->runs) d_->baseline.clear();
    d_->set(ids);
}

void ComparePresenter::addRuns(const QStringList& runs) {
    QStringList all = d_->runs;
    for (const QString& run : runs)
        if (const QString id = bare(run); !id.isEmpty() && !all.contains(id)) all << id;
    d_->set(all);
}

void ComparePresenter::removeRun(const QString& run) {
    QStringList left = d_->runs;
    left.removeAll(run);
    d_->set(left);
}

void ComparePresenter::Private::forget(const QString& run) {
    documents.erase(run);
    std::erase_if(rootOf, [&](const auto& entry) { return entry.second == run; });
}

void ComparePresenter::Private::set(QStringList wanted) {
    if (wanted == runs) {
        rebuild();
        return;
    }
    for (const QString& run : runs)
        if (!wanted.contains(run)) forget(run);
    runs = std::move(wanted);
    error.reset();
    remember();
    for (const QString& run : runs)
        if (!documents.count(run)) fetch(run);
    rebuild();
    Q_EMIT self.changed();
}

void ComparePresenter::Private::fetchAll() {
    asking.clear();
    again.clear();
    for (const QString& run : runs) fetch(run);
}

void ComparePresenter::Private::fetch(const QString& run) {
    if (!context.session.isLive() || !runs.contains(run)) return;
    if (asking.contains(run)) {
        again.insert(run);
        return;
    }
    asking.insert(run);
    context.session.call(QStringLiteral("runs.get"), {{"run", run.toStdString()}}, &self, [this, run](Result<Json> reply) {
        if (!runs.contains(run)) {
            asking.remove(run);
            return;
        }
        if (reply) return complete(run, std::make_shared<Json>(std::move(*reply)));
        asking.remove(run);
        // A run that is gone leaves the comparison; anything else is told and the rest is compared.
        if (reply.error().code == ErrorCode::kNotFound) {
            runs.removeAll(run);
            forget(run);
            remember();
        }
        if (reply.error().code != ErrorCode::kUnreachable) error = std::move(reply).error();
        Q_EMIT self.changed();
        if (asking.isEmpty()) rebuild();
    });
}

// The runs below a run come as rows. Those that measured something also need the machine they ran on, which says whether
// speeds can be compared, and members of a sweep and seeds what they set; neither changes, so each is asked for once.
void ComparePresenter::Private::complete(const QString& run, std::shared_ptr<Json> document) {
    const auto done = [this, run, document] {
        asking.remove(run);
        if (!runs.contains(run)) return;
        if (auto children = document->find("children"); children != document->end() && children->is_array())
            for (Json& child : *children)
                if (auto known = lasting.find(jsonStringOr(child, "id", "")); known != lasting.end() && child.is_object())
                    for (const auto& [key, value] : known->second.items()) child[key] = value;
        const QString id = took(run, std::move(*document));
        if (again.remove(run)) fetch(id);
        if (asking.isEmpty()) rebuild();   // once, when all are there
    };
    std::vector<std::string> wanted;
    if (auto children = document->find("children"); children != document->end() && children->is_array())
        for (const Json& child : *children) {
            if (!child.is_object() || child.contains("environment")) continue;
            const std::string id = jsonStringOr(child, "id", "");
            auto setups = child.find("setups");
            const bool measured = setups != child.end() && setups->is_array() && !setups->empty();
            const std::string role = jsonStringOr(child, "role", "");
            if (!id.empty() && (measured || role == "seed" || role == "sweep") && !lasting.count(id)) wanted.push_back(id);
        }
    if (wanted.empty()) return done();
    auto open = std::make_shared<size_t>(wanted.size());
    for (const std::string& id : wanted)
        context.session.call(QStringLiteral("runs.get"), {{"run", id}}, &self, [this, id, open, done](Result<Json> reply) {
            if (reply) {
                Json kept = Json::object();
                for (const char* key : {"environment", "spec", "plan"})
                    if (auto found = reply->find(key); found != reply->end() && found->is_object()) kept[key] = *found;
                // A run that has not started knows no machine yet.
                if (kept.contains("environment") || (kept.contains("spec") && !reply->value("children", Json::array()).empty())) lasting[id] = std::move(kept);
            }
            if (--*open == 0) done();
        });
}

QString ComparePresenter::Private::took(const QString& run, Json document) {
    // A short id was enough to name it; from here on it has its whole one.
    const QString id = QString::fromStdString(jsonStringOr(document, "id", run.toStdString()));
    if (id != run) {
        const auto at = runs.indexOf(run);
        if (runs.contains(id)) runs.removeAt(at);
        else runs[at] = id;
        forget(run);
    }
    forget(id);
    eachRun(document, [&](const Json& one) { rootOf[QString::fromStdString(jsonStringOr(one, "id", ""))] = id; });
    names[id] = models::shortened(QString::fromStdString(jsonStringOr(document, "name", "")), 60);
    documents[id] = std::make_shared<const Json>(std::move(document));
    return id;
}

void ComparePresenter::setBaseline(const QString& setup) {
    if (setup == d_->baseline) return;
    d_->baseline = setup;
    d_->remember();
    d_->rebuild();
}

void ComparePresenter::setTarget(const QString& text) {
    const QString trimmed = text.trimmed();
    if (trimmed == d_->target && d_->targetError.isEmpty()) return;
    d_->target = trimmed;
    d_->targetError.clear();
    if (!trimmed.isEmpty())
        if (auto parsed = report::parseTarget(trimmed.toStdString()); !parsed) {
            d_->targetError = plainText(parsed.error().message);
            Q_EMIT changed();
            return;
        }
    d_->remember();
    d_->rebuild();
}

void ComparePresenter::setAxes(const QString& x, const QString& y) {
    if (x == d_->axisX && y == d_->axisY) return;
    d_->axisX = x;
    d_->axisY = y;
    d_->remember();
    d_->makeRows();
    Q_EMIT changed();
}

const report::Metric& ComparePresenter::xMetric() const {
    const report::Metric* chosen = report::findMetric(d_->axisX.toStdString());
    if (d_->axisX.isEmpty() || !chosen || !report::measuredAnywhere(d_->comparison, *chosen)) chosen = report::findMetric(d_->comparison.x);
    return chosen ? *chosen : report::metrics().front();
}

const report::Metric& ComparePresenter::yMetric() const {
    const report::Metric* chosen = report::findMetric(d_->axisY.toStdString());
    if (d_->axisY.isEmpty() || !chosen || !report::measuredAnywhere(d_->comparison, *chosen)) chosen = report::findMetric(d_->comparison.y);
    return chosen ? *chosen : report::metrics().front();
}

std::vector<const report::Metric*> ComparePresenter::measuredMetrics() const {
    std::vector<const report::Metric*> out;
    for (const report::Metric& metric : report::metrics())
        if (report::measuredAnywhere(d_->comparison, metric)) out.push_back(&metric);
    return out;
}

void ComparePresenter::Private::rebuild() {
    const int mine = ++build;
    std::vector<Document> given;
    for (const QString& run : runs)
        if (auto it = documents.find(run); it != documents.end()) given.push_back(it->second);
    if (given.empty()) {
        building = false;
        comparison = {};
        rows.clear();
        Q_EMIT self.changed();
        return;
    }
    const report::CompareOptions options{baseline.toStdString(), targetError.isEmpty() ? target.toStdString() : std::string()};
    auto compare = [given, options]() -> Result<report::Comparison> {
        std::vector<Json> copies;
        copies.reserve(given.size());
        for (const Document& document : given) copies.push_back(*document);
        auto built = report::buildComparison(copies, options);
        // A baseline that is not among the runs any more must not hide the others.
        if (!built && built.error().code == ErrorCode::kNotFound && !options.baseline.empty()) return report::buildComparison(copies, {{}, options.target});
        return built;
    };
    if (rootOf.size() <= kLargeRuns) {
        building = false;
        take(compare());
        return;
    }
    building = true;
    inBackground(&self, std::move(compare), [this, mine](Result<report::Comparison> built) {
        if (mine != build) return;
        building = false;
        take(std::move(built));
    });
}

void ComparePresenter::Private::take(Result<report::Comparison> built) {
    if (built) {
        comparison = std::move(*built);
        std::set<int> used;
        std::set<QString> present;
        for (const report::Setup& setup : comparison.setups) present.insert(QString::fromStdString(setup.id));
        std::erase_if(colors, [&](const auto& entry) { return !present.count(entry.first); });
        for (const auto& [id, color] : colors) used.insert(color);
        int next = 0;
        for (const report::Setup& setup : comparison.setups) {
            auto [it, fresh] = colors.try_emplace(QString::fromStdString(setup.id), 0);
            if (!fresh) continue;
            while (used.count(next)) ++next;
            used.insert(it->second = next);
        }
        makeRows();
    } else {
        error = std::move(built).error();
    }
    Q_EMIT self.changed();
}

int ComparePresenter::colorOf(const QString& setup) const {
    auto it = d_->colors.find(setup);
    return it == d_->colors.end() ? 0 : it->second;
}

void ComparePresenter::askCandidates(const QString& search) {
    if (isStale()) return;
    d_->search = search.trimmed();
    // What has figures to compare: finished runs that are no try-outs, whole experiments only.
    QString where = QStringLiteral("status = done and not tag = try-it and not kind = prepare and not kind = generate");
    if (!d_->search.isEmpty()) where += QStringLiteral(" and name ~ %1").arg(quoted(d_->search));
    const int mine = ++d_->candidateAsk;
    d_->context.session.call(QStringLiteral("runs.list"), {{"where", where.toStdString()}, {"sort", "-created_at"}, {"limit", kMostCandidates}, {"parents_only", true}}, this, [this, mine](Result<Json> reply) {
        if (mine != d_->candidateAsk) return;
        if (!reply) {
            if (reply.error().code != ErrorCode::kUnreachable) d_->context.notifier.error(tr("The runs cannot be listed"), reply.error());
            return;
        }
        d_->candidates.clear();
        if (auto runs = reply->find("runs"); runs != reply->end() && runs->is_array())
            for (const Json& row : *runs)
                if (models::RunRow run = models::runRowFromJson(row); !d_->runs.contains(run.id)) d_->candidates.append(std::move(run));
        Q_EMIT candidatesChanged();
    });
}

Json ComparePresenter::state() const {
    Json ids = Json::array();
    for (const QString& run : d_->runs) ids.push_back(run.toStdString());
    return {{"runs", std::move(ids)}, {"baseline", d_->baseline.toStdString()}, {"target", d_->targetError.isEmpty() ? d_->target.toStdString() : std::string()}, {"x", d_->axisX.toStdString()}, {"y", d_->axisY.toStdString()}};
}

void ComparePresenter::restore(const Json& state) {
    if (!state.is_object()) return;
    QStringList ids;
    if (auto runs = state.find("runs"); runs != state.end() && runs->is_array())
        for (const Json& run : *runs)
            if (run.is_string()) ids << QString::fromStdString(run.get<std::string>());
    const auto text = [&](const char* key) { return QString::fromStdString(jsonStringOr(state, key, "")); };
    d_->axisX = text("x");
    d_->axisY = text("y");
    d_->target = text("target");
    if (!d_->target.isEmpty() && !report::parseTarget(d_->target.toStdString())) d_->target.clear();
    if (ids.isEmpty()) return;
    d_->baseline = text("baseline");
    d_->set(ids);
}

void ComparePresenter::Private::remember() { context.settings.set(QString::fromLatin1(kSettingsKey), self.state()); }

}  // namespace assay::presenters
