#include "run/follow.h"

#include <assay/core/clock.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>

#include "interrupt.h"
#include "text/format.h"
#include "text/progress_view.h"

namespace assay::cli {
namespace {

constexpr double kLookAgain = 2.0;   // without any event
constexpr double kFrame = 0.1;       // between two frames of the bars

std::string shownName(const Json& row) {
    const std::string kind = jsonStringOr(row, "kind", "");
    const std::string group = jsonStringOr(row, "group", "");
    return group.empty() || group == kind ? kind : group + " " + kind;
}

std::optional<double> figure(const Json& object, const char* key) {
    const double value = jsonDoubleOr(object, key, std::nan(""));
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

void takeProgress(StageProgress& stage, const Json& progress) {
    stage.phase = jsonStringOr(progress, "phase", stage.phase);
    stage.unit = jsonStringOr(progress, "unit", stage.unit);
    stage.done = jsonDoubleOr(progress, "done", 0);
    stage.total = jsonDoubleOr(progress, "total", 0);
    stage.rate = figure(progress, "rate");
    stage.etaSeconds = figure(progress, "eta_seconds");
}

class Follower {
public:
    Follower(Context& context, client::SyncClient& engine, std::string run)
        : engine_(engine), run_(std::move(run)), view_(terminalOf(STDERR_FILENO), context.options.quiet) {}

    Result<Followed> follow() {
        ASSAY_TRY_VOID(look());
        subscribe();
        while (!isFinal(jsonStringOr(row_, "status", ""))) {
            ASSAY_TRY(const bool leave, heedInterrupts());
            if (leave) return Followed{row_, true};
            auto batch = engine_.nextBatch(kFrame);
            if (!batch && batch.error().code == ErrorCode::kGone) {
                ASSAY_TRY_VOID(look());
                subscribe();
                continue;
            }
            if (!batch) return fail(batch.error());
            if (*batch)
                for (const Json& event : (*batch)->events) take(event);
            // At most four looks a second, however many events come.
            const double since = monotonicSeconds() - lookedAt_;
            if ((stale_ && since > 0.25) || (ended_ && since > 0) || since > kLookAgain) ASSAY_TRY_VOID(look());
            draw();
        }
        view_.clear();
        return Followed{row_, false};
    }

private:
    Result<void> look() {
        ASSAY_TRY(row_, engine_.callAgain("runs.get", {{"run", run_}}, 120));
        run_ = jsonStringOr(row_, "id", run_);
        lookedAt_ = monotonicSeconds();
        stale_ = ended_ = false;
        takeRow(row_);
        if (auto children = row_.find("children"); children != row_.end() && children->is_array())
            for (const Json& child : *children) takeRow(child);
        return {};
    }

    void takeRow(const Json& row) {
        if (!row.is_object()) return;
        const std::string id = jsonStringOr(row, "id", "");
        status_[id] = jsonStringOr(row, "status", "");
        StageProgress& stage = stages_[id];
        stage.id = id;
        stage.name = shownName(row);
        if (auto progress = row.find("progress"); progress != row.end() && progress->is_object()) takeProgress(stage, *progress);
    }

    void subscribe() {
        client::Subscription subscription;
        subscription.afterSeq = jsonIntegerOr(row_, "as_of_seq", 0);
        for (const auto& [id, stage] : stages_) subscription.runs.push_back(id);
        subscription.topics = {"state"};
        if (view_.active()) subscription.topics.insert(subscription.topics.end(), {"progress", "metrics"});
        engine_.subscribe(std::move(subscription));
    }

    void take(const Json& event) {
        const std::string type = jsonStringOr(event, "type", ""), run = jsonStringOr(event, "run", "");
        if (type == "progress") {
            takeProgress(stages_[run], event);
        } else if (type == "phase") {
            stages_[run].phase = jsonStringOr(event, "name", "");
        } else if (type == "trouble") {
            auto trouble = event.find("trouble");
            const bool over = trouble == event.end() || !trouble->is_object();
            view_.message(over ? "the engine can record again" : jsonStringOr(*trouble, "message", "") + "; " + jsonStringOr(*trouble, "hint", ""));
        } else if (type == "metrics") {
            if (auto latest = event.find("latest"); latest != event.end() && latest->is_object())
                if (auto loss = figure(*latest, "train/loss")) stages_[run].loss = loss;
        } else {
            stale_ = true;
            if (auto row = event.find("row"); row != event.end() && row->is_object()) {
                takeRow(*row);
                if (run == run_ && isFinal(jsonStringOr(*row, "status", ""))) ended_ = true;
            }
        }
    }

    void draw() {
        if (!view_.active() || monotonicSeconds() - drawnAt_ < kFrame) return;
        drawnAt_ = monotonicSeconds();
        std::vector<StageProgress> active;
        for (const auto& [id, stage] : stages_) {
            const std::string& status = status_[id];
            const bool parent = id == run_ && stages_.size() > 1;
            if (!parent && (status == "running" || status == "starting" || status == "stopping")) active.push_back(stage);
        }
        view_.draw(active);
    }

    // True: leave the run alone and go.
    Result<bool> heedInterrupts() {
        const int count = guard_.count();
        if (count == 0 || count == heeded_) return false;
        heeded_ = count;
        if (count >= 2) {
            view_.message("left; the run goes on stopping in the engine: assay runs show " + run_);
            return true;
        }
        view_.message("stopping after this step with a checkpoint; Ctrl-C again leaves at once");
        auto reply = engine_.callAgain("runs.stop", {{"run", run_}, {"discard", false}}, 10);
        if (!reply && reply.error().code != ErrorCode::kBusy) return fail(reply.error());  // kBusy: it has just ended
        stale_ = true;
        return false;
    }

    client::SyncClient& engine_;
    std::string run_;
    ProgressView view_;
    InterruptGuard guard_;
    Json row_;
    std::map<std::string, StageProgress> stages_;
    std::map<std::string, std::string> status_;
    bool stale_ = false, ended_ = false;
    double lookedAt_ = 0, drawnAt_ = 0;
    int heeded_ = 0;
};

bool hasError(const Json& row) {
    auto error = row.find("error");
    return error != row.end() && error->is_object();
}

}  // namespace

bool isFinal(const std::string& status) {
    return status == "done" || status == "failed" || status == "cancelled" || status == "interrupted";
}

Result<Followed> followRun(Context& context, const std::string& run) {
    ASSAY_TRY(client::SyncClient* engine, context.engine());
    return Follower(context, *engine, run).follow();
}

Error errorOfRun(const Json& run) {
    const std::string status = jsonStringOr(run, "status", ""), id = jsonStringOr(run, "id", "");
    if (status == "cancelled") return {ErrorCode::kCancelled, fmt::format("run {} was stopped", id), "continue it with: assay runs resume " + id};
    if (auto children = run.find("children"); children != run.end() && children->is_array())
        for (const Json& child : *children)  // parents come before their children: the first with an error of its own is the cause
            if (child.is_object() && jsonStringOr(child, "status", "") == "failed" && hasError(child))
                return errorFromJson(child["error"]).with(fmt::format("{} {} of run {}", jsonStringOr(child, "kind", "stage"), jsonStringOr(child, "id", ""), id));
    if (hasError(run)) return errorFromJson(run["error"]);
    const std::string reason = jsonStringOr(run, "reason", "");
    if (status == "interrupted")
        return {ErrorCode::kWorkerDied, fmt::format("run {} was interrupted{}", id, reason.empty() ? "" : ": " + reason), "continue it with: assay runs resume " + id};
    return {ErrorCode::kInternal, fmt::format("run {} is {}{}", id, status, reason.empty() ? "" : ": " + reason), "see assay runs log " + id};
}

int exitCodeOfRun(const Json& run) {
    const std::string status = jsonStringOr(run, "status", "");
    if (status == "done") return 0;
    if (status == "cancelled") return 130;
    if (status != "failed") return 1;
    const ErrorCode code = errorOfRun(run).code;
    // 4 and 130 speak of this command's engine and of Ctrl-C: a run that failed by itself never has them.
    return code == ErrorCode::kInvalidFile || code == ErrorCode::kBadUsage || code == ErrorCode::kUnsupported || code == ErrorCode::kNotFound ? exitCodeOf(code) : 1;
}

Json runDocument(const Json& run) {
    const std::string status = jsonStringOr(run, "status", "");
    Json children = Json::array();
    if (auto list = run.find("children"); list != run.end() && list->is_array())
        for (const Json& child : *list) children.push_back(child.is_object() ? Json(jsonStringOr(child, "id", "")) : child);
    Json document = {{"run", jsonStringOr(run, "id", "")}, {"status", status}, {"children", children}};
    auto summary = run.find("summary");
    document["summary"] = summary != run.end() && summary->is_object() ? *summary : Json::object();
    if (isFinal(status) && status != "done") document["error"] = errorToJson(errorOfRun(run));
    return document;
}

}  // namespace assay::cli
