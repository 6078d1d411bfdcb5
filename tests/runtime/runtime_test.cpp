// The runtime with real processes: tests/support/fake_worker.cpp follows a script per run.
#include <assay/core/durable.h>
#include <assay/runtime/runtime.h>
#include <assay/runtime/state_machine.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>

#include "temp_folder.h"

using namespace assay;
using namespace assay::runtime;
using store::RunRow;
using store::RunStatus;

namespace {

class RuntimeTest : public ::testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(makeFolders(folder_ / "scripts"));
        ::setenv("ASSAY_FAKE_SCRIPTS", (folder_ / "scripts").c_str(), 1);
        open();
    }
    void TearDown() override {
        if (runtime_)
            for (const auto& row : all())
                if (!store::isTerminal(row.status)) (void)runtime_->stop(row.id, true);
        waitFor([&] { return runtime_->activeRuns() == 0; });
        close();
    }
    void open() {
        auto store = store::Store::open(folder_ / "store");
        ASSERT_TRUE(store) << store.error().text();
        store_ = std::move(*store);
        store_->onCommit([this] {
            std::lock_guard lock(mutex_);
            ++commits_;
            changed_.notify_all();
        });
        RuntimeOptions options;
        options.tickSeconds = 0.005;
        options.startGraceSeconds = 0.2;
        options.groupGraceSeconds = 0.1;
        auto runtime = Runtime::start(*store_, makeLocalLauncher(std::string(ASSAY_BIN_DIR) + "/assay_fake_worker"), options);
        ASSERT_TRUE(runtime) << runtime.error().text();
        runtime_ = std::move(*runtime);
    }
    void close() {
        runtime_.reset();
        store_.reset();
    }
    void script(const std::string& name, const std::string& text) { std::ofstream(folder_ / ("scripts/" + name)) << text; }
    static constexpr const char* kBase =
        "data: {train: {path: /dev/null, format: text}, tokenizer: bytes}\nmodel: {from: {family: gpt2, layers: 1, hidden: 8, heads: 1}}\ntrain: {steps: 5}\n";
    Json spec(const std::string& name, const std::string& body = std::string("kind: train\n") + kBase) {
        auto loaded = config::loadSpecText("assay: 1\nname: " + name + "\n" + body, "test", "/");
        return loaded.resolved;
    }
    static std::string pipeline() {
        return std::string("kind: pipeline\nstages: [prepare, train, quantize]\n") + kBase +
               "quantize: {schemes: [int8]}\ncost: {price: {usd_per_hour: 3600}}\n";
    }
    Submitted submit(const Json& spec, const std::string& key = "") {
        auto made = runtime_->submit(spec, "", key);
        if (!made) throw std::runtime_error(made.error().text());
        return *made;
    }
    template <class F>
    bool waitFor(F condition, double seconds = 20) {
        // Looked at again after every commit, and now and then for what no commit tells (a process that ended).
        const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
        while (!condition()) {
            if (std::chrono::steady_clock::now() > until) return false;
            std::unique_lock lock(mutex_);
            const int64_t before = commits_;
            changed_.wait_for(lock, std::chrono::milliseconds(10), [&] { return commits_ != before; });
        }
        return true;
    }
    RunRow row(const std::string& id) {
        RunRow out;
        auto done = store_->read([&](store::Reader& r) -> Result<void> {
            ASSAY_TRY(out, r.run(id, true));
            return {};
        });
        EXPECT_TRUE(done) << done.error().text();
        return out;
    }
    std::vector<RunRow> all() {
        std::vector<RunRow> out;
        (void)store_->read([&](store::Reader& r) -> Result<void> {
            ASSAY_TRY(out, r.runs());
            return {};
        });
        return out;
    }
    ::testing::AssertionResult reaches(const std::string& id, RunStatus status) {
        if (waitFor([&] { return row(id).status == status; })) return ::testing::AssertionSuccess();
        RunRow now = row(id);
        return ::testing::AssertionFailure() << "is " << store::statusName(now.status) << ": " << now.reason;
    }
    std::vector<store::Point> losses(const std::string& id) {
        store::SeriesAnswer answer;
        (void)store_->read([&](store::Reader& r) -> Result<void> {
            ASSAY_TRY(answer, r.series(id, "train/loss", 0, INT64_MIN, INT64_MAX));
            return {};
        });
        return answer.points;
    }
    std::vector<Json> events(const std::string& id, const std::string& type) {
        std::vector<Json> out;
        (void)store_->read([&](store::Reader& r) -> Result<void> {
            ASSAY_TRY(auto rows, r.events(0, 100000, 1 << 30));
            for (const auto& e : rows)
                if (e.run == id && e.type == type) out.push_back(Json::parse(e.json));
            return {};
        });
        return out;
    }

    test::TempFolder folder_;
    std::mutex mutex_;
    std::condition_variable changed_;
    int64_t commits_ = 0;
    std::unique_ptr<store::Store> store_;
    std::unique_ptr<Runtime> runtime_;
};

}  // namespace

