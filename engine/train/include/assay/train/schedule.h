#pragma once
// Learning-rate schedules: pure functions of the optimizer step, so that a resumed run needs no stored state.

#include <assay/config/spec.h>
#include <assay/core/error.h>

#include <string_view>
#include <vector>

namespace assay::train {

struct SchedulePoint {
    int64_t step = 0;   // 0-based: the step about to be applied
    int64_t total = 1;  // steps of the whole run
    double lr = 0;      // peak
    config::ScheduleSpec spec;
    // Share of the way from the end of warm-up (0) to the last step (1).
    double progress() const;
};

// Warm-up is common to all: step s < warmup has lr·(s+1)/warmup. The rest comes from the registry (schedules/schedules.cpp).
double learningRate(const config::ScheduleSpec& spec, double lr, int64_t step, int64_t total);
Result<void> checkSchedule(const config::ScheduleSpec& spec);
std::vector<std::string_view> scheduleNames();

}  // namespace assay::train
