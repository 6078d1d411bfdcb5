// Batches per second of the loader over a prepared folder (packing none: padded to the longest of the batch). Prints one
// JSON line. Usage: bench_loader PREPARED_FOLDER [MICRO_BATCH [BATCHES [WORKERS]]]
#include <assay/core/clock.h>
#include <assay/data/loader.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    using namespace assay;
    if (argc < 2) {
        std::fprintf(stderr, "bench_loader PREPARED_FOLDER [MICRO_BATCH [BATCHES [WORKERS]]]\n");
        return 2;
    }
    auto opened = data::PreparedData::open(argv[1]);
    if (!opened) {
        std::fprintf(stderr, "%s\n", opened.error().text().c_str());
        return 1;
    }
    data::LoaderOptions options;
    options.microBatch = argc > 2 ? std::atoll(argv[2]) : 8;
    const long long batches = argc > 3 ? std::atoll(argv[3]) : 20000;
    options.workers = argc > 4 ? std::atoi(argv[4]) : 2;
    const double begin = monotonicSeconds();
    auto loader = data::Loader::create(*opened, options);
    if (!loader) return 1;
    data::Batch batch;
    long long places = 0, real = 0, sum = 0;
    double first = 0;
    for (long long i = 0; i < batches; ++i) {
        if (!(*loader)->next(batch)) return 1;
        if (i == 0) first = monotonicSeconds() - begin;
        places += batch.rows * batch.columns;
        real += batch.realTokens;
        sum += batch.ids[0];
    }
    const double seconds = monotonicSeconds() - begin;
    std::printf("{\"batches_per_s\":%.0f,\"first_ms\":%.2f,\"padding_fraction\":%.4f,\"tokens_per_s\":%.0f,\"check\":%lld}\n", static_cast<double>(batches) / seconds, first * 1e3,
                1 - static_cast<double>(real) / static_cast<double>(places), static_cast<double>(real) / seconds, sum);
}
