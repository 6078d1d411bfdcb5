#include <assay/config/config.h>
#include <assay/core/ids.h>
#include <assay/models/format.h>
#include <assay/models/run_text.h>
#include <assay/presenters/benchmark_presenter.h>
#include <assay/presenters/engine_session.h>
#include <assay/presenters/settings.h>

#include <QRegularExpression>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <limits>

#include "words.h"

namespace assay::presenters {
namespace {

constexpr int kBenchmarkSoonMs = 300, kMostEarlier = 40;
constexpr int64_t kMostNumber = 10'000'000;
constexpr qsizetype kMostNumbers = 32;
constexpr double kLeastSpread = 5e-4;

std::vector<double> repeatsOf(const Json& entry, const char* key) {
    std::vector<double> values;
    if (auto repeats = entry.find("repeats"); repeats != entry.end() && repeats->is_array())
        for (const Json& one : *repeats)
            if (one.is_object())
                if (const double value = numberAt(one, key); std::isfinite(value)) values.push_back(value);
    return values;
}

// A word of a shell command, quoted when it must be.
QString shellWord(const QString& word) {
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./:@%+=,-]+$"));
    if (plain.match(word).hasMatch()) return word;
    QString inside = word;
    inside.replace(QLatin1Char('\''), QLatin1String("'\\''"));
    return QStringLiteral("'%1'").arg(inside);
}

QString figureOf(const QString& measure, double value) {
    if (std::isnan(value)) return models::notMeasured();
    if (measure.endsWith(QLatin1String("_bytes"))) return models::formatBytes(value);
    return models::formatNumber(value, 3);
}

}  // namespace

Result<std::vector<int64_t>> parseNumbers(const QString& text, int64_t least) {
    static const QRegularExpression between(QStringLiteral("[\\s,;]+"));
    std::vector<int64_t> out;
    for (const QString& word : text.split(between, Qt::SkipEmptyParts)) {
        bool whole = false;
        const qint64 value = word.toLongLong(&whole);
        if (!whole || value < least || value > kMostNumber)
            return fail(ErrorCode::kBadUsage, QObject::tr("“%1” is no whole number from %2 up").arg(models::shortened(word, 24)).arg(least).toStdString());
        if (std::find(out.begin(), out.end(), value) == out.end()) out.push_back(value);
        if (static_cast<qsizetype>(out.size()) > kMostNumbers) return fail(ErrorCode::kBadUsage, QObject::tr("at most %1 numbers").arg(kMostNumbers).toStdString());
    }
    return out;
}

double percentileOf(std::vector<double> values, double percent) {
    if (values.empty()) return kNan;
    std::sort(values.begin(), values.end());
    const double place = percent / 100 * static_cast<double>(values.size() - 1);
    const auto low = static_cast<size_t>(place);
    const size_t high = std::min(low + 1, values.size() - 1);
    return values[low] + (place - static_cast<double>(low)) * (values[high] - values[low]);
}

// n values all miss what lies above the p-quantile with chance p^n: enough are those for which that is 1 % at most.
int fewestForPercentile(double percent) { return static_cast<int>(std::ceil(std::log(0.01) / std::log(percent / 100))); }

