// Stop, resume, remove.
#include "group.h"

#include "assay/core/durable.h"
#include "assay/core/json.h"

#include <dirent.h>
#include <sys/stat.h>

#include <charconv>

namespace assay::runtime {
namespace {

std::string name(RunStatus status) { return std::string(store::statusName(status)); }

bool mentions(const Json& value, const std::string& id) {
    if (value.is_structured()) {
        for (const auto& item : value)
            if (mentions(item, id)) return true;
        return false;
    }
    return value.is_string() && value.get_ref<const std::string&>().starts_with("run:" + id);
}

}  // namespace

// The newest step whose manifest is there: it is written last, after everything it lists.
std::optional<int64_t> newestCheckpoint(const std::string& runFolder) {
    const std::string folder = runFolder + "/checkpoints";
    DIR* dir = ::opendir(folder.c_str());
    if (!dir) return {};
    std::optional<int64_t> newest;
    while (dirent* entry = ::readdir(dir)) {
        std::string_view text = entry->d_name;
        if (!text.starts_with("step-")) continue;
        text.remove_prefix(5);
        int64_t step = 0;
        auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), step);
        if (error != std::errc() || end != text.data() + text.size() || (newest && step <= *newest)) continue;
        if (auto manifest = readJsonFile(folder + "/" + entry->d_name + "/manifest.json"); manifest && manifest->is_object()) newest = step;
    }
    ::closedir(dir);
    return newest;
}

Result<void> Runtime::stop(const std::string& id, bool discard) {
    RuntimeState& state = *state_;
    std::lock_guard lock(state.mutex);
    std::vector<std::string> ask, kill;
    ASSAY_TRY_VOID(state.store.write(store::Promise::kDurable, [&](Writer& writer) -> Result<void> {
        ASSAY_TRY(RunRow root, writer.run(id));
        if (store::isTerminal(root.status)) return fail(ErrorCode::kBusy, "run " + id + " is not active: it is " + name(root.status));
        ASSAY_TRY(auto rows, subtree(writer, root));
        // Queued ones first, so that nothing starts in place of what is stopped.
        for (bool queued : {true, false}) {
            for (const RunRow& each : rows) {
                if (!each.leaf || store::isTerminal(each.status) || (each.status == RunStatus::kQueued) != queued) continue;
                ASSAY_TRY(RunRow row, writer.run(each.id));
                const bool now = discard || row.status == RunStatus::kStopping;
                if (!queued) (now ? kill : ask).push_back(row.id);
                ASSAY_TRY(bool changed, applyEvent(writer, row, discard ? RunEvent::kDiscard : RunEvent::kStop, queued ? "stopped before it started" : now ? "discarded" : "stop requested"));
                (void)changed;
            }
        }
        return {};
    }));
    for (const auto& run : ask)
        if (auto it = state.active.find(run); it != state.active.end()) askGroupToStop(state, it->second);
    for (const auto& run : kill)
        if (auto it = state.active.find(run); it != state.active.end()) {
            it->second.killed = true;
            killGroup(state, it->second);
        }
    state.scheduleWanted = true;
    state.wake.notify_all();
    return {};
}

