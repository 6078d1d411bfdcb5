#pragma once
// A run in words: what its status, kind and progress are called. Pure functions, any thread.

#include <assay/models/run_row.h>

namespace assay::models {

QString statusText(const QString& status);       // "queued", "running"…: in the language of the window
// The same with what a person who stopped it wants to know: "stopped, saved at step 120".
QString statusText(const RunRow& run);
// Seconds that it has worked; of one that is active and has reported none yet, since it began. NaN: it has not begun.
double workedSeconds(const RunRow& run, const QDateTime& now);
QString kindText(const QString& kind);           // "train" → "train", "Pipeline" …
int statusTone(const QString& status);           // int of style::Tone
QString phaseText(const QString& phase);         // "training"; unknown phases as they are
// "training 45 / 300 steps · 1:14 left"; queued: why it waits; ended: the reason; empty when there is nothing to say.
QString progressText(const RunRow& run);
// One cell of a run: any column by its key, as a person reads it. Nothing: "—".
QString runCellText(const RunRow& run, const QString& key);
QString columnTitle(const QString& key);         // "created_at" → "Created", a metric: its label, else the key

// The value at a dotted path of a resolved spec, or at the end of the one path that ends with it; null when absent or
// ambiguous. The engine's filter finds a key by the same rule.
Json specValue(const Json& spec, const QString& key);

}  // namespace assay::models
