// bench_plan_accuracy SPECS THREADS [SEED]: calibrates once, as `assay plan` does, then trains SPECS random set-ups for a few
// steps each and compares. Prints a line for each, {"seconds", "predicted", "measured", "peak_predicted", "peak_measured", …}.
// The best step counts, by processor seconds of the calling thread where others take the cores: they hardly matter.
#include <assay/torch.h>

#include <malloc.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>

#include <assay/core/clock.h>
#include <assay/core/durable.h>
#include <assay/core/random.h>
#include <assay/plan/plan.h>
#include <assay/plan/step_seconds.h>
#include <assay/train/autocast.h>
#include <assay/train/machine_rates.h>
#include <assay/train/trainer.h>

namespace {

using namespace assay;

class Draw {
public:
    explicit Draw(uint64_t seed) : seed_(seed) {}
    uint64_t number() { return mixBits(seed_, ++count_); }
    template <class T, size_t N>
    T of(const T (&choices)[N]) {
        return choices[number() % N];
    }

private:
    uint64_t seed_, count_ = 0;
};

struct SetUp {
    model::ModelConfig config;
    plan::TrainShape shape;
    std::string name;
};

SetUp randomSetUp(Draw& draw, int threads) {
    for (;;) {
        SetUp s;
        const std::string family = draw.of({"gpt2", "llama"});
        const int64_t hidden = draw.of({64, 96, 128, 192, 256, 320, 384, 512}), width = draw.of({16, 32, 64}), layers = draw.of({1, 2, 3, 4, 6, 8});
        if (hidden % width != 0) continue;
        const int64_t heads = hidden / width, kvHeads = family == "llama" && heads % 2 == 0 ? draw.of({heads, heads / 2}) : heads;
        const int64_t columns = draw.of({32, 64, 128, 256, 512}), rows = draw.of({1, 2, 4, 8, 12, 16, 32});
        const double dropout = draw.of({0.0, 0.0, 0.0, 0.1});
        auto described = model::describe(family, layers, hidden, heads, kvHeads, 0, columns, draw.of({128, 257, 2048, 8192, 32000}), draw.of({true, false}), dropout);
        if (!described) continue;
        s.config = *described;
        s.shape.rows = rows;
        s.shape.columns = columns;
        s.shape.accumulation = draw.of({1, 1, 2, 3});
        s.shape.threads = threads;
        s.shape.masked = draw.of({false, false, true});
        s.shape.saves = false;
        s.shape.optimizer.name = draw.of({"adamw", "adamw", "adamw", "adam", "sgd", "lion", "adafactor", "adamw_8bit"});
        using K = config::PrecisionSpec::Kind;
        s.shape.precision.kind = draw.of({K::kFp32, K::kFp32, K::kFp32, K::kAmpBf16, K::kBf16});
        s.shape.precision.stochastic = s.shape.precision.kind == K::kBf16 && draw.of({true, false});
        s.shape.averaged = draw.of({false, false, true});
        const double flops = plan::trainingFlops(s.config, static_cast<double>(rows * columns * s.shape.accumulation), columns);
        if (flops < 2e8 || flops > 6e10 || rows * columns > 8192) continue;
        const char* precision = s.shape.precision.kind == K::kFp32 ? "fp32" : s.shape.precision.kind == K::kAmpBf16 ? "amp_bf16" : s.shape.precision.stochastic ? "bf16_stochastic" : "bf16";
        s.name = family + " " + std::to_string(layers) + "x" + std::to_string(hidden) + " heads " + std::to_string(heads) + "/" + std::to_string(kvHeads) + " vocab " + std::to_string(s.config.vocab) +
                 (s.config.tieEmbeddings ? " tied" : "") + " batch " + std::to_string(s.shape.accumulation) + "x" + std::to_string(rows) + "x" + std::to_string(columns) + (s.shape.masked ? " masked" : "") +
                 (dropout > 0 ? " dropout" : "") + " " + precision + " " + s.shape.optimizer.name + (s.shape.averaged ? " ema" : "");
        return s;
    }
}

data::Batch batchOf(const SetUp& s, Draw& draw) {
    data::Batch b;
    b.rows = s.shape.rows;
    b.columns = s.shape.columns;
    for (int64_t row = 0; row < b.rows; ++row)
        for (int64_t t = 0; t < b.columns; ++t) {
            b.ids.push_back(static_cast<int32_t>(draw.number() % static_cast<uint64_t>(s.config.vocab)));
            b.labels.push_back(static_cast<int32_t>(draw.number() % static_cast<uint64_t>(s.config.vocab)));
            const int64_t half = s.shape.masked && t >= b.columns / 2 ? 1 : 0;  // two documents in a row
            b.positions.push_back(static_cast<int32_t>(half ? t - b.columns / 2 : t));
            b.segments.push_back(static_cast<int32_t>(half));
        }
    b.oneSegmentPerRow = !s.shape.masked;
    b.realTokens = b.labelledTokens = b.rows * b.columns;
    return b;
}

struct Moment {
    double wall = monotonicSeconds(), processor = 0;
    Moment() {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        processor = static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    }
};

// As the calibration counts (engine/train/calibrate/stopwatch.h).
double between(const Moment& from, const Moment& to, int threads) {
    const double wall = to.wall - from.wall, processor = to.processor - from.processor;
    return threads == 1 ? processor : wall > 1.3 * processor ? 1.05 * processor : wall;
}

int compare(const plan::KernelRates& rates, const SetUp& s, Draw& draw, const std::string& folder, int threads) {
    nn::MemoryMeter meter;
    nn::MemoryScope scope(meter);
    auto model = nn::createModel(s.config, {.dtype = train::weightType(s.shape.precision)});
    auto group = dist::makeCollective("single", {});
    auto events = protocol::EventWriter::open(folder + "/events.rank0.jsonl", "0000000000000", 0, 1);
    if (!model || !group || !events) return 1;
    (*model)->initialize(1337);
    train::TrainerInput input;
    input.spec.globalBatch = s.shape.rows * s.shape.accumulation;
    input.spec.microBatch = s.shape.rows;
    input.spec.optimizer = s.shape.optimizer;
    input.spec.optimizer.lr = 1e-4;
    input.spec.precision = s.shape.precision;
    if (s.shape.averaged) input.spec.ema = config::EmaSpec{0.99};
    input.spec.schedule = {"constant", 0, 0};
    input.totalSteps = 100;
    input.model = model->get();
    input.group = group->get();
    input.events = events->get();
    input.checkpointFolder = folder;
    input.meter = &meter;
    auto trainer = train::Trainer::create(input);
    if (!trainer) {
        std::fprintf(stderr, "%s: %s\n", s.name.c_str(), trainer.error().text().c_str());
        return 1;
    }
    std::vector<data::Batch> batches;
    for (int64_t m = 0; m < s.shape.accumulation; ++m) batches.push_back(batchOf(s, draw));
    std::vector<double> seconds;
    const plan::StepParts parts = plan::stepParts(rates, s.config, s.shape);
    const int steps = parts.sum() < 0.1 ? 8 : 4;
    for (int step = 0; step < steps; ++step) {
        if (step == 1) meter.resetPeak();
        const Moment start;
        auto done = (*trainer)->step(batches);
        if (!done) {
            std::fprintf(stderr, "%s: %s\n", s.name.c_str(), done.error().text().c_str());
            return 1;
        }
        if (step > 0) seconds.push_back(between(start, Moment(), threads));  // the first makes state and pages
    }
    std::sort(seconds.begin(), seconds.end());
    const double measured = seconds.front();
    const plan::Memory memory = plan::trainMemory(s.config, s.shape);
    const Json line = {{"spec", s.name}, {"predicted", parts.sum()}, {"measured", measured}, {"spread", seconds.back() / seconds.front() - 1},
                       {"peak_predicted", memory.peak}, {"peak_measured", meter.peakBytes()},
                       {"parts", {{"layers", parts.layers}, {"attention", parts.attention}, {"loss", parts.loss}, {"tables", parts.tables}, {"update", parts.update}, {"other", parts.other}}}};
    std::printf("%s\n", dumpJson(line).c_str());
    std::fflush(stdout);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fprintf(stderr, "usage: bench_plan_accuracy SPECS THREADS [SEED]\n");
        return 2;
    }
    // As the worker does (app/worker/environment.cpp): keep the pages of activations.
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
    mallopt(M_TOP_PAD, 16 << 20);
    const int threads = std::atoi(argv[2]);
    at::set_num_interop_threads(1);
    at::set_num_threads(threads);
    const double start = monotonicSeconds();
    const Json document = train::measureRates({.patience = 30});
    const auto rates = plan::KernelRates::parse(document);
    if (!rates) return 1;
    std::printf("%s\n", dumpJson({{"calibration_seconds", monotonicSeconds() - start}, {"disturbed", rates->disturbed()}}).c_str());
    if (std::getenv("PLAN_RATES")) std::fprintf(stderr, "%s\n", dumpJson(document, 1).c_str());
    const std::string folder = (std::filesystem::temp_directory_path() / ("assay-plan-accuracy-" + std::to_string(::getpid()))).string();
    std::filesystem::create_directories(folder);
    const uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
    const char* only = std::getenv("PLAN_ONLY");  // the number of one of them
    int failures = 0;
    for (int i = 0; i < std::atoi(argv[1]); ++i) {
        if (only && std::atoi(only) != i) continue;
        Draw draw(mixBits(seed, static_cast<uint64_t>(i)));
        const SetUp s = randomSetUp(draw, threads);
        failures += compare(*rates, s, draw, folder, threads);
    }
    (void)removeTree(folder);
    return failures > 0;
}
