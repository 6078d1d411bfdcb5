#pragma once
// What was predicted when a run was submitted (`plan` of runs.get) beside what it measured, with a reason where they differ
// by more than the prediction itself allowed. One comparison for `runs show`, the run's page and the report. Any thread.

#include <assay/report/comparison.h>

namespace assay::report {

// What a run measured, with all runs below it; nothing: not measured, or not yet.
struct RunFigures {
    std::optional<double> staticBytes;   // weights, gradients and optimizer of the training
    std::optional<double> peakBytes;     // most tensor bytes alive at one time in one process
    std::optional<double> stepSeconds;   // of one optimizer step: median over the steps
    std::optional<double> totalSeconds;  // running time of the whole
    std::optional<double> usd, joules;
};

struct Prediction {
    const char* key;    // "static", "peak", "step", "time", "cost", "energy"
    const char* label;  // "Step time"
    const char* unit;   // "bytes", "s", "USD", "J"
    std::optional<double> predicted, measured;
    std::optional<double> bound;  // ± as a fraction of the predicted; 0: exact; nothing: none was stated
    std::optional<Warning> why;  // when beyond(): one sentence

    std::optional<double> error() const;  // measured ÷ predicted − 1
    bool beyond() const;                  // the error is larger than the bound
};

// `run`: as runs.get answers, its children below it or all in one list. Time, cost and energy only of a run that is done: one
// that was stopped did not do what was planned.
RunFigures figuresOf(const Json& run);
// Rows of which at least one side is known; none without a plan. The second form takes other figures, of a run under way.
std::vector<Prediction> predictionsOf(const Json& run);
std::vector<Prediction> predictionsOf(const Json& run, const Json& plan, const RunFigures& measured);

std::string shownQuantity(const Prediction& row, double value);  // "12.4 MB", "98 ms", "$0.0021"
std::string shownBound(const Prediction& row);                   // "exact", "±20 %"; — when none
std::string shownChange(double fraction);                        // "+3.2 %", "0 %"

}  // namespace assay::report