TEST_F(RuntimeTest, RunToItsEnd) {
    script("a.train",
           "print hello log\nmetrics 0 999\nrecord {\"type\":\"summary\",\"values\":{\"eval/loss\":1.5}}\nrecord {\"type\":\"artifact\",\"name\":\"model\",\"kind\":\"model\",\"path\":\"artifacts/model\",\"bytes\":1}\n"
           "checkpoint 999\nrecord {\"type\":\"result\",\"data\":{\"x\":1}}\nrecord {\"type\":\"unknown_of_the_future\"}\nend done\n");
    auto made = submit(spec("a"));
    ASSERT_TRUE(reaches(made.run, RunStatus::kDone));
    RunRow done = row(made.run);
    EXPECT_EQ(done.attempt, 1);
    EXPECT_EQ(done.summary["eval/loss"], 1.5);
    EXPECT_EQ(done.result["x"], 1);
    EXPECT_EQ(done.runningSeconds, 499.5);
    EXPECT_GT(done.endedAt, 0);
    ASSERT_EQ(losses(made.run).size(), 1000u);
    EXPECT_EQ(losses(made.run)[9], (store::Point{9, 4.5, 900, 0.1}));
    EXPECT_EQ(events(made.run, "checkpoint").size(), 1u);
    auto log = runtime_->log(made.run, 0, 1000);
    ASSERT_TRUE(log);
    EXPECT_EQ(log->text, "hello log\n");
    EXPECT_EQ(log->next, 10);
    EXPECT_EQ(runtime_->log(made.run, -4, 1000)->text, "log\n");
    EXPECT_TRUE(waitFor([&] { return runtime_->idle(); }));
    // What a worker starts from lies in the run folder.
    EXPECT_TRUE(readJsonFile(store_->runFolder(made.run) + "/job.json"));
    EXPECT_TRUE(readFile(store_->runFolder(made.run) + "/spec.yaml"));
    auto states = events(made.run, "run");
    std::string order;
    for (const Json& event : states) {
        const std::string status = event["row"]["status"];
        if (!order.ends_with(status)) order += (order.empty() ? "" : " ") + status;
    }
    EXPECT_EQ(order, "queued starting running done");
}

TEST_F(RuntimeTest, SameKeyIsTheSameRun) {
    script("a.train", "waitterm\n");
    auto first = submit(spec("a"), "key-1");
    EXPECT_EQ(submit(spec("a"), "key-1").run, first.run);
    EXPECT_NE(submit(spec("a"), "key-2").run, first.run);
}

