// One process at a time: the life of runs from submission to their end.
#include "runtime_fixture.h"

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
