#include "replay.h"

#include <assay/torch.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <assay/core/durable.h>
#include <assay/protocol/events.h>
#include <assay/config/config.h>
#include <assay/protocol/job.h>

namespace assay::train {
namespace fs = std::filesystem;
namespace {

// Results of the arithmetic; times, rates and memory are those of the machine.
bool isResult(const std::string& name) { return name == "train/loss" || name == "train/grad_norm" || name == "train/lr" || name == "train/loss_scale" || name == "eval/loss"; }

bool same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b)); }

// What of state.json a replay makes again: running time and circumstances are its own.
Json comparable(Json state) {
    for (const char* key : {"seconds", "circumstances", "warnings"}) state.erase(key);
    return state;
}

}  // namespace

Result<RecordedSteps> recordedSteps(const std::string& eventFile, int64_t after, int64_t through) {
    std::ifstream in(eventFile, std::ios::binary);
    if (!in) return fail(ErrorCode::kNotFound, "the run has no event file " + eventFile, "only runs that were started have one");
    RecordedSteps out;
    protocol::EventParser parser;
    protocol::ParsedEvent event;
    for (std::string line; std::getline(in, line);) {
        if (!parser.parse(line, event)) continue;  // torn lines of a killed session
        if (!event.isMetric) {
            if (jsonStringOr(event.record, "type", "") != "resumed") continue;
            const int64_t step = jsonIntegerOr(event.record, "step", 0);
            out.rows.erase(out.rows.upper_bound(step), out.rows.end());
            out.last = std::min(out.last, step);
            continue;
        }
        const protocol::MetricRecord& row = event.metric;
        out.last = std::max(out.last, row.step);
        if (row.step <= after || row.step > through) continue;
        auto [place, fresh] = out.rows.try_emplace(row.step, row);
        if (fresh) continue;
        for (const auto& value : row.values) {
            auto known = std::find_if(place->second.values.begin(), place->second.values.end(), [&](const auto& v) { return v.first == value.first; });
            if (known == place->second.values.end()) place->second.values.push_back(value);
            else known->second = value.second;
        }
    }
    return out;
}

Result<std::unique_ptr<Replay>> Replay::open(protocol::WorkerContext& context, const std::string& folder, int64_t steps) {
    std::unique_ptr<Replay> replay(new Replay(context));
    replay->folder_ = folder;
    replay->run_ = fs::path(folder).filename().string();
    ASSAY_TRY(replay->job_, readJsonFile(folder + "/job.json"));
    std::vector<CheckpointInfo> sound;
    for (const CheckpointInfo& info : listCheckpoints(folder + "/checkpoints")) {
        if (auto good = verifyCheckpoint(info.path); good) sound.push_back(info);
        else context.events.log("warning", good.error().text() + "; it is left out");
    }
    if (sound.empty())
        return fail(ErrorCode::kNotFound, "run " + replay->run_ + " has no committed checkpoint", "set train.checkpoint.every, so that a run keeps more than its end");
    ASSAY_TRY_VOID(replay->choose(std::move(sound), steps));
    // A rollback during the replay looks for checkpoints as the run did; links, since nothing is written to them.
    replay->links_ = context.job.runFolder + "/checkpoints";
    return replay;
}

Result<void> Replay::choose(std::vector<CheckpointInfo> sound, int64_t steps) {
    const std::string events = folder_ + "/events.rank0.jsonl";
    ASSAY_TRY(const RecordedSteps whole, recordedSteps(events, 0, -1));
    const int64_t end = std::max(whole.last, sound.back().step);
    const CheckpointInfo* from = nullptr;
    for (const CheckpointInfo& info : sound) {
        if (info.step >= end) break;
        // Asked for a number of steps: the newest that has so many after it, else the oldest. Otherwise the newest with a
        // checkpoint after it, else the newest with anything after it.
        const bool better = steps > 0 ? info.step + steps <= end : info.step < sound.back().step || sound.size() == 1 || !from;
        if (!from || better) from = &info;
    }
    if (!from)
        return fail(ErrorCode::kNotFound, "run " + run_ + " recorded nothing after its only checkpoint, that of step " + std::to_string(sound.back().step),
                    "set train.checkpoint.every to less than train.steps, so that there is a part to do again");
    from_ = *from;
    until_ = end;
    if (steps > 0) {
        until_ = std::min(end, from_.step + steps);
    } else {
        for (auto it = sound.rbegin(); it != sound.rend(); ++it)
            if (it->step > from_.step) until_ = it->step;
    }
    for (const CheckpointInfo& info : sound)
        if (info.step > from_.step && info.step <= until_) later_.push_back(info);
    ASSAY_TRY(recorded_, recordedSteps(events, from_.step, until_));
    return {};
}

Replay::~Replay() {
    std::error_code ignored;
    for (const CheckpointInfo& info : later_) fs::remove(links_ + "/" + fs::path(info.path).filename().string(), ignored);
    if (!from_.path.empty()) fs::remove(links_ + "/" + fs::path(from_.path).filename().string(), ignored);
}

void Replay::prepare(TrainerInput& input) {
    input.saves = false;
    input.until = until_;
    input.checkpointFolder = links_;
    input.spec.sample.reset();
    input.seen = [this](const protocol::MetricRecord& row) { compareRow(row); };
    input.stepDone = [this]() -> Result<void> {
        for (const CheckpointInfo& info : later_)
            if (info.step == trainer_->state().step) return compareCheckpoint(info);
        return {};
    };
}

void Replay::differs(Json what) {
    if (first_.is_null()) first_ = std::move(what);
}

