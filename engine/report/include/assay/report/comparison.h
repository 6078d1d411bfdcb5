#pragma once
// Runs → set-ups side by side: what each costs, how accurate it is, which of them nobody beats on both counts.
//
// Input: run documents as the engine's `runs.get` returns them (engine/protocol/PROTOCOL.md), each in `children` carrying
// the documents of its child runs (a bare row is enough for a run that made no set-up). Plain functions of their
// arguments: any thread. Definitions of the numbers: METRICS.md; `definitions()` says them in words for people.

#include <assay/core/json.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace assay::report {

struct Value {  // not measured: no value, never 0
    std::optional<double> value, se;  // se: standard error where it is known
};

// To the baseline, over the seeds that both have: a seed is the same start and the same order of the data, so the
// differences are paired.
struct Difference {
    double mean = 0, se = 0;     // this − baseline
    double low = 0, high = 0;    // 95 % interval: Student's t with seeds − 1 degrees of freedom
    int64_t seeds = 0;           // how many pairs; at least 2
    bool separable = false;      // the interval leaves out 0
};

struct Setup {
    std::string id;     // "<run id>/<set-up>": `run:<id>` names its artefact
    std::string name;   // "int8"; with several experiments "kjv-gpt · int8"
    std::string setup;  // "int8"
    std::string scheme;
    std::vector<std::string> runs;  // every run that measured it
    int64_t seeds = 1;              // how many seeds were aggregated
    bool trained = false;           // its experiment trained the model: one seed means no error bar for training

    Value usdPerRun, usdPer1mOutputTokens;
    Value perplexity, perplexityRatio, bitsPerByte, klDivergence, sameTop1;
    Value prefillTokensPerS, decodeTokensPerS, trainTokensPerS, ttftMs, tpotMs;
    Value weightBytes, peakBytes;
    Value evalLoss, trainStepMs, trainPeakBytes;                   // of set-ups that a training made
    std::vector<std::pair<uint64_t, std::vector<Value>>> bySeed;   // seed → values in the order of metrics(); empty: one run
    std::map<std::string, Difference> differences;                 // by metric name

    std::string textSha256, mode, tokenizerKey, machine;
    std::optional<int64_t> evalTokens;  // labelled tokens of the held-out loss
    std::optional<int64_t> window, tokens, threads, batch, prefill, decode, depth;
    Json spec;                // of the experiment, without what only names it
    Json configDiff = Json::object();  // key → [baseline, this]
    bool comparable = true;   // accuracy may be set against the baseline's
    bool onFrontier = false, meetsTarget = false;
};

struct Target {
    std::string metric;    // "perplexity_ratio", "cost.usd_per_run", …
    std::string relation;  // <=, <, >=, >
    double value = 0;
    bool met(double measured) const;
};

// What limits a comparison: an English sentence with "{}" where its arguments stand, so that a window can say it in another
// language. `setups`: whom it concerns; empty: the whole comparison.
struct Warning {
    std::string form;
    std::vector<std::string> arguments;
    std::string setups;
    std::string text() const;                 // "kjv-gpt · fp16, int8: window 128 instead of 512"
    bool operator==(const Warning&) const = default;
};
std::vector<std::string> texts(const std::vector<Warning>& warnings);

struct Comparison {
    std::string baseline;  // set-up id; empty when there is no set-up
    std::string x, y;      // metric names of the chart's axes; lower is better on both
    std::vector<Setup> setups;
    std::vector<Warning> warnings;
    std::optional<Target> target;
    std::string cheapest;  // set-up id; empty: none meets the target, or no target
    std::optional<double> usdPerHour;  // the price the costs follow from, when all runs state the same

    const Setup* find(std::string_view id) const;
    const Setup* baselineSetup() const { return find(baseline); }
};

struct CompareOptions {
    std::string baseline;  // set-up id (with or without "run:"), run id, or set-up name; empty: the full-precision model
    std::string target;    // "METRIC<=VALUE"; empty: none
};

// kBadUsage: wrong target or no run; kNotFound: no such baseline.
Result<Comparison> buildComparison(const std::vector<Json>& runs, const CompareOptions& options = {});
Result<Target> parseTarget(std::string_view text);
Json comparisonToJson(const Comparison& comparison);  // the document of `assay compare --json`

// One metric of a set-up. `name`: see metricNames().
struct Metric {
    const char* name;     // "cost.usd_per_1m_output_tokens"
    const char* label;    // "USD per 1M output tokens"
    const char* unit;     // "USD", "tokens/s", "" …
    bool lowerIsBetter;
    Value Setup::*value;
    const char* definition;
};
const std::vector<Metric>& metrics();
const Metric* findMetric(std::string_view name);  // full name, or the part after the dot when it is unique

}  // namespace assay::report
