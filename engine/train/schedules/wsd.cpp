// Warm-up, stable, decay (Hu et al. 2024, MiniCPM): constant, then straight down to min_lr over the last fifth.
#include "schedules.h"

namespace assay::train {

double wsdRate(const SchedulePoint& at) {
    constexpr double kDecayStart = 0.8;
    const double progress = at.progress();
    if (progress <= kDecayStart) return at.lr;
    return at.lr + (at.spec.minLr - at.lr) * (progress - kDecayStart) / (1 - kDecayStart);
}

}  // namespace assay::train
