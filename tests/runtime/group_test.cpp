// Runs of several ranks: they begin together, end together, and start again together.
#include "runtime_fixture.h"

namespace {

class GroupTest : public RuntimeTest {};

std::string twoRanks(const std::string& more = "") {
    return "kind: train\ndata: {train: {path: /dev/null, format: text}, tokenizer: bytes}\nmodel: {from: {family: gpt2, layers: 1, hidden: 8, heads: 1}}\n"
           "train: {steps: 5, global_batch: 2, parallel: {data: 2}" + more + "}\n";
}
bool says(const std::vector<Json>& events, const std::string& text) {
    return std::any_of(events.begin(), events.end(), [&](const Json& e) { return jsonStringOr(e, "text", "").find(text) != std::string::npos; });
}

TEST_F(GroupTest, RanksBeginAndEndTogether) {
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

TEST_F(GroupTest, DeadRankStartsAllAgainFromTheCheckpoint) {
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

TEST_F(GroupTest, RestartsAreCounted) {
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

TEST_F(GroupTest, RankThatFailsByItselfFailsTheRun) {
    script("bad.train", "record {\"type\":\"end\",\"outcome\":\"failed\",\"error\":{\"code\":\"worker_died\",\"message\":\"another rank is gone\"}}\nexit 1\n");
    script("bad.train.rank1", "end failed\n");
    const std::string id = submit(spec("bad", twoRanks())).run;
    ASSERT_TRUE(reaches(id, RunStatus::kFailed));
    EXPECT_EQ(row(id).reason, "rank 1: loss is NaN at step 7");
    EXPECT_EQ(jsonStringOr(row(id).error, "code", ""), "non_finite");
    EXPECT_EQ(row(id).attempt, 1);
}

TEST_F(GroupTest, SilentRankIsKilledAndAllStartAgain) {
    script("mute.train", "record {\"type\":\"end\",\"outcome\":\"failed\",\"error\":{\"code\":\"worker_died\",\"message\":\"timed out\"}}\nexit 1\n");
    script("mute.train.rank1", "hang\n");
    script("mute.train.resume", "end done\n");
    script("mute.train.rank1.resume", "end done\n");
    const std::string id = submit(spec("mute", twoRanks())).run;
    ASSERT_TRUE(reaches(id, RunStatus::kDone));
    EXPECT_TRUE(says(events(id, "log"), "rank 1 did not answer the others; all ranks start again"));
}

TEST_F(GroupTest, StopAndDiscardReachAllRanks) {
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

TEST_F(GroupTest, RanksOutliveTheEngine) {
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

TEST_F(GroupTest, OtherLaunchersAreRefused) {
    script("far.train", "end done\n");
    const std::string id = submit(spec("far", twoRanks(", launcher: slurm"))).run;
    ASSERT_TRUE(reaches(id, RunStatus::kFailed));
    EXPECT_EQ(jsonStringOr(row(id).error, "code", ""), "unsupported");
}

}  // namespace
