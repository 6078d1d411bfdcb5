#pragma once
// A small model, synthetic batches and a run folder of its own.
#include <assay/core/durable.h>
#include <assay/core/random.h>
#include <assay/train/trainer.h>
#include <gtest/gtest.h>
#include <assay/torch.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace assay::train::testing {

inline model::ModelConfig tinyConfig(const std::string& family = "gpt2", double dropout = 0) {
    model::ModelConfig c;
    c.family = family;
    c.layers = 2;
    c.hidden = 16;
    c.heads = 2;
    c.kvHeads = family == "gpt2" ? 2 : 1;
    c.headDim = 8;
    c.ffn = 32;
    c.vocab = 23;
    c.context = 12;
    c.tieEmbeddings = true;
    c.dropout = dropout;
    c.activation = family == "gpt2" ? "gelu_new" : "silu";
    return c;
}

// Row `sequence` of the stream: token t follows from the one before with some noise, so that there is something to
// learn. The last `sequence % 4` labels are not scored. Order is a pure function of the position.
inline void fillRow(data::Batch& b, int64_t row, int64_t sequence, int64_t vocab) {
    uint64_t token = mixBits(static_cast<uint64_t>(sequence)) % static_cast<uint64_t>(vocab);
    for (int64_t t = 0; t < b.columns; ++t) {
        const auto at = static_cast<size_t>(row * b.columns + t);
        const uint64_t noise = mixBits(static_cast<uint64_t>(sequence), static_cast<uint64_t>(t));
        const uint64_t next = noise % 8 == 0 ? noise / 8 % static_cast<uint64_t>(vocab) : (token * 3 + 1) % static_cast<uint64_t>(vocab);
        b.ids[at] = static_cast<int32_t>(token);
        b.labels[at] = t + sequence % 4 < b.columns ? static_cast<int32_t>(next) : -100;
        b.positions[at] = static_cast<int32_t>(t);
        b.segments[at] = 0;
        ++b.realTokens;
        b.labelledTokens += b.labels[at] >= 0;
        token = next;
    }
}

inline data::Batch makeBatch(int64_t firstSequence, int64_t rows, int64_t columns = 12, int64_t vocab = 23) {
    data::Batch b;
    b.rows = rows;
    b.columns = columns;
    for (auto* v : {&b.ids, &b.labels, &b.positions, &b.segments}) v->resize(static_cast<size_t>(rows * columns));
    b.firstSequence = firstSequence;
    for (int64_t r = 0; r < rows; ++r) fillRow(b, r, firstSequence + r, vocab);
    return b;
}

class SyntheticLoader final : public data::Loader {
public:
    SyntheticLoader(bool evaluation, int64_t sequence, int64_t rows) : evaluation_(evaluation), next_(evaluation ? 1'000'000 : sequence), rows_(rows) {}
    Result<void> next(data::Batch& out) override {
        if (evaluation_ && next_ >= 1'000'008) {
            out = {};
            return {};
        }
        out = makeBatch(next_, rows_);
        next_ += rows_;
        return {};
    }
    double waitSeconds() const override { return 0; }

private:
    bool evaluation_;
    int64_t next_, rows_;
};

class TrainingRun {
public:
    explicit TrainingRun(const std::string& name, model::ModelConfig config = tinyConfig(), at::ScalarType dtype = at::kFloat) {
        at::set_num_threads(1);  // tensors this small gain nothing from two, and a busy machine loses much
        folder_ = (std::filesystem::temp_directory_path() / ("assay-train-" + name + "-" + std::to_string(::getpid()))).string();
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_ + "/checkpoints");
        input.spec.globalBatch = 4;
        input.spec.steps = 12;
        input.spec.optimizer.lr = 1e-2;
        input.spec.checkpoint = {.every = 4, .keep = 10, .background = true};
        input.seed = 99;
        input.totalSteps = 12;
        input.checkpointFolder = folder_ + "/checkpoints";
        input.hasEvaluation = true;
        fresh(config, dtype);
    }
    ~TrainingRun() {
        trainer.reset();
        events.reset();
        std::filesystem::remove_all(folder_);
    }
    // A new session: new model (from the seed), new loader, new trainer; the folder stays.
    void fresh(model::ModelConfig config, at::ScalarType dtype = at::kFloat) {
        trainer.reset();
        model = std::move(*nn::createModel(config, {.dtype = dtype, .device = device}));
        model->initialize(input.seed);
        events = std::move(*protocol::EventWriter::open(folder_ + "/events.rank0.jsonl", "0000000000000", 0, ++attempt_));
        group = std::move(*dist::makeCollective("single", {}));
        input.model = model.get();
        input.group = group.get();
        input.events = events.get();
        stop = std::stop_source();
        input.stop = stop.get_token();
        input.makeLoader = [this](bool evaluation, int64_t sequences) -> Result<std::unique_ptr<data::Loader>> {
            const int64_t micro = input.spec.microBatch > 0 ? input.spec.microBatch : input.spec.globalBatch;
            return std::make_unique<SyntheticLoader>(evaluation, sequences, micro);
        };
    }
    void create() {
        auto made = Trainer::create(input);
        ASSERT_TRUE(made) << made.error().text();
        trainer = std::move(*made);
    }
    TrainResult run() {
        if (!trainer) create();
        auto result = trainer->run();
        EXPECT_TRUE(result) << (result ? "" : result.error().text());
        return result ? *result : TrainResult{};
    }
    std::string checkpoint(int64_t step) const { return folder_ + "/checkpoints/step-" + std::to_string(step); }
    std::string bytes(int64_t step, const std::string& file) const {
        auto read = readFile(checkpoint(step) + "/" + file);
        EXPECT_TRUE(read) << (read ? "" : read.error().text());
        return read ? *read : "";
    }
    std::string eventText() {
        EXPECT_TRUE(events->flush());
        return *readFile(folder_ + "/events.rank0.jsonl");
    }
    const std::string& folder() const { return folder_; }

    at::Device device = at::kCPU;  // of the next fresh session
    TrainerInput input;
    std::unique_ptr<nn::Model> model;
    std::unique_ptr<protocol::EventWriter> events;
    std::unique_ptr<dist::Collective> group;
    std::unique_ptr<Trainer> trainer;
    std::stop_source stop;

private:
    std::string folder_;
    int attempt_ = 0;
};

}  // namespace assay::train::testing
