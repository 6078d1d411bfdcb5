#pragma once
// Data-parallel ranks as threads of the test, each with its own model, trainer and part of the data.
#include <functional>
#include <thread>

#include "thread_ring.h"
#include "training_fixture.h"

namespace assay::train::testing {

// Rank r of n takes the sequences r, r + n, r + 2n … of what comes after `sequence`.
class RankLoader final : public data::Loader {
public:
    RankLoader(bool evaluation, int64_t sequence, int64_t rows, int rank, int world)
        : evaluation_(evaluation), next_((evaluation ? kEvaluation : sequence) + rank), rows_(rows), world_(world) {}
    Result<void> next(data::Batch& out) override {
        out = {};
        if (evaluation_ && next_ >= kEvaluation + 8) return {};
        out.rows = rows_;
        out.columns = 12;
        for (auto* v : {&out.ids, &out.labels, &out.positions, &out.segments}) v->resize(static_cast<size_t>(rows_ * out.columns));
        for (int64_t r = 0; r < rows_; ++r, next_ += world_) fillRow(out, r, next_, 23);
        return {};
    }
    double waitSeconds() const override { return 0; }

private:
    static constexpr int64_t kEvaluation = 1'000'000;
    bool evaluation_;
    int64_t next_, rows_;
    int world_;
};

class RankGroup {
public:
    using Configure = std::function<void(TrainerInput&)>;
    // Checkpoints of all ranks lie in the folder of rank 0, or in `folder`.
    RankGroup(const std::string& name, int world, const model::ModelConfig& config, at::ScalarType type, const Configure& configure, const std::string& folder = {}) : ring_(world) {
        for (int rank = 0; rank < world; ++rank) {
            auto run = std::make_unique<TrainingRun>(name + "-" + std::to_string(world) + "-" + std::to_string(rank), config, type);
            run->group = std::make_unique<ThreadRing::Member>(ring_, rank);
            run->input.group = run->group.get();
            run->input.spec.parallel.data = world;
            configure(run->input);
            run->input.checkpointFolder = !folder.empty() ? folder : rank == 0 ? run->input.checkpointFolder : runs[0]->input.checkpointFolder;
            TrainingRun* raw = run.get();
            run->input.makeLoader = [raw, rank, world](bool evaluation, int64_t sequences) -> Result<std::unique_ptr<data::Loader>> {
                const auto& spec = raw->input.spec;
                const int64_t micro = spec.microBatch > 0 ? spec.microBatch : spec.globalBatch / world;
                return std::make_unique<RankLoader>(evaluation, sequences, micro, rank, world);
            };
            runs.push_back(std::move(run));
        }
        each([](TrainingRun& run, int) { run.create(); });
    }
    void each(const std::function<void(TrainingRun&, int)>& work) {
        std::vector<std::jthread> threads;
        for (size_t rank = 0; rank < runs.size(); ++rank)
            threads.emplace_back([&, rank] {
                at::set_num_threads(1);
                work(*runs[rank], static_cast<int>(rank));
            });
    }
    void run() {
        each([](TrainingRun& run, int) { run.run(); });
    }
    void restore(int64_t step) {
        each([&](TrainingRun& run, int) {
            auto loaded = loadCheckpoint({step, run.input.checkpointFolder + "/step-" + std::to_string(step), 0, 0});
            ASSERT_TRUE(loaded) << loaded.error().text();
            auto restored = run.trainer->restore(*loaded);
            ASSERT_TRUE(restored) << restored.error().text();
        });
    }
    const std::vector<nn::Parameter>& parameters(int rank = 0) const { return runs[static_cast<size_t>(rank)]->model->parameters(); }
    ThreadRing::Member& member(int rank) { return static_cast<ThreadRing::Member&>(*runs[static_cast<size_t>(rank)]->group); }

    std::vector<std::unique_ptr<TrainingRun>> runs;

private:
    ThreadRing ring_;
};

// The largest difference of any element.
inline double difference(const std::vector<nn::Parameter>& a, const std::vector<nn::Parameter>& b) {
    double most = 0;
    for (size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i].value.detach().to(at::kDouble) - b[i].value.detach().to(at::kDouble)).abs().max().item<double>());
    return most;
}

}  // namespace assay::train::testing
