// Status changes and what they mean for the runs above.
#include "runtime_state.h"

#include "assay/core/clock.h"

namespace assay::runtime {
namespace {

constexpr std::string_view kSummed[] = {"cost/usd", "cost/energy_joules"};

// Stages of one experiment complete each other; seeds and sweep members do not, only their costs add up.
Json summaryOfChildren(const std::vector<RunRow>& children) {
    Json out = Json::object();
    for (const RunRow& child : children) {
        if (child.role != "stage") continue;
        const Json summary = store::mergedSummary(child);
        for (const auto& [key, value] : summary.items()) out[key] = value;
    }
    for (std::string_view name : kSummed) {
        const std::string key(name);
        double sum = 0;
        bool known = false;
        for (const RunRow& child : children) {
            const Json summary = store::mergedSummary(child);
            if (auto it = summary.find(key); it != summary.end() && it->is_number()) {
                sum += it->get<double>();
                known = true;
            }
        }
        if (known) out[key] = sum;
    }
    return out;
}

}  // namespace

Result<void> saveRun(Writer& writer, const RunRow& row) {
    ASSAY_TRY_VOID(writer.updateRun(row));
    if (auto told = writer.addRunEvent(row); !told) return fail(std::move(told).error());
    return {};
}

Result<bool> applyEvent(Writer& writer, RunRow& row, RunEvent event, const std::string& reason) {
    auto next = nextStatus(row.status, event);
    if (!next) return false;
    row.status = *next;
    row.reason = reason;
    const double now = wallSeconds();
    if (*next == RunStatus::kStarting) row.startedAt = row.startedAt > 0 ? row.startedAt : now;
    if (*next == RunStatus::kQueued) row.endedAt = 0;
    if (store::isTerminal(*next)) {
        row.endedAt = now;
        row.pid = 0;
        row.startTicks = 0;
        row.end = nullptr;
        if (*next == RunStatus::kDone) row.progress = nullptr;
    }
    ASSAY_TRY_VOID(saveRun(writer, row));
    ASSAY_TRY_VOID(refreshParents(writer, row.parent));
    return true;
}

Result<void> refreshParents(Writer& writer, std::string parent) {
    while (!parent.empty()) {
        ASSAY_TRY(RunRow row, writer.run(parent));
        ASSAY_TRY(auto children, writer.children(parent));
        std::vector<RunStatus> states;
        RunRow next = row;
        next.startedAt = 0;
        next.runningSeconds = 0;
        next.attempt = 0;
        next.error = nullptr;
        next.resumedFrom.reset();
        double ended = 0;
        for (const RunRow& child : children) {
            states.push_back(child.status);
            if (child.startedAt > 0 && (next.startedAt == 0 || child.startedAt < next.startedAt)) next.startedAt = child.startedAt;
            ended = std::max(ended, child.endedAt);
            next.runningSeconds += child.runningSeconds;
            next.attempt = std::max(next.attempt, child.attempt);
            if (child.resumedFrom) next.resumedFrom = std::max(child.resumedFrom, next.resumedFrom);
        }
        next.status = derivedStatus(states);
        next.endedAt = store::isTerminal(next.status) ? ended : 0;
        next.summary = summaryOfChildren(children);
        if (next.status != row.status && row.reason != "held") next.reason.clear();
        for (const RunRow& child : children) {
            if (child.status != next.status || (next.status != RunStatus::kFailed && next.status != RunStatus::kInterrupted)) continue;
            next.reason = child.kind + " run " + child.id + ": " + (child.reason.empty() ? std::string(store::statusName(child.status)) : child.reason);
            next.error = child.error;
            break;
        }
        if (next.status == RunStatus::kCancelled && row.status != next.status) next.reason = "stopped";
        if (next.status != row.status || next.summary != row.summary || next.reason != row.reason || next.resumedFrom != row.resumedFrom) {
            ASSAY_TRY_VOID(saveRun(writer, next));
        } else {
            ASSAY_TRY_VOID(writer.updateRun(next));
        }
        parent = row.parent;
    }
    return {};
}

Result<std::vector<RunRow>> subtree(Writer& writer, const RunRow& root) {
    std::vector<RunRow> out{root};
    for (size_t at = 0; at < out.size(); ++at) {
        if (out[at].leaf) continue;
        ASSAY_TRY(auto children, writer.children(out[at].id));
        out.insert(out.end(), children.begin(), children.end());
    }
    return out;
}

}  // namespace assay::runtime
