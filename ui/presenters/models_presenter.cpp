#include <assay/models/format.h>
#include <assay/presenters/engine_session.h>
#include <assay/presenters/models_presenter.h>
#include <assay/presenters/settings.h>
#include <assay/presenters/tool_question.h>

#include <QFileInfo>
#include <algorithm>

#include "words.h"

namespace assay::presenters {
namespace {

constexpr auto kFoldersKey = "models.folders";
constexpr size_t kMostFolders = 50;
constexpr double kMostContext = 4096;


}  // namespace

double residentBytes(const Json& model) {
    const double weights = jsonDoubleOr(model, "bytes", 0);
    if (!(weights > 0)) return 0;
    const double layers = jsonDoubleOr(model, "layers", 0), hidden = jsonDoubleOr(model, "hidden", 0), heads = jsonDoubleOr(model, "heads", 0);
    const double kvHeads = jsonDoubleOr(model, "kv_heads", heads), context = std::min(jsonDoubleOr(model, "context", 0), kMostContext);
    const double perToken = heads > 0 ? 2 * layers * kvHeads * (hidden / heads) * 2 : 0;   // keys and values, two bytes each
    return weights * 1.1 + perToken * context;
}

Fit fitOf(double needed, double capacity) {
    if (!(needed > 0) || !(capacity > 0)) return Fit::kUnknown;
    return needed < 0.8 * capacity ? Fit::kFits : needed <= capacity ? Fit::kTight : Fit::kTooBig;
}

QString fitText(Fit fit) {
    switch (fit) {
        case Fit::kFits: return QObject::tr("fits");
        case Fit::kTight: return QObject::tr("tight");
        case Fit::kTooBig: return QObject::tr("too big");
        case Fit::kUnknown: break;
    }
    return models::notMeasured();
}

int fitTone(Fit fit) {
    switch (fit) {   // style::Tone; presenters know no style
        case Fit::kFits: return 2;
        case Fit::kTight: return 3;
        case Fit::kTooBig: return 4;
        case Fit::kUnknown: break;
    }
    return -1;
}

struct ModelsPresenter::Private {
    ModelsPresenter& q;
    AppContext& context;
    ToolQuestion listing, describing;
    QList<Json> models;
    QString engine, selected;
    double memory = 0;
    bool visible = false, loaded = false, stale = true;
    std::optional<Error> error, detailsError;
    Json details;

    Private(ModelsPresenter& self, AppContext& shared) : q(self), context(shared), listing(shared.session), describing(shared.session) {}

    QString engineText() const { return targetText(context.session.target()); }

    void ask() {
        if (!visible || !context.session.isLive()) return;
        stale = false;
        context.session.call(QStringLiteral("engine.machine"), Json::object(), &q, [this, of = engineText()](Result<Json> reply) {
            if (!reply || of != engineText()) return;   // an older engine does not say
            memory = jsonDoubleOr(*reply, "memory_total_bytes", 0);
            judge();
            Q_EMIT q.changed();
        });
        Json folders = Json::array();
        for (const QString& folder : q.folders()) folders.push_back(folder.toStdString());
        listing.ask(QStringLiteral("models_list"), {{"folders", std::move(folders)}}, [this](Result<Json> reply) {
            if (!reply) {
                if (reply.error().code == ErrorCode::kUnreachable) stale = true;   // a lost link has a banner of its own
                else error = reply.error();
            } else {
                error.reset();
                loaded = true;
                models.clear();
                if (auto list = reply->find("models"); list != reply->end() && list->is_array())
                    for (Json& model : *list) {
                        if (!model.is_object()) continue;
                        model["id"] = jsonStringOr(model, "reference", "");
                        models.append(std::move(model));
                    }
                judge();
                if (q.selectedModel().is_null() && !selected.isEmpty()) q.select({});
            }
            Q_EMIT q.changed();
        });
        Q_EMIT q.changed();
    }

    void judge() {
        for (Json& model : models) {
            const bool broken = model.contains("error") && !model["error"].is_null();
            model["fit"] = static_cast<int>(broken ? Fit::kUnknown : fitOf(residentBytes(model), memory));
        }
    }

