#pragma once
// How a comparison reads, without a format: the words, figures and rows that HTML and PDF show alike. Texts are UTF-8 and not
// escaped; names come from outside, so `clean` them for a page and never treat them as markup.

#include <assay/report/prediction.h>
#include <assay/report/report.h>

namespace assay::report {

// Control and direction-changing characters are shown as \\uXXXX, piles of accents are cut, at most `most` characters are kept.
std::string clean(std::string_view text, size_t most = 400);
std::string shortName(const Setup& setup, size_t most);  // the experiment is cut before the set-up
std::string figure(double value, int significant = 4);   // 12.05, 1,234, 0.0438, 1.2e-07
std::string exact(double value);                         // no trailing zeros: 0.08, 1.01, 40,960
std::string shown(const Metric& metric, double value);   // with unit: bytes as MB, shares as %, money with $
std::string shownError(const Metric& metric, const Value& value);   // "0.0021"; empty when there is none
std::string shownValue(const Metric& metric, const Value& value);   // "1.0312 ± 0.0021", "not measured"
std::string change(const Value& value, const Value& base);          // "−79.6 %"; "—" when it cannot be said
std::string times(const Value& value, const Value& base);           // "4.6×"; empty when it cannot be said
std::string duration(double seconds);
std::string relationSign(std::string_view relation);     // ≤ for <=
std::string axisTitle(const Metric& metric);

struct Fact {
    std::string name, value;
};
struct Answer {  // the cheapest set-up that meets the target, or without a target the cheapest on the frontier
    std::string headline, why, note;
    std::vector<Fact> facts;
};
std::string titleOf(const ReportInput& input);
Answer answerOf(const Comparison& comparison);

struct TableColumns {
    std::vector<const Metric*> shown;  // what the chart shows first
    std::string unmeasured;            // labels of the others, with commas
};
TableColumns tableColumns(const Comparison& comparison);
std::vector<std::string> badgesOf(const Comparison& comparison, const Setup& setup);  // "baseline", "frontier", …
std::string measuredHow(const Comparison& comparison);   // the sentence below the table
bool measuredAnywhere(const Comparison& comparison, const Metric& metric);
std::string jsonText(const Json& value);                 // a value of a configuration; — when absent

// A setting that set-ups have otherwise than the baseline, once for all that have it alike; by section, then by key. A section
// that only one side has is one row. Names, tags and notes are left out.
struct ConfigDifference {
    std::string section, key, base, here;  // base and here as text; — when absent
    std::vector<size_t> setups;            // indices into the comparison
};
std::vector<ConfigDifference> configDifferences(const Comparison& comparison);
std::string setupNames(const Comparison& comparison, const ConfigDifference& difference, size_t most = 8);

// What was predicted of each experiment (a run with its stages, one seed) beside what it measured; those without a plan are
// left out.
struct PredictionLine {
    std::string name, run;  // not escaped; id
    std::vector<Prediction> rows;
};
std::vector<PredictionLine> predictionLines(const ReportInput& input, size_t most = 500);

struct RunLine {
    int depth = 0;
    std::string name, id, kind, status, running, created;
};
struct EnvironmentBlock {
    std::string runs;          // names
    std::vector<Fact> facts;
};
std::vector<RunLine> runLines(const ReportInput& input, size_t most = 500);
std::vector<EnvironmentBlock> environmentsOf(const ReportInput& input, size_t most = 500);
std::vector<Fact> definitionsOf(const Comparison& comparison);

}  // namespace assay::report
