#include <assay/models/format.h>

#include <QCoreApplication>
#include <array>

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
};

const Known* find(const QString& metric) {
    for (const Known& known : kKnown)
        if (metric == QLatin1String(known.name)) return &known;
    return nullptr;
}

}  // namespace

QString metricLabel(const QString& metric) {
    if (const Known* known = find(metric)) return QCoreApplication::translate("metric", known->label);
    return plain(metric);
}

QString metricUnit(const QString& metric) {
    if (const Known* known = find(metric)) return QString::fromLatin1(known->unit);
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
    if (metric.endsWith(QLatin1String("same_top1"))) return formatPercent(value);
    return formatNumber(value);
}

}  // namespace assay::models