TEST_F(RuntimeTest, WorkerThatDiesIsInterruptedAndResumes) {
    script("a.train", "metrics 0 50\ncheckpoint 30\nmetrics 51 60\ndie 9\n");
    script("a.train.resume", "record {\"type\":\"resumed\",\"step\":30,\"replayed_steps\":30,\"checkpoint\":\"checkpoints/step-30\"}\nmetrics 31 80 7\nend done\n");
    auto made = submit(spec("a"));
    ASSERT_TRUE(reaches(made.run, RunStatus::kInterrupted));
    EXPECT_EQ(row(made.run).reason, "worker died: signal 9");
    EXPECT_EQ(row(made.run).error["code"], "worker_died");
    auto resumed = runtime_->resume(made.run);
    ASSERT_TRUE(resumed) << resumed.error().text();
    EXPECT_EQ(resumed->fromStep, 30);
    ASSERT_TRUE(reaches(made.run, RunStatus::kDone));
    EXPECT_EQ(row(made.run).attempt, 2);
    auto points = losses(made.run);
    ASSERT_EQ(points.size(), 81u);
    for (int64_t s = 0; s <= 80; ++s) {
        EXPECT_EQ(points[static_cast<size_t>(s)].step, s);
        EXPECT_EQ(points[static_cast<size_t>(s)].value == 7.0, s > 30) << s;
    }
    EXPECT_EQ(runtime_->resume(made.run).error().code, ErrorCode::kBusy);
}

// The newest checkpoint is damaged, so the worker goes on from the one before: its word counts, not the folder's.
TEST_F(RuntimeTest, ResumedStepIsTheWorkers) {
    script("a.train", "metrics 0 50\ncheckpoint 20\ncheckpoint 40\ndie 9\n");
    script("a.train.resume", "record {\"type\":\"resumed\",\"step\":20,\"replayed_steps\":30,\"checkpoint\":\"checkpoints/step-20\"}\nmetrics 21 80 7\nend done\n");
    auto made = submit(spec("a"));
    ASSERT_TRUE(reaches(made.run, RunStatus::kInterrupted));
    EXPECT_FALSE(row(made.run).resumedFrom);
    auto resumed = runtime_->resume(made.run);
    ASSERT_TRUE(resumed) << resumed.error().text();
    EXPECT_EQ(resumed->fromStep, 40);
    ASSERT_TRUE(reaches(made.run, RunStatus::kDone));
    EXPECT_EQ(row(made.run).resumedFrom, 20);
}

TEST_F(RuntimeTest, FailureKeepsItsError) {
    script("a.train", "end failed\n");
    script("b.train", "exit 3\n");
    auto a = submit(spec("a")), b = submit(spec("b"));
    ASSERT_TRUE(reaches(a.run, RunStatus::kFailed));
    EXPECT_EQ(row(a.run).error["code"], "non_finite");
    EXPECT_EQ(row(a.run).reason, "loss is NaN at step 7");
    ASSERT_TRUE(reaches(b.run, RunStatus::kInterrupted));
    EXPECT_EQ(row(b.run).reason, "worker died: exit code 3");
}

TEST_F(RuntimeTest, BadLinesAreCountedAndTheRestIsKept) {
    script("a.train", "metrics 0 9\nraw this is not json\nraw {\"type\":\"metric\",\"step\":\"x\"}\nraw \nmetrics 10 19\ntorn {\"type\":\"metric\",\"st\nexit 1\n");
    script("a.train.resume", "metrics 20 29\nend done\n");
    auto made = submit(spec("a"));
    ASSERT_TRUE(reaches(made.run, RunStatus::kInterrupted));
    EXPECT_EQ(losses(made.run).size(), 20u);
    ASSERT_TRUE(runtime_->resume(made.run));
    ASSERT_TRUE(reaches(made.run, RunStatus::kDone));
    EXPECT_EQ(losses(made.run).size(), 30u);
    ASSERT_TRUE(store_->read([&](store::Reader& r) -> Result<void> {
        ASSAY_TRY(auto tail, r.tail(made.run, 0));
        EXPECT_EQ(tail->badLines, 3);
        return {};
    }));
    auto warnings = events(made.run, "log");
    ASSERT_FALSE(warnings.empty());
    EXPECT_NE(warnings[0]["text"].get<std::string>().find("unreadable"), std::string::npos);
}