Result<Resumed> Runtime::resume(const std::string& id) {
    ASSAY_TRY_VOID(requireFreeSpace(state_->store.folder(), kLeastFreeBytes));
    RuntimeState& state = *state_;
    std::lock_guard lock(state.mutex);
    Resumed out{id, {}};
    ASSAY_TRY_VOID(state.store.write(store::Promise::kDurable, [&](Writer& writer) -> Result<void> {
        ASSAY_TRY(RunRow root, writer.run(id));
        const bool held = root.reason == "held";
        if (held) {
            root.reason.clear();
            ASSAY_TRY_VOID(saveRun(writer, root));
        }
        ASSAY_TRY(auto rows, subtree(writer, root));
        // A stage that is resumed by itself takes along the stages that were cancelled because of it.
        if (root.leaf && !root.parent.empty()) {
            ASSAY_TRY(auto siblings, writer.children(root.parent));
            for (bool more = true; more;) {
                more = false;
                for (const RunRow& sibling : siblings) {
                    if (sibling.status != RunStatus::kCancelled || !sibling.reason.starts_with("needs ")) continue;
                    auto has = [&](const std::string& wanted) { return std::any_of(rows.begin(), rows.end(), [&](const RunRow& r) { return r.id == wanted; }); };
                    if (has(sibling.id) || !std::any_of(sibling.after.begin(), sibling.after.end(), has)) continue;
                    rows.push_back(sibling);
                    more = true;
                }
            }
        }
        int resumed = 0;
        for (const RunRow& each : rows) {
            if (!each.leaf) continue;
            ASSAY_TRY(RunRow row, writer.run(each.id));
            if (!nextStatus(row.status, RunEvent::kResume)) continue;
            row.resume = row.attempt > 0;
            row.error = nullptr;
            row.result = nullptr;
            row.resumedFrom.reset();
            if (row.summary.is_object()) row.summary.erase("run/restarts");  // a fresh allowance
            ASSAY_TRY(bool changed, applyEvent(writer, row, RunEvent::kResume, ""));
            (void)changed;
            ++resumed;
            auto step = newestCheckpoint(state.store.runFolder(row.id));
            if (step && (!out.fromStep || *step > *out.fromStep)) out.fromStep = step;
        }
        if (resumed == 0 && !held) return fail(ErrorCode::kBusy, "run " + id + " cannot be resumed: it is " + name(root.status), "only failed, cancelled and interrupted runs can; `assay runs fork` makes a new one");
        return {};
    }));
    state.scheduleWanted = true;
    ++state.waitingCount;
    state.wake.notify_all();
    return out;
}

Result<void> Runtime::remove(const std::string& id) {
    RuntimeState& state = *state_;
    std::vector<std::string> trash;
    {
        std::lock_guard lock(state.mutex);
        std::vector<std::string> ids;
        ASSAY_TRY_VOID(state.store.write(store::Promise::kDurable, [&](Writer& writer) -> Result<void> {
            ASSAY_TRY(RunRow root, writer.run(id));
            if (!root.parent.empty()) return fail(ErrorCode::kBadUsage, "run " + id + " is part of run " + root.parent, "remove that one");
            ASSAY_TRY(auto rows, subtree(writer, root));
            for (const RunRow& row : rows) {
                if (store::isActive(row.status)) return fail(ErrorCode::kBusy, "run " + row.id + " is " + name(row.status), "stop it first");
                ids.push_back(row.id);
            }
            ASSAY_TRY(auto waiting, writer.unfinished());
            for (const RunRow& row : waiting) {
                if (std::find(ids.begin(), ids.end(), row.id) != ids.end()) continue;
                ASSAY_TRY(RunRow full, writer.run(row.id, true));
                for (const std::string& each : ids)
                    if (mentions(*full.spec, each)) return fail(ErrorCode::kBusy, "run " + row.id + " (" + name(row.status) + ") needs run " + each, "wait for it or stop it first");
            }
            for (auto each = ids.rbegin(); each != ids.rend(); ++each) ASSAY_TRY_VOID(writer.removeRun(*each));
            return {};
        }));
        // The rows are gone for good; folders are moved away at once and deleted after, and what a crash leaves in
        // trash/ is deleted at the next start.
        ASSAY_TRY_VOID(makeFolders(state.store.folder() + "/trash"));
        for (const std::string& each : ids) {
            const std::string target = state.store.folder() + "/trash/" + each;
            if (::rename(state.store.runFolder(each).c_str(), target.c_str()) == 0) trash.push_back(target);
        }
        state.scheduleWanted = true;
        state.wake.notify_all();
    }
    for (const std::string& folder : trash) ASSAY_TRY_VOID(removeTree(folder));
    return {};
}

}  // namespace assay::runtime
