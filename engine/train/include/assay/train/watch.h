#pragma once
// What a run notices about itself. The monitors are fed numbers, one step at a time, and know no tensors, files or clocks;
// each says once when something begins, and again only after it was over. They decide nothing: training is the same with and
// without them. One thread at a time. Bytes are bytes, times seconds, rates tokens per second. README.md has the thresholds.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace assay::train {

double medianOf(std::vector<double> values);  // NaN when empty; the mean of the two in the middle when their number is even

// A positive value far above those before it: in logarithms more than `deviations` robust standard deviations (1.4826 × MAD)
// above the median of the last `window` values, and more than `ratio` times that median. Logarithms, since norms and losses
// scatter by factors.
class SpikeMonitor {
public:
    struct Options {
        size_t window = 64, least = 32;  // `least` values are needed before anything is said
        double deviations = 8, ratio = 3;
        int calm = 8;                    // ordinary values after which the next spike is a new one
    };
    SpikeMonitor() : SpikeMonitor(Options{}) {}
    explicit SpikeMonitor(Options options) : options_(options) {}
    bool observe(double value);          // true: a spike begins; values that are not positive and finite are passed over
    double median() const { return median_; }  // that the last value was compared with

private:
    Options options_;
    std::deque<double> values_;  // logarithms
    double median_ = std::numeric_limits<double>::quiet_NaN();
    int calmFor_ = std::numeric_limits<int>::max() / 2;
};

// The median of the last `recent` rates lies below `low` times the median of the run; over when above `high` times.
class ThroughputMonitor {
public:
    struct Options {
        size_t recent = 10, least = 40, warmup = 3;
        double low = 0.7, high = 0.85;
    };
    ThroughputMonitor() : ThroughputMonitor(Options{}) {}
    explicit ThroughputMonitor(Options options) : options_(options) {}
    bool observe(double rate);
    double recent() const { return recentMedian_; }
    double usual() const { return usual_; }

private:
    Options options_;
    std::deque<double> last_;
    std::vector<double> run_;  // every stride-th rate: at most 1,024, spread over the run
    size_t seen_ = 0, stride_ = 1;
    double recentMedian_ = 0, usual_ = 0;
    bool slow_ = false;
};

// The share of the last `window` steps' time that was spent waiting for data is above `high`; over when below `low`.
class StarvationMonitor {
public:
    struct Options {
        size_t window = 20;
        double high = 0.1, low = 0.05;
    };
    StarvationMonitor() : StarvationMonitor(Options{}) {}
    explicit StarvationMonitor(Options options) : options_(options) {}
    bool observe(double waitSeconds, double stepSeconds);  // of this step
    double share() const { return share_; }

private:
    Options options_;
    std::deque<std::pair<double, double>> steps_;
    double share_ = 0;
    bool starving_ = false;
};

struct Trend {
    double slope = 0;        // median of the slopes of all pairs of points (Theil 1950, Sen 1968)
    double lowest = 0;       // lower end of its confidence interval (Sen 1968, after Kendall), 99.9 % one-sided
};
Trend theilSen(const std::vector<double>& x, const std::vector<double>& y);  // NaN below three points

// Memory that grows steadily: after `warmupSteps` and over at least `leastSteps` the trend is beyond doubt, it goes on in
// every quarter of the samples, and its growth in 1,000 steps is above `share` of the level and `floorBytes`.
class LeakDetector {
public:
    struct Options {
        int64_t warmupSteps = 20, leastSteps = 200;
        size_t least = 48;  // samples
        double share = 0.02;
        double floorBytes = 1 << 20;
    };
    LeakDetector() : LeakDetector(Options{}) {}
    explicit LeakDetector(Options options) : options_(options) {}
    bool observe(int64_t step, double bytes);  // true once: growth was found
    // Growth of 1,000 steps as far as it was seen; nothing before there were enough samples.
    std::optional<double> growth() const { return growth_; }

private:
    static constexpr size_t kMost = 192;
    Options options_;
    std::vector<double> steps_, bytes_;
    int64_t first_ = -1, stride_ = 1;
    size_t sinceCheck_ = 0;
    std::optional<double> growth_;
    bool told_ = false;
};

struct Incident {
    std::string kind;  // grad_norm_spike | loss_spike | throughput_drop | data_starvation | memory_growth | disk_low
    int64_t step = 0;
    std::string text, hint;
};

struct StepFigures {
    int64_t step = 0;
    double loss = 0, gradientNorm = 0, rate = 0, stepSeconds = 0;
    double waitSeconds = 0;                                   // for data, of this step
    double tensorBytes = -1, rssBytes = -1, deviceBytes = -1;  // now; negative: not measured at this step
};

class RunWatch {
public:
    RunWatch();
    std::vector<Incident> observe(const StepFigures& figures);
    // Before a checkpoint of `needed` bytes is written where `free` are left.
    std::optional<Incident> beforeSave(int64_t step, double needed, double free);

    const std::map<std::string, int64_t>& counts() const { return counts_; }  // incidents by kind
    void setCounts(std::map<std::string, int64_t> counts) { counts_ = std::move(counts); }
    // Metrics of the run's summary: warnings, warnings/<kind>, and bytes of growth in 1,000 steps where they were measured.
    std::map<std::string, double> summary() const;

private:
    Incident& add(std::vector<Incident>& out, const char* kind, int64_t step);
    void grow(std::vector<Incident>& out, LeakDetector& detector, const char* what, const char* hint, int64_t step, double bytes);
    SpikeMonitor norm_, loss_;
    ThroughputMonitor throughput_;
    StarvationMonitor starvation_;
    LeakDetector tensors_, resident_, device_;
    bool diskLow_ = false;
    std::map<std::string, int64_t> counts_;
};

}  // namespace assay::train
