// bench_moe_step ROUNDS THREADS: an optimizer step (forward, backward, clip, AdamW) of a mixture of 4 experts with 2 for each token
// against the dense model of equal active FLOP (inner width 2 × an expert's), in turn in one process. Prints a line for each size:
// {"size", "dense_ms", "mixture_ms" (medians of processor time of all threads), "ratio" (median over the rounds), "wall_ratio"}.
#include <assay/torch.h>

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include <assay/core/clock.h>
#include <assay/core/durable.h>
#include <assay/core/json.h>
#include <assay/core/random.h>
#include <assay/train/trainer.h>

namespace {

using namespace assay;

struct Size {
    const char* name;
    int64_t layers, hidden, heads, kvHeads, expert, rows, columns;
};
constexpr Size kSizes[] = {{"4x256, batch 8x256", 4, 256, 4, 4, 352, 8, 256}, {"6x384, batch 12x256", 6, 384, 6, 3, 512, 12, 256}};
constexpr int64_t kVocab = 4096;

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

data::Batch randomBatch(const Size& size, uint64_t seed) {
    data::Batch b;
    b.rows = size.rows;
    b.columns = size.columns;
    for (int64_t i = 0; i < size.rows * size.columns; ++i) {
        b.ids.push_back(static_cast<int32_t>(mixBits(seed, static_cast<uint64_t>(i)) % kVocab));
        b.labels.push_back(static_cast<int32_t>(mixBits(seed, static_cast<uint64_t>(i + 1)) % kVocab));
        b.positions.push_back(static_cast<int32_t>(i % size.columns));
        b.segments.push_back(0);
    }
    b.realTokens = b.labelledTokens = size.rows * size.columns;
    return b;
}

class Bench {
public:
    Bench(const model::ModelConfig& config, int64_t rows, const std::string& folder) {
        auto created = nn::createModel(config);
        auto group = dist::makeCollective("single", {});
        std::filesystem::create_directories(folder);
        auto events = protocol::EventWriter::open(folder + "/events.rank0.jsonl", "0000000000000", 0, 1);
        ASSAY_CHECK(created && group && events, "a bench of models that are there");
        model_ = std::move(*created);
        group_ = std::move(*group);
        events_ = std::move(*events);
        model_->initialize(1);
        train::TrainerInput input;
        input.spec.globalBatch = rows;
        input.spec.optimizer = {.lr = 1e-3, .beta1 = 0.9, .beta2 = 0.99, .weightDecay = 0.1};
        input.spec.schedule = {"constant", 0, 0};
        input.totalSteps = 1 << 20;
        input.model = model_.get();
        input.group = group_.get();
        input.events = events_.get();
        input.checkpointFolder = folder;
        auto trainer = train::Trainer::create(input);
        ASSAY_CHECK(trainer, "a trainer");
        trainer_ = std::move(*trainer);
    }
    void step(const data::Batch& batch, double& cpu, double& wall) {
        const double start = monotonicSeconds(), from = processCpuSeconds();
        ASSAY_CHECK(trainer_->step({batch}), "a step");
        cpu = (processCpuSeconds() - from) * 1e3;
        wall = (monotonicSeconds() - start) * 1e3;
    }

private:
    std::unique_ptr<nn::Model> model_;
    std::unique_ptr<dist::Collective> group_;
    std::unique_ptr<protocol::EventWriter> events_;
    std::unique_ptr<train::Trainer> trainer_;
};

void measure(const Size& size, int64_t rounds, const std::string& folder) {
    const auto dense = model::describe("llama", size.layers, size.hidden, size.heads, size.kvHeads, 2 * size.expert, size.columns, kVocab, true, 0);
    const auto mixture = model::describe("mixtral", size.layers, size.hidden, size.heads, size.kvHeads, size.expert, size.columns, kVocab, true, 0, {.count = 4, .perToken = 2});
    ASSAY_CHECK(dense && mixture, "sizes that are models");
    Bench one(*dense, size.rows, folder), two(*mixture, size.rows, folder);
    std::vector<double> cpuOne, cpuTwo, ratios, walls;
    for (int64_t round = -2; round < rounds; ++round) {  // two rounds to warm up
        const data::Batch batch = randomBatch(size, static_cast<uint64_t>(round + 2));
        double a = 0, b = 0, wallA = 0, wallB = 0;
        one.step(batch, a, wallA);
        two.step(batch, b, wallB);
        if (round < 0) continue;
        cpuOne.push_back(a);
        cpuTwo.push_back(b);
        ratios.push_back(b / a);
        walls.push_back(wallB / wallA);
    }
    std::printf("%s\n", dumpJson({{"size", size.name}, {"dense_ms", median(cpuOne)}, {"mixture_ms", median(cpuTwo)}, {"ratio", median(ratios)}, {"wall_ratio", median(walls)}}).c_str());
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fprintf(stderr, "usage: bench_moe_step ROUNDS THREADS\n");
        return 2;
    }
    // As the worker does (app/worker/environment.cpp): keep the pages of activations.
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
    mallopt(M_TOP_PAD, 16 << 20);
    at::set_num_interop_threads(1);
    at::set_num_threads(std::atoi(argv[2]));
    const std::string work = (std::filesystem::temp_directory_path() / ("assay-bench-" + std::to_string(::getpid()))).string();
    for (const Size& size : kSizes) measure(size, std::max<int64_t>(1, std::atoll(argv[1])), work);
    (void)removeTree(work);
    return 0;
}
