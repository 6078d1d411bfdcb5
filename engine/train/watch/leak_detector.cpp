#include <algorithm>
#include <cmath>

#include "assay/train/watch.h"

namespace assay::train {

Trend theilSen(const std::vector<double>& x, const std::vector<double>& y) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    const size_t n = std::min(x.size(), y.size());
    std::vector<double> slopes;
    slopes.reserve(n * (n > 0 ? n - 1 : 0) / 2);
    for (size_t i = 0; i < n; ++i)
        for (size_t j = i + 1; j < n; ++j)
            if (x[j] != x[i]) slopes.push_back((y[j] - y[i]) / (x[j] - x[i]));
    if (n < 3 || slopes.empty()) return {kNan, kNan};
    Trend out;
    out.slope = medianOf(slopes);
    // Kendall's S has the variance n(n−1)(2n+5)/18 when there is no trend; S pairs of slopes lie beyond the bound.
    constexpr double kOneInThousand = 3.09;
    const double count = static_cast<double>(n);
    const double deviation = std::sqrt(count * (count - 1) * (2 * count + 5) / 18);
    const double rank = (static_cast<double>(slopes.size()) - kOneInThousand * deviation) / 2;
    const auto place = static_cast<size_t>(std::clamp(std::floor(rank), 0.0, static_cast<double>(slopes.size() - 1)));
    std::nth_element(slopes.begin(), slopes.begin() + static_cast<std::ptrdiff_t>(place), slopes.end());
    out.lowest = rank < 0 ? -std::numeric_limits<double>::infinity() : slopes[place];
    return out;
}

bool LeakDetector::observe(int64_t step, double bytes) {
    if (bytes < 0 || !std::isfinite(bytes)) return false;
    if (first_ < 0) first_ = step;
    const int64_t at = step - first_;
    if (at < options_.warmupSteps || at % stride_ != 0) return false;
    steps_.push_back(static_cast<double>(step));
    bytes_.push_back(bytes);
    if (bytes_.size() >= kMost) {
        for (size_t i = 0; 2 * i < bytes_.size(); ++i) {
            steps_[i] = steps_[2 * i];
            bytes_[i] = bytes_[2 * i];
        }
        steps_.resize((steps_.size() + 1) / 2);
        bytes_.resize(steps_.size());
        stride_ *= 2;
    }
    constexpr size_t kBetween = 16;  // samples from one look to the next: a look costs about a tenth of a millisecond
    if (bytes_.size() < options_.least || ++sinceCheck_ < kBetween) return false;
    sinceCheck_ = 0;
    const Trend whole = theilSen(steps_, bytes_);
    growth_ = 1000 * whole.slope;
    if (told_) return false;
    if (at < options_.warmupSteps + options_.leastSteps) return false;
    // One step up, or a saw, has a trend as well: a leak goes on in every quarter.
    const size_t quarter = bytes_.size() / 4;
    bool steady = true;
    double before = 0;
    for (size_t q = 0; q < 4; ++q) {
        const auto begin = bytes_.begin() + static_cast<std::ptrdiff_t>(q * quarter);
        const double level = medianOf({begin, begin + static_cast<std::ptrdiff_t>(quarter)});
        const double expected = whole.slope * (steps_[std::min((q + 1) * quarter, steps_.size() - 1)] - steps_[q * quarter]);
        if (q > 0) steady = steady && level - before > 0.3 * expected;
        before = level;
    }
    told_ = steady && whole.lowest > 0 && *growth_ > std::max(options_.floorBytes, options_.share * medianOf(bytes_));
    return told_;
}

}  // namespace assay::train
