// File → cache: prepareDataset as `assay data prepare` calls it, in one process. Prints one JSON line: seconds (of the call),
// documents, tokens, MB/s of text, peak resident memory; "again": the second call, which finds the folder.
// Usage: bench_prepare FILE TOKENIZER CACHE_FOLDER [SEQUENCE_LENGTH [PACKING]]
#include <assay/config/spec.h>
#include <assay/core/clock.h>
#include <assay/data/prepare.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

int main(int argc, char** argv) {
    using namespace assay;
    if (argc < 4) {
        std::fprintf(stderr, "bench_prepare FILE TOKENIZER CACHE_FOLDER [SEQUENCE_LENGTH [none|concat|best_fit]]\n");
        return 2;
    }
    config::DataSpec spec;
    spec.train.emplace_back();
    spec.train[0].path = argv[1];
    spec.tokenizer.kind = config::TokenizerSpec::Kind::kPath;
    spec.tokenizer.path = argv[2];
    spec.sequenceLength = argc > 4 ? std::atoll(argv[4]) : 512;
    spec.overLength = config::OverLength::kTruncate;
    spec.packing = argc > 5 && std::strcmp(argv[5], "best_fit") == 0 ? config::Packing::kBestFit : argc > 5 && std::strcmp(argv[5], "concat") == 0 ? config::Packing::kConcat : config::Packing::kNone;
    if (const char* how = std::getenv("BENCH_DEDUPLICATE"))
        spec.deduplicate = std::strcmp(how, "near") == 0 ? config::Deduplicate::kNear : std::strcmp(how, "exact") == 0 ? config::Deduplicate::kExact : config::Deduplicate::kNone;
    data::PrepareOptions options;
    options.cacheFolder = argv[3];
    options.threads = std::getenv("BENCH_THREADS") ? std::atoi(std::getenv("BENCH_THREADS")) : 2;
    double seconds[2] = {0, 0};
    data::PrepareReport report;
    for (double& s : seconds) {
        const double begin = monotonicSeconds();
        auto done = data::prepareDataset(spec, options);
        s = monotonicSeconds() - begin;
        if (!done) {
            std::fprintf(stderr, "%s\n", done.error().text().c_str());
            return 1;
        }
        if (&s == seconds) report = *done;
    }
    struct rusage usage {};
    ::getrusage(RUSAGE_SELF, &usage);
    std::printf("{\"seconds\":%.3f,\"again\":%.4f,\"documents\":%lld,\"tokens\":%lld,\"mb_per_s\":%.1f,\"peak_rss_mib\":%.0f,\"path\":\"%s\"}\n", seconds[0], seconds[1],
                static_cast<long long>(report.documents), static_cast<long long>(report.tokens), report.mbPerS, static_cast<double>(usage.ru_maxrss) / 1024, report.path.c_str());
}
