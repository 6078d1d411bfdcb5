#pragma once
// What the planner knows about the speed of this machine: measured once, then kept.
#include <assay/plan/plan.h>

namespace assay::cli {

// Kept figures, else new ones: about three seconds with the worker beside this program, half a second without it. With
// `beside`, a run is under way: nothing that would take its cores is measured, and what is measured is not kept.
plan::Calibration calibrationOf(const plan::Machine& machine, bool beside);

}  // namespace assay::cli
