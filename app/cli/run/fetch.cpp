#include "run/fetch.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace assay::cli {
namespace {

// The engine lists everything below a run in `children`, parents before children, as rows; here every row becomes the
// whole document of its run, without children of its own, since those stand in the same list.
Result<Json> fetchTree(client::SyncClient& engine, const std::string& id) {
    ASSAY_TRY(Json run, engine.callAgain("runs.get", {{"run", id}}));
    auto children = run.find("children");
    if (children == run.end() || !children->is_array()) return run;
    for (Json& child : *children) {
        const std::string childId = child.is_object() ? jsonStringOr(child, "id", "") : "";
        if (childId.empty()) continue;
        ASSAY_TRY(child, engine.callAgain("runs.get", {{"run", childId}}));
        child["children"] = Json::array();
    }
    return run;
}

// Keeps the set-ups in `names`; what was found is taken out of `missing`.
void keepSetups(Json& run, const std::set<std::string>& names, std::set<std::string>& missing) {
    if (auto setups = run.find("setups"); setups != run.end() && setups->is_array()) {
        Json kept = Json::array();
        for (Json& setup : *setups) {
            const std::string name = setup.is_object() ? jsonStringOr(setup, "name", "") : "";
            if (!names.count(name)) continue;
            missing.erase(name);
            kept.push_back(std::move(setup));
        }
        *setups = std::move(kept);
    }
    if (auto children = run.find("children"); children != run.end() && children->is_array())
        for (Json& child : *children)
            if (child.is_object()) keepSetups(child, names, missing);
}

}  // namespace

std::pair<std::string, std::string> splitReference(std::string_view reference) {
    if (reference.starts_with("run:")) reference.remove_prefix(4);
    const size_t slash = reference.find('/');
    if (slash == std::string_view::npos) return {std::string(reference), {}};
    return {std::string(reference.substr(0, slash)), std::string(reference.substr(slash + 1))};
}

Result<std::vector<Json>> fetchRuns(Context& context, const std::vector<std::string>& references) {
    ASSAY_TRY(client::SyncClient* engine, context.engine());
    struct Wanted {
        Json run;
        std::set<std::string> setups;  // empty: all
        bool whole = false;
    };
    std::vector<std::string> order;
    std::map<std::string, Wanted> wanted;
    for (const std::string& reference : references) {
        const auto [text, setup] = splitReference(reference);
        ASSAY_TRY(Json run, fetchTree(*engine, text));
        const std::string id = jsonStringOr(run, "id", text);
        Wanted& entry = wanted[id];
        if (entry.run.is_null()) {
            entry.run = std::move(run);
            order.push_back(id);
        }
        if (setup.empty()) entry.whole = true;
        else entry.setups.insert(setup);
    }
    std::vector<Json> runs;
    for (const std::string& id : order) {
        Wanted& entry = wanted[id];
        if (!entry.whole) {
            std::set<std::string> missing = entry.setups;
            keepSetups(entry.run, entry.setups, missing);
            if (!missing.empty()) return fail(ErrorCode::kNotFound, fmt::format("run {} has no set-up '{}'", id, *missing.begin()), "see assay runs show " + id);
        }
        runs.push_back(std::move(entry.run));
    }
    return runs;
}

}  // namespace assay::cli
