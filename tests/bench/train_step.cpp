// bench_train_step CONFIG STEPS THREADS [TEXT]: time of one optimizer step of a small GPT (forward, backward, clip, AdamW) on the
// bytes of TEXT (random bytes without it). Prints {"ms": […], "first_loss", "last_loss", "peak_bytes"}.
#include <assay/torch.h>

#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <assay/core/clock.h>
#include <assay/core/durable.h>
#include <assay/core/random.h>
#include <assay/train/trainer.h>
#include <unistd.h>

namespace {

using namespace assay;

struct Shape {
    int64_t layers, heads, hidden, context, batch;
};

data::Batch batchOf(const std::string& text, const Shape& shape, int64_t step) {
    data::Batch b;
    b.rows = shape.batch;
    b.columns = shape.context;
    for (int64_t row = 0; row < shape.batch; ++row) {
        const uint64_t start = mixBits(static_cast<uint64_t>(step), static_cast<uint64_t>(row)) % (text.size() - static_cast<size_t>(shape.context) - 1);
        for (int64_t t = 0; t < shape.context; ++t) {
            b.ids.push_back(static_cast<uint8_t>(text[start + static_cast<size_t>(t)]) & 127);
            b.labels.push_back(static_cast<uint8_t>(text[start + static_cast<size_t>(t) + 1]) & 127);
            b.positions.push_back(static_cast<int32_t>(t));
            b.segments.push_back(0);
        }
    }
    b.realTokens = b.labelledTokens = b.rows * b.columns;
    return b;
}

int run(const Shape& shape, int64_t steps, const std::string& text) {
    model::ModelConfig c;
    c.family = "gpt2";
    c.layers = shape.layers;
    c.heads = c.kvHeads = shape.heads;
    c.hidden = shape.hidden;
    c.headDim = shape.hidden / shape.heads;
    c.ffn = 4 * shape.hidden;
    c.vocab = 128;
    c.context = shape.context;
    c.tieEmbeddings = true;
    c.activation = "gelu_new";
    nn::MemoryMeter meter;
    nn::MemoryScope scope(meter);
    auto model = nn::createModel(c);
    auto group = dist::makeCollective("single", {});
    const std::string folder = (std::filesystem::temp_directory_path() / ("assay-bench-" + std::to_string(::getpid()))).string();
    std::filesystem::create_directories(folder);
    auto events = protocol::EventWriter::open(folder + "/events.rank0.jsonl", "0000000000000", 0, 1);
    if (!model || !group || !events) return 1;
    (*model)->initialize(1337);
    train::TrainerInput input;
    input.spec.globalBatch = shape.batch;
    input.spec.optimizer = {.lr = 1e-3, .beta1 = 0.9, .beta2 = 0.99, .weightDecay = 0.1};
    input.spec.schedule = {"constant", 0, 0};
    input.totalSteps = steps;
    input.model = model->get();
    input.group = group->get();
    input.events = events->get();
    input.checkpointFolder = folder;
    auto trainer = train::Trainer::create(input);
    if (!trainer) return 1;
    Json ms = Json::array();
    double first = 0, last = 0;
    for (int64_t step = 0; step < steps; ++step) {
        const double start = monotonicSeconds();
        auto done = (*trainer)->step({batchOf(text, shape, step)});
        if (!done) return 1;
        ms.push_back((monotonicSeconds() - start) * 1e3);
        (step == 0 ? first : last) = done->loss;
    }
    std::printf("%s\n", dumpJson({{"ms", ms}, {"first_loss", first}, {"last_loss", last}, {"peak_bytes", meter.peakBytes()}}).c_str());
    (void)removeTree(folder);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::fprintf(stderr, "usage: bench_train_step cpu|gpu STEPS THREADS [TEXT]\n");
        return 2;
    }
    // As the worker does (app/worker/environment.cpp): keep the pages of activations.
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
    mallopt(M_TOP_PAD, 16 << 20);
    at::set_num_interop_threads(1);
    at::set_num_threads(std::atoi(argv[3]));
    std::string text;
    if (argc > 4) {
        auto read = readFile(argv[4]);
        if (!read || read->size() < 4096) {
            std::fprintf(stderr, "%s cannot be read or is too short\n", argv[4]);
            return 1;
        }
        text = std::move(*read);
    } else {
        for (uint64_t i = 0; i < 1 << 20; ++i) text.push_back(static_cast<char>(mixBits(i) & 127));
    }
    const Shape shape = std::string(argv[1]) == "gpu" ? Shape{6, 6, 384, 256, 12} : Shape{4, 4, 128, 64, 12};
    return run(shape, std::atoll(argv[2]), text);
}
