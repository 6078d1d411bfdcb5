#pragma once
#include "assay/train/schedule.h"

namespace assay::train {

double constantRate(const SchedulePoint& at);
double linearRate(const SchedulePoint& at);
double cosineRate(const SchedulePoint& at);
double wsdRate(const SchedulePoint& at);

}  // namespace assay::train
