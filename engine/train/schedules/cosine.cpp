// Half a cosine from the peak to min_lr (Loshchilov & Hutter 2017, without restarts).
#include <cmath>
#include <numbers>

#include "schedules.h"

namespace assay::train {

double cosineRate(const SchedulePoint& at) {
    return at.spec.minLr + 0.5 * (at.lr - at.spec.minLr) * (1 + std::cos(std::numbers::pi * at.progress()));
}

}  // namespace assay::train