void Replay::compareRow(const protocol::MetricRecord& row) {
    const auto there = recorded_.rows.find(row.step);
    if (there == recorded_.rows.end()) return;
    if (row.tokens != there->second.tokens) differs({{"step", row.step}, {"name", "tokens"}, {"recorded", there->second.tokens}, {"replayed", row.tokens}});
    for (const auto& [name, value] : row.values) {
        if (!isResult(name)) continue;
        for (const auto& [known, recorded] : there->second.values) {
            if (known != name) continue;
            ++comparedNumbers_;
            if (!same(value, recorded)) differs({{"step", row.step}, {"name", name}, {"recorded", jsonNumber(recorded)}, {"replayed", jsonNumber(value)}});
        }
    }
}

Result<void> Replay::compareCheckpoint(const CheckpointInfo& info) {
    ASSAY_TRY(const Snapshot now, trainer_->snapshot());  // all ranks make it together
    if (context_.rank != 0) return {};
    if (now.copies) now.copies->wait();
    ASSAY_TRY(const LoadedCheckpoint then, loadCheckpoint(info));
    auto compare = [&](const CheckpointTensors& file, const NamedTensors& tensors) {
        for (const auto& [name, tensor] : tensors) {
            const model::SafetensorsEntry* entry = file.find(name);
            const at::Tensor flat = tensor.contiguous();
            ++comparedTensors_;
            if (!entry || entry->bytes.size() != static_cast<size_t>(flat.nbytes())) {
                differs({{"step", info.step}, {"name", name}, {"recorded", entry ? Json(entry->bytes.size()) : Json()}, {"replayed", flat.nbytes()}, {"what", "bytes"}});
                continue;
            }
            const auto* bytes = static_cast<const char*>(flat.const_data_ptr());
            const auto at = std::mismatch(entry->bytes.begin(), entry->bytes.end(), bytes).first - entry->bytes.begin();
            if (at == static_cast<std::ptrdiff_t>(entry->bytes.size())) continue;
            const int64_t element = at / static_cast<std::ptrdiff_t>(flat.itemsize());
            const at::Tensor recorded = at::from_blob(const_cast<char*>(entry->bytes.data()) + element * flat.itemsize(), {1}, flat.scalar_type()).clone();
            differs({{"step", info.step}, {"name", name}, {"element", element}, {"recorded", jsonNumber(recorded.item<double>())}, {"replayed", jsonNumber(flat.flatten()[element].item<double>())}});
        }
    };
    compare(*then.weights, now.weights);
    compare(*then.optimizer, now.optimizer);
    const Json before = comparable(then.state), again = comparable(now.state);
    for (const auto& [key, value] : before.items()) {
        ++comparedNumbers_;
        const Json replayed = again.contains(key) ? again[key] : Json();
        if (replayed != value) differs({{"step", info.step}, {"name", "state: " + key}, {"recorded", value}, {"replayed", replayed}});
    }
    // A rollback later on may go back to here.
    std::error_code ec;
    fs::create_directory_symlink(info.path, links_ + "/" + fs::path(info.path).filename().string(), ec);
    if (ec) return fail(systemError("cannot write", links_, ec.value()));
    return {};
}

Result<protocol::Outcome> Replay::run(Trainer& trainer, const Circumstances& now) {
    trainer_ = &trainer;
    if (context_.rank == 0) {
        std::error_code ec;
        const std::string link = links_ + "/" + fs::path(from_.path).filename().string();
        fs::remove(link, ec);  // of a session before
        fs::create_directory_symlink(from_.path, link, ec);
        if (ec) return fail(systemError("cannot write", link, ec.value()));
    }
    ASSAY_TRY(const LoadedCheckpoint checkpoint, loadCheckpoint(from_));
    Json warnings = Json::array();
    for (const std::string& difference : differences(checkpoint.state, now)) {
        warnings.push_back(difference);
        context_.events.log("warning", "done again under other circumstances, the last bits may differ: " + difference);
    }
    ASSAY_TRY_VOID(trainer.restore(checkpoint));
    ASSAY_TRY(const TrainResult result, trainer.run());
    if (result.outcome == protocol::Outcome::kCancelled || context_.rank != 0) return result.outcome;
    const int64_t done = result.state.step - from_.step;
    context_.events.record("summary", {{"values", {{"verify/steps", done}, {"verify/equal", first_.is_null() ? 1 : 0}, {"verify/compared_tensors", comparedTensors_}}}});
    context_.events.record("result", {{"data", {{"steps", done}, {"equal", first_.is_null()}, {"first_difference", first_}, {"run", run_}, {"from_step", from_.step}, {"to_step", result.state.step},
                                                {"compared_numbers", comparedNumbers_}, {"compared_tensors", comparedTensors_}, {"warnings", warnings}}}});
    return protocol::Outcome::kDone;
}

Result<protocol::Outcome> runVerify(protocol::WorkerContext& context) {
    ASSAY_TRY(const config::Spec spec, config::specFromJson(context.job.spec));
    if (!spec.verify) return fail(ErrorCode::kBadUsage, "verify: a run of kind verify needs this section", "use `assay runs verify-resume ID`");
    context.events.record("phase", {{"name", "loading"}});
    ASSAY_TRY(auto replay, Replay::open(context, spec.verify->run, spec.verify->steps));
    ASSAY_TRY(protocol::WorkerJob job, protocol::jobFromJson(replay->job()));
    if (jsonStringOr(job.spec, "kind", "") != "train") return fail(ErrorCode::kBadUsage, "run " + job.runId + " does not train", "name a run of kind train");
    job.runFolder = context.job.runFolder;  // whatever is written belongs to this run
    job.storeFolder = context.job.storeFolder;
    protocol::WorkerContext inner{job, context.events, context.stop, context.progress, context.rank, context.world};
    return trainOrReplay(inner, replay.get());
}

}  // namespace assay::train
