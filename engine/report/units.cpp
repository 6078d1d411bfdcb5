#include "units.h"

#include <functional>
#include <map>
#include <set>
#include <utility>

#include "collect.h"

namespace assay::report {
namespace {

constexpr int kMaxDepth = 8;

void collectStages(const Json& run, Unit& unit, int depth) {
    unit.runs.push_back(&run);
    const Json* children = member(run, "children");
    if (!children || !children->is_array() || depth > kMaxDepth) return;
    for (const Json& child : *children)
        if (child.is_object()) collectStages(child, unit, depth + 1);
}

struct Above {
    std::string seeds;           // id of the run that holds the seeds
    std::string sweep, member;
};

void collect(const Json& run, const Above& above, std::vector<Unit>& out, int depth) {
    bool split = false;
    if (const Json* children = member(run, "children"); children && children->is_array() && depth < kMaxDepth)
        for (const Json& child : *children) {
            if (!child.is_object()) continue;
            const std::string role = jsonStringOr(child, "role", "");
            if (role != "seed" && role != "sweep") continue;
            split = true;
            Above next = above;
            next.seeds = role == "seed" ? idOf(run) : "";
            if (role == "sweep") {
                const std::string name = jsonStringOr(child, "name", ""), before = jsonStringOr(run, "name", "") + "/";
                next.sweep = idOf(run);
                next.member = name.starts_with(before) ? name.substr(before.size()) : name;
            }
            collect(child, next, out, depth + 1);
        }
    if (split) return;
    Unit unit;
    unit.root = &run;
    unit.parent = above.seeds;
    unit.sweep = above.sweep;
    unit.member = above.member;
    unit.group = jsonStringOr(run, "group", "");
    if (unit.parent.empty()) unit.parent = jsonStringOr(run, "parent", "");
    collectStages(run, unit, 0);
    out.push_back(std::move(unit));
}

}  // namespace

std::string idOf(const Json& run) { return jsonStringOr(run, "id", jsonStringOr(run, "run", "")); }

Json nested(const Json& run) {
    const Json* children = member(run, "children");
    if (!children || !children->is_array()) return run;
    std::map<std::string, std::vector<size_t>> below;
    std::set<std::string> present;
    for (const Json& child : *children)
        if (child.is_object()) present.insert(idOf(child));
    const std::string own = idOf(run);
    for (size_t i = 0; i < children->size(); ++i) {
        const Json& child = (*children)[i];
        if (!child.is_object()) continue;
        const std::string parent = jsonStringOr(child, "parent", own), id = idOf(child);
        below[parent != id && present.contains(parent) ? parent : own].push_back(i);
    }
    const std::function<Json(const Json&, const std::string&, int)> build = [&](const Json& one, const std::string& id, int depth) {
        Json out = one;
        Json kept = Json::array();
        if (one.contains("children") && &one != &run)
            for (const Json& child : one["children"]) kept.push_back(child);  // a tree already
        if (auto found = below.find(id); found != below.end() && depth < kMaxDepth)
            for (size_t i : std::exchange(found->second, {})) kept.push_back(build((*children)[i], idOf((*children)[i]), depth + 1));
        out["children"] = std::move(kept);
        return out;
    };
    return build(run, own, 0);
}

void collectUnits(const Json& run, std::vector<Unit>& out) { collect(run, {}, out, 0); }

}  // namespace assay::report
