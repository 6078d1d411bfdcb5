#include <assay/presenters/run_presenter.h>

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <cmath>

#include "fake_engine.h"

using namespace assay;
using namespace assay::presenters;

namespace {

class Run : public testing::Test {
protected:
    void SetUp() override {
        document = {{"id", "run1"}, {"name", "gpt"}, {"kind", "train"}, {"status", "running"}, {"reason", nullptr}, {"started_at", "2026-11-30T12:00:00Z"}, {"running_seconds", 100.0},
                    {"summary", {{"system/tensor_bytes_peak", 1000e6}, {"memory/weights_bytes", 300e6}, {"memory/gradients_bytes", 300e6}, {"memory/optimizer_bytes", 200e6}, {"memory/activations_bytes", 150e6},
                                 {"data/tokens", 1000}, {"data/loss_tokens", 382}, {"train/skipped_steps", 2}}},
                    {"progress", {{"phase", "training"}, {"unit", "steps"}, {"done", 100}, {"total", 200}, {"eta_seconds", 74}}},
                    {"spec", {{"kind", "train"}, {"model", {{"from", {{"family", "gpt2"}}}}}, {"method", "full"}, {"data", {{"train", {{"path", "/corpora/corpus.txt"}}}}}, {"train", {{"steps", 200}}},
                              {"cost", {{"price", {{"usd_per_hour", 0.36}}}}}}},
                    {"metrics", {"train/loss"}}, {"checkpoints", Json::array({{{"step", 50}, {"path", "/s/step-50"}, {"bytes", 1000}}})}, {"artifacts", Json::array()}, {"children", Json::array()},
                    {"parent", "run0"}, {"fork_of", nullptr}, {"after", Json::array()}, {"folder", "/s/run1"}, {"result", {{"dropped", {{"too long", 14}, {"empty", 0}}}}}, {"environment", {{"memory_bytes", 24e9}}}};
        engine.client->on("runs.list", [](const Json&) -> Result<Json> { return Json{{"runs", Json::array()}, {"total", 0}, {"as_of_seq", 0}}; });
        engine.client->on("runs.get", [this](const Json& params) -> Result<Json> {
            if (params["run"] == "base") {
                Json base = document;
                base["id"] = "base";
                base["name"] = "baseline";
                base["spec"]["train"]["steps"] = 100;
                return base;
            }
            if (params["run"] != "run1") return fail(ErrorCode::kNotFound, "no run " + params["run"].get<std::string>());
            return document;
        });
        engine.client->on("metrics.query", [](const Json&) -> Result<Json> { return Json{{"name", "train/loss"}, {"points", {{1, 1.0, 10, 5.0}, {2, 2.0, 20, 4.0}}}, {"sampled", false}, {"total", 2}}; });
        engine.client->on("tools.call", [this](const Json& params) -> Result<Json> {
            if (!plan.is_object()) return fail(ErrorCode::kUnsupported, "cannot plan this");
            EXPECT_EQ(params["tool"], "plan");
            return plan;
        });
        engine.client->on("runs.log", [this](const Json& params) -> Result<Json> {
            const auto size = static_cast<int64_t>(log.size());
            int64_t offset = jsonIntegerOr(params, "offset", 0);
            if (offset < 0) offset = std::max<int64_t>(0, size + offset);
            const std::string text = log.substr(static_cast<size_t>(offset), static_cast<size_t>(jsonIntegerOr(params, "max_bytes", 0)));
            return Json{{"text", text}, {"offset", offset}, {"next_offset", offset + static_cast<int64_t>(text.size())}, {"size", size}};
        });
        for (const char* method : {"runs.stop", "runs.resume", "runs.remove"}) engine.client->on(method, [](const Json& params) -> Result<Json> { return Json{{"run", params["run"]}}; });
    }
    void open() {
        engine.connect();
        presenter.open(QStringLiteral("run1"));
        engine.settle();
    }
    FakeEngine engine;
    AppContext context = engine.context();
    Json document, plan;
    std::string log = "first line\n";
    RunPresenter presenter{context};
};

TEST_F(Run, SaysWhatItIsAndWhereItStands) {
    open();
    ASSERT_TRUE(presenter.isLoaded());
    EXPECT_EQ(presenter.title(), QStringLiteral("gpt"));
    EXPECT_EQ(presenter.subtitle(), QStringLiteral("train · gpt2 · corpus.txt"));
    EXPECT_DOUBLE_EQ(presenter.fraction(), 0.5);
    EXPECT_NEAR(presenter.elapsedSeconds(), 100, 5);
    EXPECT_NEAR(presenter.costUsd(), 100 * 0.36 / 3600, 0.0006);   // the hourly price times the running time
    EXPECT_TRUE(presenter.statusLine().startsWith(QStringLiteral("training 100 / 200 steps · 1:14 left · ")));
    EXPECT_TRUE(presenter.whyNotStop().isEmpty());
    EXPECT_FALSE(presenter.whyNotResume().isEmpty());
    EXPECT_FALSE(presenter.whyNotRemove().isEmpty());
}

TEST_F(Run, FollowsItsEvents) {
    open();
    engine.client->emitEvent({{"run", "run1"}, {"type", "progress"}, {"phase", "training"}, {"unit", "steps"}, {"done", 150}, {"total", 200}});
    engine.client->emitEvent({{"run", "run1"}, {"type", "metrics"}, {"seconds", 150.0}, {"latest", {{"eval/loss", 3.25}}}, {"points", Json::array()}});
    engine.client->emitEvent({{"run", "run1"}, {"type", "resumed"}, {"step", 120}});
    engine.client->emitEvent({{"run", "run1"}, {"type", "sample"}, {"step", 150}, {"prompt", "In"}, {"text", " the beginning"}});
    engine.client->emitEvent({{"run", "other"}, {"type", "resumed"}, {"step", 7}});
    engine.settle();
    EXPECT_DOUBLE_EQ(presenter.fraction(), 0.75);
    EXPECT_NEAR(presenter.elapsedSeconds(), 150, 5);
    EXPECT_TRUE(presenter.metrics().contains(QStringLiteral("eval/loss")));
    ASSERT_EQ(presenter.marks().size(), 1U);
    EXPECT_DOUBLE_EQ(presenter.marks()[0].step, 120);
    EXPECT_EQ(presenter.samples().size(), 1);
    Json row = document;
    row.erase("spec");
    row["status"] = document["status"] = "failed";
    row["reason"] = document["reason"] = "out of memory";
    row["error"] = document["error"] = {{"code", "out_of_memory"}, {"message", "3 GB did not fit"}, {"hint", "use a smaller micro_batch"}};
    engine.client->emitEvent({{"run", "run1"}, {"type", "run"}, {"row", row}});
    engine.settle();
    EXPECT_EQ(presenter.row().status, QStringLiteral("failed"));
    EXPECT_TRUE(presenter.whyNotResume().isEmpty());
    EXPECT_EQ(presenter.checks().front().level, RunPresenter::Level::kBad);
    const auto before = engine.callsOf("runs.get").size();
    EXPECT_TRUE(engine.until([&] { return engine.callsOf("runs.get").size() > before; }));   // results came with the end
}

TEST_F(Run, MemoryPartsAndWhatIsLeft) {
    open();
    const auto memory = presenter.memory();
    ASSERT_EQ(memory.parts.size(), 5U);
    EXPECT_DOUBLE_EQ(memory.parts[4].bytes, 50e6);   // 1000 − 300 − 300 − 200 − 150
    EXPECT_DOUBLE_EQ(memory.peak, 1000e6);
    EXPECT_DOUBLE_EQ(memory.capacity, 24e9);
}

TEST_F(Run, PredictionsAreComparedAndMarkedAsMadeNow) {
    plan = {{"memory", {{"peak_bytes", 800e6}}}, {"step_seconds", nullptr}, {"total_seconds", 160.0}, {"cost_usd", 0.02}, {"energy_joules", nullptr}};
    open();
    EXPECT_EQ(presenter.predictionNote(), QStringLiteral("predicted now"));
    const auto rows = presenter.predictions();
    ASSERT_EQ(rows.size(), 3U);   // neither side of a step and of energy is known
    EXPECT_EQ(rows[0].key, QStringLiteral("peak"));
    EXPECT_DOUBLE_EQ(rows[0].fraction, 0.25);   // 1000 / 800 − 1
    EXPECT_TRUE(rows[0].beyond);                // more than 5 %
    EXPECT_TRUE(rows[0].why.isEmpty());         // while it runs, reasons are not known yet
    EXPECT_NEAR(rows[1].fraction, 0.25, 0.05);  // half done after 100 s: 200 s against 160
    EXPECT_FALSE(rows[1].beyond);               // the plan states no bound
    EXPECT_NEAR(rows[2].fraction, 0.0, 0.05);   // 200 s at $0.36 an hour
}

TEST_F(Run, ADoneRunSaysWhyItIsOffByMoreThanWasStated) {
    document["status"] = "done";
    document["progress"] = nullptr;
    document["summary"]["train/step_seconds"] = 0.5;
    document["summary"]["data/wait_seconds"] = 30;
    document["summary"]["train/running_seconds"] = 100;
    document["plan"] = {{"memory", {{"weights_bytes", 300e6}, {"gradients_bytes", 300e6}, {"optimizer_bytes", 200e6}, {"peak_bytes", 990e6}}},
                        {"step_seconds", 0.25}, {"step_seconds_uncertainty", 0.2}, {"total_seconds", 110.0}, {"total_seconds_uncertainty", 0.2}, {"cost_usd", nullptr}};
    open();
    const auto rows = presenter.predictions();
    ASSERT_EQ(rows.size(), 5U);
    EXPECT_EQ(rows[0].key, QStringLiteral("static"));
    EXPECT_EQ(rows[0].stated, QStringLiteral("exact"));
    EXPECT_FALSE(rows[0].beyond);
    EXPECT_FALSE(rows[1].beyond);   // 1000 against 990: within 5 %
    EXPECT_TRUE(rows[2].beyond);
    EXPECT_EQ(rows[2].why, QStringLiteral("30 % of the time was spent waiting for data."));
    EXPECT_FALSE(rows[3].beyond);   // 100 s against 110
    EXPECT_EQ(rows[4].predicted, QStringLiteral("—"));
}

TEST_F(Run, ResumingIsCheckedFromHereAndTheResultIsOnThePage) {
    document["status"] = "done";
    document["spec"] = {{"assay", 1}, {"name", "gpt"}, {"kind", "train"}, {"data", {{"train", {{"path", "/corpora/corpus.txt"}}}, {"tokenizer", "bytes"}}},
                        {"model", {{"from", {{"family", "gpt2"}, {"layers", 1}, {"hidden", 8}, {"heads", 1}}}}}, {"train", {{"steps", 200}, {"global_batch", 4}}}};
    document["environment"]["threads"] = 3;
    Json check = {{"id", "check1"}, {"name", "verify-resume gpt"}, {"kind", "verify"}, {"status", "running"}, {"created_at", "2026-11-30T13:00:00Z"}, {"children", Json::array()}};
    bool asked = false;
    engine.client->on("runs.list", [&](const Json& params) -> Result<Json> {
        if (jsonStringOr(params, "where", "") != "kind = verify and verify.run = \"run:run1\"") return Json{{"runs", Json::array()}, {"total", 0}, {"as_of_seq", 0}};
        return Json{{"runs", asked ? Json::array({check}) : Json::array()}, {"total", asked}, {"as_of_seq", 0}};
    });
    engine.client->on("runs.get", [&](const Json& params) -> Result<Json> { return params["run"] == "check1" ? check : document; });
    engine.client->on("runs.submit", [&](const Json& params) -> Result<Json> {
        EXPECT_EQ(params["spec"]["kind"], "verify");
        EXPECT_EQ(params["spec"]["verify"]["run"], "run:run1");
        EXPECT_EQ(params["spec"]["threads"], 3);   // bits are those of as many threads
        asked = true;
        return Json{{"run", "check1"}, {"children", Json::array()}};
    });
    open();
    EXPECT_FALSE(presenter.proof());
    ASSERT_TRUE(presenter.whyNotVerify().isEmpty()) << presenter.whyNotVerify().toStdString();
    presenter.verifyResume();
    engine.settle();
    ASSERT_TRUE(presenter.proof());
    EXPECT_TRUE(presenter.proof()->active);
    EXPECT_FALSE(presenter.whyNotVerify().isEmpty());
    presenter.verifyResume();   // not twice
    engine.settle();
    EXPECT_EQ(engine.callsOf("runs.submit").size(), 1U);

    check["status"] = "done";
    check["result"] = {{"run", "run1"}, {"steps", 10}, {"equal", true}, {"first_difference", nullptr}, {"from_step", 30}, {"to_step", 40}, {"compared_numbers", 40}, {"compared_tensors", 87}, {"warnings", Json::array()}};
    engine.client->emitEvent({{"run", "check1"}, {"type", "run"}, {"row", check}});
    engine.settle();
    EXPECT_EQ(presenter.proof()->level, RunPresenter::Level::kGood);
    EXPECT_EQ(presenter.proof()->detail, QStringLiteral("Steps 30 to 40 were done again from a checkpoint: 40 recorded numbers and 87 tensors are the same."));
    EXPECT_EQ(presenter.proof()->run, QStringLiteral("check1"));

    check["result"]["equal"] = false;
    check["result"]["first_difference"] = {{"step", 31}, {"name", "model.layers.0.mlp.weight"}, {"element", 7}, {"recorded", 0.1}, {"replayed", 0.125}};
    check["result"]["warnings"] = {"threads: 2 instead of 3"};
    engine.client->emitEvent({{"run", "check1"}, {"type", "run"}, {"row", check}});
    engine.settle();
    EXPECT_EQ(presenter.proof()->level, RunPresenter::Level::kBad);
    EXPECT_EQ(presenter.proof()->detail, QStringLiteral("The first difference is at step 31 in model.layers.0.mlp.weight, element 7: recorded 0.1, now 0.125."));
    EXPECT_EQ(presenter.proof()->notes, QStringList{QStringLiteral("Other circumstances: threads: 2 instead of 3")});

    check["status"] = "failed";
    check["result"] = nullptr;
    check["error"] = {{"code", "not_found"}, {"message", "no checkpoint is left"}, {"hint", "raise train.checkpoint.keep"}};
    engine.client->emitEvent({{"run", "check1"}, {"type", "run"}, {"row", check}});
    engine.settle();
    EXPECT_EQ(presenter.proof()->title, QStringLiteral("Could not be checked"));
    EXPECT_EQ(presenter.proof()->detail, QStringLiteral("no checkpoint is left"));
    EXPECT_EQ(presenter.proof()->notes, QStringList{QStringLiteral("What to do: raise train.checkpoint.keep")});
    document["spec"].erase("data");
}

TEST_F(Run, ACheckItselfShowsItsResultAndLeadsToTheRun) {
    document["kind"] = "verify";
    document["status"] = "done";
    document["checkpoints"] = Json::array();
    document["result"] = {{"run", "trained1"}, {"steps", 2}, {"equal", false}, {"first_difference", {{"step", 5}, {"name", "train/loss"}, {"recorded", 3.25}, {"replayed", 3.5}}}, {"from_step", 4}, {"to_step", 6}};
    open();
    ASSERT_TRUE(presenter.proof());
    EXPECT_EQ(presenter.proof()->detail, QStringLiteral("The first difference is at step 5 in train/loss: recorded 3.25, now 3.5."));
    EXPECT_EQ(presenter.proof()->run, QStringLiteral("trained1"));
    EXPECT_FALSE(presenter.canBeVerified());
    EXPECT_FALSE(presenter.whyNotVerify().isEmpty());
}

TEST_F(Run, APlanStoredWithTheRunIsThePromise) {
    document["plan"] = {{"memory", {{"peak_bytes", 500e6}}}};
    open();
    EXPECT_EQ(presenter.predictionNote(), QStringLiteral("predicted before the run"));
    EXPECT_TRUE(engine.callsOf("tools.call").empty());
    document.erase("plan");
}

TEST_F(Run, ChecksAreWhatTheRunRecorded) {
    open();
    QStringList texts;
    for (const auto& check : presenter.checks()) texts << check.text;
    EXPECT_TRUE(texts.filter(QStringLiteral("carry loss")).value(0).contains(QStringLiteral("38.2")));
    EXPECT_EQ(texts.filter(QStringLiteral("too long")).value(0), QStringLiteral("14 rows: too long"));
    EXPECT_TRUE(texts.filter(QStringLiteral("empty")).isEmpty());
    EXPECT_EQ(texts.filter(QStringLiteral("skipped")).size(), 1);
}

TEST_F(Run, SettingsAgainstTheBaseline) {
    engine.settings.set(QStringLiteral("runs.pinned"), "base");
    open();
    EXPECT_EQ(presenter.baselineName(), QStringLiteral("baseline"));
    const auto rows = presenter.differencesToBaseline();
    ASSERT_EQ(rows.size(), 1);
    EXPECT_EQ(rows[0]["key"], "train.steps");
    EXPECT_EQ(rows[0]["base"], "100");
    EXPECT_EQ(rows[0]["value"], "200");
    EXPECT_TRUE(presenter.yaml().contains(QStringLiteral("steps: 200")));
    QStringList relations;
    for (const Json& row : presenter.lineage()) relations << QString::fromStdString(row["relation"].get<std::string>());
    EXPECT_EQ(relations, (QStringList{QStringLiteral("part of"), QStringLiteral("checkpoint")}));
}

TEST_F(Run, TheLogIsFollowedAndReadBackwards) {
    open();
    QString shown;
    QObject::connect(&presenter, &RunPresenter::logReset, [&](const QString& text) { shown = text; });
    QObject::connect(&presenter, &RunPresenter::logAppended, [&](const QString& text) { shown += text; });
    QObject::connect(&presenter, &RunPresenter::logPrepended, [&](const QString& text) { shown = text + shown; });
    log = std::string(200'000, 'a') + "\nend\n";
    presenter.showLog();
    engine.settle();
    EXPECT_EQ(shown.size(), 128 << 10);
    presenter.askOlderLog();
    engine.settle();
    EXPECT_EQ(shown.toStdString(), log);
    log += "more\n";
    engine.client->emitEvent({{"run", "run1"}, {"type", "log"}, {"level", "info"}, {"text", "more"}});
    engine.settle();
    EXPECT_EQ(shown.toStdString(), log);
}

TEST_F(Run, StaleWhenTheLinkIsLostAndWholeAgainAfter) {
    open();
    engine.client->loseLink(Error(ErrorCode::kUnreachable, "gone"));
    EXPECT_TRUE(presenter.isStale());
    EXPECT_FALSE(presenter.whyNotStop().isEmpty());
    EXPECT_EQ(presenter.title(), QStringLiteral("gpt"));
    EXPECT_TRUE(presenter.isLoaded());
}

TEST_F(Run, AnUnknownRunSaysSo) {
    engine.connect();
    presenter.open(QStringLiteral("nothing"));
    engine.settle();
    EXPECT_FALSE(presenter.isLoaded());
    ASSERT_TRUE(presenter.error());
    EXPECT_EQ(presenter.error()->code, ErrorCode::kNotFound);
}

TEST_F(Run, StagesOfAPipelineAreLive) {
    document["kind"] = "pipeline";
    document["children"] = Json::array({{{"id", "c1"}, {"parent", "run1"}, {"name", "gpt/train"}, {"kind", "train"}, {"status", "queued"}}, {{"id", "c2"}, {"parent", "c1"}, {"kind", "train"}, {"status", "queued"}}});
    open();
    ASSERT_EQ(presenter.stages().size(), 1);   // those directly below
    engine.client->emitEvent({{"run", "c1"}, {"type", "run"}, {"row", {{"id", "c1"}, {"status", "running"}}}});
    engine.settle();
    EXPECT_EQ(presenter.stages()[0]["status"], "running");
    presenter.openRun(QStringLiteral("c1"));
    EXPECT_EQ(engine.visited.last().second["run"], "c1");
    presenter.compare();
    EXPECT_EQ(engine.visited.last().first, QStringLiteral("compare"));
}

TEST_F(Run, APipelineShowsTheCurvesOfItsTrainingStage) {
    document["kind"] = "pipeline";
    document["metrics"] = Json::array();
    document["progress"] = nullptr;
    document["children"] = Json::array({{{"id", "c0"}, {"parent", "run1"}, {"kind", "prepare"}, {"status", "done"}, {"summary", document["summary"]}},
                                        {{"id", "c1"}, {"parent", "run1"}, {"kind", "train"}, {"status", "running"}}});
    engine.client->on("metrics.names", [](const Json& params) -> Result<Json> {
        EXPECT_EQ(params["run"], "c1");
        return Json{{"names", {"train/loss"}}};
    });
    // Charts ask for their curves as soon as the run is there.
    QStringList asked;
    QObject::connect(&presenter, &RunPresenter::opened, &presenter, [&] {
        if (presenter.isLoaded()) asked << presenter.series(QStringLiteral("train/loss"))->run();
    });
    open();
    EXPECT_EQ(asked, QStringList{QStringLiteral("c1")});
    EXPECT_EQ(presenter.metrics(), QStringList{QStringLiteral("train/loss")});
    engine.client->emitEvent({{"run", "c1"}, {"type", "metrics"}, {"latest", {{"eval/loss", 3.5}}}, {"points", Json::array()}});
    engine.client->emitEvent({{"run", "c1"}, {"type", "progress"}, {"phase", "train"}, {"unit", "steps"}, {"done", 11}, {"total", 60}});
    engine.settle();
    EXPECT_TRUE(presenter.metrics().contains(QStringLiteral("eval/loss")));
    EXPECT_TRUE(presenter.statusLine().contains(QStringLiteral("11 / 60 steps"))) << presenter.statusLine().toStdString();
    // What pipeline and stage both recorded is said once.
    QStringList texts;
    for (const auto& check : presenter.checks()) texts << check.text;
    EXPECT_EQ(texts.filter(QStringLiteral("carry loss")).size(), 1);
}

}  // namespace

TEST_F(Run, APlanThatIsMadeLaterIsShownAsThePromise) {
    open();
    EXPECT_TRUE(presenter.predictions().empty());
    document["plan"] = {{"memory", {{"peak_bytes", 500e6}}}};
    engine.client->emitEvent({{"run", "run1"}, {"type", "plan"}, {"made", true}, {"error", nullptr}});
    ASSERT_TRUE(QTest::qWaitFor([&] {
        engine.settle();
        return !presenter.predictions().empty();
    }));
    EXPECT_EQ(presenter.predictionNote(), QStringLiteral("predicted before the run"));
}

TEST_F(Run, ThePeakOfARunWithStagesIsTheLargestOfThem) {
    document["summary"] = {{"system/tensor_bytes_peak", 1000e6}};
    document["children"] = Json::array({{{"id", "c1"}, {"kind", "train"}, {"status", "done"}, {"parent", "run1"}, {"summary", {{"system/tensor_bytes_peak", 1000e6}}}},
                                        {{"id", "c2"}, {"kind", "evaluate"}, {"status", "done"}, {"parent", "run1"}, {"summary", {{"system/tensor_bytes_peak", 2500e6}}}},
                                        {{"id", "c3"}, {"kind", "prepare"}, {"status", "done"}, {"parent", "run1"}, {"summary", nullptr}}});
    open();
    EXPECT_DOUBLE_EQ(presenter.memory().peak, 2500e6);
}
