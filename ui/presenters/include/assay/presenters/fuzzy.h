#pragma once
#include <QString>

namespace assay::presenters {

// How well `text` answers what was typed: 0 not at all; more is better. Every character has to come in order; starts of
// words, runs of neighbours and an early first hit count more. Letter case does not matter.
int fuzzyScore(const QString& typed, const QString& text);

}  // namespace assay::presenters