double spreadOf(const std::vector<double>& values) {
    if (values.size() < 2) return kNan;
    double mean = 0, squares = 0;
    for (const double value : values) mean += value / static_cast<double>(values.size());
    for (const double value : values) squares += (value - mean) * (value - mean);
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

struct BenchmarkPresenter::Private {
    Private(BenchmarkPresenter& owner, AppContext& shared) : self(owner), context(shared), choices(shared) {}
    BenchmarkPresenter& self;
    AppContext& context;
    ModelChoices choices;
    Form form;
    QString shown;
    models::RunRow row;
    Json document;
    std::optional<Error> error;
    QList<models::RunRow> earlier;
    QTimer list;
    bool starting = false, again = false, asking = false;

    void load();
    void askEarlier();
    const Json& entries() const {
        static const Json kNone = Json::array();
        auto result = document.find("result");
        if (!document.is_object() || result == document.end()) return kNone;
        return result->is_array() ? *result : kNone;
    }
};

const QStringList& BenchmarkPresenter::knownSchemes() {
    static const QStringList kSchemes{QStringLiteral("fp32"), QStringLiteral("fp16"), QStringLiteral("int8"), QStringLiteral("int4-g32"), QStringLiteral("int4-g128")};
    return kSchemes;
}

const QStringList& BenchmarkPresenter::measures() {
    static const QStringList kMeasures{QStringLiteral("decode_tokens_per_s"), QStringLiteral("prefill_tokens_per_s"), QStringLiteral("ttft_ms"), QStringLiteral("tpot_ms"), QStringLiteral("resident_weight_bytes"), QStringLiteral("peak_bytes")};
    return kMeasures;
}

QString BenchmarkPresenter::measureTitle(const QString& measure) {
    if (measure == QLatin1String("decode_tokens_per_s")) return tr("Decode, tokens/s");
    if (measure == QLatin1String("prefill_tokens_per_s")) return tr("Prefill, tokens/s");
    if (measure == QLatin1String("ttft_ms")) return tr("Time to first token, ms");
    if (measure == QLatin1String("tpot_ms")) return tr("Time per output token, ms");
    if (measure == QLatin1String("resident_weight_bytes")) return tr("Weights");
    if (measure == QLatin1String("peak_bytes")) return tr("Peak memory");
    return measure;
}

BenchmarkPresenter::BenchmarkPresenter(AppContext& context, QObject* parent) : QObject(parent), d_(std::make_unique<Private>(*this, context)) {
    d_->list.setSingleShot(true);
    d_->list.setInterval(kBenchmarkSoonMs);
    connect(&d_->list, &QTimer::timeout, this, [this] { d_->askEarlier(); });
    connect(&d_->choices, &ModelChoices::changed, this, &BenchmarkPresenter::formChanged);
    auto& session = context.session;
    connect(&session, &EngineSession::linkChanged, this, &BenchmarkPresenter::changed);
    connect(&session, &EngineSession::resynchronized, this, [this] {
        d_->choices.ask();
        d_->askEarlier();
        d_->load();
    });
    connect(&session, &EngineSession::runChanged, this, [this](const QString& run, const Json& row) {
        if (jsonStringOr(row, "kind", "") != "benchmark") return;
        if (!d_->list.isActive()) d_->list.start();
        if (run != d_->shown) return;
        const bool was = d_->row.isActive();
        d_->row = models::runRowFromJson(row);
        if (was && !d_->row.isActive()) d_->load();   // the result came with the end
        Q_EMIT changed();
    });
    connect(&session, &EngineSession::runRemoved, this, [this](const QString& run) {
        if (!d_->list.isActive()) d_->list.start();
        if (run == d_->shown) show({});
    });
    connect(&session, &EngineSession::event, this, [this](const QString& run, const QString& type, const Json& event) {
        if (run != d_->shown) return;
        if (type == QLatin1String("progress")) {
            d_->row.progress = event;
            Q_EMIT changed();
        } else if (type == QLatin1String("result")) {
            d_->load();
        }
    });
    if (session.isLive()) {
        d_->choices.ask();
        d_->askEarlier();
    }
}

BenchmarkPresenter::~BenchmarkPresenter() = default;

ModelChoices& BenchmarkPresenter::models() { return d_->choices; }
const BenchmarkPresenter::Form& BenchmarkPresenter::form() const { return d_->form; }
bool BenchmarkPresenter::isStarting() const { return d_->starting; }
const QString& BenchmarkPresenter::shown() const { return d_->shown; }
const models::RunRow& BenchmarkPresenter::row() const { return d_->row; }
const std::optional<Error>& BenchmarkPresenter::error() const { return d_->error; }
const QList<models::RunRow>& BenchmarkPresenter::earlier() const { return d_->earlier; }

void BenchmarkPresenter::setForm(const Form& form) {
    if (form == d_->form) return;
    d_->form = form;
    Q_EMIT formChanged();
}

Result<config::Spec> BenchmarkPresenter::spec() const {
    const Form& form = d_->form;
    if (form.model.trimmed().isEmpty()) return fail(ErrorCode::kBadUsage, tr("Choose a model.").toStdString());
    config::Spec spec;
    spec.kind = config::Kind::kBenchmark;
    spec.name = "bench " + d_->choices.nameOf(form.model).toStdString();
    spec.model.emplace().from = form.model.trimmed().toStdString();
    config::BenchmarkSpec& benchmark = spec.benchmark.emplace();
    for (const QString& scheme : form.schemes) benchmark.schemes.push_back({scheme.toStdString()});
    struct Field {
        const QString& text;
        int64_t least;
        std::vector<int64_t>& into;
        QString name;
    };
    for (const Field& field : {Field{form.prefill, 1, benchmark.prefill, tr("Prompt tokens")}, Field{form.batch, 1, benchmark.batch, tr("Batch")}, Field{form.depth, 0, benchmark.depth, tr("Depth")}}) {
        auto numbers = parseNumbers(field.text, field.least);
        if (!numbers) return fail(ErrorCode::kBadUsage, tr("%1: %2").arg(field.name, QString::fromStdString(numbers.error().message)).toStdString());
        if (numbers->empty()) return fail(ErrorCode::kBadUsage, tr("%1: give at least one number").arg(field.name).toStdString());
        field.into = std::move(*numbers);
    }
    benchmark.decode = form.decode;
    benchmark.repeats = form.repeats;
    if (form.decode < 0 || form.repeats < 1) return fail(ErrorCode::kBadUsage, tr("Give at least one repeat.").toStdString());
    return spec;
}

QString BenchmarkPresenter::whyNotStart() const {
    if (d_->starting) return tr("It is being started.");
    if (!d_->context.session.isLive()) return tr("The engine is not connected.");
    const auto made = spec();
    return made ? QString() : models::plain(QString::fromStdString(made.error().message));
}

int BenchmarkPresenter::measurements() const {
    const auto made = spec();
    if (!made) return 0;
    const auto& b = *made->benchmark;
    const double all = static_cast<double>(b.prefill.size() * b.batch.size() * b.depth.size() * std::max<size_t>(b.schemes.size(), 1)) * static_cast<double>(b.repeats);
    return static_cast<int>(std::min(all, 1e9));
}

QString BenchmarkPresenter::command() const {
    const Form& form = d_->form;
    QStringList words{QStringLiteral("assay"), QStringLiteral("bench"), form.model.trimmed().isEmpty() ? QStringLiteral("MODEL") : shellWord(form.model.trimmed())};
    for (const QString& scheme : form.schemes) words << QStringLiteral("--scheme") << shellWord(scheme);
    const auto list = [&](const char* option, const QString& text, int64_t least, int64_t usual) {
        const auto numbers = parseNumbers(text, least);
        if (!numbers || (numbers->size() == 1 && numbers->front() == usual)) return;
        for (const int64_t one : *numbers) words << QString::fromLatin1(option) << QString::number(one);
    };
    list("--prefill", form.prefill, 1, 128);
    list("--batch", form.batch, 1, 1);
    list("--depth", form.depth, 0, 0);
    if (form.decode != 64) words << QStringLiteral("--decode") << QString::number(form.decode);
    if (form.repeats != 5) words << QStringLiteral("--repeats") << QString::number(form.repeats);
    return words.join(QLatin1Char(' '));
}

void BenchmarkPresenter::start() {
    if (!whyNotStart().isEmpty()) return;
    auto made = spec();
    d_->starting = true;
    Q_EMIT changed();
    d_->context.session.call(QStringLiteral("runs.submit"), {{"spec", config::specToJson(*made)}, {"idempotency_key", randomHex(16)}}, this, [this](Result<Json> reply) {
        d_->starting = false;
        if (!reply) d_->context.notifier.error(tr("The benchmark cannot be started"), reply.error());
        else show(textAt(*reply, "run"));
        Q_EMIT changed();
    });
}

void BenchmarkPresenter::show(const QString& run) {
    if (run == d_->shown) return;
    d_->shown = run;
    d_->document = nullptr;
    d_->row = {};
    d_->error.reset();
    d_->load();
    Q_EMIT changed();
}

void BenchmarkPresenter::Private::load() {
    if (shown.isEmpty() || !context.session.isLive()) return;
    context.session.call(QStringLiteral("runs.get"), {{"run", shown.toStdString()}}, &self, [this, run = shown](Result<Json> reply) {
        if (run != shown) return;
        if (!reply) {
            if (reply.error().code != ErrorCode::kUnreachable) error = std::move(reply).error();
        } else {
            document = std::move(*reply);
            row = models::runRowFromJson(document);
            error.reset();
            if (auto failed = document.find("error"); failed != document.end() && failed->is_object()) error = errorFromJson(*failed);
        }
        Q_EMIT self.changed();
    });
}

void BenchmarkPresenter::Private::askEarlier() {
    if (!context.session.isLive()) return;
    if (asking) {
        again = true;
        return;
    }
    asking = true;
    context.session.call(QStringLiteral("runs.list"), {{"where", "kind = benchmark"}, {"sort", "-created_at"}, {"limit", kMostEarlier}}, &self, [this](Result<Json> reply) {
        asking = false;
        if (reply) {
            earlier.clear();
            if (auto runs = reply->find("runs"); runs != reply->end() && runs->is_array())
                for (const Json& one : *runs) earlier.append(models::runRowFromJson(one));
            if (shown.isEmpty() && !earlier.isEmpty()) self.show(earlier.front().id);
            Q_EMIT self.earlierChanged();
        }
        if (std::exchange(again, false)) list.start();
    });
}

QString BenchmarkPresenter::statusLine() const {
    if (d_->shown.isEmpty()) return {};
    if (!d_->row.isActive()) return {};
    return models::progressText(d_->row);
}

double BenchmarkPresenter::fraction() const { return d_->row.fraction(); }

void BenchmarkPresenter::stop() {
    if (!d_->row.canStop()) return;
    d_->context.session.call(QStringLiteral("runs.stop"), {{"run", d_->shown.toStdString()}, {"discard", false}}, this, [this](Result<Json> reply) {
        if (!reply) d_->context.notifier.error(tr("The benchmark cannot be stopped"), reply.error());
    });
}

void BenchmarkPresenter::openRun() {
    if (!d_->shown.isEmpty()) d_->context.navigator.navigate(QStringLiteral("run"), {{"run", d_->shown.toStdString()}});
}

QList<Json> BenchmarkPresenter::rows() const {
    QList<Json> out;
    int at = 0;
    for (const Json& entry : d_->entries()) {
        if (!entry.is_object()) continue;
        Json row = entry;
        row.erase("repeats");
        row["id"] = at++;
        const auto repeats = static_cast<qsizetype>(entry.contains("repeats") && entry["repeats"].is_array() ? entry["repeats"].size() : 0);
        row["n"] = repeats;
        for (const QString& measure : measures()) {
            const std::string key = measure.toStdString();
            const double value = numberAt(entry, key.c_str());
            row[key + "_text"] = figureOf(measure, value).toStdString();
            // A spread below the digits shown says nothing.
            const double spread = spreadOf(repeatsOf(entry, key.c_str()));
            row[key + "_spread"] = std::isfinite(spread) && spread > kLeastSpread * std::abs(value) ? ("± " + figureOf(measure, spread).toStdString()) : std::string();
        }
        for (const char* key : {"ttft_ms", "tpot_ms"}) {
            QStringList parts;
            const std::vector<double> values = repeatsOf(entry, key);
            for (const double percent : {90.0, 95.0, 99.0})
                if (static_cast<int>(values.size()) >= fewestForPercentile(percent)) parts << QStringLiteral("P%1 %2").arg(percent).arg(models::formatNumber(percentileOf(values, percent), 3));
            row[std::string(key) + "_tail"] = parts.join(QStringLiteral(" · ")).toStdString();
        }
        row["decode_tokens_per_s_text"] = QStringLiteral("%1 %2").arg(textAt(row, "decode_tokens_per_s_text"), textAt(row, "decode_tokens_per_s_spread")).trimmed().toStdString();
        out.append(std::move(row));
    }
    return out;
}

bool BenchmarkPresenter::hasPercentiles() const {
    for (const Json& row : rows())
        if (!jsonStringOr(row, "ttft_ms_tail", "").empty()) return true;
    return false;
}

QString BenchmarkPresenter::note() const {
    const Json& entries = d_->entries();
    if (entries.empty() || !entries.front().is_object()) return {};
    const Json& first = entries.front();
    const int repeats = static_cast<int>(first.contains("repeats") && first["repeats"].is_array() ? first["repeats"].size() : 0);
    QStringList parts{tr("median of %n repeat(s), ± one standard deviation", nullptr, repeats), tr("%n thread(s)", nullptr, static_cast<int>(jsonIntegerOr(first, "threads", 0))), tr("set-ups measured in turn")};
    const auto same = [&](const char* key) { return std::all_of(entries.begin(), entries.end(), [&](const Json& one) { return one.is_object() && one.value(key, Json()) == first.value(key, Json()); }); };
    if (same("batch")) parts << tr("batch %1").arg(jsonIntegerOr(first, "batch", 0));
    if (same("depth") && jsonIntegerOr(first, "depth", 0) > 0) parts << tr("depth %1").arg(jsonIntegerOr(first, "depth", 0));
    parts << tr("%1 generated tokens").arg(jsonIntegerOr(first, "decode", 0));
    if (repeats < fewestForPercentile(90)) parts << tr("percentiles need %1 repeats or more").arg(fewestForPercentile(90));
    return parts.join(QStringLiteral(" · "));
}

BenchmarkPresenter::Grid BenchmarkPresenter::grid(const QString& measure) const {
    Grid out;
    const std::string key = measure.toStdString();
    const Json& entries = d_->entries();
    bool batches = false, prefills = false, depths = false;
    for (const Json& entry : entries) {
        if (!entry.is_object()) continue;
        if (const QString scheme = models::plain(textAt(entry, "scheme")); !out.series.contains(scheme)) out.series << scheme;
        const auto other = [&](const char* part) { return entry.value(part, Json()) != entries.front().value(part, Json()); };
        batches = batches || other("batch");
        prefills = prefills || other("prefill");
        depths = depths || other("depth");
    }
    for (const Json& entry : entries) {
        if (!entry.is_object()) continue;
        QStringList words;   // only what differs between the shapes names them
        if (prefills || !(batches || depths)) words << tr("%1 prompt tokens").arg(jsonIntegerOr(entry, "prefill", 0));
        if (batches) words << tr("batch %1").arg(jsonIntegerOr(entry, "batch", 0));
        if (depths) words << tr("depth %1").arg(jsonIntegerOr(entry, "depth", 0));
        const QString name = words.join(QStringLiteral(", "));
        auto group = std::find_if(out.groups.begin(), out.groups.end(), [&](const Grid::Group& one) { return one.name == name; });
        if (group == out.groups.end()) {
            out.groups.push_back({name, std::vector<double>(static_cast<size_t>(out.series.size()), kNan), std::vector<double>(static_cast<size_t>(out.series.size()), 0)});
            group = out.groups.end() - 1;
        }
        const auto at = static_cast<size_t>(out.series.indexOf(models::plain(textAt(entry, "scheme"))));
        group->values[at] = numberAt(entry, key.c_str());
        const double spread = spreadOf(repeatsOf(entry, key.c_str()));
        group->errors[at] = std::isfinite(spread) ? spread : 0;
    }
    return out;
}

Json BenchmarkPresenter::state() const {
    Json schemes = Json::array();
    for (const QString& scheme : d_->form.schemes) schemes.push_back(scheme.toStdString());
    const Form& f = d_->form;
    return {{"model", f.model.toStdString()}, {"schemes", std::move(schemes)}, {"prefill", f.prefill.toStdString()}, {"batch", f.batch.toStdString()}, {"depth", f.depth.toStdString()}, {"decode", f.decode}, {"repeats", f.repeats}, {"run", d_->shown.toStdString()}};
}

void BenchmarkPresenter::restore(const Json& state) {
    if (!state.is_object()) return;
    Form form;
    form.model = textAt(state, "model");
    if (auto schemes = state.find("schemes"); schemes != state.end() && schemes->is_array())
        for (const Json& scheme : *schemes)
            if (scheme.is_string()) form.schemes << QString::fromStdString(scheme.get<std::string>());
    for (const auto& [key, into] : {std::pair{"prefill", &form.prefill}, std::pair{"batch", &form.batch}, std::pair{"depth", &form.depth}})
        if (const QString given = textAt(state, key); !given.isEmpty()) *into = given;
    form.decode = static_cast<int>(std::clamp<int64_t>(jsonIntegerOr(state, "decode", 64), 0, 1'000'000));
    form.repeats = static_cast<int>(std::clamp<int64_t>(jsonIntegerOr(state, "repeats", 5), 1, 10'000));
    setForm(form);
    if (d_->shown.isEmpty()) show(textAt(state, "run"));
}

}  // namespace assay::presenters