TEST_F(RuntimeTest, StopAndDiscard) {
    script("a.train", "metrics 0 9\nwaitterm\n");
    script("b.train", "metrics 0 9\nhang\n");
    auto a = submit(spec("a"));
    auto b = submit(spec("b"));
    ASSERT_TRUE(waitFor([&] { return losses(a.run).size() == 10; }));
    EXPECT_EQ(row(b.run).status, RunStatus::kQueued) << "one at a time";
    ASSERT_TRUE(runtime_->stop(a.run, false));
    ASSERT_TRUE(reaches(a.run, RunStatus::kCancelled));
    EXPECT_EQ(runtime_->stop(a.run, false).error().code, ErrorCode::kBusy);
    ASSERT_TRUE(waitFor([&] { return losses(b.run).size() == 10; }));
    ASSERT_TRUE(runtime_->stop(b.run, false));
    EXPECT_EQ(row(b.run).status, RunStatus::kStopping) << "deaf to SIGTERM";
    ASSERT_TRUE(runtime_->stop(b.run, true));
    ASSERT_TRUE(reaches(b.run, RunStatus::kCancelled));
    auto c = submit(spec("b"));
    auto d = submit(spec("a"));
    ASSERT_TRUE(runtime_->stop(d.run, false));
    EXPECT_EQ(row(d.run).status, RunStatus::kCancelled) << "never started";
    EXPECT_EQ(row(d.run).attempt, 0);
}

TEST_F(RuntimeTest, WorkersOutliveTheEngine) {
    script("a.train", "metrics 0 99\nwaitfile " + (folder_ / "go") + "\nmetrics 100 199\nend done\n");
    auto made = submit(spec("a"));
    ASSERT_TRUE(waitFor([&] { return losses(made.run).size() == 100; }));
    const int pid = row(made.run).pid;
    close();
    EXPECT_EQ(::kill(pid, 0), 0);
    std::ofstream(folder_ / "go") << "x";
    open();
    ASSERT_TRUE(reaches(made.run, RunStatus::kDone));
    auto points = losses(made.run);
    ASSERT_EQ(points.size(), 200u);
    for (int64_t s = 0; s < 200; ++s) EXPECT_EQ(points[static_cast<size_t>(s)].step, s);
    EXPECT_EQ(row(made.run).attempt, 1);
}

TEST_F(RuntimeTest, WorkerThatEndedUnwatched) {
    script("a.train", "metrics 0 9\nwaitfile " + (folder_ / "go") + "\nmetrics 10 19\nend done\n");
    script("b.train", "metrics 0 9\nwaitfile " + (folder_ / "go") + "\ndie 9\n");
    for (const std::string name : {"a", "b"}) {
        auto made = submit(spec(name));
        ASSERT_TRUE(waitFor([&] { return losses(made.run).size() == 10; }));
        const int pid = row(made.run).pid;
        close();
        std::ofstream(folder_ / "go") << "x";
        ASSERT_TRUE(waitFor([&] { return !processStartTicks(pid); }));
        open();
        ASSERT_TRUE(reaches(made.run, name == "a" ? RunStatus::kDone : RunStatus::kInterrupted));
        EXPECT_EQ(losses(made.run).size(), name == "a" ? 20u : 10u);
        std::filesystem::remove(folder_ / "go");
    }
}

// --- runs of several ranks

std::string twoRanks(const std::string& more = "") {
    return "kind: train\ndata: {train: {path: /dev/null, format: text}, tokenizer: bytes}\nmodel: {from: {family: gpt2, layers: 1, hidden: 8, heads: 1}}\n"
           "train: {steps: 5, global_batch: 2, parallel: {data: 2}" + more + "}\n";
}
bool says(const std::vector<Json>& events, const std::string& text) {
    return std::any_of(events.begin(), events.end(), [&](const Json& e) { return jsonStringOr(e, "text", "").find(text) != std::string::npos; });
}

TEST_F(RuntimeTest, RanksBeginAndEndTogether) {
    script("pair.train", "metrics 0 4\nend done\n");
    script("pair.train.rank1", "metrics 0 4 7\nrecord {\"type\":\"log\",\"level\":\"info\",\"text\":\"rank one here\"}\nend done\n");
    const std::string id = submit(spec("pair", twoRanks())).run;
    ASSERT_TRUE(reaches(id, RunStatus::kDone));
    EXPECT_TRUE(runtime_->ranks(id).empty());
    EXPECT_EQ(losses(id).size(), 5u);
    EXPECT_EQ(row(id).latest["rank1/train/loss"], 7);
    EXPECT_TRUE(says(events(id, "log"), "rank one here"));
    EXPECT_FALSE(row(id).summary.contains("run/restarts"));
}

