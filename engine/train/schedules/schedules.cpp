#include "schedules.h"

#include <algorithm>

namespace assay::train {
namespace {

struct Entry {
    std::string_view name;
    double (*rate)(const SchedulePoint&);
};
constexpr Entry kSchedules[] = {
    {"constant", constantRate},
    {"linear", linearRate},
    {"cosine", cosineRate},
    {"wsd", wsdRate},
};

const Entry* find(std::string_view name) {
    for (const Entry& entry : kSchedules)
        if (entry.name == name) return &entry;
    return nullptr;
}

}  // namespace

double SchedulePoint::progress() const {
    const int64_t span = total - 1 - spec.warmup;
    return span <= 0 ? 1.0 : std::clamp(static_cast<double>(step - spec.warmup) / static_cast<double>(span), 0.0, 1.0);
}

double learningRate(const config::ScheduleSpec& spec, double lr, int64_t step, int64_t total) {
    if (step < spec.warmup) return lr * static_cast<double>(step + 1) / static_cast<double>(spec.warmup);
    const Entry* entry = find(spec.name);
    ASSAY_CHECK(entry, "schedule was not checked: " + spec.name);
    return entry->rate({step, total, lr, spec});
}

Result<void> checkSchedule(const config::ScheduleSpec& spec) {
    if (!find(spec.name)) return fail(ErrorCode::kInvalidFile, "train.schedule.name: unknown schedule '" + spec.name + "'", "use constant, linear, cosine or wsd");
    if (spec.warmup < 0) return fail(ErrorCode::kInvalidFile, "train.schedule.warmup: " + std::to_string(spec.warmup) + " is negative");
    return {};
}

std::vector<std::string_view> scheduleNames() {
    std::vector<std::string_view> names;
    for (const Entry& entry : kSchedules) names.push_back(entry.name);
    return names;
}

}  // namespace assay::train
