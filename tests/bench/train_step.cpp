// bench_train_step FOLDER STEPS THREADS RATE: time of optimizer steps (forward, backward, clip, AdamW) of the model, text and batches
// that train_step_inputs.py wrote. Prints {"ms", "cpu_ms", "losses", "peak_bytes" of tensors, "peak_rss"}, and of an optimizer step
// alone {"update_ms", "update_bytes"} and the bytes a second that memory gives a copy: {"copy_bytes_per_second"}.
#include <assay/torch.h>

#include <malloc.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <assay/core/clock.h>
#include <assay/core/durable.h>
#include <assay/core/json.h>
#include <assay/model/model_file.h>
#include <assay/train/optimizer.h>
#include <assay/train/trainer.h>
#include <unistd.h>

namespace {

using namespace assay;

data::Batch batchOf(const std::string& text, int64_t columns, const std::vector<int64_t>& starts) {
    data::Batch b;
    b.rows = static_cast<int64_t>(starts.size());
    b.columns = columns;
    for (const int64_t start : starts)
        for (int64_t t = 0; t < columns; ++t) {
            b.ids.push_back(static_cast<uint8_t>(text[static_cast<size_t>(start + t)]));
            b.labels.push_back(static_cast<uint8_t>(text[static_cast<size_t>(start + t + 1)]));
            b.positions.push_back(static_cast<int32_t>(t));
            b.segments.push_back(0);
        }
    b.realTokens = b.labelledTokens = b.rows * b.columns;
    b.oneSegmentPerRow = true;
    return b;
}

int failed(const Error& error) {
    std::fprintf(stderr, "%s\n", error.text().c_str());
    return 1;
}

// Norm, clipping and AdamW on gradients that are there, and what a copy of as much memory takes: the two are compared.
void measureUpdate(nn::Model& model, Json& out) {
    at::NoGradGuard noGrad;
    int64_t elements = 0;
    for (const nn::Parameter& p : model.parameters()) {
        at::Tensor(p.value).mutable_grad() = at::full(p.value.sizes(), 1e-3f);
        elements += p.value.numel();
    }
    auto optimizer = train::makeOptimizer({.name = "adamw", .lr = 1e-6}, model.parameters());
    if (!optimizer) return;
    Json update = Json::array(), copy = Json::array();
    const at::Tensor from = at::ones({elements}), to = at::zeros({elements});
    for (int i = 0; i < 6; ++i) {
        double start = monotonicSeconds();
        (*optimizer)->step(1e-6);
        if (i > 0) update.push_back((monotonicSeconds() - start) * 1e3);
        start = monotonicSeconds();
        at::Tensor(to).copy_(from);
        if (i > 0) copy.push_back(static_cast<double>(8 * elements) / (monotonicSeconds() - start));
    }
    out["update_ms"] = update;
    out["update_bytes"] = 28 * elements;  // weights and moments read and written, gradients read
    out["copy_bytes_per_second"] = copy;
}

int run(const std::string& folder, int64_t steps, double rate) {
    auto text = readFile(folder + "/text.bin");
    auto plan = readJsonFile(folder + "/starts.json");
    auto file = model::openModel(folder);
    if (!text) return failed(text.error());
    if (!plan) return failed(plan.error());
    if (!file) return failed(file.error());
    const auto starts = (*plan)["starts"].get<std::vector<std::vector<int64_t>>>();
    const int64_t columns = (*plan)["columns"].get<int64_t>();
    nn::MemoryMeter meter;
    nn::MemoryScope scope(meter);
    auto model = nn::createModel((*file)->config());
    if (!model) return failed(model.error());
    if (auto loaded = (*model)->load(**file, 1); !loaded) return failed(loaded.error());
    file->reset();
    auto group = dist::makeCollective("single", {});
    const std::string work = (std::filesystem::temp_directory_path() / ("assay-bench-" + std::to_string(::getpid()))).string();
    std::filesystem::create_directories(work);
    auto events = protocol::EventWriter::open(work + "/events.rank0.jsonl", "0000000000000", 0, 1);
    if (!group) return failed(group.error());
    if (!events) return failed(events.error());
    Json ms = Json::array(), cpuMs = Json::array(), losses = Json::array();
    {
        train::TrainerInput input;
        input.spec.globalBatch = static_cast<int64_t>(starts.front().size());
        input.spec.optimizer = {.lr = rate, .beta1 = 0.9, .beta2 = 0.99, .weightDecay = 0.1};
        input.spec.schedule = {"constant", 0, 0};
        input.totalSteps = steps;
        input.model = model->get();
        input.group = group->get();
        input.events = events->get();
        input.checkpointFolder = work;
        auto trainer = train::Trainer::create(input);
        if (!trainer) return failed(trainer.error());
        for (int64_t step = 0; step < steps; ++step) {
            const double start = monotonicSeconds(), cpu = processCpuSeconds();
            auto done = (*trainer)->step({batchOf(*text, columns, starts[static_cast<size_t>(step)])});
            if (!done) return failed(done.error());
            ms.push_back((monotonicSeconds() - start) * 1e3);
            cpuMs.push_back((processCpuSeconds() - cpu) * 1e3);
            losses.push_back(done->loss);
        }
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    Json out = {{"ms", ms}, {"cpu_ms", cpuMs}, {"losses", losses}, {"peak_bytes", meter.peakBytes()}, {"peak_rss", usage.ru_maxrss * int64_t{1024}}};
    measureUpdate(**model, out);
    std::printf("%s\n", dumpJson(out).c_str());
    (void)removeTree(work);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 5) {
        std::fprintf(stderr, "usage: bench_train_step FOLDER STEPS THREADS RATE\n");
        return 2;
    }
    // As the worker does (app/worker/environment.cpp): keep the pages of activations.
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
    mallopt(M_TOP_PAD, 16 << 20);
    at::set_num_interop_threads(1);
    at::set_num_threads(std::atoi(argv[3]));
    return run(argv[1], std::atoll(argv[2]), std::atof(argv[4]));
}
