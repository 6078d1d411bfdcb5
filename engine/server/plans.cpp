#include "plans.h"

#include "assay/config/config.h"
#include "assay/core/clock.h"
#include "assay/core/durable.h"
#include "assay/core/ids.h"
#include "assay/core/json.h"
#include "assay/core/log.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace assay::server {
namespace {

constexpr int kMostAbove = 8;  // levels of runs above one; there are three

bool exists(const std::string& path) {
    struct stat st {};
    return ::stat(path.c_str(), &st) == 0;
}

// Every amount of a sensitivity times `factor`; shares of utilisation stay.
Json scaled(const Json& sensitivity, double factor) {
    Json out = sensitivity;
    for (const char* key : {"price_minus_20_percent", "price_plus_20_percent"})
        if (auto it = out.find(key); it != out.end() && it->is_number()) *it = it->get<double>() * factor;
    if (auto rows = out.find("utilisation"); rows != out.end() && rows->is_array())
        for (Json& row : *rows)
            if (row.is_object() && row.contains("cost_usd") && row["cost_usd"].is_number()) row["cost_usd"] = row["cost_usd"].get<double>() * factor;
    return out;
}

}  // namespace

Plans::Plans(store::Store& store, ToolOptions tools) : store_(store), tools_(std::move(tools)) { pool_.setMaxThreadCount(1); }

Plans::~Plans() {
    cancelled_ = true;
    pool_.waitForDone();
}

void Plans::start(const std::string& run) {
    if (exists(file(run))) return;  // the same submission again
    bool ended = true;
    auto looked = store_.read([&](store::Reader& reader) -> Result<void> {
        ASSAY_TRY(store::RunRow row, reader.run(run, false));
        ended = store::isTerminal(row.status);
        return {};
    });
    // One that is over already (an old run, submitted again) has nothing left to predict.
    if (!looked || ended) return;
    // The marker outlives the engine, not a power cut: after that the run is queued or interrupted anyway.
    if (makeFolders(store_.folder() + "/plans", 0700))
        if (const int fd = ::open(marker(run).c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600); fd >= 0) ::close(fd);
    enqueue(run);
}

void Plans::takeUp() {
    std::set<std::string> runs;
    if (DIR* folder = ::opendir((store_.folder() + "/plans").c_str())) {
        while (dirent* entry = ::readdir(folder))
            if (isRunId(entry->d_name)) runs.insert(entry->d_name);
        ::closedir(folder);
    }
    auto waiting = store_.write(store::Promise::kBatch, [&](store::Writer& writer) -> Result<void> {
        ASSAY_TRY(auto rows, writer.unfinished());
        for (const store::RunRow& row : rows)
            if (row.parent.empty() && !exists(file(row.id))) runs.insert(row.id);
        return {};
    });
    if (!waiting) logWarning("server", "runs without a plan: " + waiting.error().text());
    for (const std::string& run : runs) enqueue(run);
}

void Plans::enqueue(const std::string& run) {
    {
        std::lock_guard lock(mutex_);
        if (!known_.insert(run).second) return;
    }
    ++waiting_;
    pool_.start([this, run] {
        try {
            make(run);
        } catch (const std::exception& e) {
            logError("server", "plan of run " + run + ": " + e.what());
        }
        {
            std::lock_guard lock(mutex_);
            known_.erase(run);
        }
        --waiting_;
    });
}

void Plans::make(const std::string& run) {
    if (cancelled_) return;
    store::RunRow row;
    auto looked = store_.read([&](store::Reader& reader) -> Result<void> {
        ASSAY_TRY(row, reader.run(run, true));
        return {};
    });
    if (!looked && looked.error().code != ErrorCode::kNotFound) return;
    if (!looked || !row.parent.empty() || exists(file(run))) {
        ::unlink(marker(run).c_str());
        return;
    }
    const double begun = monotonicSeconds();
    const Result<Json> made = runTool(tools_, "plan", {{"yaml", config::jsonToYaml(*row.spec)}, {"before", run}}, cancelled_);
    if (cancelled_) return;
    logInfo("server", "plan of run " + run + ": " + std::to_string(monotonicSeconds() - begun) + " s" + (made ? "" : ", " + made.error().message));
    keep(run, made);
}

