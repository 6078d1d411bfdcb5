#include "resume.h"

#include <algorithm>

#include <assay/core/durable.h>
#include <assay/protocol/events.h>

namespace assay::train {

EarlierProgress earlierProgress(const std::string& eventFile) {
    EarlierProgress found;
    protocol::EventParser parser;
    protocol::ParsedEvent event;
    protocol::eachLastLine(eventFile, [&](const std::string& line, bool) {
        if (!parser.parse(line, event) || !event.isMetric) return;  // torn lines of a killed session
        found.step = std::max(found.step, event.metric.step);
        found.seconds = std::max(found.seconds, event.metric.seconds);
    });
    return found;
}

Result<void> resumeIfAsked(protocol::WorkerContext& context, Trainer& trainer, const std::string& checkpointFolder, const Circumstances& now) {
    const bool speaks = context.rank == 0;  // the others follow it
    if (speaks) ASSAY_TRY_VOID(clearUnfinished(checkpointFolder));
    if (!context.job.resume) return {};
    const EarlierProgress before = earlierProgress(context.job.runFolder + "/events.rank0.jsonl");
    auto found = agreedCheckpoint(trainer.group(), checkpointFolder, [&](const Error& error) { context.events.log("warning", error.text() + "; trying the one before"); });
    if (!found) {
        if (found.error().code != ErrorCode::kNotFound) return fail(std::move(found.error()));
        // Starting again from nothing would in time delete what may still be saved.
        if (const auto there = listCheckpoints(checkpointFolder); !there.empty()) {
            auto why = verifyCheckpoint(there.back().path);
            const std::string count = there.size() == 1 ? "the only checkpoint of the run is not usable" : "none of the run's " + std::to_string(there.size()) + " checkpoints is usable";
            return fail(why ? ErrorCode::kInvalidFile : why.error().code, count + ": " + (why ? there.back().path : why.error().message),
                        why || why.error().hint.empty() ? "`assay runs fork " + context.job.runId + "` starts the same experiment from the beginning as a new run" : why.error().hint);
        }
        context.events.record("resumed", {{"step", 0}, {"replayed_steps", before.step}, {"checkpoint", nullptr}});
        trainer.setEarlierSeconds(before.seconds);
        return {};
    }
    ASSAY_TRY(LoadedCheckpoint checkpoint, loadCheckpoint(*found));
    for (const std::string& difference : speaks ? differences(checkpoint.state, now) : std::vector<std::string>())
        context.events.log("warning", "resumed under other circumstances, the result may differ in the last bits: " + difference);
    ASSAY_TRY_VOID(trainer.restore(checkpoint));
    trainer.setEarlierSeconds(before.seconds);
    context.events.record("resumed", {{"step", found->step}, {"replayed_steps", std::max<int64_t>(0, before.step - found->step)}, {"checkpoint", found->path}});
    return {};
}

}  // namespace assay::train