TEST_F(RuntimeTest, DeadRankStartsAllAgainFromTheCheckpoint) {
    const std::string die = folder_ / "die";
    script("lost.train", "metrics 0 3\ncheckpoint 2\nhang\n");  // deaf: it has to be killed
    script("lost.train.rank1", "waitfile " + die + "\ndie 9\n");
    script("lost.train.resume", "record {\"type\":\"resumed\",\"step\":2,\"replayed_steps\":1}\nmetrics 3 4\nend done\n");
    script("lost.train.rank1.resume", "end done\n");
    const std::string id = submit(spec("lost", twoRanks())).run;
    ASSERT_TRUE(waitFor([&] { return losses(id).size() == 4; }));
    std::ofstream(die) << "x";
    ASSERT_TRUE(reaches(id, RunStatus::kDone));
    EXPECT_EQ(row(id).attempt, 2);
    EXPECT_EQ(row(id).summary["run/restarts"], 1);
    EXPECT_EQ(row(id).resumedFrom, 2);
    EXPECT_EQ(losses(id).size(), 5u);
    EXPECT_TRUE(says(events(id, "log"), "rank 1 died: signal 9; all ranks start again from the last checkpoint (restart 1 of 3)"));
    EXPECT_NE(runtime_->log(id, 0, 10000)->text.find("rank 1 died: signal 9"), std::string::npos);
}

TEST_F(RuntimeTest, RestartsAreCounted) {
    script("again.train", "hang\n");
    script("again.train.rank1", "die 11\n");
    const std::string id = submit(spec("again", twoRanks())).run;
    ASSERT_TRUE(waitFor([&] { return row(id).status == RunStatus::kInterrupted && row(id).attempt == 4; }, 60));
    EXPECT_EQ(row(id).summary["run/restarts"], 3);
    EXPECT_EQ(row(id).reason, "rank 1 died: signal 11");
    EXPECT_TRUE(says(events(id, "log"), "its 3 restarts are used up"));
    EXPECT_EQ(jsonStringOr(row(id).error, "code", ""), "worker_died");
    // By hand there are three more.
    script("again.train.resume", "end done\n");
    script("again.train.rank1.resume", "end done\n");
    ASSERT_TRUE(runtime_->resume(id));
    ASSERT_TRUE(reaches(id, RunStatus::kDone));
    EXPECT_FALSE(row(id).summary.contains("run/restarts"));
}

TEST_F(RuntimeTest, RankThatFailsByItselfFailsTheRun) {
    script("bad.train", "record {\"type\":\"end\",\"outcome\":\"failed\",\"error\":{\"code\":\"worker_died\",\"message\":\"another rank is gone\"}}\nexit 1\n");
    script("bad.train.rank1", "end failed\n");
    const std::string id = submit(spec("bad", twoRanks())).run;
    ASSERT_TRUE(reaches(id, RunStatus::kFailed));
    EXPECT_EQ(row(id).reason, "rank 1: loss is NaN at step 7");
    EXPECT_EQ(jsonStringOr(row(id).error, "code", ""), "non_finite");
    EXPECT_EQ(row(id).attempt, 1);
}

TEST_F(RuntimeTest, SilentRankIsKilledAndAllStartAgain) {
    script("mute.train", "record {\"type\":\"end\",\"outcome\":\"failed\",\"error\":{\"code\":\"worker_died\",\"message\":\"timed out\"}}\nexit 1\n");
    script("mute.train.rank1", "hang\n");
    script("mute.train.resume", "end done\n");
    script("mute.train.rank1.resume", "end done\n");
    const std::string id = submit(spec("mute", twoRanks())).run;
    ASSERT_TRUE(reaches(id, RunStatus::kDone));
    EXPECT_TRUE(says(events(id, "log"), "rank 1 did not answer the others; all ranks start again"));
}

