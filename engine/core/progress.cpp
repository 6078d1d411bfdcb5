#include "assay/core/progress.h"

#include <limits>

#include "assay/core/clock.h"

namespace assay {

ProgressMeter::ProgressMeter(ProgressSink sink, std::string phase, std::string unit, double total, double minInterval)
    : sink_(std::move(sink)), start_(monotonicSeconds()), minInterval_(minInterval) {
    progress_.phase = std::move(phase);
    progress_.unit = std::move(unit);
    progress_.total = total;
}

void ProgressMeter::update(double done) {
    progress_.done = done;
    const double now = monotonicSeconds();
    if (!sink_ || (last_ >= 0 && now - last_ < minInterval_)) return;
    last_ = now;
    const double elapsed = now - start_;
    progress_.rate = elapsed > 0 && done > 0 ? done / elapsed : std::numeric_limits<double>::quiet_NaN();
    progress_.etaSeconds = progress_.total > 0 && progress_.rate > 0 ? (progress_.total - done) / progress_.rate
                                                                      : std::numeric_limits<double>::quiet_NaN();
    sink_(progress_);
}

void ProgressMeter::finish() {
    last_ = -1;
    update(progress_.total > 0 ? progress_.total : progress_.done);
}

}  // namespace assay
