#pragma once
// What the Compare page says beyond the comparison itself: the frontier of any two axes, differences that can be told apart
// from chance, and whether the order of costs stands when price and utilisation are others. Pure functions, any thread.

#include <assay/report/present.h>

#include <QString>
#include <QStringList>
#include <vector>

namespace assay::presenters {

// Ids that no other comparable set-up beats on both axes, by ascending x.
std::vector<const report::Setup*> frontierOf(const report::Comparison& comparison, const report::Metric& x, const report::Metric& y);

// Difference of a metric to the baseline. Separable: unknown without a standard error.
struct Delta {
    double value = 0;         // NaN: cannot be said
    std::optional<bool> separable;   // outside the 95 % interval around 0
    std::optional<double> se;        // over paired seeds
};
Delta deltaTo(const report::Comparison& comparison, const report::Setup& setup, const report::Metric& metric);

// METRICS.md: price ±20 %, utilisation 30/60/90 %. A rented or owned hour is paid for whether it is used or not, so a
// token costs price ÷ utilisation; electricity is not scaled by either.
struct Sensitivity {
    bool applies = false;     // a cost in USD was measured for at least two set-ups
    QStringList order;        // ids of the cheapest three as measured
    bool changes = false;     // in some of the cases their order is another
    QString changedAt;        // the first such case: "price −20 %, utilisation 30 %"
    double lowest = 0, highest = 0;   // cost of the cheapest over all cases
};
Sensitivity sensitivityOf(const report::Comparison& comparison);

// Words of the report in the person's language.
QString metricTitle(const report::Metric& metric);
QString warningText(const report::Warning& warning);
QString metricMeaning(const report::Metric& metric);   // its definition, a sentence or more
QString answerReason(const report::Comparison& comparison, bool found);   // "cheapest set-up with perplexity ratio ≤ 1.01"

}  // namespace assay::presenters
