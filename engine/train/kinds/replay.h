#pragma once
// verify-resume: steps of a train run done again from one of its checkpoints, compared with what it recorded and with its
// later checkpoints bit by bit. Reads the run's folder and changes nothing in it.
#include <assay/protocol/worker_context.h>

#include <map>
#include <string>
#include <vector>

#include "assay/train/trainer.h"

namespace assay::train {

// What the run's event file says of steps in (after, through]; steps that a later session did again count once, as done there.
struct RecordedSteps {
    std::map<int64_t, protocol::MetricRecord> rows;  // values of one step merged
    int64_t last = 0;                                // the newest step of the file, wherever it lies
};
Result<RecordedSteps> recordedSteps(const std::string& eventFile, int64_t after, int64_t through);

class Replay {
public:
    // `folder`: of the train run. `steps` 0: up to the next checkpoint. Chooses where to begin and end; kNotFound when no
    // checkpoint has anything recorded after it.
    static Result<std::unique_ptr<Replay>> open(protocol::WorkerContext& context, const std::string& folder, int64_t steps);
    ~Replay();
    const Json& job() const { return job_; }  // of the train run
    void prepare(TrainerInput& input);
    Result<protocol::Outcome> run(Trainer& trainer, const Circumstances& now);

private:
    explicit Replay(protocol::WorkerContext& context) : context_(context) {}
    Result<void> choose(std::vector<CheckpointInfo> sound, int64_t steps);
    void compareRow(const protocol::MetricRecord& row);
    Result<void> compareCheckpoint(const CheckpointInfo& info);
    void differs(Json what);

    protocol::WorkerContext& context_;
    std::string run_, folder_, links_;
    Json job_;
    CheckpointInfo from_;
    int64_t until_ = 0;
    std::vector<CheckpointInfo> later_;  // checkpoints in (from, until]
    RecordedSteps recorded_;
    Trainer* trainer_ = nullptr;
    int64_t comparedNumbers_ = 0, comparedTensors_ = 0;
    Json first_;  // difference; null: none
};

// Kind train, or with `replay` the same set-up for a part of it.
Result<protocol::Outcome> trainOrReplay(protocol::WorkerContext& context, Replay* replay);

}  // namespace assay::train
