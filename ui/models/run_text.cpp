#include <assay/models/format.h>
#include <assay/models/run_text.h>

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <array>
#include <cmath>

namespace assay::models {
namespace {

struct Word {
    const char* key;
    const char* text;
};
constexpr std::array kStatus = {
    Word{"queued", QT_TRANSLATE_NOOP("run", "queued")},       Word{"starting", QT_TRANSLATE_NOOP("run", "starting")},
    Word{"running", QT_TRANSLATE_NOOP("run", "running")},     Word{"stopping", QT_TRANSLATE_NOOP("run", "stopping")},
    Word{"done", QT_TRANSLATE_NOOP("run", "done")},           Word{"failed", QT_TRANSLATE_NOOP("run", "failed")},
    Word{"cancelled", QT_TRANSLATE_NOOP("run", "stopped")}, Word{"interrupted", QT_TRANSLATE_NOOP("run", "interrupted")},
};
constexpr std::array kKinds = {
    Word{"prepare", QT_TRANSLATE_NOOP("run", "prepare data")}, Word{"train", QT_TRANSLATE_NOOP("run", "train")},
    Word{"evaluate", QT_TRANSLATE_NOOP("run", "evaluate")},    Word{"quantize", QT_TRANSLATE_NOOP("run", "quantize")},
    Word{"benchmark", QT_TRANSLATE_NOOP("run", "benchmark")},  Word{"generate", QT_TRANSLATE_NOOP("run", "generate")},
    Word{"verify", QT_TRANSLATE_NOOP("run", "verify resuming")},
    Word{"claim", QT_TRANSLATE_NOOP("run", "claim")},          Word{"pipeline", QT_TRANSLATE_NOOP("run", "pipeline")},
};
constexpr std::array kPhases = {
    Word{"loading", QT_TRANSLATE_NOOP("run", "loading")},       Word{"preparing", QT_TRANSLATE_NOOP("run", "preparing data")},
    Word{"training", QT_TRANSLATE_NOOP("run", "training")},     Word{"evaluating", QT_TRANSLATE_NOOP("run", "evaluating")},
    Word{"saving", QT_TRANSLATE_NOOP("run", "saving")},         Word{"quantizing", QT_TRANSLATE_NOOP("run", "quantizing")},
    Word{"benchmarking", QT_TRANSLATE_NOOP("run", "benchmarking")}, Word{"train", QT_TRANSLATE_NOOP("run", "training")},
    Word{"read", QT_TRANSLATE_NOOP("run", "reading")},          Word{"tokenize", QT_TRANSLATE_NOOP("run", "tokenizing")},
    Word{"deduplicate", QT_TRANSLATE_NOOP("run", "removing duplicates")}, Word{"train tokenizer", QT_TRANSLATE_NOOP("run", "training the tokenizer")}, Word{"export", QT_TRANSLATE_NOOP("run", "exporting")},
    Word{"generating", QT_TRANSLATE_NOOP("run", "generating")}, Word{"measuring accuracy", QT_TRANSLATE_NOOP("run", "measuring accuracy")},
};
constexpr std::array kUnits = {
    Word{"steps", QT_TRANSLATE_NOOP("run", "steps")}, Word{"tokens", QT_TRANSLATE_NOOP("run", "tokens")}, Word{"sequences", QT_TRANSLATE_NOOP("run", "sequences")},
    Word{"runs", QT_TRANSLATE_NOOP("run", "measurements")}, Word{"rows", QT_TRANSLATE_NOOP("run", "rows")},
};
constexpr std::array kColumns = {
    Word{"id", QT_TRANSLATE_NOOP("run", "ID")},
    Word{"name", QT_TRANSLATE_NOOP("run", "Name")},
    Word{"kind", QT_TRANSLATE_NOOP("run", "Kind")},
    Word{"status", QT_TRANSLATE_NOOP("run", "Status")},
    Word{"reason", QT_TRANSLATE_NOOP("run", "Reason")},
    Word{"progress", QT_TRANSLATE_NOOP("run", "Progress")},
    Word{"parent", QT_TRANSLATE_NOOP("run", "Part of")},
    Word{"role", QT_TRANSLATE_NOOP("run", "Role")},
    Word{"group", QT_TRANSLATE_NOOP("run", "Group")},
    Word{"tags", QT_TRANSLATE_NOOP("run", "Tags")},
    Word{"created_at", QT_TRANSLATE_NOOP("run", "Created")},
    Word{"started_at", QT_TRANSLATE_NOOP("run", "Started")},
    Word{"ended_at", QT_TRANSLATE_NOOP("run", "Ended")},
    Word{"running_seconds", QT_TRANSLATE_NOOP("run", "Duration")},
    Word{"attempt", QT_TRANSLATE_NOOP("run", "Attempt")},
    Word{"fork_of", QT_TRANSLATE_NOOP("run", "Fork of")},
};

QString runWord(const char* text) { return QCoreApplication::translate("run", text); }

template <size_t N>
QString wordFor(const std::array<Word, N>& words, const QString& key) {
    for (const Word& word : words)
        if (key == QLatin1String(word.key)) return runWord(word.text);
    return plain(key);
}

void findBySuffix(const Json& object, const std::string& suffix, const std::string& path, int depth, const Json*& found, int& hits) {
    if (!object.is_object() || depth > 16) return;
    for (const auto& [key, value] : object.items()) {
        const std::string here = path.empty() ? key : path + "." + key;
        const bool exact = here == suffix;
        if (exact || (here.size() > suffix.size() && here.ends_with(suffix) && here[here.size() - suffix.size() - 1] == '.')) {
            if (exact) hits = -1000;   // an exact path wins over every suffix
            if (hits <= 0 || exact) found = &value;
            ++hits;
        }
        findBySuffix(value, suffix, here, depth + 1, found, hits);
    }
}

}  // namespace

QString statusText(const QString& status) { return wordFor(kStatus, status); }

// On the wire every run that did not come to its end by its own is "cancelled"; what became of its work is told apart here.
QString statusText(const RunRow& run) {
    if (run.status != QLatin1String("cancelled")) return statusText(run.status);
    if (!run.startedAt.isValid()) return runWord(QT_TRANSLATE_NOOP("run", "not started"));
    if (run.reason == QLatin1String("stopped at once on request")) return runWord(QT_TRANSLATE_NOOP("run", "stopped, the rest discarded"));
    // Training writes its summary after the checkpoint of a stop, so these steps are the saved ones.
    const double steps = run.summary.contains("train/steps") ? numberFromJson(run.summary["train/steps"]) : std::nan("");
    if (steps > 0) return runWord(QT_TRANSLATE_NOOP("run", "stopped, saved at step %1")).arg(formatCount(steps));
    return statusText(run.status);
}

double workedSeconds(const RunRow& run, const QDateTime& now) {
    if (run.runningSeconds > 0 || !run.startedAt.isValid()) return run.startedAt.isValid() || run.runningSeconds > 0 ? run.runningSeconds : std::nan("");
    return run.isActive() ? std::max(0.0, static_cast<double>(run.startedAt.msecsTo(now)) / 1000) : 0;
}

QString kindText(const QString& kind) { return wordFor(kKinds, kind); }
QString phaseText(const QString& phase) { return wordFor(kPhases, phase); }

int statusTone(const QString& status) {
    if (status == QLatin1String("done")) return 2;
    if (status == QLatin1String("failed")) return 4;
    if (status == QLatin1String("interrupted") || status == QLatin1String("stopping")) return 3;
    if (status == QLatin1String("running") || status == QLatin1String("starting")) return 1;
    return 0;
}

QString progressText(const RunRow& run) {
    if (run.status == QLatin1String("cancelled") && run.reason.startsWith(QLatin1String("stopped"))) return {};   // the status says it
    if (!run.isActive() || run.status == QLatin1String("queued")) return plain(run.reason);
    if (!run.progress.is_object()) return plain(run.reason);
    const QString phase = QString::fromStdString(jsonStringOr(run.progress, "phase", ""));
    const QString unit = QString::fromStdString(jsonStringOr(run.progress, "unit", ""));
    const double done = numberFromJson(run.progress.value("done", Json())), total = numberFromJson(run.progress.value("total", Json()));
    const double eta = numberFromJson(run.progress.value("eta_seconds", Json()));
    QString text = phaseText(phase);
    if (total > 0) {
        if (!text.isEmpty()) text += QLatin1Char(' ');
        if (unit == QLatin1String("bytes")) text += QStringLiteral("%1 / %2").arg(formatBytes(done), formatBytes(total));
        else text += QStringLiteral("%1 / %2 %3").arg(formatCount(done), formatCount(total), wordFor(kUnits, unit)).trimmed();
    }
    if (std::isfinite(eta) && eta >= 0) {
        if (!text.isEmpty()) text += QStringLiteral(" · ");
        text += runWord(QT_TRANSLATE_NOOP("run", "%1 left")).arg(formatSeconds(eta));
    }
    return text;
}

QString columnTitle(const QString& key) {
    for (const Word& word : kColumns)
        if (key == QLatin1String(word.key)) return runWord(word.text);
    return metricLabel(key);
}

QString runCellText(const RunRow& run, const QString& key) {
    if (key == QLatin1String("progress")) return progressText(run);
    if (key == QLatin1String("status")) return statusText(run);
    if (key == QLatin1String("kind")) return kindText(run.kind);
    if (key == QLatin1String("name")) return run.name.isEmpty() ? run.id.left(8) : plain(run.name);
    if (key == QLatin1String("created_at")) return formatTime(run.createdAt);
    if (key == QLatin1String("started_at")) return formatTime(run.startedAt);
    if (key == QLatin1String("ended_at")) return formatTime(run.endedAt);
    if (key == QLatin1String("running_seconds")) {
        const double seconds = workedSeconds(run, QDateTime::currentDateTimeUtc());
        return std::isfinite(seconds) ? formatSeconds(seconds) : notMeasured();
    }
    const QVariant value = run.value(key);
    if (!value.isValid()) return notMeasured();
    if (value.typeId() == QMetaType::Double)
        // A measurement with its unit; a setting as it was written.
        return run.summary.contains(key.toStdString()) ? formatMetric(key, value.toDouble()) : QLocale().toString(value.toDouble(), 'g', QLocale::FloatingPointShortest);
    if (value.typeId() == QMetaType::Bool) return value.toBool() ? runWord(QT_TRANSLATE_NOOP("run", "yes")) : runWord(QT_TRANSLATE_NOOP("run", "no"));
    const QString text = plain(value.toString());
    return text.isEmpty() ? notMeasured() : text;
}

Json specValue(const Json& spec, const QString& key) {
    const Json* found = nullptr;
    int hits = 0;
    findBySuffix(spec, key.toStdString(), {}, 0, found, hits);
    return found && (hits == 1 || hits < 0) ? *found : Json();
}

}  // namespace assay::models