    void keepFolders(const QStringList& list) {
        Json all = context.settings.value(QLatin1String(kFoldersKey), Json::object());
        if (!all.is_object()) all = Json::object();
        Json mine = Json::array();
        for (const QString& folder : list) mine.push_back(folder.toStdString());
        all[engineText().toStdString()] = std::move(mine);
        context.settings.set(QLatin1String(kFoldersKey), std::move(all));
        ask();
        Q_EMIT q.changed();
    }
};

ModelsPresenter::ModelsPresenter(AppContext& context, QObject* parent) : QObject(parent), d_(std::make_unique<Private>(*this, context)) {
    d_->engine = d_->engineText();
    connect(&context.session, &EngineSession::linkChanged, this, [this] {
        if (d_->engine == d_->engineText()) return;
        d_->engine = d_->engineText();   // other models
        d_->listing.drop();
        d_->models.clear();
        d_->loaded = false;
        d_->stale = true;
        d_->memory = 0;
        d_->error.reset();
        select({});
        Q_EMIT changed();
    });
    connect(&context.session, &EngineSession::resynchronized, this, [this] { d_->ask(); });
    // A run that is done may have left a model.
    connect(&context.session, &EngineSession::runChanged, this, [this](const QString&, const Json& row) {
        if (jsonStringOr(row, "status", "") == "done") d_->stale = true;
    });
    connect(&context.session, &EngineSession::runRemoved, this, [this] { d_->stale = true; });
}

ModelsPresenter::~ModelsPresenter() = default;

void ModelsPresenter::setVisible(bool visible) {
    d_->visible = visible;
    if (visible && d_->stale) d_->ask();
}

const QList<Json>& ModelsPresenter::models() const { return d_->models; }
bool ModelsPresenter::isLoaded() const { return d_->loaded; }
bool ModelsPresenter::isLoading() const { return d_->listing.isAsking(); }
const std::optional<Error>& ModelsPresenter::error() const { return d_->error; }
double ModelsPresenter::memoryBytes() const { return d_->memory; }
void ModelsPresenter::refresh() { d_->ask(); }
bool ModelsPresenter::engineIsRemote() const { return d_->context.session.target().kind != EngineTarget::Kind::kLocal; }
QString ModelsPresenter::engineName() const { return models::plain(d_->context.session.target().name()); }

QStringList ModelsPresenter::folders() const {
    QStringList list;
    const Json all = d_->context.settings.value(QLatin1String(kFoldersKey), Json::object());
    if (!all.is_object()) return list;
    if (auto mine = all.find(d_->engineText().toStdString()); mine != all.end() && mine->is_array())
        for (const Json& folder : *mine)
            if (folder.is_string() && list.size() < static_cast<qsizetype>(kMostFolders)) list << toQt(folder.get<std::string>());
    return list;
}

void ModelsPresenter::addFolder(const QString& path) {
    QString folder = path;
    // A weights file stands for itself; other files for the folder they lie in.
    if (folder.endsWith(QLatin1String("config.json"))) folder = QFileInfo(folder).path();
    while (folder.size() > 1 && folder.endsWith(QLatin1Char('/'))) folder.chop(1);
    QStringList list = folders();
    if (folder.isEmpty() || list.contains(folder)) return refresh();
    list.append(folder);
    d_->keepFolders(list);
}

void ModelsPresenter::removeFolder(const QString& path) {
    QStringList list = folders();
    if (list.removeAll(path) > 0) d_->keepFolders(list);
}

void ModelsPresenter::select(const QString& reference) {
    if (reference == d_->selected) return;
    d_->selected = reference;
    d_->details = nullptr;
    d_->detailsError.reset();
    d_->describing.drop();
    if (!reference.isEmpty())
        d_->describing.ask(QStringLiteral("model_describe"), {{"model", reference.toStdString()}}, [this](Result<Json> reply) {
            if (reply) d_->details = std::move(*reply);
            else d_->detailsError = reply.error();
            Q_EMIT selectionChanged();
        }, 120);
    Q_EMIT selectionChanged();
}

const QString& ModelsPresenter::selected() const { return d_->selected; }
bool ModelsPresenter::isDescribing() const { return d_->describing.isAsking(); }
const Json& ModelsPresenter::details() const { return d_->details; }
const std::optional<Error>& ModelsPresenter::detailsError() const { return d_->detailsError; }

Json ModelsPresenter::selectedModel() const {
    for (const Json& model : d_->models)
        if (toQt(jsonStringOr(model, "reference", "")) == d_->selected) return model;
    return nullptr;
}

void ModelsPresenter::newExperiment() {
    if (!d_->selected.isEmpty()) d_->context.navigator.navigate(QStringLiteral("experiment"), {{"model", d_->selected.toStdString()}});
}

void ModelsPresenter::quantize() {
    if (!d_->selected.isEmpty()) d_->context.navigator.navigate(QStringLiteral("experiment"), {{"model", d_->selected.toStdString()}, {"template", "measure"}});
}

void ModelsPresenter::tryIt() {
    if (!d_->selected.isEmpty()) d_->context.navigator.navigate(QStringLiteral("try"), {{"model", d_->selected.toStdString()}});
}

void ModelsPresenter::openRun() {
    const std::string run = jsonStringOr(selectedModel(), "run", "");
    if (!run.empty()) d_->context.navigator.navigate(QStringLiteral("run"), {{"run", run}});
}

void ModelsPresenter::open(const Json& argument) {
    if (!argument.is_object()) return;
    if (jsonBoolOr(argument, "open", false)) Q_EMIT chooseAsked();
    if (const std::string model = jsonStringOr(argument, "model", ""); !model.empty()) select(toQt(model));
    if (auto paths = argument.find("paths"); paths != argument.end() && paths->is_array())
        for (const Json& path : *paths)
            if (path.is_string()) addFolder(toQt(path.get<std::string>()));
}

}  // namespace assay::presenters