void Plans::keep(const std::string& run, const Result<Json>& made) {
    const Json document = {{"schema", 1}, {"made_at", isoTime(wallSeconds())}, {"plan", made ? *made : Json()}, {"error", made ? Json() : errorToJson(made.error())}};
    // Fails when the run was removed meanwhile: its folder is gone, and the marker has no meaning any more.
    auto written = writeFileDurably(file(run), dumpJson(document) + "\n");
    if (!written && exists(store_.runFolder(run))) {
        logWarning("server", "plan of run " + run + ": " + written.error().text());
        return;
    }
    ::unlink(marker(run).c_str());
    if (!written) return;
    auto told = store_.write(store::Promise::kBatch, [&](store::Writer& writer) -> Result<void> {
        ASSAY_TRY(store::RunRow row, writer.run(run));
        if (auto event = writer.addEvent(row.id, "plan", {{"made", made.has_value()}, {"error", document["error"]}}); !event) return fail(std::move(event).error());
        return {};
    });
    if (!told) logWarning("server", "plan of run " + run + ": " + told.error().text());
}

Json planPart(const Json& document, const std::set<int>& places) {
    auto stages = document.find("stages");
    if (stages == document.end() || !stages->is_array()) return nullptr;
    Json kept = Json::array(), memory, step, stepUncertainty;
    double seconds = 0, spread = 0, most = -1;
    for (const Json& stage : *stages) {
        auto members = stage.find("members");
        if (members == stage.end() || !members->is_array()) continue;
        int64_t runs = 0;
        for (const Json& member : *members) runs += member.is_number_integer() && places.contains(member.get<int>());
        if (runs == 0) continue;
        Json part = stage;
        part["runs"] = runs;
        const double each = jsonDoubleOr(stage, "seconds", 0) * static_cast<double>(runs);
        seconds += each;
        spread += each * jsonDoubleOr(stage, "seconds_uncertainty", 0);
        if (auto own = stage.find("memory"); own != stage.end() && own->is_object() && jsonDoubleOr(*own, "peak_bytes", 0) > most) {
            most = jsonDoubleOr(*own, "peak_bytes", 0);
            memory = *own;
            memory["stage"] = jsonStringOr(stage, "name", "");
        }
        if (step.is_null()) {
            step = stage.value("step_seconds", Json());
            stepUncertainty = stage.value("step_seconds_uncertainty", Json());
        }
        kept.push_back(std::move(part));
    }
    if (kept.empty()) return nullptr;
    const double whole = jsonDoubleOr(document, "total_seconds", 0);
    // Energy and money go with the time.
    auto share = [&](const char* key) {
        auto it = document.find(key);
        return it != document.end() && it->is_number() && whole > 0 ? Json(it->get<double>() * seconds / whole) : Json();
    };
    Json out = {{"memory", std::move(memory)}, {"step_seconds", std::move(step)}, {"step_seconds_uncertainty", std::move(stepUncertainty)}, {"total_seconds", seconds},
                {"total_seconds_uncertainty", seconds > 0 ? spread / seconds : 0.0}, {"energy_joules", share("energy_joules")}, {"cost_usd", share("cost_usd")}};
    out["cost_sensitivity"] = nullptr;
    if (auto sensitivity = document.find("cost_sensitivity"); sensitivity != document.end() && sensitivity->is_object() && whole > 0) out["cost_sensitivity"] = scaled(*sensitivity, seconds / whole);
    for (const char* key : {"hardware", "hardware_label", "hardware_measured", "capacity_bytes", "assumptions"}) out[key] = document.value(key, Json());
    out["stages"] = std::move(kept);
    return out;
}

Result<void> addPlan(store::Store& store, store::Reader& reader, const store::RunRow& row, const std::set<int>& leaves, Json& out) {
    std::string root = row.id, parent = row.parent;
    for (int level = 0; !parent.empty() && level < kMostAbove; ++level) {
        ASSAY_TRY(store::RunRow above, reader.run(parent, false));
        root = above.id;
        parent = above.parent;
    }
    out["plan"] = nullptr;
    out["plan_error"] = nullptr;
    auto kept = readJsonFile(store.runFolder(root) + "/plan.json");
    if (!kept || !kept->is_object()) return {};
    out["plan_error"] = kept->value("error", Json());
    const Json plan = kept->value("plan", Json());
    if (plan.is_object()) out["plan"] = root == row.id ? plan : planPart(plan, leaves);
    return {};
}

}  // namespace assay::server
