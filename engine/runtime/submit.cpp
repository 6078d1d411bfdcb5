// New runs: the tree of a spec becomes rows, all in one transaction.
#include "runtime_state.h"

#include "assay/core/clock.h"
#include "assay/core/durable.h"
#include "assay/core/ids.h"

#include <charconv>
#include <set>

namespace assay::runtime {
namespace {

// "run:@3" and "run:@3/int8" → the id of node 3.
void replaceSiblings(Json& value, const std::vector<std::string>& ids) {
    if (value.is_structured()) {
        for (auto& item : value) replaceSiblings(item, ids);
        return;
    }
    if (!value.is_string()) return;
    const auto& text = value.get_ref<const std::string&>();
    if (!text.starts_with("run:@")) return;
    size_t index = 0;
    const char* begin = text.data() + 5;
    auto [end, error] = std::from_chars(begin, text.data() + text.size(), index);
    if (error != std::errc() || index >= ids.size() || (end != text.data() + text.size() && *end != '/')) return;
    value = "run:" + ids[index] + std::string(end, text.data() + text.size());
}

std::vector<std::string> newIds(size_t count) {
    std::vector<std::string> ids;
    std::set<std::string> seen;
    while (ids.size() < count)
        if (std::string id = newRunId(); seen.insert(id).second) ids.push_back(std::move(id));
    return ids;
}

Result<Submitted> describe(store::Store& store, const std::string& id) {
    Submitted out{id, {}};
    ASSAY_TRY_VOID(store.read([&](store::Reader& reader) -> Result<void> {
        std::vector<std::string> open{id};
        for (size_t at = 0; at < open.size(); ++at) {
            ASSAY_TRY(auto children, reader.children(open[at]));
            for (const RunRow& child : children) {
                open.push_back(child.id);
                out.children.push_back(child.id);
            }
        }
        return {};
    }));
    return out;
}

}  // namespace

Result<Submitted> Runtime::submit(const Json& specJson, const std::string& yaml, const std::string& key, const std::string& forkOf, bool hold) {
    if (key.size() > 256) return fail(ErrorCode::kBadUsage, "idempotency_key is longer than 256 bytes");
    RuntimeState& state = *state_;
    std::lock_guard lock(state.mutex);
    if (!key.empty()) {
        std::optional<std::string> known;
        ASSAY_TRY_VOID(state.store.read([&](store::Reader& reader) -> Result<void> {
            ASSAY_TRY(known, reader.runWithKey(key));
            return {};
        }));
        if (known) return describe(state.store, *known);
    }
    ASSAY_TRY(config::Spec spec, config::specFromJson(specJson));
    const std::vector<config::PlannedRun> plan = config::expandSpec(spec);
    if (plan.empty()) return fail(ErrorCode::kInvalidFile, "the spec has nothing to run");
    const std::vector<std::string> ids = newIds(plan.size());
    std::vector<bool> hasChildren(plan.size(), false);
    for (const auto& node : plan)
        if (node.parent >= 0) hasChildren[static_cast<size_t>(node.parent)] = true;

    std::vector<RunRow> rows;
    const double now = wallSeconds();
    for (size_t i = 0; i < plan.size(); ++i) {
        const auto& node = plan[i];
        RunRow row;
        row.id = ids[i];
        row.kind = config::kindName(node.spec.kind);
        row.name = node.spec.name.empty() ? row.kind : node.spec.name;
        row.parent = node.parent >= 0 ? ids[static_cast<size_t>(node.parent)] : "";
        row.role = node.role;
        row.group = node.group;
        row.leaf = !hasChildren[i];
        row.ordinal = static_cast<int>(i);
        for (int index : node.after) row.after.push_back(ids[static_cast<size_t>(index)]);
        row.createdAt = now;
        row.tags = node.spec.tags;
        if (i == 0) {
            row.idempotencyKey = key;
            row.forkOf = forkOf;
            if (hold) row.reason = "held";
        }
        Json resolved = i == 0 ? specJson : config::specToJson(node.spec);
        replaceSiblings(resolved, ids);
        row.spec = std::move(resolved);
        rows.push_back(std::move(row));
    }

    ASSAY_TRY_VOID(requireFreeSpace(state.store.folder(), kLeastFreeBytes));
    const std::string folder = state.store.runFolder(ids[0]);
    auto files = [&]() -> Result<void> {
        ASSAY_TRY_VOID(makeFolders(folder));
        ASSAY_TRY_VOID(writeFileDurably(folder + "/spec.yaml", config::jsonToYaml(*rows[0].spec)));
        if (!yaml.empty()) ASSAY_TRY_VOID(writeFileDurably(folder + "/spec.source.yaml", yaml));
        return {};
    };
    auto done = files();
    if (done)
        done = state.store.write(store::Promise::kDurable, [&](Writer& writer) -> Result<void> {
            for (const RunRow& row : rows) {
                ASSAY_TRY_VOID(writer.insertRun(row));
                if (auto told = writer.addRunEvent(row); !told) return fail(std::move(told).error());
            }
            return {};
        });
    if (!done) {
        (void)removeTree(folder);  // nothing half-written stays behind
        return fail(std::move(done).error());
    }
    state.scheduleWanted = true;
    ++state.waitingCount;  // counted before the thread looks, so that the engine does not leave in between
    state.wake.notify_all();
    return Submitted{ids[0], {ids.begin() + 1, ids.end()}};
}

Result<Submitted> Runtime::fork(const std::string& run, const std::vector<std::string>& overrides) {
    RunRow row;
    ASSAY_TRY_VOID(state_->store.read([&](store::Reader& reader) -> Result<void> {
        ASSAY_TRY(row, reader.run(run, true));
        return {};
    }));
    const std::string what = "spec of run " + run;
    config::Loaded loaded = config::loadSpecText(config::jsonToYaml(*row.spec), what, "/", overrides);
    ASSAY_TRY_VOID(config::requireValid(loaded, what));
    return submit(loaded.resolved, "", "", run);
}

}  // namespace assay::runtime
