#include <assay/models/format.h>

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <cmath>

namespace assay::models {
namespace {

struct Known {
    const char* name;
    const char* label;
    const char* unit;
};
// CONTRACT.md, "Standard metric names".
constexpr std::array kKnown = {
    Known{"train/loss", QT_TRANSLATE_NOOP("metric", "Training loss"), "nats/token"},
    Known{"train/grad_norm", QT_TRANSLATE_NOOP("metric", "Gradient norm"), ""},
    Known{"train/lr", QT_TRANSLATE_NOOP("metric", "Learning rate"), ""},
    Known{"train/tokens_per_s", QT_TRANSLATE_NOOP("metric", "Training throughput"), "tokens/s"},
    Known{"train/step_seconds", QT_TRANSLATE_NOOP("metric", "Step time"), "s"},
    Known{"train/loss_scale", QT_TRANSLATE_NOOP("metric", "Loss scale"), ""},
    Known{"eval/loss", QT_TRANSLATE_NOOP("metric", "Held-out loss"), "nats/token"},
    Known{"eval/perplexity", QT_TRANSLATE_NOOP("metric", "Held-out perplexity"), ""},
    Known{"system/rss_bytes", QT_TRANSLATE_NOOP("metric", "Process memory"), "bytes"},
    Known{"system/tensor_bytes_peak", QT_TRANSLATE_NOOP("metric", "Peak tensor memory"), "bytes"},
    Known{"system/gpu_bytes_peak", QT_TRANSLATE_NOOP("metric", "Peak GPU memory"), "bytes"},
    Known{"system/power_watts", QT_TRANSLATE_NOOP("metric", "Power"), "W"},
    Known{"cost/usd", QT_TRANSLATE_NOOP("metric", "Cost"), "USD"},
    Known{"cost/energy_joules", QT_TRANSLATE_NOOP("metric", "Energy"), "J"},
    Known{"data/wait_seconds", QT_TRANSLATE_NOOP("metric", "Waiting for data"), "s"},
    // What stages write into their summaries.
    Known{"train/steps", QT_TRANSLATE_NOOP("metric", "Steps done"), ""},
    Known{"train/total_steps", QT_TRANSLATE_NOOP("metric", "Steps in all"), ""},
    Known{"train/tokens", QT_TRANSLATE_NOOP("metric", "Tokens trained on"), ""},
    Known{"train/labelled_tokens", QT_TRANSLATE_NOOP("metric", "Tokens with loss"), ""},
    Known{"train/running_seconds", QT_TRANSLATE_NOOP("metric", "Training time"), "s"},
    Known{"train/skipped_steps", QT_TRANSLATE_NOOP("metric", "Steps left out"), ""},
    Known{"train/precision_speedup", QT_TRANSLATE_NOOP("metric", "Speed of the matrix products against fp32"), ""},
    Known{"eval/perplexity_se", QT_TRANSLATE_NOOP("metric", "Standard error of the held-out perplexity"), ""},
    Known{"eval/bits_per_byte", QT_TRANSLATE_NOOP("metric", "Held-out bits per byte"), "bit"},
    Known{"data/documents", QT_TRANSLATE_NOOP("metric", "Documents"), ""},
    Known{"data/tokens", QT_TRANSLATE_NOOP("metric", "Training tokens"), ""},
    Known{"data/loss_tokens", QT_TRANSLATE_NOOP("metric", "Training tokens with loss"), ""},
    Known{"data/dropped", QT_TRANSLATE_NOOP("metric", "Rows left out"), ""},
    Known{"data/padding_fraction", QT_TRANSLATE_NOOP("metric", "Padding"), "%"},
    Known{"data/seconds", QT_TRANSLATE_NOOP("metric", "Time to prepare the data"), "s"},
    Known{"data/mb_per_s", QT_TRANSLATE_NOOP("metric", "Preparing speed"), "MB/s"},
    Known{"data/eval_documents", QT_TRANSLATE_NOOP("metric", "Held-out documents"), ""},
    Known{"data/eval_tokens", QT_TRANSLATE_NOOP("metric", "Held-out tokens"), ""},
    Known{"data/eval_bytes", QT_TRANSLATE_NOOP("metric", "Held-out text"), "bytes"},
    Known{"data/bigram_nll", QT_TRANSLATE_NOOP("metric", "Loss of a bigram model"), "nats/token"},
    Known{"memory/weights_bytes", QT_TRANSLATE_NOOP("metric", "Memory of the weights"), "bytes"},
    Known{"memory/gradients_bytes", QT_TRANSLATE_NOOP("metric", "Memory of the gradients"), "bytes"},
    Known{"memory/optimizer_bytes", QT_TRANSLATE_NOOP("metric", "Memory of the optimizer"), "bytes"},
    Known{"memory/activations_bytes", QT_TRANSLATE_NOOP("metric", "Memory of the activations"), "bytes"},
    Known{"model/parameters", QT_TRANSLATE_NOOP("metric", "Parameters"), ""},
    Known{"model/parameters_without_embeddings", QT_TRANSLATE_NOOP("metric", "Parameters without embeddings"), ""},
    Known{"generate/tokens", QT_TRANSLATE_NOOP("metric", "Tokens generated"), ""},
};
// The same measure of several set-ups: "quantize/int8/perplexity", "bench/fp16/decode_tokens_per_s".
constexpr std::array kOfSetups = {
    Known{"bits_per_weight", QT_TRANSLATE_NOOP("metric", "Bits per weight"), "bit"},
    Known{"perplexity", QT_TRANSLATE_NOOP("metric", "Perplexity"), ""},
    Known{"perplexity_se", QT_TRANSLATE_NOOP("metric", "Standard error of the perplexity"), ""},
    Known{"perplexity_ratio", QT_TRANSLATE_NOOP("metric", "Perplexity ratio"), ""},
    Known{"bits_per_byte", QT_TRANSLATE_NOOP("metric", "Bits per byte"), "bit"},
    Known{"same_top1", QT_TRANSLATE_NOOP("metric", "Same top-1"), "%"},
    Known{"loss", QT_TRANSLATE_NOOP("metric", "Loss"), "nats/token"},
    Known{"kl_divergence", QT_TRANSLATE_NOOP("metric", "KL divergence"), "nats/token"},
    Known{"prefill_tokens_per_s", QT_TRANSLATE_NOOP("metric", "Prefill, tokens/s"), "tokens/s"},
    Known{"decode_tokens_per_s", QT_TRANSLATE_NOOP("metric", "Decode, tokens/s"), "tokens/s"},
};

const Known* find(const QString& metric) {
    for (const Known& known : kKnown)
        if (metric == QLatin1String(known.name)) return &known;
    return nullptr;
}

// Null unless it is of one set-up; then also whose.
const Known* findOfSetup(const QString& metric, QString& setup) {
    const qsizetype first = metric.indexOf(QLatin1Char('/')), last = metric.lastIndexOf(QLatin1Char('/'));
    const QStringView head = QStringView(metric).left(std::max<qsizetype>(0, first));
    if (last <= first || (head != QLatin1String("quantize") && head != QLatin1String("bench"))) return nullptr;
    setup = plain(metric.mid(first + 1, last - first - 1));
    const QStringView tail = QStringView(metric).mid(last + 1);
    for (const Known& known : kOfSetups)
        if (tail == QLatin1String(known.name)) return &known;
    return nullptr;
}

}  // namespace

QString metricLabel(const QString& metric) {
    if (const Known* known = find(metric)) return QCoreApplication::translate("metric", known->label);
    QString setup;
    //: A measure of one set-up: Perplexity (int8)
    if (const Known* known = findOfSetup(metric, setup)) return QCoreApplication::translate("metric", "%1 (%2)").arg(QCoreApplication::translate("metric", known->label), setup);
    return plain(metric);
}

QString metricUnit(const QString& metric) {
    if (const Known* known = find(metric)) return QString::fromLatin1(known->unit);
    QString setup;
    if (const Known* known = findOfSetup(metric, setup)) return QString::fromLatin1(known->unit);
    const QString tail = metric.section(QLatin1Char('/'), -1);
    if (tail.endsWith(QLatin1String("tokens_per_s"))) return QStringLiteral("tokens/s");
    if (tail.contains(QLatin1String("bytes"))) return QStringLiteral("bytes");
    if (tail.endsWith(QLatin1String("_seconds")) || tail == QLatin1String("seconds")) return QStringLiteral("s");
    if (tail.endsWith(QLatin1String("_ms"))) return QStringLiteral("ms");
    if (tail.contains(QLatin1String("usd"))) return QStringLiteral("USD");
    if (tail.endsWith(QLatin1String("_joules"))) return QStringLiteral("J");
    if (tail.endsWith(QLatin1String("_watts"))) return QStringLiteral("W");
    return {};
}

QString formatMetric(const QString& metric, double value) {
    const QString unit = metricUnit(metric);
    if (unit == QLatin1String("bytes")) return formatBytes(value);
    if (unit == QLatin1String("s")) return formatSeconds(value);
    if (unit == QLatin1String("ms")) return formatSeconds(value / 1000);
    if (unit == QLatin1String("USD")) return formatUsd(value);
    if (unit == QLatin1String("J")) return formatJoules(value);
    if (unit == QLatin1String("tokens/s")) return formatNumber(value, 3);
    if (unit == QLatin1String("MB/s")) return QStringLiteral("%1 MB/s").arg(formatNumber(value, 3));
    if (unit == QLatin1String("%") || metric.endsWith(QLatin1String("same_top1"))) return formatPercent(value);
    // Counts are whole; four significant digits would round 4,070,658 tokens.
    if (unit.isEmpty() && value >= 1000 && value == std::floor(value) && value < 1e15) return formatCount(value);
    return formatNumber(value);
}

}  // namespace assay::models
