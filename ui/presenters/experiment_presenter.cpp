// Text, form and history. Planning and starting: experiment_run.cpp; files and templates: experiment_files.cpp.
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QPointer>
#include <QThreadPool>

#include "experiment_private.h"
#include "words.h"

namespace assay::presenters {
namespace {

constexpr size_t kMostProblems = 500;
constexpr size_t kReadAtOnce = size_t{64} << 10;   // longer texts are read on another thread
constexpr int64_t kStarterTokens = 128 + 64;       // prompt and generated tokens of a benchmark that is added

// What is typed into a field, as YAML: lists without brackets, numbers with separators, texts without quotes.
Result<void> write(config::SpecText& spec, const config::KeyInfo& info, const QString& value) {
    using config::KeyType;
    const std::string key(info.key);
    QString typed = value.trimmed();
    const bool structured = typed.startsWith(u'{') || typed.startsWith(u'[');
    switch (info.type) {
        case KeyType::kTexts:
        case KeyType::kIntegers:
        case KeyType::kSchemes: return spec.setYaml(key, (structured ? typed : u'[' + typed + u']').toStdString());
        case KeyType::kInteger:
        case KeyType::kNumber: {
            QString digits = typed;
            digits.remove(u',').remove(QChar(0x202F)).remove(QChar(0xA0)).replace(QChar(0x2212), u'-');
            bool number = false;
            digits.toDouble(&number);
            return number ? spec.setYaml(key, digits.toStdString()) : spec.set(key, Json(typed.toStdString()));
        }
        case KeyType::kBoolean:
        case KeyType::kMap:
        case KeyType::kChoice:
        case KeyType::kGroup:
            if (auto done = spec.setYaml(key, typed.toStdString())) return done;
            return spec.set(key, Json(typed.toStdString()));
        case KeyType::kModel:
            if (structured) return spec.setYaml(key, typed.toStdString());
            break;
        default: break;
    }
    return spec.set(key, Json(typed.toStdString()));
}

// An emptied group that says nothing by being there goes as well.
void prune(config::SpecText& spec, const std::string& key) {
    for (size_t dot = key.rfind('.'); dot != std::string::npos; dot = key.rfind('.', dot - 1)) {
        const std::string parent = key.substr(0, dot);
        const config::KeyInfo* info = config::keyInfo(parent);
        const auto found = spec.find(parent);
        if (!info || info->type != config::KeyType::kGroup || !info->starter.empty() || !found || !found->value.is_object() || !found->value.empty()) return;
        if (!spec.remove(parent)) return;
    }
}

}  // namespace

ExperimentPresenter::ExperimentPresenter(AppContext& context, QObject* parent) : QObject(parent), d_(std::make_unique<Private>(*this, context)) {
    d_->planTimer.setSingleShot(true);
    d_->planTimer.setInterval(400);
    connect(&d_->planTimer, &QTimer::timeout, this, [this] { d_->ask(); });
    d_->draftTimer.setSingleShot(true);
    d_->draftTimer.setInterval(500);
    connect(&d_->draftTimer, &QTimer::timeout, this, [this] { d_->saveDraft(); });
    connect(&context.session, &EngineSession::linkChanged, this, [this] {
        d_->engineProblems.clear();
        d_->collectProblems();
        d_->schedulePlan();
        Q_EMIT changed();
    });
    const Json draft = context.settings.value(QStringLiteral("experiment.draft"));
    if (draft.is_object() && !jsonStringOr(draft, "text", "").empty()) {
        d_->forkOf = toQt(jsonStringOr(draft, "fork", ""));
        d_->load(jsonStringOr(draft, "text", ""), toQt(jsonStringOr(draft, "origin", "")), toQt(jsonStringOr(draft, "path", "")));
        if (draft.contains("baseline")) d_->baseline = jsonStringOr(draft, "baseline", "");
        if (jsonBoolOr(draft, "started", false)) d_->started = d_->text;
    } else {
        d_->openNow({{"template", "train"}});
    }
}

ExperimentPresenter::~ExperimentPresenter() {
    if (d_->draftTimer.isActive()) d_->saveDraft();
}

QString ExperimentPresenter::text() const { return toQt(d_->text); }
void ExperimentPresenter::setText(const QString& text) { d_->take(text.toStdString(), true); }
bool ExperimentPresenter::canUndo() const { return d_->history.canUndo(); }
bool ExperimentPresenter::canRedo() const { return d_->history.canRedo(); }

void ExperimentPresenter::undo() {
    if (!canUndo()) return;
    d_->text = d_->history.undo(std::move(d_->text));
    Q_EMIT textReplaced();
    d_->parse();
}
void ExperimentPresenter::redo() {
    if (!canRedo()) return;
    d_->text = d_->history.redo(std::move(d_->text));
    Q_EMIT textReplaced();
    d_->parse();
}

const std::vector<FormSection>& ExperimentPresenter::sections() const { return d_->sections; }
bool ExperimentPresenter::formReadable() const { return d_->readable; }
bool ExperimentPresenter::isChecking() const { return d_->checking; }
const std::vector<SpecProblem>& ExperimentPresenter::problems() const { return d_->problems; }
int ExperimentPresenter::changedCount() const { return d_->changedValues; }
QString ExperimentPresenter::origin() const { return d_->origin; }
QString ExperimentPresenter::filePath() const { return d_->path; }
bool ExperimentPresenter::isModified() const { return d_->text != d_->baseline; }
bool ExperimentPresenter::engineIsRemote() const { return d_->context.session.target().kind != EngineTarget::Kind::kLocal; }
QString ExperimentPresenter::engineName() const { return d_->context.session.target().name(); }

void ExperimentPresenter::setField(const QString& key, const QString& value) {
    const config::KeyInfo* info = config::keyInfo(key.toStdString());
    if (!info) return;
    d_->touched.insert(key);
    if (value.trimmed().isEmpty() && info->type != config::KeyType::kGroup) return resetField(key);
    const std::string name = key.toStdString();
    d_->edit([&](config::SpecText& spec) -> Result<void> {
        if (info->type == config::KeyType::kGroup && value == QLatin1String("false")) return spec.remove(name);
        const QString written = info->type == config::KeyType::kGroup && value == QLatin1String("true") ? QString::fromUtf8(info->starter.data(), static_cast<qsizetype>(info->starter.size())) : value;
        ASSAY_TRY_VOID(write(spec, *info, written));
        // Either of two: the newer one counts.
        for (const auto& [one, other] : {std::pair{"train.steps", "train.epochs"}, std::pair{"seed", "seeds"}}) {
            if (name == one) ASSAY_TRY_VOID(spec.remove(other));
            if (name == other) ASSAY_TRY_VOID(spec.remove(one));
        }
        return {};
    }, key);
}

void ExperimentPresenter::resetField(const QString& key) {
    d_->touched.insert(key);
    d_->edit([name = key.toStdString()](config::SpecText& spec) -> Result<void> {
        ASSAY_TRY_VOID(spec.remove(name));
        prune(spec, name);
        return {};
    }, key);
}

void ExperimentPresenter::setSectionPresent(const QString& key, bool present) {
    const config::KeyInfo* info = config::keyInfo(key.toStdString());
    if (!info) return;
    d_->edit([&](config::SpecText& spec) -> Result<void> {
        const std::string name(info->key);
        if (!present) return spec.remove(name);
        if (spec.has(name) && !spec.find(name)->value.is_null()) return {};
        ASSAY_TRY_VOID(spec.setYaml(name, info->starter.empty() ? "{}" : info->starter));
        if (name != "benchmark") return {};
        // What is added must run as it is: prompt and generated tokens fit the context that the model is given.
        const auto context = spec.find("model.from.context");
        const int64_t length = context && context->value.is_number_integer() ? context->value.get<int64_t>() : 0;
        if (length < 4 || length >= kStarterTokens) return {};
        ASSAY_TRY_VOID(spec.setYaml("benchmark.prefill", "[" + std::to_string(length / 2) + "]"));
        return spec.setYaml("benchmark.decode", std::to_string(length / 4));
    }, key);
}

int ExperimentPresenter::lineOf(const QString& key) const {
    const auto found = d_->parsed->spec.find(key.toStdString());
    if (found) return found->key.line ? found->key.line : found->span.line;
    const qsizetype dot = key.lastIndexOf(u'.');   // a default: where it would stand
    return dot > 0 ? lineOf(key.left(dot)) : 0;
}

QString ExperimentPresenter::keyAtLine(int line) const { return toQt(d_->parsed->spec.pathAtLine(line)); }

QStringList ExperimentPresenter::completions() const {
    QStringList out;
    for (const config::KeyInfo& info : config::schema()) {
        const std::string_view key = info.key;
        const QString last = toQt(std::string(key.substr(key.rfind('.') == std::string_view::npos ? 0 : key.rfind('.') + 1)));
        if (!out.contains(last)) out << last;
    }
    return out;
}

std::string ExperimentPresenter::Private::folder() const {
    if (!path.isEmpty()) return QFileInfo(path).absolutePath().toStdString();
    return QDir::homePath().toStdString();
}
std::string ExperimentPresenter::Private::fileName() const { return path.isEmpty() ? "experiment.yaml" : QFileInfo(path).fileName().toStdString(); }

void ExperimentPresenter::Private::take(std::string next, bool typed) {
    if (next == text) return;
    history.record(text, next, typed);
    text = std::move(next);
    submitKey.clear();
    parse();
}

void ExperimentPresenter::Private::load(std::string next, QString from, QString file) {
    if (!text.empty() && next != text) history.record(text, next, false);   // even this can be undone
    text = baseline = std::move(next);
    origin = std::move(from);
    path = std::move(file);
    submitKey.clear();
    engineProblems.clear();
    touched.clear();
    startTried = !path.isEmpty();   // a file is judged as it is; a template waits for the person
    Q_EMIT q.textReplaced();
    parse();
}

bool ExperimentPresenter::Private::isOpenPlace(const QString& key) const {
    if (startTried || touched.contains(key)) return false;
    const config::KeyInfo* info = config::keyInfo(key.toStdString());
    if (!info || (info->type != config::KeyType::kPath && info->type != config::KeyType::kModel)) return false;
    const auto written = parsed->spec.find(info->key);
    return !written || written->value.is_null() || written->value == "";
}


bool ExperimentPresenter::Private::edit(const std::function<Result<void>(config::SpecText&)>& change, const QString& what) {
    if (checking || !readable) return false;
    config::SpecText next = parsed->spec;
    if (auto done = change(next); !done) {
        context.notifier.error(QObject::tr("%1 cannot be changed here").arg(what), done.error());
        Q_EMIT q.changed();   // the field shows again what the text says
        return false;
    }
    if (next.text() == text) {
        Q_EMIT q.changed();
        return true;
    }
    take(next.text(), false);
    Q_EMIT q.textReplaced();
    return true;
}

void ExperimentPresenter::Private::parse() {
    const quint64 mine = ++generation;
    draftTimer.start();
    // A file that is extended may lie on a slow disk.
    if (text.size() <= kReadAtOnce && text.find("extends") == std::string::npos) {
        checking = false;
        return adopt(std::make_shared<ParsedSpec>(parseExperiment(text, fileName(), folder())));
    }
    checking = true;
    Q_EMIT q.changed();
    QPointer<ExperimentPresenter> guard(&q);
    QThreadPool::globalInstance()->start([guard, mine, copy = text, name = fileName(), at = folder()]() mutable {
        auto read = std::make_shared<ParsedSpec>(parseExperiment(std::move(copy), name, at));
        QMetaObject::invokeMethod(QCoreApplication::instance(), [guard, mine, read] {
            if (!guard || guard->d_->generation != mine) return;
            guard->d_->checking = false;
            guard->d_->adopt(read);
        });
    });
}

void ExperimentPresenter::Private::adopt(std::shared_ptr<ParsedSpec> next) {
    parsed = std::move(next);
    readable = parsed->spec.editable();
    if (readable) {
        sections = formOf(*parsed);
        changedValues = 0;
        for (FormSection& section : sections)
            for (FormField& field : section.fields) {
                changedValues += field.changed;
                if (!field.problem.isEmpty() && isOpenPlace(field.key)) field.problem.clear();
            }
    }
    engineProblems.clear();
    collectProblems();
    schedulePlan();
    Q_EMIT q.changed();
}

void ExperimentPresenter::Private::collectProblems() {
    problems.clear();
    open.clear();
    const auto& local = parsed->loaded.problems.empty() ? parsed->spec.problems() : parsed->loaded.problems;
    const bool remote = q.engineIsRemote();
    for (const config::Problem& p : local) {
        if (remote && p.key == "extends") continue;   // that file lies on the other machine
        if (problems.size() == kMostProblems) {   // a text that is no experiment at all can have one a line
            problems.push_back({0, 0, {}, QObject::tr("There are %1 problems in all; the first ones are shown.").arg(local.size()), {}});
            break;
        }
        const QString key = toQt(p.key);
        if (isOpenPlace(key)) {
            if (!open.contains(key)) open << key;
            continue;
        }
        const auto written = parsed->spec.find(p.key);
        const config::KeyInfo* info = config::keyInfo(p.key);
        const bool empty = info && (info->type == config::KeyType::kPath || info->type == config::KeyType::kModel) && (!written || written->value == "");
        problems.push_back({p.line, p.column, key, empty ? openPlaceText(key) : toQt(p.message), empty ? QString() : toQt(p.hint)});
    }
    for (const SpecProblem& p : engineProblems)
        if (std::find_if(problems.begin(), problems.end(), [&](const SpecProblem& known) { return known.key == p.key && known.message == p.message; }) == problems.end())
            problems.push_back(p);
}

}  // namespace assay::presenters
