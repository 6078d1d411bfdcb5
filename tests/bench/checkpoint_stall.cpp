// bench_checkpoint_stall MODEL THREADS STEPS EVERY FOLDER: training with a background checkpoint after every EVERY steps. MODEL: small
// (gpt2, 6 layers of 384, batch 12×256) or smollm2 (SmolLM2-135M, batch 4×256), on random tokens. Prints
// {"step_seconds": of steps without a save behind them, "after_save_seconds": of those with one, "stall_seconds": that training
// stood still for one checkpoint, "stall": its share of a step, "bytes": of a checkpoint, "peak_bytes"}.
#include <assay/torch.h>

#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <assay/core/random.h>
#include <assay/train/trainer.h>

namespace {

using namespace assay;

class RandomTokens final : public data::Loader {
public:
    RandomTokens(int64_t rows, int64_t columns, int64_t vocab) : rows_(rows), columns_(columns), vocab_(vocab) {}
    Result<void> next(data::Batch& out) override {
        out = {};
        out.rows = rows_;
        out.columns = columns_;
        for (int64_t i = 0; i < rows_ * columns_; ++i) {
            out.ids.push_back(static_cast<int32_t>(mixBits(1, count_) % static_cast<uint64_t>(vocab_)));
            out.labels.push_back(static_cast<int32_t>(mixBits(1, ++count_) % static_cast<uint64_t>(vocab_)));
            out.positions.push_back(static_cast<int32_t>(i % columns_));
            out.segments.push_back(0);
        }
        out.realTokens = out.labelledTokens = rows_ * columns_;
        return {};
    }
    double waitSeconds() const override { return 0; }

private:
    int64_t rows_, columns_, vocab_;
    uint64_t count_ = 0;
};

model::ModelConfig configOf(bool large) {
    model::ModelConfig c;
    c.family = large ? "llama" : "gpt2";
    c.layers = large ? 30 : 6;
    c.hidden = large ? 576 : 384;
    c.heads = large ? 9 : 6;
    c.kvHeads = large ? 3 : 6;
    c.headDim = 64;
    c.ffn = large ? 1536 : 1536;
    c.vocab = large ? 49152 : 4096;
    c.context = 256;
    c.tieEmbeddings = true;
    c.activation = large ? "silu" : "gelu_new";
    return c;
}

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

int run(bool large, int64_t steps, int64_t every, const std::string& folder) {
    const model::ModelConfig config = configOf(large);
    const int64_t rows = large ? 4 : 12;
    nn::MemoryMeter meter;
    nn::MemoryScope scope(meter);
    auto model = nn::createModel(config);
    auto group = dist::makeCollective("single", {});
    std::filesystem::create_directories(folder + "/checkpoints");
    auto events = protocol::EventWriter::open(folder + "/events.rank0.jsonl", "0000000000000", 0, 1);
    if (!model || !group || !events) return 1;
    (*model)->initialize(1337);
    std::vector<double> plain, behind;
    int64_t bytes = 0;
    train::TrainerInput input;
    input.spec.globalBatch = rows;
    input.spec.optimizer.lr = 1e-4;
    input.spec.checkpoint = {.every = every, .keep = 1, .background = true};
    input.totalSteps = steps;
    input.checkpointFolder = folder + "/checkpoints";
    input.model = model->get();
    input.group = group->get();
    input.meter = &meter;
    input.events = events->get();
    input.makeLoader = [&](bool, int64_t) -> Result<std::unique_ptr<data::Loader>> { return std::make_unique<RandomTokens>(rows, config.context, config.vocab); };
    input.seen = [&](const protocol::MetricRecord& row) {
        for (const auto& [name, value] : row.values)
            if (name == "train/step_seconds" && row.step > 2) (row.step > every && row.step % every == 1 % every ? behind : plain).push_back(value);
    };
    auto trainer = train::Trainer::create(std::move(input));
    if (!trainer) return std::fprintf(stderr, "%s\n", trainer.error().text().c_str()), 1;
    auto result = (*trainer)->run();
    if (!result) return std::fprintf(stderr, "%s\n", result.error().text().c_str()), 1;
    for (const auto& file : std::filesystem::directory_iterator(folder + "/checkpoints/step-" + std::to_string(steps))) bytes += static_cast<int64_t>(file.file_size());
    const double stall = result->checkpointWaitSeconds / static_cast<double>(std::max<int64_t>(1, (steps - 1) / every)), step = median(plain);
    std::printf("{\"step_seconds\": %.4f, \"after_save_seconds\": %.4f, \"stall_seconds\": %.5f, \"stall\": %.5f, \"bytes\": %lld, \"peak_bytes\": %lld}\n", step, median(behind), stall, stall / step,
                static_cast<long long>(bytes), static_cast<long long>(result->peakBytes));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 6) return std::fprintf(stderr, "usage: bench_checkpoint_stall small|smollm2 THREADS STEPS EVERY FOLDER\n"), 2;
    mallopt(M_MMAP_THRESHOLD, 32 << 20);  // as the worker does
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
    at::set_num_interop_threads(1);
    at::set_num_threads(std::atoi(argv[2]));
    return run(std::string(argv[1]) == "smollm2", std::atoll(argv[3]), std::atoll(argv[4]), argv[5]);
}
