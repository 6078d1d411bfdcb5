#pragma once
// Run documents → the experiments in them, a seed each.

#include <assay/core/json.h>

#include <string>
#include <vector>

namespace assay::report {

// One experiment with one seed: a run and its stages, or a run by itself.
struct Unit {
    const Json* root = nullptr;
    std::string parent;           // id of the run that holds the seeds
    std::string sweep, member;    // id of the sweep it belongs to, and its name there
    std::string group;
    std::vector<const Json*> runs;  // root and stages
};

std::string idOf(const Json& run);
// The engine lists everything below a run side by side, parents before children: here each stands below its own parent.
Json nested(const Json& run);
// The units of a nested run, which must outlive them.
void collectUnits(const Json& run, std::vector<Unit>& out);

}  // namespace assay::report
