#pragma once
// What the comparison of a prediction and the reasons for its errors both read from run documents and plans.
#include <assay/report/prediction.h>

#include <functional>

namespace assay::report {

std::optional<double> numberIn(const Json& object, const char* key);                       // finite; else nothing
std::optional<double> figureIn(const Json& run, const char* section, const char* key);
void eachBelow(const Json& run, const std::function<void(const Json&)>& visit, int depth = 0);
// The one run that trains, of this one and those below it; null when there are several (a sweep, seeds) or none.
const Json* trainingOf(const Json& run);
// Memory of the plan's stage that trains; of the whole when the plan has no stages. Null when nothing trains.
const Json* trainMemoryIn(const Json& plan, const Json& run);

// What lasts from the first step to the last: key in a plan's memory, metric of a run.
inline constexpr const char* kStaticParts[][2] = {{"weights_bytes", "memory/weights_bytes"}, {"gradients_bytes", "memory/gradients_bytes"}, {"optimizer_bytes", "memory/optimizer_bytes"}};
std::optional<double> plannedStatic(const Json& plan, const Json& run);

// One sentence for a row that is off by more than its bound, from what run and plan recorded. `rows`: all of the run.
Warning reasonOf(const Prediction& row, const Json& run, const Json& plan, const std::vector<Prediction>& rows);

}  // namespace assay::report
