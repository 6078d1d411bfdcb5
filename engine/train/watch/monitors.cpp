#include <algorithm>
#include <cmath>

#include "assay/train/watch.h"

namespace assay::train {

double medianOf(std::vector<double> values) {
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    const size_t half = values.size() / 2;
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(half), values.end());
    const double upper = values[half];
    if (values.size() % 2 == 1) return upper;
    return (upper + *std::max_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(half))) / 2;
}

bool SpikeMonitor::observe(double value) {
    if (!std::isfinite(value) || value <= 0) return false;
    const double now = std::log(value);
    bool begins = false;
    if (values_.size() >= options_.least) {
        std::vector<double> all(values_.begin(), values_.end());
        const double middle = medianOf(all);
        for (double& v : all) v = std::abs(v - middle);
        constexpr double kNormal = 1.4826;  // MAD × this = standard deviation of a normal distribution
        const double deviation = kNormal * medianOf(std::move(all));
        const bool high = now - middle > std::max(options_.deviations * deviation, std::log(options_.ratio));
        begins = high && calmFor_ >= options_.calm;
        calmFor_ = high ? 0 : calmFor_ + 1;
        median_ = std::exp(middle);
    }
    values_.push_back(now);  // spikes too: a new level that lasts is the ordinary one after half a window
    if (values_.size() > options_.window) values_.pop_front();
    return begins;
}

bool ThroughputMonitor::observe(double rate) {
    if (!std::isfinite(rate) || seen_++ < options_.warmup) return false;
    last_.push_back(rate);
    if (last_.size() > options_.recent) last_.pop_front();
    if ((seen_ - options_.warmup - 1) % stride_ == 0) {
        constexpr size_t kMost = 1024;
        run_.push_back(rate);
        if (run_.size() >= kMost) {  // every second one stays
            for (size_t i = 0; 2 * i < run_.size(); ++i) run_[i] = run_[2 * i];
            run_.resize((run_.size() + 1) / 2);
            stride_ *= 2;
        }
    }
    if (seen_ - options_.warmup < options_.least) return false;
    recentMedian_ = medianOf({last_.begin(), last_.end()});
    usual_ = medianOf(run_);
    if (slow_) {
        slow_ = recentMedian_ < options_.high * usual_;
        return false;
    }
    slow_ = recentMedian_ < options_.low * usual_;
    return slow_;
}

bool StarvationMonitor::observe(double waitSeconds, double stepSeconds) {
    if (!(waitSeconds >= 0) || !(stepSeconds > 0)) return false;
    steps_.emplace_back(waitSeconds, stepSeconds);
    if (steps_.size() < options_.window) return false;
    if (steps_.size() > options_.window) steps_.pop_front();
    double wait = 0, all = 0;
    for (const auto& [waited, took] : steps_) {
        wait += std::min(waited, took);
        all += took;
    }
    share_ = wait / all;
    if (starving_) {
        starving_ = share_ > options_.low;
        return false;
    }
    starving_ = share_ > options_.high;
    return starving_;
}

}  // namespace assay::train
