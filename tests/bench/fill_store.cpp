// A store with many finished runs, for measuring lists. Usage: bench_fill_store FOLDER RUNS
#include <assay/config/config.h>
#include <assay/core/ids.h>
#include <assay/store/store.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace assay;

int main(int argc, char** argv) {
    if (argc != 3) return std::fprintf(stderr, "usage: bench_fill_store FOLDER RUNS\n"), 2;
    const int runs = std::atoi(argv[2]);
    auto store = store::Store::open(argv[1]);
    if (!store) return std::fprintf(stderr, "%s\n", store.error().text().c_str()), 1;
    const auto loaded = config::loadSpecText("assay: 1\nname: bench\nkind: train\ndata: {train: {path: /dev/null, format: text}, tokenizer: bytes}\n"
                                             "model: {from: {family: gpt2, layers: 1, hidden: 8, heads: 1}}\ntrain: {steps: 5}\n", "bench", "/");
    for (int first = 0; first < runs; first += 1000) {
        auto done = (*store)->write(store::Promise::kBatch, [&](store::Writer& writer) -> Result<void> {
            for (int i = first; i < std::min(runs, first + 1000); ++i) {
                store::RunRow row;
                row.id = newRunId();
                row.name = "run-" + std::to_string(i);
                row.kind = "train";
                row.status = i % 17 == 0 ? store::RunStatus::kFailed : store::RunStatus::kDone;
                row.createdAt = 1.75e9 + i * 60;
                row.startedAt = row.createdAt + 1;
                row.endedAt = row.startedAt + 40 + i % 100;
                row.runningSeconds = row.endedAt - row.startedAt;
                row.attempt = 1;
                row.tags = Json::array({"bench", "g" + std::to_string(i % 10)});
                row.summary = {{"train/loss", 3.0 + std::sin(i)}, {"eval/loss", 3.2 + std::sin(i)}, {"train/tokens_per_s", 5000 + i % 700}};
                row.spec = loaded.resolved;
                ASSAY_TRY_VOID(writer.insertRun(row));
                ASSAY_TRY_VOID(writer.addRunEvent(row));
            }
            return {};
        });
        if (!done) return std::fprintf(stderr, "%s\n", done.error().text().c_str()), 1;
    }
    return 0;
}