TEST_F(RuntimeTest, StopAndDiscardReachAllRanks) {
    script("both.train", "metrics 0 0\nwaitterm\n");
    script("both.train.rank1", "metrics 0 0\nwaitterm\n");
    std::string id = submit(spec("both", twoRanks())).run;
    ASSERT_TRUE(waitFor([&] { return row(id).latest.contains("rank1/train/loss") && row(id).latest.contains("train/loss"); }));
    ASSERT_TRUE(runtime_->stop(id, false));
    ASSERT_TRUE(reaches(id, RunStatus::kCancelled));
    script("deaf.train", "metrics 0 0\nhang\n");
    script("deaf.train.rank1", "metrics 0 0\nhang\n");
    id = submit(spec("deaf", twoRanks())).run;
    ASSERT_TRUE(waitFor([&] { return row(id).latest.contains("rank1/train/loss") && row(id).latest.contains("train/loss"); }));
    ASSERT_TRUE(runtime_->stop(id, true));
    ASSERT_TRUE(reaches(id, RunStatus::kCancelled));
    EXPECT_EQ(row(id).attempt, 1);
}

TEST_F(RuntimeTest, RanksOutliveTheEngine) {
    const std::string die = folder_ / "die2";
    script("stay.train", "metrics 0 0\nhang\n");
    script("stay.train.rank1", "metrics 0 0\nwaitfile " + die + "\ndie 9\n");
    script("stay.train.resume", "end done\n");
    script("stay.train.rank1.resume", "end done\n");
    const std::string id = submit(spec("stay", twoRanks())).run;
    ASSERT_TRUE(waitFor([&] { return row(id).latest.contains("rank1/train/loss") && row(id).latest.contains("train/loss"); }));
    close();
    open();
    EXPECT_EQ(row(id).status, RunStatus::kRunning);
    ASSERT_TRUE(waitFor([&] { return runtime_->ranks(id).size() == 2; }));
    for (const RankState& rank : runtime_->ranks(id)) EXPECT_TRUE(rank.running && rank.pid > 0) << rank.rank;
    std::ofstream(die) << "x";
    ASSERT_TRUE(reaches(id, RunStatus::kDone));
    EXPECT_EQ(row(id).summary["run/restarts"], 1);
}

TEST_F(RuntimeTest, OtherLaunchersAreRefused) {
    script("far.train", "end done\n");
    const std::string id = submit(spec("far", twoRanks(", launcher: slurm"))).run;
    ASSERT_TRUE(reaches(id, RunStatus::kFailed));
    EXPECT_EQ(jsonStringOr(row(id).error, "code", ""), "unsupported");
}

TEST_F(RuntimeTest, PipelineRunsItsStagesInOrder) {
    script("p.prepare", "record {\"type\":\"summary\",\"values\":{\"data/tokens\":10}}\nend done\n");
    script("p.train", "metrics 0 9\nfile artifacts/model/config.json\nrecord {\"type\":\"artifact\",\"name\":\"model\",\"kind\":\"model\",\"path\":\"artifacts/model\",\"bytes\":1}\nend done\n");
    script("p.quantize", "file artifacts/int8/x\nrecord {\"type\":\"setup\",\"name\":\"int8\",\"scheme\":\"int8\",\"path\":\"artifacts/int8\"}\nend done\n");
    auto made = submit(spec("p", pipeline()));
    ASSERT_EQ(made.children.size(), 3u);
    ASSERT_TRUE(reaches(made.run, RunStatus::kDone));
    RunRow root = row(made.run);
    EXPECT_EQ(root.summary["data/tokens"], 10);
    EXPECT_TRUE(root.summary.contains("train/loss"));
    EXPECT_NEAR(root.summary["cost/usd"].get<double>(), root.runningSeconds, 1e-6) << "one dollar a second, summed over the stages";
    double before = 0;
    for (const auto& id : made.children) {
        RunRow child = row(id);
        EXPECT_EQ(child.status, RunStatus::kDone);
        EXPECT_GE(child.startedAt, before);
        before = child.endedAt;
        EXPECT_EQ(child.parent, made.run);
    }
    // References of a stage are paths of its siblings when it starts.
    auto job = readJsonFile(store_->runFolder(made.children[1]) + "/job.json");
    ASSERT_TRUE(job);
    EXPECT_EQ((*job)["spec"]["inputs"]["prepared"], store_->runFolder(made.children[0]));
    job = readJsonFile(store_->runFolder(made.children[2]) + "/job.json");
    EXPECT_EQ((*job)["spec"]["inputs"]["model"], store_->runFolder(made.children[1]) + "/artifacts/model");
}

