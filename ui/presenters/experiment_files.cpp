// Where a text comes from and where it goes.
#include <assay/core/durable.h>

#include <QCoreApplication>
#include <QFileInfo>
#include <QPointer>
#include <QThreadPool>

#include "experiment_private.h"
#include "words.h"

namespace assay::presenters {
namespace {

constexpr size_t kMostFileBytes = size_t{1} << 20;   // a run accepts no longer one
constexpr size_t kMostDraftBytes = size_t{512} << 10;

}  // namespace

void ExperimentPresenter::open(const Json& argument) {
    if (!argument.is_object() || argument.empty()) return;   // only shown: what is being written stays
    // What was started lives on in its run: there is nothing to lose.
    if (!isModified() || d_->text == d_->started) return d_->openNow(argument);
    d_->pendingOpen = argument;
    Q_EMIT replaceAsked(d_->path.isEmpty() ? tr("The experiment that you are writing") : QFileInfo(d_->path).fileName());
}

void ExperimentPresenter::confirmReplace(bool replace) {
    const Json argument = std::move(d_->pendingOpen);
    d_->pendingOpen = nullptr;
    if (replace && argument.is_object()) d_->openNow(argument);
}

void ExperimentPresenter::Private::openNow(const Json& argument) {
    if (const std::string file = jsonStringOr(argument, "file", ""); !file.empty()) return readFile(toQt(file));
    if (const std::string run = jsonStringOr(argument, "fork", ""); !run.empty()) return fork(toQt(run));
    forkOf.clear();
    QString key = toQt(jsonStringOr(argument, "template", ""));
    const auto data = argument.find("data");
    const std::string model = jsonStringOr(argument, "model", "");
    if (key.isEmpty()) key = model.empty() ? QStringLiteral("train") : QStringLiteral("measure");
    QString title = key;
    for (const ExperimentTemplate& known : q.templates())
        if (known.key == key) title = known.title;
    config::SpecText spec(templateText(key));
    QString from = QObject::tr("template: %1").arg(title);
    auto set = [&](const char* path, const Json& value) {
        if (auto done = spec.set(path, value); !done) context.notifier.error(QObject::tr("%1 could not be filled in").arg(QLatin1String(path)), done.error());
    };
    if (data != argument.end() && data->is_object()) {
        const std::string place = jsonStringOr(*data, "path", "");
        if (auto sources = data->find("sources"); sources != data->end() && sources->is_array() && sources->size() > 1) {
            set("data.train", *sources);
        } else {
            set("data.train.path", place);
            if (const std::string format = jsonStringOr(*data, "format", ""); !format.empty() && format != "auto") set("data.train.format", format);
            if (auto columns = data->find("columns"); columns != data->end() && columns->is_object() && !columns->empty()) set("data.train.columns", *columns);
        }
        set("data.eval", Json{{"split", "last 5%"}});
        for (const char* carried : {"document", "tokenizer", "loss_on", "sequence_length", "over_length", "packing"})
            if (auto value = data->find(carried); value != data->end()) set((std::string("data.") + carried).c_str(), *value);
        // The new model must be able to read what the data is cut into.
        const int64_t length = jsonIntegerOr(*data, "sequence_length", 0);
        if (const auto context = spec.find("model.from.context"); context && context->value.is_number_integer() && context->value.get<int64_t>() < length) set("model.from.context", length);
        from = QObject::tr("data: %1").arg(QFileInfo(toQt(place)).fileName());
    }
    if (!model.empty()) {
        set("model.from", model);
        from = QObject::tr("model: %1").arg(toQt(model));
    }
    load(spec.text(), from, {});
}

void ExperimentPresenter::Private::readFile(const QString& file) {
    QPointer<ExperimentPresenter> guard(&q);
    QThreadPool::globalInstance()->start([guard, file] {
        auto read = std::make_shared<Result<std::string>>(assay::readFile(file.toStdString(), kMostFileBytes));
        QMetaObject::invokeMethod(QCoreApplication::instance(), [guard, file, read] {
            if (!guard) return;
            Private& d = *guard->d_;
            if (!*read) return d.context.notifier.error(QObject::tr("%1 could not be opened").arg(QFileInfo(file).fileName()), read->error());
            d.forkOf.clear();
            d.load(std::move(**read), QFileInfo(file).fileName(), file);
            d.remember(file);
        });
    });
}

void ExperimentPresenter::Private::fork(const QString& run) {
    context.session.call(QStringLiteral("runs.get"), {{"run", run.toStdString()}}, &q, [this, run](Result<Json> reply) {
        if (!reply) return context.notifier.error(QObject::tr("The run could not be read"), reply.error());
        auto spec = reply->find("spec");
        if (spec == reply->end() || !spec->is_object())
            return context.notifier.error(QObject::tr("The run could not be read"), Error(ErrorCode::kNotFound, "it has no experiment file"));
        forkOf = toQt(jsonStringOr(*reply, "id", run.toStdString()));
        const QString name = toQt(jsonStringOr(*reply, "name", run.toStdString()));
        load(config::jsonToYaml(config::compactSpec(*spec)), QObject::tr("run: %1").arg(name), {});
    });
}

void ExperimentPresenter::save(const QString& path) {
    QPointer<ExperimentPresenter> guard(this);
    QThreadPool::globalInstance()->start([guard, path, copy = d_->text] {
        auto written = std::make_shared<Result<void>>(writeFileDurably(path.toStdString(), copy));
        QMetaObject::invokeMethod(QCoreApplication::instance(), [guard, path, copy, written] {
            if (!guard) return;
            Private& d = *guard->d_;
            if (!*written) return d.context.notifier.error(tr("%1 could not be saved").arg(QFileInfo(path).fileName()), written->error());
            d.baseline = copy;
            d.path = path;
            d.origin = QFileInfo(path).fileName();
            d.remember(path);
            d.saveDraft();
            Q_EMIT guard->saved(path);
            Q_EMIT guard->changed();
        });
    });
}

void ExperimentPresenter::Private::remember(const QString& file) {
    Json list = Json::array({file.toStdString()});
    for (const QString& known : q.recent())
        if (known != file && list.size() < 8) list.push_back(known.toStdString());
    context.settings.set(QStringLiteral("experiment.recent"), std::move(list));
}

QStringList ExperimentPresenter::recent() const {
    QStringList out;
    for (const Json& file : d_->context.settings.value(QStringLiteral("experiment.recent"), Json::array()))
        if (file.is_string()) out << toQt(file.get<std::string>());
    return out;
}

// What is being written is there again when the window is opened next time.
void ExperimentPresenter::Private::saveDraft() {
    draftTimer.stop();
    if (text.size() > kMostDraftBytes) return;
    Json draft{{"text", text}, {"origin", origin.toStdString()}, {"path", path.toStdString()}, {"fork", forkOf.toStdString()}};
    if (text != baseline && baseline.size() <= kMostDraftBytes) draft["baseline"] = baseline;
    if (text == started) draft["started"] = true;
    context.settings.set(QStringLiteral("experiment.draft"), std::move(draft));
}

std::vector<ExperimentTemplate> ExperimentPresenter::templates() const {
    return {{QStringLiteral("train"), tr("Train a small GPT"), tr("A new model on your text, then its accuracy.")},
            {QStringLiteral("tune"), tr("Fine-tune a model"), tr("LoRA adapters for a model that exists.")},
            {QStringLiteral("measure"), tr("Quantize and benchmark a model"), tr("Smaller copies of a model: how much faster, how much worse.")},
            {QStringLiteral("bench"), tr("Benchmark only"), tr("Speed and memory of a model as it is.")}};
}

std::string templateText(const QString& key) {
    if (key == QLatin1String("tune"))
        return R"(assay: 1
name: fine-tune
kind: pipeline

data:
  train: {path: ""}   # your examples
  eval: {split: last 5%}
  loss_on: all
  sequence_length: 512
  packing: best_fit

model:
  from: ""

method: {lora: {rank: 8, alpha: 16}}

train:
  steps: 300
  global_batch: 8
  micro_batch: 2
  optimizer: {lr: 2e-4}
  schedule: {name: cosine, warmup: 20}

accuracy:
  perplexity: {window: 512}   # of the held-out documents
)";
    if (key == QLatin1String("measure"))
        return R"(assay: 1
name: quantize
kind: pipeline

model:
  from: ""

quantize:
  schemes: [fp16, int8, int4-g32]

benchmark:
  prefill: [128]
  decode: 64
  batch: [1]
)";
    if (key == QLatin1String("bench"))
        return R"(assay: 1
name: benchmark
kind: benchmark

model:
  from: ""

benchmark:
  prefill: [128, 512]
  decode: 64
  batch: [1]
)";
    return R"(assay: 1
name: small-gpt
kind: pipeline

data:
  train: {path: ""}   # your text
  eval: {split: last 5%}
  tokenizer: {train: bpe, vocab: 1024}
  sequence_length: 128
  packing: best_fit

model:
  from: {family: gpt2, layers: 4, hidden: 128, heads: 4, context: 128}

train:
  steps: 1000
  global_batch: 8
  optimizer: {lr: 2e-3}
  schedule: {name: cosine, warmup: 50, min_lr: 1e-4}
  eval_every: 200

accuracy:
  perplexity: {window: 128}   # of the held-out documents
)";
}

}  // namespace assay::presenters
