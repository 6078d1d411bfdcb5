// Time of runs.list and runs.groups in the engine, from the parameters to the text of the answer, with many runs of 30
// summary figures and 50 settings. Times are of the thread that answers, so that other programs do not count. Usage: bench_runs_list [RUNS]. Prints one JSON document; exit 1 above 10 ms.
#include <assay/core/clock.h>
#include <assay/core/durable.h>
#include <assay/runtime/runtime.h>
#include <assay/store/store.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "api.h"

using namespace assay;

namespace {

constexpr double kLimit = 10;  // ms
constexpr int kFigures = 30, kSettings = 50, kRepeats = 15;

double milliseconds() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

class NoLauncher final : public runtime::Launcher {
public:
    Result<ProcessHandle> launch(const runtime::LaunchSpec&) override { return fail(ErrorCode::kUnsupported, "nothing is started here"); }
    runtime::WorkerState poll(const ProcessHandle&) override { return {}; }
    void askToStop(const ProcessHandle&) override {}
    void kill(const ProcessHandle&) override {}
};

// A number between 0 and 1 that depends on nothing but its place.
double scattered(int64_t run, int64_t key) {
    const double x = std::sin(static_cast<double>(run * 131 + key * 17)) * 43758.5453;
    return x - std::floor(x);
}

store::RunRow runOf(int64_t i) {
    store::RunRow row;
    char id[16];
    std::snprintf(id, sizeof id, "%013lld", static_cast<long long>(i));
    row.id = id;
    row.name = "run " + std::to_string(i);
    row.kind = i % 3 ? "train" : "eval";
    row.status = store::RunStatus::kDone;
    row.createdAt = 1.7e9 + static_cast<double>(i);
    row.startedAt = row.createdAt + 1;
    row.endedAt = row.createdAt + 100;
    if (i % 4) {  // three of four are stages of the run before them
        std::snprintf(id, sizeof id, "%013lld", static_cast<long long>(i - i % 4));
        row.parent = id;
    }
    if (i % 5 == 0) row.tags = Json::array({"demo", "group" + std::to_string(i % 50)});
    for (int k = 0; k < kFigures; ++k) (k % 2 ? row.summary : row.latest)["part" + std::to_string(k % 6) + "/figure" + std::to_string(k)] = scattered(i, k);
    Json train = Json::object();
    for (int k = 0; k < kSettings - 2; ++k)
        train["setting" + std::to_string(k)] = k % 3 == 0 ? Json(k * 10 + i % 7) : k % 3 == 1 ? Json(scattered(i % 100, k)) : Json("choice" + std::to_string(i % 9));
    row.spec = Json{{"name", row.name}, {"train", train}};
    (*row.spec)["train"]["optimizer"]["lr"] = std::pow(10, -2 - 3 * scattered(i, 99));
    return row;
}

int failed(const Error& error) { return std::fprintf(stderr, "%s\n", error.text().c_str()), 1; }

}  // namespace

int main(int argc, char** argv) {
    const int64_t runs = argc > 1 ? std::atoll(argv[1]) : 30'000;
    std::string name = "/tmp/assay-runs-XXXXXX";
    const std::string folder = ::mkdtemp(name.data());
    bool slow = false;
    {
        auto store = store::Store::open(folder + "/store");
        if (!store) return failed(store.error());
        for (int64_t from = 0; from < runs; from += 1000) {
            auto done = (*store)->write(store::Promise::kBatch, [&](store::Writer& writer) -> Result<void> {
                for (int64_t i = from; i < std::min(from + 1000, runs); ++i) ASSAY_TRY_VOID(writer.insertRun(runOf(i)));
                return {};
            });
            if (!done) return failed(done.error());
        }
        auto runtime = runtime::Runtime::start(**store, std::make_unique<NoLauncher>());
        if (!runtime) return failed(runtime.error());
        server::ApiContext context{**store, **runtime, {}, {}, 0, {}, {}, {}};
        protocol::Dispatcher methods;
        server::addRunMethods(methods, context);
        Json out = {{"runs", runs}};
        int changes = 0;
        auto measure = [&](const std::string& what, const std::string& method, const Json& params, bool change = false) {
            std::vector<double> times;
            int64_t total = 0;
            for (int r = 0; r < kRepeats; ++r) {
                // A run that reports while lists are asked for, as in life.
                if (change)
                    (void)(*store)->write(store::Promise::kBatch, [&](store::Writer& writer) {
                        store::RunRow row = runOf(++changes);
                        row.summary["part1/figure1"] = r;
                        return writer.updateRun(row);
                    });
                const double start = milliseconds();
                auto answer = methods.call(method, params, 0);
                const std::string text = answer ? dumpJson(*answer) : std::string();
                times.push_back(milliseconds() - start);
                if (!answer) return (void)failed(answer.error());
                total = method == "runs.list" ? (*answer)["total"].get<int64_t>() : static_cast<int64_t>((*answer)["groups"].size());
            }
            std::sort(times.begin(), times.end());
            out[what] = {{"ms", times[kRepeats / 2]}, {"worst_ms", times.back()}, {"total", total}};
            slow |= times[kRepeats / 2] > kLimit;
        };
        const double start = milliseconds();
        if (auto first = methods.call("runs.list", {{"limit", 1}}, 0); !first) return failed(first.error());
        out["first_look_ms"] = milliseconds() - start;
        const char* where = "lr < 1e-3 and tag = demo";
        measure("list", "runs.list", {{"limit", 200}});
        measure("filter_sort", "runs.list", {{"where", where}, {"sort", "-part1/figure1"}, {"limit", 200}});
        measure("filter_sort_parents", "runs.list", {{"where", where}, {"sort", "-part1/figure1"}, {"limit", 200}, {"parents_only", true}});
        measure("sort_all", "runs.list", {{"sort", "part3/figure3"}, {"limit", 200}});
        measure("sort_text", "runs.list", {{"sort", "-name"}, {"limit", 200}});
        measure("contains", "runs.list", {{"where", "name ~ 99"}, {"limit", 200}});
        measure("columns", "runs.list", {{"sort", "lr"}, {"limit", 200}, {"columns", {"lr", "setting1", "setting2", "part1/figure1"}}});
        measure("while_a_run_reports", "runs.list", {{"where", where}, {"sort", "-part1/figure1"}, {"limit", 200}}, true);
        measure("groups_kind", "runs.groups", {{"key", "kind"}});
        measure("groups_setting", "runs.groups", {{"key", "setting2"}, {"where", where}});
        measure("groups_name", "runs.groups", {{"key", "name"}, {"parents_only", true}});
        std::printf("%s\n", dumpJson(out, 1).c_str());
    }
    (void)removeTree(folder);
    return slow ? 1 : 0;
}