TEST_F(RuntimeTest, FailedStageCancelsWhatNeedsItAndResumeGoesOn) {
    script("p.prepare", "end done\n");
    script("p.train", "metrics 0 5\ncheckpoint 5\ndie 9\n");
    script("p.train.resume", "file artifacts/model/config.json\nend done\n");
    script("p.quantize", "end done\n");
    auto made = submit(spec("p", pipeline()));
    ASSERT_TRUE(reaches(made.run, RunStatus::kInterrupted));
    EXPECT_EQ(row(made.children[2]).status, RunStatus::kCancelled);
    EXPECT_NE(row(made.children[2]).reason.find("needs train run"), std::string::npos);
    auto resumed = runtime_->resume(made.run);
    ASSERT_TRUE(resumed) << resumed.error().text();
    EXPECT_EQ(resumed->fromStep, 5);
    ASSERT_TRUE(reaches(made.run, RunStatus::kDone));
    EXPECT_EQ(row(made.children[0]).attempt, 1) << "what was done stays done";
    EXPECT_EQ(row(made.children[1]).attempt, 2);
}

TEST_F(RuntimeTest, UnknownReferenceFailsNamingIt) {
    Json bad = spec("a");
    bad["inputs"]["model"] = "run:zzzzzzzzzzzzz";
    auto made = submit(bad);
    ASSERT_TRUE(reaches(made.run, RunStatus::kFailed));
    EXPECT_EQ(row(made.run).error["code"], "not_found");
    EXPECT_NE(row(made.run).reason.find("zzzzzzzzzzzzz"), std::string::npos);
}

TEST_F(RuntimeTest, RemoveRefusesActiveRunsAndDeletesTheRest) {
    script("a.train", "metrics 0 9\nwaitterm\n");
    auto made = submit(spec("a"));
    ASSERT_TRUE(reaches(made.run, RunStatus::kRunning));
    EXPECT_EQ(runtime_->remove(made.run).error().code, ErrorCode::kBusy);
    ASSERT_TRUE(runtime_->stop(made.run, false));
    ASSERT_TRUE(reaches(made.run, RunStatus::kCancelled));
    ASSERT_TRUE(runtime_->remove(made.run));
    EXPECT_TRUE(all().empty());
    EXPECT_FALSE(std::filesystem::exists(store_->runFolder(made.run)));
    EXPECT_EQ(runtime_->remove(made.run).error().code, ErrorCode::kNotFound);
}

TEST_F(RuntimeTest, ForkTakesOverridesAndNamesTheirErrors) {
    script("p.prepare", "end done\n");
    script("p.train", "end failed\n");
    auto made = submit(spec("p", pipeline()));
    ASSERT_TRUE(reaches(made.run, RunStatus::kFailed));
    auto bad = runtime_->fork(made.run, {"train.no_such_key=1"});
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().code, ErrorCode::kInvalidFile);
}

TEST_F(RuntimeTest, ReplacedEventFileIsReadAgainWithoutDoubles) {
    script("a.train", "metrics 0 99\nwaitfile " + (folder_ / "go") + "\nend done\n");
    auto made = submit(spec("a"));
    ASSERT_TRUE(waitFor([&] { return losses(made.run).size() == 100; }));
    const std::string file = store_->runFolder(made.run) + "/events.rank0.jsonl";
    auto text = readFile(file);
    ASSERT_TRUE(text);
    ASSERT_TRUE(writeFileDurably(file, *text + "{\"type\":\"metric\",\"step\":100,\"s\":1,\"tok\":1,\"v\":{\"train/loss\":5}}\n"));
    ASSERT_TRUE(waitFor([&] { return losses(made.run).size() == 101; }));
    EXPECT_EQ(losses(made.run)[100].value, 5.0);
    std::ofstream(folder_ / "go") << "x";
    ASSERT_TRUE(waitFor([&] { return store::isTerminal(row(made.run).status); }));
}
