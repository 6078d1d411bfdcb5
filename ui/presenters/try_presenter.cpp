#include <assay/config/config.h>
#include <assay/core/ids.h>
#include <assay/models/format.h>
#include <assay/presenters/engine_session.h>
#include <assay/presenters/try_presenter.h>

#include <QPointer>
#include <QTimer>
#include <algorithm>
#include <cmath>

#include "words.h"

namespace assay::presenters {
namespace {

constexpr int kTrySoonMs = 300, kPublishMs = 50, kMostHistory = 60;
constexpr auto kTag = "try-it", kPairPrefix = "try-";


std::vector<int> idsOf(const Json& list) {
    std::vector<int> out;
    if (list.is_array())
        for (const Json& id : list)
            if (id.is_number_integer()) out.push_back(static_cast<int>(id.get<int64_t>()));
    return out;
}

QString stopWords(const QString& reason) {
    if (reason == QLatin1String("eos")) return QObject::tr("end of text");
    if (reason == QLatin1String("length") || reason == QLatin1String("max_tokens")) return QObject::tr("token limit");
    if (reason == QLatin1String("context")) return QObject::tr("context full");
    return models::plain(reason);
}

// The tag that both runs of one try carry.
QString pairOf(const models::RunRow& run) {
    for (const QString& tag : run.tags)
        if (tag.startsWith(QLatin1String(kPairPrefix)) && tag != QLatin1String(kTag)) return tag;
    return run.id;
}

}  // namespace

int firstDifference(const QString& a, const QString& b) {
    const qsizetype most = std::min(a.size(), b.size());
    qsizetype at = 0;
    while (at < most && a[at] == b[at]) ++at;
    if (at == a.size() && at == b.size()) return -1;
    if (at > 0 && a[at - 1].isHighSurrogate()) --at;
    return static_cast<int>(at);
}

bool TryPresenter::Side::isActive() const { return status == QLatin1String("queued") || status == QLatin1String("starting") || status == QLatin1String("running") || status == QLatin1String("stopping") || status == QLatin1String("sending"); }

struct TryPresenter::Private {
    Private(TryPresenter& owner, AppContext& shared) : self(owner), context(shared), choices(shared) {}
    TryPresenter& self;
    AppContext& context;
    ModelChoices choices;
    Form form;
    std::vector<Side> sides;
    int generation = 0;                    // of the try on screen; answers of an earlier one are dropped
    QList<Entry> history;
    QHash<QString, QList<models::RunRow>> pairs;
    QTimer list, publish;
    bool again = false, asking = false;

