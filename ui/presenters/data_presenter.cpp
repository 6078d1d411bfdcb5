// Which files, what is in them, how their columns are read.
#include <assay/models/format.h>
#include <assay/presenters/settings.h>

#include <QDir>
#include <QFileInfo>

#include "data_private.h"
#include "words.h"

namespace assay::presenters {
namespace {

constexpr auto kRecentKey = "data.recent";
constexpr size_t kMostRecent = 10, kMostFiles = 1000;


DataSetFile fileOf(const QString& place) { return {place, QFileInfo(place).fileName(), QStringLiteral("auto")}; }

Json toJson(const std::vector<DataSetFile>& files) {
    Json list = Json::array();
    for (const DataSetFile& file : files) list.push_back({{"place", file.place.toStdString()}, {"name", file.name.toStdString()}, {"format", file.format.toStdString()}});
    return list;
}

std::vector<DataSetFile> filesFrom(const Json& list) {
    std::vector<DataSetFile> files;
    if (!list.is_array()) return files;
    for (const Json& file : list)
        if (const std::string place = file.is_object() ? jsonStringOr(file, "place", "") : ""; !place.empty() && files.size() < kMostFiles)
            files.push_back({toQt(place), toQt(jsonStringOr(file, "name", place)), toQt(jsonStringOr(file, "format", "auto"))});
    return files;
}

QString titleOf(const std::vector<DataSetFile>& files) {
    if (files.empty()) return {};
    const QString first = models::plain(files.front().name);
    return files.size() == 1 ? first : QObject::tr("%1 and %n more", nullptr, static_cast<int>(files.size()) - 1).arg(first);
}

}  // namespace

QString formatOfName(const QString& name) {
    const QString ending = QFileInfo(name).suffix().toLower();
    if (ending == QLatin1String("jsonl") || ending == QLatin1String("ndjson") || ending == QLatin1String("json")) return QStringLiteral("jsonl");
    if (ending == QLatin1String("csv") || ending == QLatin1String("tsv")) return QStringLiteral("csv");
    return QStringLiteral("auto");
}

DataPresenter::DataPresenter(AppContext& context, QObject* parent) : QObject(parent), d_(std::make_unique<Private>(*this, context)) {
    connect(&d_->rows, &models::DataRowsModel::pageNeeded, this, [this](qint64 page) { d_->askPage(page); });
    connect(&context.session, &EngineSession::linkChanged, this, [this] { d_->onLink(); });
    connect(&context.session, &EngineSession::resynchronized, this, [this] {
        d_->tokenizersAsked = false;
        d_->askTokenizers();
        if (std::exchange(d_->unanswered, false)) d_->inspect();
    });
    d_->engine = d_->engineText();
}

DataPresenter::~DataPresenter() = default;

QString DataPresenter::Private::engineText() const { return targetText(context.session.target()); }

void DataPresenter::Private::onLink() {
    // Files are of one machine: another engine knows nothing of them.
    if (engine != engineText()) {
        q.cancelUpload();
        q.close();
        engine = engineText();
        tokenizers.clear();
        found.clear();
        tokenizersAsked = false;
        Q_EMIT q.tokenizersChanged();
        Q_EMIT q.foundChanged();
    }
    Q_EMIT q.changed();
}

bool DataPresenter::engineIsRemote() const { return d_->context.session.target().kind != EngineTarget::Kind::kLocal; }
QString DataPresenter::engineName() const { return models::plain(d_->context.session.target().name()); }

void DataPresenter::open(const Json& argument) {
    if (!argument.is_object() || argument.empty()) return;
    if (jsonBoolOr(argument, "open", false)) {
        Q_EMIT chooseAsked();
        return;
    }
    std::vector<DataSetFile> files;
    if (const std::string path = jsonStringOr(argument, "path", ""); !path.empty()) files.push_back(fileOf(toQt(path)));
    if (auto paths = argument.find("paths"); paths != argument.end() && paths->is_array())
        for (const Json& path : *paths)
            if (path.is_string() && !path.get_ref<const std::string&>().empty()) files.push_back(fileOf(toQt(path.get<std::string>())));
    if (files.empty()) return;
    d_->take(std::move(files), false);
    if (const std::string format = jsonStringOr(argument, "format", ""); !format.empty()) d_->format = toQt(format);
    if (auto columns = argument.find("columns"); columns != argument.end() && columns->is_object() && !columns->empty()) d_->given = *columns;
    if (d_->format != QLatin1String("auto") || !d_->given.empty()) d_->inspect();
}

void DataPresenter::openOnEngine(const QStringList& paths) {
    std::vector<DataSetFile> files;
    for (const QString& path : paths) files.push_back(fileOf(path));
    d_->take(std::move(files), false);
}

void DataPresenter::addOnEngine(const QStringList& paths) {
    std::vector<DataSetFile> files;
    for (const QString& path : paths) files.push_back(fileOf(path));
    d_->take(std::move(files), true);
}

void DataPresenter::openLocal(const QStringList& paths) { engineIsRemote() ? d_->upload(paths, false) : openOnEngine(paths); }
void DataPresenter::addLocal(const QStringList& paths) { engineIsRemote() ? d_->upload(paths, true) : addOnEngine(paths); }

void DataPresenter::openRecent(int index) {
    const auto list = recent();
    if (index >= 0 && static_cast<size_t>(index) < list.size()) d_->take(list[static_cast<size_t>(index)].files, false);
}

void DataPresenter::Private::take(std::vector<DataSetFile> chosen, bool add) {
    if (chosen.empty()) return;
    if (add)
        for (DataSetFile& file : chosen) {
            if (std::find(files.begin(), files.end(), file) == files.end() && files.size() < kMostFiles) files.push_back(std::move(file));
        }
    else {
        files = std::move(chosen);
        if (files.size() > kMostFiles) files.resize(kMostFiles);
        given = Json::object();
        format = QStringLiteral("auto");
        filter.clear();
        file = 0;
    }
    inspection = nullptr;
    engine = engineText();
    inspect();
}

void DataPresenter::close() {
    d_->files.clear();
    d_->inspection = nullptr;
    d_->error.reset();
    d_->unanswered = false;
    d_->inspecting.drop();
    d_->dropAnswers();
    d_->file = 0;
    Q_EMIT changed();
}

void DataPresenter::reload() {
    if (isOpen()) d_->inspect();
}

void DataPresenter::Private::dropAnswers() {
    rowsQuestion.drop();
    measuring.drop();
    viewing.drop();
    pagesWanted.clear();
    rowsKnown = false;
    rows.clear();
    rowsError.reset();
    lengths = view = nullptr;
    lengthsError.reset();
    viewError.reset();
    viewRow = 1;
    Q_EMIT q.rowsChanged();
    Q_EMIT q.lengthsChanged();
    Q_EMIT q.viewChanged();
}

void DataPresenter::Private::inspect() {
    dropAnswers();
    error.reset();
    unanswered = false;
    Json params = source(files.front());
    params.erase("path");
    Json paths = Json::array();
    for (const DataSetFile& f : files) paths.push_back(f.place.toStdString());
    params["paths"] = std::move(paths);
    inspecting.ask(QStringLiteral("data_inspect"), std::move(params), [this](Result<Json> reply) {
        if (reply) return takeInspection(std::move(*reply));
        inspection = nullptr;
        error = reply.error();
        unanswered = reply.error().code == ErrorCode::kUnreachable;
        Q_EMIT q.changed();
    });
    Q_EMIT q.changed();
}

void DataPresenter::Private::takeInspection(Json document) {
    inspection = std::move(document);
    const Json map = mapping();
    shape = map.contains("messages") ? RowShape::kMessages : map.contains("prompt") || map.contains("completion") ? RowShape::kPromptCompletion : RowShape::kText;
    remember();
    Q_EMIT q.changed();
    askDerived();
}

bool DataPresenter::isOpen() const { return !d_->files.empty(); }
const std::vector<DataSetFile>& DataPresenter::files() const { return d_->files; }
QString DataPresenter::title() const { return titleOf(d_->files); }
bool DataPresenter::isInspecting() const { return d_->inspecting.isAsking(); }
const Json& DataPresenter::inspection() const { return d_->inspection; }
const std::optional<Error>& DataPresenter::error() const { return d_->error; }

void DataPresenter::cancelInspection() {
    if (!isInspecting()) return;
    d_->inspecting.drop();
    d_->error = Error(ErrorCode::kCancelled, tr("Reading the file was cancelled.").toStdString(), tr("Press “Read again” to look at it.").toStdString());
    Q_EMIT changed();
}

QString DataPresenter::formatText() const {
    const QString name = d_->inspection.is_object() ? toQt(jsonStringOr(d_->inspection, "format", "")) : QString();
    if (name == QLatin1String("text")) return tr("Text");
    if (name == QLatin1String("mixed")) return tr("mixed formats");
    if (name == QLatin1String("hf")) return tr("Hugging Face folder");
    return models::plain(name).toUpper();
}

bool DataPresenter::isHuggingFace() const { return d_->inspection.is_object() && jsonStringOr(d_->inspection, "format", "") == "hf"; }
const QString& DataPresenter::format() const { return d_->format; }
void DataPresenter::setFormat(const QString& format) {
    if (format == d_->format || !isOpen()) return;
    d_->format = format;
    d_->given = Json::object();   // other columns
    d_->inspect();
}

const QString& DataPresenter::document() const { return d_->document; }
void DataPresenter::setDocument(const QString& document) {
    if (document == d_->document) return;
    d_->document = document;
    if (isOpen()) d_->inspect();
}

bool DataPresenter::hasColumns() const { return d_->inspection.is_object() && jsonStringOr(d_->inspection, "format", "text") != "text"; }

QStringList DataPresenter::columns() const {
    QStringList list;
    if (!d_->inspection.is_object()) return list;
    if (auto columns = d_->inspection.find("columns"); columns != d_->inspection.end() && columns->is_array())
        for (const Json& column : *columns)
            if (column.is_string()) list << toQt(column.get<std::string>());
    return list;
}

Json DataPresenter::Private::mapping() const {
    if (!given.empty()) return given;
    if (inspection.is_object())
        if (auto guessed = inspection.find("mapping"); guessed != inspection.end() && guessed->is_object()) return *guessed;
    return Json::object();
}

std::map<QString, QString> DataPresenter::Private::mappedColumns() const {
    std::map<QString, QString> out;
    const Json roles = mapping();
    for (const auto& [role, column] : roles.items())
        if (column.is_string()) out[toQt(column.get<std::string>())] = toQt(role);
    return out;
}

RowShape DataPresenter::shape() const { return d_->shape; }
bool DataPresenter::mappingIsGuessed() const { return d_->given.empty(); }
bool DataPresenter::canBeMessages() const {
    const QStringList names = columns();
    return names.contains(QStringLiteral("messages")) || names.contains(QStringLiteral("conversations"));
}

QString DataPresenter::mappingReason() const {
    if (!mappingIsGuessed() || !d_->inspection.is_object()) return {};
    // The tool says it in English; the window in the person's language.
    const QString said = models::plain(toQt(jsonStringOr(d_->inspection, "mapping_reason", "")));
    const auto after = [&](QLatin1String start) { return said.startsWith(start) ? said.mid(start.size()) : QString(); };
    if (const QString name = after(QLatin1String("a column named ")); !name.isEmpty()) return tr("a column named %1").arg(name);
    if (QString names = after(QLatin1String("columns named ")); !names.isEmpty()) return tr("columns named %1").arg(names.replace(QLatin1String(" and "), QLatin1String(", ")));
    if (const QString shape = after(QLatin1String("most rows are of the shape ")); !shape.isEmpty()) return tr("most rows are of the shape %1").arg(shape);
    if (said == QLatin1String("the only column")) return tr("the only column");
    if (said == QLatin1String("the only column with text")) return tr("the only column with text");
    if (said == QLatin1String("the column with the longest texts")) return tr("the column with the longest texts");
    return said;
}

QString DataPresenter::column(const QString& role) const { return toQt(jsonStringOr(d_->mapping(), role.toStdString(), "")); }

void DataPresenter::setShape(RowShape shape) {
    if (shape == d_->shape || !hasColumns()) return;
    const QStringList names = columns();
    if (names.isEmpty()) return;
    const Json before = d_->mapping();
    const auto pick = [&](std::initializer_list<const char*> roles, int fallback) {
        for (const char* role : roles)
            if (const std::string column = jsonStringOr(before, role, ""); !column.empty()) return column;
        return names[std::min<qsizetype>(fallback, names.size() - 1)].toStdString();
    };
    switch (shape) {
        case RowShape::kText: d_->given = {{"text", pick({"text", "completion", "prompt"}, 0)}}; break;
        case RowShape::kPromptCompletion: {
            const std::string prompt = pick({"prompt", "text"}, 0);
            std::string completion = jsonStringOr(before, "completion", "");
            for (const QString& name : names)
                if (completion.empty() && name.toStdString() != prompt) completion = name.toStdString();
            d_->given = {{"prompt", prompt}, {"completion", completion.empty() ? prompt : completion}};
            break;
        }
        case RowShape::kMessages: d_->given = {{"messages", names.contains(QStringLiteral("messages")) ? "messages" : "conversations"}}; break;
    }
    d_->shape = shape;
    d_->inspect();
}

void DataPresenter::setColumn(const QString& role, const QString& column) {
    if (column.isEmpty() || column == this->column(role)) return;
    Json mapping = d_->mapping();
    mapping[role.toStdString()] = column.toStdString();
    d_->given = std::move(mapping);
    d_->inspect();
}

void DataPresenter::guessMapping() {
    if (mappingIsGuessed() || !isOpen()) return;
    d_->given = Json::object();
    d_->inspect();
}

Json DataPresenter::Private::source(const DataSetFile& f) const {
    Json params = {{"path", f.place.toStdString()}, {"format", (format != QLatin1String("auto") ? format : f.format).toStdString()}, {"document", document.toStdString()}};
    if (!given.empty()) params["columns"] = given;
    return params;
}

std::vector<DataPresenter::Problem> DataPresenter::problems() const {
    std::vector<Problem> out;
    if (!d_->inspection.is_object()) return out;
    const auto list = d_->inspection.find("problems");
    if (list == d_->inspection.end() || !list->is_array()) return out;
    for (const Json& p : *list) {
        if (!p.is_object()) continue;
        Problem problem;
        problem.reason = toQt(jsonStringOr(p, "reason", ""));
        problem.hint = models::plain(toQt(jsonStringOr(p, "hint", "")));
        problem.count = jsonIntegerOr(p, "count", 0);
        problem.row = jsonIntegerOr(p, "row", 0);
        problem.line = jsonIntegerOr(p, "line", 0);
        problem.keeps = models::rowReasonKeeps(problem.reason);
        QStringList lines;
        if (auto all = p.find("lines"); all != p.end() && all->is_array())
            for (const Json& line : *all)
                if (line.is_number_integer() && line.get<qint64>() > 0) lines << models::formatCount(static_cast<double>(line.get<qint64>()));
        if (lines.isEmpty()) problem.where = tr("row %1").arg(models::formatCount(static_cast<double>(problem.row)));
        else problem.where = (lines.size() == 1 ? tr("line %1") : tr("lines %1")).arg(lines.join(QStringLiteral(", "))) + (problem.count > lines.size() ? QStringLiteral(", …") : QString());
        const QString place = toQt(jsonStringOr(p, "file", ""));
        for (const DataSetFile& file : d_->files)
            if (!place.isEmpty() && (file.place == place || place.endsWith(QLatin1Char('/') + file.place.mid(file.place.indexOf(QLatin1Char(':')) + 1)))) problem.file = models::plain(file.name);
        if (!place.isEmpty() && problem.file.isEmpty()) problem.file = models::plain(QFileInfo(place).fileName());
        out.push_back(std::move(problem));
    }
    return out;
}

qint64 DataPresenter::problemRows() const {
    qint64 rows = 0;
    for (const Problem& problem : problems()) rows += problem.count;
    return rows;
}

void DataPresenter::Private::remember() {
    Json list = Json::array({Json{{"engine", engine.toStdString()}, {"files", toJson(files)}}});
    for (const Json& known : context.settings.value(QLatin1String(kRecentKey), Json::array())) {
        const bool same = known.is_object() && jsonStringOr(known, "engine", "") == engine.toStdString() && known.contains("files") && filesFrom(known["files"]) == files;
        if (!same && list.size() < kMostRecent) list.push_back(known);
    }
    if (context.settings.value(QLatin1String(kRecentKey)) != list) context.settings.set(QLatin1String(kRecentKey), std::move(list));
}

std::vector<RecentDataset> DataPresenter::recent() const {
    std::vector<RecentDataset> out;
    const Json list = d_->context.settings.value(QLatin1String(kRecentKey), Json::array());
    if (!list.is_array()) return out;
    for (const Json& known : list) {
        if (!known.is_object() || jsonStringOr(known, "engine", "") != d_->engineText().toStdString() || !known.contains("files")) continue;
        RecentDataset recent;
        recent.files = filesFrom(known["files"]);
        if (recent.files.empty()) continue;
        recent.title = titleOf(recent.files);
        const QString place = recent.files.front().place;
        recent.detail = place.startsWith(QLatin1String("blob:")) ? tr("uploaded") : models::plain(QFileInfo(place).path());
        out.push_back(std::move(recent));
    }
    return out;
}

}  // namespace assay::presenters
