// Points per second from an event file to an answer of the store, bytes per point, and the cost of EventWriter::metric.
// Usage: bench_ingest [ROWS] (each row has 10 metrics). Prints one JSON document.
#include <assay/core/clock.h>
#include <assay/core/durable.h>
#include <assay/protocol/event_writer.h>
#include <assay/runtime/runtime.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <semaphore>

using namespace assay;

namespace {

// A worker whose event file is already there: nothing is started.
class NoLauncher final : public runtime::Launcher {
public:
    explicit NoLauncher(std::string events) : events_(std::move(events)) {}
    Result<ProcessHandle> launch(const runtime::LaunchSpec& spec) override {
        std::error_code error;
        std::filesystem::rename(events_, spec.folder + "/events.rank0.jsonl", error);
        if (error) return fail(ErrorCode::kIo, error.message());
        return ProcessHandle{::getpid(), processStartTicks(::getpid()).value_or(0), -1};
    }
    runtime::WorkerState poll(const ProcessHandle&) override { return {true, {}}; }
    void askToStop(const ProcessHandle&) override {}
    void kill(const ProcessHandle&) override {}

private:
    std::string events_;
};

int failed(const Error& error) { return std::fprintf(stderr, "%s\n", error.text().c_str()), 1; }

}  // namespace

int main(int argc, char** argv) {
    const int64_t rows = argc > 1 ? std::atoll(argv[1]) : 200'000;
    constexpr int kMetrics = 10;
    std::string name = "/tmp/assay-ingest-XXXXXX";
    const std::string folder = ::mkdtemp(name.data());
    std::vector<double> micros;
    {
        auto writer = protocol::EventWriter::open(folder + "/events", "0000000000000", 0, 1);
        if (!writer) return failed(writer.error());
        for (int64_t s = 0; s < rows; ++s) {
            protocol::MetricRecord record{s, static_cast<double>(s) * 0.0517, s * 3072, {}};
            for (int m = 0; m < kMetrics; ++m)
                record.values.emplace_back("group/metric" + std::to_string(m), static_cast<double>(static_cast<float>(5 / std::sqrt(1.0 + static_cast<double>(s)) + 0.01 * std::sin(static_cast<double>(s * (m + 1))))));
            const auto start = std::chrono::steady_clock::now();
            (*writer)->metric(std::move(record));
            micros.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
            if (s % 20'000 == 19'999)
                if (auto done = (*writer)->flush(); !done) return failed(done.error());
        }
    }
    std::sort(micros.begin(), micros.end());
    auto store = store::Store::open(folder + "/store");
    if (!store) return failed(store.error());
    std::counting_semaphore<> commits(0);
    (*store)->onCommit([&] { commits.release(); });
    auto runtime = runtime::Runtime::start(**store, std::make_unique<NoLauncher>(folder + "/events"));
    if (!runtime) return failed(runtime.error());
    auto loaded = config::loadSpecText("assay: 1\nname: bench\nkind: train\ndata: {train: {path: /dev/null, format: text}, tokenizer: bytes}\n"
                                       "model: {from: {family: gpt2, layers: 1, hidden: 8, heads: 1}}\ntrain: {steps: 5}\n", "bench", "/");
    const double start = monotonicSeconds();
    auto made = (*runtime)->submit(loaded.resolved, "", "");
    if (!made) return failed(made.error());
    const std::string last = "group/metric" + std::to_string(kMetrics - 1);
    int64_t seen = 0;
    while (seen < rows) {
        commits.acquire();
        (void)(*store)->read([&](store::Reader& reader) -> Result<void> {
            ASSAY_TRY(auto tail, reader.tail(made->run, 0));
            if (!tail || tail->lines < rows + 1) return {};
            ASSAY_TRY(auto answer, reader.series(made->run, last, 2000, INT64_MIN, INT64_MAX));
            seen = answer.total;
            return {};
        });
    }
    const double seconds = monotonicSeconds() - start;
    runtime->reset();
    (*store)->onCommit({});
    store->reset();
    struct stat st {};
    ::stat((folder + "/store/assay.db").c_str(), &st);
    const auto points = static_cast<double>(rows * kMetrics);
    std::printf("{\"rows\":%lld,\"points\":%.0f,\"seconds\":%.3f,\"points_per_s\":%.0f,\"bytes_per_point\":%.2f,\"append_p50_us\":%.2f,\"append_p99_us\":%.2f}\n",
                static_cast<long long>(rows), points, seconds, points / seconds, static_cast<double>(st.st_size) / points, micros[micros.size() / 2], micros[micros.size() * 99 / 100]);
    (void)removeTree(folder);
    return 0;
}
