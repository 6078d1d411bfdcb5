#include "schedules.h"

namespace assay::train {

double linearRate(const SchedulePoint& at) { return at.lr + (at.spec.minLr - at.lr) * at.progress(); }

}  // namespace assay::train
