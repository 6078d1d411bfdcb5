#include <assay/models/run_row.h>
#include <assay/models/run_text.h>

#include <gtest/gtest.h>

#include <cmath>

using namespace assay;
using namespace assay::models;

namespace {

Json running() {
    return {{"id", "abcdef0123"}, {"name", "gpt"}, {"kind", "train"}, {"status", "running"}, {"reason", nullptr}, {"created_at", "2026-11-30T12:00:00.250Z"},
            {"started_at", nullptr}, {"running_seconds", 12.5}, {"attempt", 2}, {"tags", {"demo", "x"}},
            {"summary", {{"eval/loss", 3.395}, {"bad", "nan"}}},
            {"progress", {{"phase", "training"}, {"unit", "steps"}, {"done", 45}, {"total", 300}, {"eta_seconds", 74}}}};
}

TEST(RunRow, ReadsWhatTheEngineWrites) {
    const RunRow run = runRowFromJson(running());
    EXPECT_EQ(run.id, QStringLiteral("abcdef0123"));
    EXPECT_EQ(run.createdAt, QDateTime(QDate(2026, 11, 30), QTime(12, 0, 0, 250), Qt::UTC));
    EXPECT_FALSE(run.startedAt.isValid());
    EXPECT_EQ(run.attempt, 2);
    EXPECT_TRUE(run.isActive() && run.canStop() && !run.canResume());
    EXPECT_DOUBLE_EQ(run.fraction(), 0.15);
    EXPECT_EQ(run.value(QStringLiteral("tags")).toString(), QStringLiteral("demo, x"));
    EXPECT_DOUBLE_EQ(run.value(QStringLiteral("eval/loss")).toDouble(), 3.395);
    EXPECT_TRUE(std::isnan(run.value(QStringLiteral("bad")).toDouble()));
    EXPECT_FALSE(run.value(QStringLiteral("reason")).isValid());
    EXPECT_FALSE(run.value(QStringLiteral("nothing")).isValid());
}

TEST(RunRow, AnythingIsReadWithoutHarm) {
    for (const char* text : {"null", "[]", "3", "{}", R"({"id":5,"tags":"x","summary":[],"progress":7,"created_at":"yesterday","attempt":"two"})"}) {
        const auto json = parseJson(text, "test");
        ASSERT_TRUE(json);
        const RunRow run = runRowFromJson(*json);
        EXPECT_TRUE(run.id.isEmpty());
        EXPECT_FALSE(run.createdAt.isValid());
        EXPECT_TRUE(std::isnan(run.fraction()));
        EXPECT_FALSE(run.isActive());
    }
    Json odd = running();
    odd["progress"] = {{"done", 500}, {"total", 300}};
    EXPECT_DOUBLE_EQ(runRowFromJson(odd).fraction(), 1);
    odd["progress"] = {{"done", -5}, {"total", 300}};
    EXPECT_DOUBLE_EQ(runRowFromJson(odd).fraction(), 0);
    odd["progress"] = {{"done", 5}, {"total", 0}};
    EXPECT_TRUE(std::isnan(runRowFromJson(odd).fraction()));
}

TEST(RunRow, WhatCanBeDoneFollowsTheStatus) {
    for (const char* status : {"interrupted", "cancelled", "failed"}) EXPECT_TRUE(runRowFromJson({{"status", status}}).canResume()) << status;
    for (const char* status : {"queued", "starting", "running", "stopping"}) EXPECT_TRUE(runRowFromJson({{"status", status}}).canStop()) << status;
    EXPECT_FALSE(runRowFromJson({{"status", "done"}}).canResume());
    EXPECT_FALSE(runRowFromJson({{"status", "done"}}).canStop());
}

TEST(RunText, ProgressReasonAndEta) {
    QString text = progressText(runRowFromJson(running()));
    EXPECT_EQ(text, QStringLiteral("training 45 / 300 steps · 1:14 left"));
    EXPECT_EQ(progressText(runRowFromJson({{"status", "running"}, {"progress", {{"phase", "read"}, {"unit", "bytes"}, {"done", 1.5e6}, {"total", 12e6}}}})), QString::fromUtf8("reading 1.50\u00a0MB / 12.0\u00a0MB"));
    EXPECT_EQ(progressText(runRowFromJson({{"status", "running"}, {"progress", {{"phase", "new phase"}, {"unit", "new units"}, {"done", 1}, {"total", 2}}}})), QStringLiteral("new phase 1 / 2 new units"));
    EXPECT_EQ(progressText(runRowFromJson({{"status", "queued"}, {"reason", "waits for 1 run"}})), QStringLiteral("waits for 1 run"));
    EXPECT_EQ(progressText(runRowFromJson({{"status", "failed"}, {"reason", "out of\nmemory"}, {"progress", running()["progress"]}})), QStringLiteral("out of memory"));
    EXPECT_EQ(statusText(QStringLiteral("done")), QStringLiteral("done"));
    EXPECT_EQ(runCellText(runRowFromJson(running()), QStringLiteral("eval/loss")), QStringLiteral("3.395"));
    EXPECT_EQ(runCellText(runRowFromJson(running()), QStringLiteral("bad")), QStringLiteral("NaN"));
    EXPECT_EQ(runCellText(runRowFromJson(running()), QStringLiteral("nothing")), QStringLiteral("—"));
}

// "cancelled" is the engine's word for every run that did not come to its own end; a person stopped it, and wants to know what is left.
TEST(RunText, AStoppedRunSaysWhatIsSaved) {
    const auto row = [](const char* reason, Json more) {
        Json json = {{"status", "cancelled"}, {"reason", reason}, {"started_at", "2026-01-02T03:04:05Z"}};
        json.update(more);
        return runRowFromJson(json);
    };
    EXPECT_EQ(statusText(row("stopped on request", {{"summary", {{"train/steps", 1200}}}})), QStringLiteral("stopped, saved at step 1,200"));
    EXPECT_EQ(statusText(row("stopped", {{"summary", {{"train/steps", 7}}}})), QStringLiteral("stopped, saved at step 7")) << "a pipeline";
    EXPECT_EQ(statusText(row("stopped on request", Json::object())), QStringLiteral("stopped")) << "nothing that is trained";
    EXPECT_EQ(statusText(row("stopped at once on request", {{"summary", {{"train/steps", 7}}}})), QStringLiteral("stopped, the rest discarded"));
    EXPECT_EQ(statusText(row("needs train run x, which failed", {{"started_at", nullptr}})), QStringLiteral("not started"));
    EXPECT_EQ(runCellText(row("stopped on request", {{"summary", {{"train/steps", 3}}}}), QStringLiteral("status")), QStringLiteral("stopped, saved at step 3"));
    EXPECT_EQ(progressText(row("stopped on request", Json::object())), QString()) << "said by the status";
    EXPECT_EQ(progressText(row("needs train run x, which failed", Json::object())), QStringLiteral("needs train run x, which failed"));
}

TEST(RunText, ARunThatHasJustBegunIsTimedFromItsStart) {
    const QDateTime now(QDate(2026, 1, 2), QTime(3, 5, 0), Qt::UTC);
    EXPECT_DOUBLE_EQ(workedSeconds(runRowFromJson({{"status", "running"}, {"started_at", "2026-01-02T03:04:05Z"}, {"running_seconds", 0}}), now), 55);
    EXPECT_DOUBLE_EQ(workedSeconds(runRowFromJson({{"status", "running"}, {"started_at", "2026-01-02T03:04:05Z"}, {"running_seconds", 12}}), now), 12);
    EXPECT_DOUBLE_EQ(workedSeconds(runRowFromJson({{"status", "running"}, {"started_at", "2026-01-02T04:00:00Z"}}), now), 0) << "a clock that is ahead";
    EXPECT_TRUE(std::isnan(workedSeconds(runRowFromJson({{"status", "queued"}}), now)));
}

// The rule of the engine's filter: an exact path, else the one path that ends so.
TEST(RunText, SpecKeysByPathOrUnambiguousEnd) {
    const Json spec = {{"train", {{"optimizer", {{"lr", 0.001}}}, {"steps", 5}}}, {"steps", 7}, {"a", {{"x", 1}}}, {"b", {{"x", 2}}}};
    EXPECT_EQ(specValue(spec, QStringLiteral("lr")), Json(0.001));
    EXPECT_EQ(specValue(spec, QStringLiteral("optimizer.lr")), Json(0.001));
    EXPECT_EQ(specValue(spec, QStringLiteral("steps")), Json(7));
    EXPECT_EQ(specValue(spec, QStringLiteral("train.steps")), Json(5));
    EXPECT_TRUE(specValue(spec, QStringLiteral("x")).is_null());
    EXPECT_TRUE(specValue(spec, QStringLiteral("r")).is_null());
}

}  // namespace