    Side* sideOf(const QString& run) {
        const auto it = std::find_if(sides.begin(), sides.end(), [&](const Side& side) { return side.run == run && !run.isEmpty(); });
        return it == sides.end() ? nullptr : &*it;
    }
    void soon() {
        if (!publish.isActive()) publish.start();
    }
    void load(const QString& run);
    void takeResult(Side& side, const Json& data);
    void askHistory();
    void compare();
    void refine(size_t side, int token);
};

TryPresenter::TryPresenter(AppContext& context, QObject* parent) : QObject(parent), d_(std::make_unique<Private>(*this, context)) {
    for (QTimer* timer : {&d_->list, &d_->publish}) timer->setSingleShot(true);
    d_->list.setInterval(kTrySoonMs);
    d_->publish.setInterval(kPublishMs);
    connect(&d_->list, &QTimer::timeout, this, [this] { d_->askHistory(); });
    connect(&d_->publish, &QTimer::timeout, this, &TryPresenter::changed);
    connect(&d_->choices, &ModelChoices::changed, this, &TryPresenter::formChanged);
    auto& session = context.session;
    connect(&session, &EngineSession::linkChanged, this, &TryPresenter::formChanged);
    connect(&session, &EngineSession::resynchronized, this, [this] {
        d_->choices.ask();
        d_->askHistory();
        for (const Side& side : d_->sides)
            if (side.isActive()) d_->load(side.run);
    });
    connect(&session, &EngineSession::runRemoved, this, [this] {
        if (!d_->list.isActive()) d_->list.start();
    });
    connect(&session, &EngineSession::event, this, [this](const QString& run, const QString& type, const Json& event) {
        Side* side = d_->sideOf(run);
        if (!side) return;
        if (type == QLatin1String("sample")) {
            if (!side->isActive()) return;   // the whole text is there already
            side->text += textAt(event, "text");
            side->tokens = jsonIntegerOr(event, "step", side->tokens);
        } else if (type == QLatin1String("progress")) {
            const double rate = jsonDoubleOr(event, "rate", 0);
            if (textAt(event, "unit") == QLatin1String("tokens") && std::isfinite(rate) && rate > 0) side->tokensPerSecond = rate;
        } else if (type == QLatin1String("result")) {
            if (auto data = event.find("data"); data != event.end()) d_->takeResult(*side, *data);
        } else if (type == QLatin1String("run")) {
            auto row = event.find("row");
            if (row == event.end() || !row->is_object()) return;
            const bool was = side->isActive();
            side->status = textAt(*row, "status");
            if (was && !side->isActive()) {
                d_->load(run);
                if (!d_->list.isActive()) d_->list.start();
            }
        }
        d_->soon();
    });
    if (session.isLive()) {
        d_->choices.ask();
        d_->askHistory();
    }
}

TryPresenter::~TryPresenter() = default;

ModelChoices& TryPresenter::models() { return d_->choices; }
const TryPresenter::Form& TryPresenter::form() const { return d_->form; }
const std::vector<TryPresenter::Side>& TryPresenter::sides() const { return d_->sides; }
const QList<TryPresenter::Entry>& TryPresenter::history() const { return d_->history; }
bool TryPresenter::isRunning() const { return std::any_of(d_->sides.begin(), d_->sides.end(), [](const Side& side) { return side.isActive(); }); }

void TryPresenter::setForm(const Form& form) {
    if (form == d_->form) return;
    d_->form = form;
    Q_EMIT formChanged();
}

QString TryPresenter::whyNotRun() const {
    if (!d_->context.session.isLive()) return tr("The engine is not connected.");
    if (isRunning()) return tr("A try is running. Stop it first.");
    if (d_->form.models[0].trimmed().isEmpty()) return tr("Choose a model.");
    if (d_->form.prompt.isEmpty()) return tr("Write a prompt.");
    if (d_->form.models[0] == d_->form.models[1] && d_->form.temperature == 0) return tr("Choose another second model: the same one answers the same.");
    return {};
}

void TryPresenter::run() {
    if (!whyNotRun().isEmpty()) return;
    const int mine = ++d_->generation;
    const std::string pair = kPairPrefix + randomHex(6);
    d_->sides.clear();
    for (const QString& model : d_->form.models) {
        if (model.trimmed().isEmpty()) continue;
        Side side;
        side.model = model.trimmed();
        side.modelName = d_->choices.nameOf(side.model);
        side.status = QStringLiteral("sending");
        d_->sides.push_back(std::move(side));
    }
    for (size_t i = 0; i < d_->sides.size(); ++i) {
        config::Spec spec;
        spec.kind = config::Kind::kGenerate;
        spec.name = "try " + d_->sides[i].modelName.toStdString();
        spec.model.emplace().from = d_->sides[i].model.toStdString();
        spec.seed = static_cast<uint64_t>(std::max(0, d_->form.seed));
        spec.tags = {kTag, pair};
        config::GenerateSpec& generate = spec.generate.emplace();
        generate.prompt = d_->form.prompt.toStdString();
        generate.maxTokens = d_->form.maxTokens;
        generate.temperature = d_->form.temperature;
        generate.top = d_->form.top;
        generate.ignoreEos = d_->form.ignoreEos;
        generate.chat = d_->form.chat;
        d_->context.session.call(QStringLiteral("runs.submit"), {{"spec", config::specToJson(spec)}, {"idempotency_key", randomHex(16)}}, this, [this, mine, i](Result<Json> reply) {
            if (mine != d_->generation) return;
            Side& side = d_->sides[i];
            if (!reply) {
                side.status = QStringLiteral("failed");
                side.error = std::move(reply).error();
            } else {
                side.run = textAt(*reply, "run");
                side.status = QStringLiteral("queued");
                d_->load(side.run);   // events may have been faster than this answer
            }
            Q_EMIT changed();
        });
    }
    Q_EMIT changed();
}

void TryPresenter::stop() {
    for (const Side& side : d_->sides)
        if (side.isActive() && !side.run.isEmpty())
            d_->context.session.call(QStringLiteral("runs.stop"), {{"run", side.run.toStdString()}, {"discard", false}}, this, [this](Result<Json> reply) {
                if (!reply) d_->context.notifier.error(tr("The try cannot be stopped"), reply.error());
            });
}

void TryPresenter::Private::load(const QString& run) {
    if (run.isEmpty() || !context.session.isLive()) return;
    context.session.call(QStringLiteral("runs.get"), {{"run", run.toStdString()}}, &self, [this, run](Result<Json> reply) {
        Side* side = sideOf(run);
        if (!side) return;
        if (!reply) {
            if (reply.error().code != ErrorCode::kUnreachable) {
                side->error = std::move(reply).error();
                side->status = QStringLiteral("failed");
            }
        } else {
            side->status = textAt(*reply, "status");
            if (auto result = reply->find("result"); result != reply->end() && result->is_object()) takeResult(*side, *result);
            if (auto failed = reply->find("error"); failed != reply->end() && failed->is_object()) side->error = errorFromJson(*failed);
            if (side->status == QLatin1String("cancelled")) side->stopReason = tr("stopped");
        }
        compare();
        Q_EMIT self.changed();
    });
}

void TryPresenter::Private::takeResult(Side& side, const Json& data) {
    if (!data.is_object()) return;
    side.text = textAt(data, "text");
    side.ids = idsOf(data.value("ids", Json::array()));
    side.tokens = static_cast<qint64>(side.ids.size());
    side.promptTokens = static_cast<qint64>(idsOf(data.value("prompt_ids", Json::array())).size());
    side.stopReason = stopWords(textAt(data, "stop_reason"));
    // Of the tokens alone, as the live figure: the first one waits for the prompt.
    if (const double seconds = numberFromJson(data.value("seconds", Json())) - numberFromJson(data.value("first_token_seconds", Json())); seconds > 0 && side.tokens > 1)
        side.tokensPerSecond = static_cast<double>(side.tokens - 1) / seconds;
    side.top.clear();
    const Json texts = data.value("top_texts", Json());
    double highest = -INFINITY, sum = 0;
    if (auto top = data.find("top"); top != data.end() && top->is_array())
        for (const Json& one : *top)
            if (one.is_array() && one.size() == 2 && one[0].is_number_integer()) {
                const auto place = static_cast<size_t>(&one - &(*top)[0]);
                const bool told = texts.is_array() && place < texts.size() && texts[place].is_string();
                side.top.push_back({static_cast<int>(one[0].get<int64_t>()), told ? QString::fromStdString(texts[place].get<std::string>()) : QString(), numberFromJson(one[1]), 0});
            }
    for (const Logit& one : side.top) highest = std::max(highest, one.logit);
    for (const Logit& one : side.top) sum += std::exp(one.logit - highest);
    for (Logit& one : side.top) one.probability = sum > 0 ? std::exp(one.logit - highest) / sum : 0;
    compare();
}

int TryPresenter::firstDifferentToken() const {
    if (d_->sides.size() != 2 || d_->sides[0].ids.empty() || d_->sides[1].ids.empty()) return -1;
    const auto &a = d_->sides[0].ids, &b = d_->sides[1].ids;
    const auto [at, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    return at == a.end() && other == b.end() ? -1 : static_cast<int>(at - a.begin());
}

// First by characters, at once; then to the begin of the token that differs, as far as its tokenizer says where it lies.
void TryPresenter::Private::compare() {
    for (Side& side : sides) side.differsAt = -1;
    if (sides.size() != 2 || sides[0].stopReason.isEmpty() || sides[1].stopReason.isEmpty()) return;
    const int at = firstDifference(sides[0].text, sides[1].text);
    if (at < 0) return;
    const int token = self.firstDifferentToken();
    for (size_t i = 0; i < 2; ++i) {
        sides[i].differsAt = at;
        if (token >= 0) refine(i, token);
    }
}

void TryPresenter::Private::refine(size_t side, int token) {
    const Side& one = sides[side];
    context.session.tool(QStringLiteral("tokenize"), {{"tokenizer", one.model.toStdString()}, {"text", one.text.toStdString()}}, &self, [this, side, token, mine = generation, run = one.run](Result<Json> reply) {
        if (mine != generation || side >= sides.size() || sides[side].run != run || !reply) return;
        Side& now = sides[side];
        const std::vector<int> ids = idsOf(reply->value("ids", Json::array()));
        const Json offsets = reply->value("offsets", Json::array());
        // Text can be cut into other tokens than those that made it: only the same ones up to here tell the place.
        if (static_cast<size_t>(token) >= ids.size() || static_cast<size_t>(token) >= offsets.size() || static_cast<size_t>(token) >= now.ids.size()) return;
        if (!std::equal(ids.begin(), ids.begin() + token + 1, now.ids.begin())) return;
        const Json& place = offsets[static_cast<size_t>(token)];
        if (!place.is_array() || place.empty() || !place[0].is_number_integer()) return;
        const std::string bytes = now.text.toStdString();
        const auto begin = static_cast<size_t>(std::clamp<int64_t>(place[0].get<int64_t>(), 0, static_cast<int64_t>(bytes.size())));
        const int at = static_cast<int>(QString::fromUtf8(bytes.data(), static_cast<qsizetype>(begin)).size());
        if (now.differsAt >= 0 && at <= now.differsAt) now.differsAt = at;
        Q_EMIT self.changed();
    });
}

QString TryPresenter::comparisonText() const {
    if (d_->sides.size() != 2) return {};
    const Side &a = d_->sides[0], &b = d_->sides[1];
    if (a.stopReason.isEmpty() || b.stopReason.isEmpty() || a.error || b.error) return {};
    if (a.text == b.text) return tr("Both wrote the same text.");
    const int token = firstDifferentToken();
    return token < 0 ? tr("The outputs differ.") : token == 0 ? tr("The outputs differ from the first token on.") : tr("The first %n token(s) are the same, then the outputs differ.", nullptr, token);
}

void TryPresenter::Private::askHistory() {
    if (!context.session.isLive()) return;
    if (asking) {
        again = true;
        return;
    }
    asking = true;
    context.session.call(QStringLiteral("runs.list"), {{"where", "kind = generate and tag = try-it"}, {"sort", "-created_at"}, {"limit", kMostHistory}, {"columns", {"generate.prompt", "model.from"}}}, &self, [this](Result<Json> reply) {
        asking = false;
        if (reply) {
            history.clear();
            pairs.clear();
            if (auto runs = reply->find("runs"); runs != reply->end() && runs->is_array())
                for (const Json& row : *runs) {
                    const models::RunRow run = models::runRowFromJson(row);
                    const QString key = pairOf(run);
                    const Json values = row.value("values", Json::object());
                    const bool fresh = !pairs.contains(key);
                    pairs[key].prepend(run);   // newest first in the list: the first side was sent first
                    const QString model = choices.nameOf(textAt(values, "model.from"));
                    if (fresh) history.append({key, textAt(values, "generate.prompt"), model, models::formatAgo(run.createdAt, QDateTime::currentDateTimeUtc())});
                    else
                        for (Entry& entry : history)
                            if (entry.key == key) entry.models = tr("%1 and %2").arg(model, entry.models);
                }
            Q_EMIT self.historyChanged();
        }
        if (std::exchange(again, false)) list.start();
    });
}

void TryPresenter::openEntry(const QString& key) {
    const QList<models::RunRow> runs = d_->pairs.value(key);
    if (runs.isEmpty() || isRunning()) return;
    const int mine = ++d_->generation;
    d_->sides.assign(static_cast<size_t>(std::min<qsizetype>(runs.size(), 2)), {});
    for (size_t i = 0; i < d_->sides.size(); ++i) {
        d_->sides[i].run = runs[static_cast<qsizetype>(i)].id;
        d_->sides[i].status = runs[static_cast<qsizetype>(i)].status;
        d_->context.session.call(QStringLiteral("runs.get"), {{"run", d_->sides[i].run.toStdString()}}, this, [this, mine, i](Result<Json> reply) {
            if (mine != d_->generation) return;
            Side& side = d_->sides[i];
            if (!reply) {
                side.error = std::move(reply).error();
            } else {
                // The form becomes what it was then, so that one change can be tried.
                auto spec = config::specFromJson(reply->value("spec", Json::object()));
                if (spec && spec->model && spec->generate) {
                    side.model = QString::fromStdString(spec->model->from);
                    side.modelName = d_->choices.nameOf(side.model);
                    Form form = d_->form;
                    if (i == 0) form.models[1].clear();
                    form.models[i] = side.model;
                    form.prompt = QString::fromStdString(spec->generate->prompt);
                    form.maxTokens = static_cast<int>(std::clamp<int64_t>(spec->generate->maxTokens, 0, 1'000'000));
                    form.top = static_cast<int>(std::clamp<int64_t>(spec->generate->top, 0, 1000));
                    form.temperature = spec->generate->temperature;
                    form.ignoreEos = spec->generate->ignoreEos;
                    form.chat = spec->generate->chat;
                    setForm(form);
                }
                side.status = textAt(*reply, "status");
                if (auto result = reply->find("result"); result != reply->end() && result->is_object()) d_->takeResult(side, *result);
                if (auto failed = reply->find("error"); failed != reply->end() && failed->is_object()) side.error = errorFromJson(*failed);
                if (side.status == QLatin1String("cancelled")) side.stopReason = tr("stopped");
            }
            d_->compare();
            Q_EMIT changed();
        });
    }
    Q_EMIT changed();
}

void TryPresenter::openRun(int side) {
    if (side >= 0 && static_cast<size_t>(side) < d_->sides.size() && !d_->sides[static_cast<size_t>(side)].run.isEmpty())
        d_->context.navigator.navigate(QStringLiteral("run"), {{"run", d_->sides[static_cast<size_t>(side)].run.toStdString()}});
}

Json TryPresenter::state() const {
    const Form& f = d_->form;
    return {{"prompt", f.prompt.toStdString()}, {"model", f.models[0].toStdString()}, {"second", f.models[1].toStdString()}, {"max_tokens", f.maxTokens}, {"top", f.top}, {"temperature", f.temperature}, {"seed", f.seed}, {"ignore_eos", f.ignoreEos}, {"chat", f.chat}};
}

void TryPresenter::restore(const Json& state) {
    if (!state.is_object()) return;
    Form form;
    form.prompt = textAt(state, "prompt");
    form.models[0] = textAt(state, "model");
    form.models[1] = textAt(state, "second");
    form.maxTokens = static_cast<int>(std::clamp<int64_t>(jsonIntegerOr(state, "max_tokens", 64), 1, 100'000));
    form.top = static_cast<int>(std::clamp<int64_t>(jsonIntegerOr(state, "top", 10), 0, 100));
    form.temperature = std::clamp(jsonDoubleOr(state, "temperature", 0), 0.0, 10.0);
    form.seed = static_cast<int>(std::clamp<int64_t>(jsonIntegerOr(state, "seed", 1234), 0, 2'000'000'000));
    form.ignoreEos = jsonBoolOr(state, "ignore_eos", false);
    form.chat = jsonBoolOr(state, "chat", false);
    setForm(form);
}

}  // namespace assay::presenters
