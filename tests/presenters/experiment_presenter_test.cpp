// The experiment that is being written: form and text are one, checked, planned, started; drafts, files, forks, sweeps.
#include <assay/config/config.h>
#include <assay/core/durable.h>
#include <assay/presenters/experiment_presenter.h>
#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "context.h"

namespace assay::presenters {
namespace {

const char* kText = "assay: 1\nname: demo   # the name\nkind: train\ndata:\n  train: {path: /data/a.txt}\n  tokenizer: bytes\nmodel:\n  from: {family: gpt2}\n"
                    "train:\n  steps: 10\n  optimizer: {lr: 1e-3}\n";

const FormField* field(const ExperimentPresenter& p, const QString& key) {
    for (const FormSection& section : p.sections())
        for (const FormField& f : section.fields)
            if (f.key == key) return &f;
    return nullptr;
}
Result<Json> checked(const Json& params) {   // what the engine's `spec_check` answers
    const config::Loaded loaded = config::loadSpecText(params["params"]["yaml"].get<std::string>(), "x.yaml", "/engine");
    Json problems = Json::array();
    for (const auto& p : loaded.problems) problems.push_back({{"line", p.line}, {"column", p.column}, {"key", p.key}, {"message", p.message}, {"hint", p.hint}});
    return Json{{"ok", problems.empty()}, {"problems", problems}, {"resolved", loaded.resolved}};
}

struct Experiment : testing::Test {
    Experiment() {
        context.prepare = [this](client::FakeEngineClient& engine) {
            engine.on("runs.list", [](const Json&) -> Result<Json> { return Json{{"runs", Json::array()}, {"total", 0}, {"as_of_seq", 0}}; });
            engine.on("tools.call", [this](const Json& params) -> Result<Json> {
                const std::string tool = params["tool"];
                ++tools[tool];
                if (tool == "plan") return planned;
                if (check) return check(params);
                return checked(params);
            });
            engine.on("runs.submit", [](const Json&) -> Result<Json> { return Json{{"run", "r1"}, {"children", Json::array()}}; });
        };
        context.connect();
    }
    test::Context context;
    std::map<std::string, int> tools;
    Result<Json> planned = Json{{"memory", {{"peak_bytes", 5}}}, {"warnings", Json::array()}};
    std::function<Result<Json>(const Json&)> check;
};

TEST_F(Experiment, formAndTextAreEqual) {
    ExperimentPresenter p(context.app);
    p.setText(QString::fromUtf8(kText));
    ASSERT_TRUE(field(p, QStringLiteral("train.optimizer.lr")));
    EXPECT_EQ(field(p, QStringLiteral("train.optimizer.lr"))->value, QStringLiteral("1e-3"));
    EXPECT_EQ(field(p, QStringLiteral("train.optimizer.lr"))->line, 11);
    EXPECT_FALSE(field(p, QStringLiteral("train.optimizer.lr"))->changed);
    EXPECT_EQ(field(p, QStringLiteral("train.global_batch"))->value, QStringLiteral("8"));
    EXPECT_FALSE(field(p, QStringLiteral("train.global_batch"))->written);
    QSignalSpy replaced(&p, &ExperimentPresenter::textReplaced);
    p.setField(QStringLiteral("train.optimizer.lr"), QStringLiteral("2e-4"));
    p.setField(QStringLiteral("data.sequence_length"), QStringLiteral("1,024"));
    EXPECT_EQ(p.text(), QString::fromUtf8("assay: 1\nname: demo   # the name\nkind: train\ndata:\n  train: {path: /data/a.txt}\n  tokenizer: bytes\n  sequence_length: 1024\nmodel:\n"
                                          "  from: {family: gpt2}\ntrain:\n  steps: 10\n  optimizer: {lr: 2e-4}\n"));
    EXPECT_EQ(replaced.count(), 2);
    EXPECT_TRUE(field(p, QStringLiteral("train.optimizer.lr"))->changed);
    EXPECT_EQ(p.keyAtLine(7), QStringLiteral("data.sequence_length"));
    EXPECT_EQ(p.lineOf(QStringLiteral("train.optimizer.eps")), 12);
    // Either of two.
    p.setField(QStringLiteral("train.epochs"), QStringLiteral("2"));
    EXPECT_FALSE(p.text().contains(QStringLiteral("steps")));
    p.undo();
    EXPECT_TRUE(p.text().contains(QStringLiteral("steps: 10")));
    p.setField(QStringLiteral("train.optimizer.lr"), QString());
    EXPECT_FALSE(p.text().contains(QStringLiteral("optimizer"))) << "an empty group goes as well";
    p.setSectionPresent(QStringLiteral("quantize"), true);
    EXPECT_TRUE(p.text().endsWith(QStringLiteral("quantize:\n  schemes: [fp16, int8, int4-g32]\n")));
    EXPECT_EQ(field(p, QStringLiteral("quantize.schemes"))->value, QStringLiteral("fp16, int8, int4-g32"));
    p.setField(QStringLiteral("quantize.schemes"), QStringLiteral("int8"));
    EXPECT_TRUE(p.text().endsWith(QStringLiteral("schemes: [int8]\n")));
    p.setSectionPresent(QStringLiteral("quantize"), false);
    EXPECT_FALSE(p.text().contains(QStringLiteral("quantize")));
    // A benchmark that is added fits the context of the model: 64 + 32 of 128, and what is usual where there is room.
    p.setSectionPresent(QStringLiteral("benchmark"), true);
    EXPECT_TRUE(p.text().endsWith(QStringLiteral("prefill: [128]\n  decode: 64\n  batch: [1]\n  repeats: 5\n")));
    p.setSectionPresent(QStringLiteral("benchmark"), false);
    p.setField(QStringLiteral("model.from.context"), QStringLiteral("128"));
    p.setSectionPresent(QStringLiteral("benchmark"), true);
    EXPECT_TRUE(p.text().endsWith(QStringLiteral("prefill: [64]\n  decode: 32\n  batch: [1]\n  repeats: 5\n"))) << p.text().toStdString();
    p.setSectionPresent(QStringLiteral("benchmark"), false);
    p.setField(QStringLiteral("method"), QStringLiteral("{lora: {rank: 8, alpha: 16}}"));
    EXPECT_EQ(field(p, QStringLiteral("method"))->choice, 1);
    EXPECT_EQ(field(p, QStringLiteral("method.lora.rank"))->value, QStringLiteral("8"));
}

TEST_F(Experiment, undoAndRedoAreSharedByEditorAndForm) {
    ExperimentPresenter p(context.app);
    const QString start = QString::fromUtf8(kText);
    p.setText(start);
    QString typed = start;
    for (const char* letter : {"#", "a", "b"}) p.setText(typed += QLatin1String(letter));
    p.setField(QStringLiteral("train.steps"), QStringLiteral("20"));
    const QString last = p.text();
    p.undo();
    EXPECT_EQ(p.text(), typed);
    p.undo();
    EXPECT_EQ(p.text(), start) << "one step for a word";
    p.redo();
    p.redo();
    EXPECT_EQ(p.text(), last);
    EXPECT_FALSE(p.canRedo());
}

TEST_F(Experiment, brokenYamlKeepsTheFormAndTakesNoEdits) {
    ExperimentPresenter p(context.app);
    p.setText(QString::fromUtf8(kText));
    const auto before = p.sections();
    p.setText(QStringLiteral("train: {steps: 5\n"));
    EXPECT_FALSE(p.formReadable());
    EXPECT_EQ(p.sections(), before);
    ASSERT_FALSE(p.problems().empty());
    EXPECT_EQ(p.problems()[0].line, 1);
    EXPECT_EQ(p.problems()[0].column, 8);
    p.setField(QStringLiteral("train.steps"), QStringLiteral("7"));
    EXPECT_EQ(p.text(), QStringLiteral("train: {steps: 5\n"));
    EXPECT_FALSE(p.missing().isEmpty());
}

TEST_F(Experiment, fiveMegabytesAreReadOnAnotherThread) {
    ExperimentPresenter p(context.app);
    QString large = QString::fromUtf8(kText);
    const QString line = QStringLiteral("# ") + QString(1000, u'x') + u'\n';
    while (large.size() < 5'000'000) large += line;
    QElapsedTimer timer;
    timer.start();
    p.setText(large);
    EXPECT_TRUE(p.isChecking());
    EXPECT_LT(timer.elapsed(), 1000);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !p.isChecking(); }, 20000));
    ASSERT_FALSE(p.problems().empty()) << "an experiment file holds at most 1 MiB";
    EXPECT_TRUE(p.problems()[0].message.contains(QStringLiteral("larger"))) << p.problems()[0].message.toStdString();
}

TEST_F(Experiment, plansOnceTypingRests) {
    ExperimentPresenter p(context.app);
    p.setText(QString::fromUtf8(kText));
    for (const char* steps : {"11", "12", "13"}) p.setField(QStringLiteral("train.steps"), QLatin1String(steps));
    EXPECT_TRUE(p.isPlanning());
    ASSERT_TRUE(QTest::qWaitFor([&] { context.settle(); return !p.isPlanning(); }, 5000));
    EXPECT_EQ(tools["plan"], 1);
    EXPECT_EQ(p.plan()["memory"]["peak_bytes"], 5);
    EXPECT_TRUE(p.missing().isEmpty()) << p.missing().join(u'\n').toStdString();
    planned = Json{{"warnings", {{{"key", "x"}, {"message", "slow"}, {"hint", ""}, {"blocks", false}}, {{"key", "y"}, {"message", "does not fit"}, {"hint", "use less"}, {"blocks", true}}}}};
    p.setField(QStringLiteral("train.steps"), QStringLiteral("14"));
    ASSERT_TRUE(QTest::qWaitFor([&] { context.settle(); return !p.isPlanning(); }, 5000));
    EXPECT_EQ(p.warnings(), QStringList{QStringLiteral("slow")});
    EXPECT_EQ(p.missing(), QStringList{QString::fromUtf8("does not fit — use less")});
    planned = fail(ErrorCode::kUnsupported, "no plan");
    p.setField(QStringLiteral("train.steps"), QStringLiteral("15"));
    ASSERT_TRUE(QTest::qWaitFor([&] { context.settle(); return !p.isPlanning(); }, 5000));
    ASSERT_TRUE(p.planError());
    EXPECT_TRUE(p.missing().isEmpty()) << "what cannot be planned may still run";
}

TEST_F(Experiment, startSubmitsWhatTheEngineResolved) {
    ExperimentPresenter p(context.app);
    EXPECT_FALSE(p.missing().isEmpty()) << "a template lacks its data";
    p.start(true);
    EXPECT_EQ(context.countOf("runs.submit"), 0);
    p.setText(QString::fromUtf8(kText).replace(QStringLiteral("/data/a.txt"), QStringLiteral("a.txt")));
    p.start(true);
    EXPECT_TRUE(p.isStarting());
    p.start(true);   // pressed twice
    context.settle();
    EXPECT_FALSE(p.isStarting());
    ASSERT_EQ(context.countOf("runs.submit"), 1);
    const Json sent = context.lastOf("runs.submit");
    EXPECT_EQ(sent["spec"]["data"]["train"]["path"], "/engine/a.txt");
    EXPECT_EQ(sent["yaml"], p.text().toStdString());
    ASSERT_EQ(context.visited.size(), 1u);
    EXPECT_EQ(context.visited[0].first, QStringLiteral("run"));
    EXPECT_EQ(context.visited[0].second, Json({{"run", "r1"}}));
    p.start(false);
    context.settle();
    ASSERT_EQ(context.countOf("runs.submit"), 2);
    EXPECT_NE(context.lastOf("runs.submit")["idempotency_key"], sent["idempotency_key"]);
    EXPECT_EQ(context.visited.size(), 1u) << "Queue stays";
    ASSERT_EQ(context.notices.size(), 1u);
}

// A template leaves places open: they are asked for, and are no error until the person was there or pressed Start.
TEST_F(Experiment, aTemplateStartsCalm) {
    ExperimentPresenter p(context.app);
    const QString path = QStringLiteral("data.train.path");
    EXPECT_TRUE(p.problems().empty());
    EXPECT_EQ(field(p, path)->problem, QString());
    EXPECT_EQ(field(p, path)->invitation, QStringLiteral("Choose a dataset."));
    EXPECT_EQ(p.openPlaces(), QStringList{QStringLiteral("Choose a dataset.")});
    EXPECT_EQ(p.missing(), p.openPlaces());
    EXPECT_TRUE(p.canPressStart());
    QSignalSpy attention(&p, &ExperimentPresenter::attentionAsked);
    p.start(true);
    ASSERT_EQ(attention.count(), 1);
    EXPECT_EQ(attention[0][0].toString(), path);
    EXPECT_EQ(context.countOf("runs.submit"), 0);
    EXPECT_FALSE(p.canPressStart());
    ASSERT_EQ(p.problems().size(), 1u);
    EXPECT_EQ(p.problems()[0].message, QStringLiteral("Choose a dataset."));
    EXPECT_EQ(field(p, path)->problem, QStringLiteral("Choose a dataset."));
    EXPECT_EQ(p.missing(), QStringList{QStringLiteral("Training data (data.train.path): Choose a dataset.")});
    p.open({{"template", "tune"}});   // another one is calm again: data and model are open
    EXPECT_TRUE(p.problems().empty());
    EXPECT_EQ(p.openPlaces().size(), 2);
    p.setField(path, QStringLiteral("/d/a.txt"));
    p.setField(path, QString());   // been there
    ASSERT_EQ(p.problems().size(), 1u);
    EXPECT_EQ(p.problems()[0].key, path);
    EXPECT_EQ(p.openPlaces(), QStringList{QStringLiteral("Choose a model.")});
}

TEST_F(Experiment, whatWasStartedMayBeReplacedWithoutAQuestion) {
    {
        ExperimentPresenter p(context.app);
        p.setText(QString::fromUtf8(kText));
        EXPECT_TRUE(p.isModified());
        p.start(false);
        context.settle();
        ASSERT_EQ(context.countOf("runs.submit"), 1);
        EXPECT_TRUE(p.isModified()) << "it is in no file";
    }
    ExperimentPresenter p(context.app);   // the next time the window is opened
    QSignalSpy asked(&p, &ExperimentPresenter::replaceAsked);
    p.open({{"template", "bench"}});
    EXPECT_EQ(asked.count(), 0);
    EXPECT_TRUE(p.text().contains(QStringLiteral("kind: benchmark")));
    p.setText(QString::fromUtf8(kText));
    p.setField(QStringLiteral("train.steps"), QStringLiteral("11"));
    p.start(false);
    context.settle();
    p.setField(QStringLiteral("train.steps"), QStringLiteral("12"));   // and went on writing
    p.open({{"template", "bench"}});
    EXPECT_EQ(asked.count(), 1);
}

TEST_F(Experiment, takesOverHowTheDataPageReadsADataset) {
    ExperimentPresenter p(context.app);
    p.open({{"data", {{"path", "/d/x.txt"}, {"tokenizer", "bytes"}, {"sequence_length", 512}, {"packing", "concat"}, {"document", "paragraph"}, {"over_length", "drop"}, {"loss_on", "all"}}}});
    EXPECT_TRUE(p.problems().empty()) << p.problems()[0].message.toStdString();
    const Json spec = config::loadSpecText(p.text().toStdString(), "x", "/").resolved;
    EXPECT_EQ(spec["data"]["tokenizer"], "bytes");
    EXPECT_EQ(spec["data"]["sequence_length"], 512);
    EXPECT_EQ(spec["data"]["packing"], "concat");
    EXPECT_EQ(spec["data"]["document"], "paragraph");
    EXPECT_EQ(spec["data"]["over_length"], "drop");
    EXPECT_EQ(spec["model"]["from"]["context"], 512) << "the template's 128 could not read it";
    p.open({{"data", {{"path", "/d/x.jsonl"}, {"sources", {{{"path", "/d/x.jsonl"}}, {{"path", "/d/y.jsonl"}}}}, {"sequence_length", 64}}}});
    const Json both = config::loadSpecText(p.text().toStdString(), "x", "/").resolved;
    ASSERT_TRUE(both["data"]["train"].is_array()) << p.text().toStdString();
    EXPECT_EQ(both["data"]["train"].size(), 2u);
    EXPECT_EQ(both["model"]["from"]["context"], 128);
}

TEST_F(Experiment, problemsNameTheLabelBeforeTheKey) {
    ExperimentPresenter p(context.app);
    p.setText(QString::fromUtf8(kText).replace(QStringLiteral("steps: 10"), QStringLiteral("steps: many")));
    ASSERT_EQ(p.missing().size(), 1);
    EXPECT_TRUE(p.missing()[0].startsWith(QStringLiteral("Steps (train.steps): "))) << p.missing()[0].toStdString();
    planned = Json{{"warnings", {{{"key", "benchmark.prefill"}, {"message", "too long"}, {"hint", ""}, {"blocks", true}}}}};
    p.setText(QString::fromUtf8(kText));
    ASSERT_TRUE(QTest::qWaitFor([&] { context.settle(); return !p.isPlanning(); }, 5000));
    EXPECT_EQ(p.missing(), QStringList{QStringLiteral("Prompt lengths (benchmark.prefill): too long")});
}

TEST_F(Experiment, checkpointsAreAskedBesideSteps) {
    ExperimentPresenter p(context.app);
    for (const FormSection& section : p.sections()) {
        if (section.key != QLatin1String("train")) continue;
        QStringList keys;
        for (const FormField& f : section.fields) keys << f.key;
        EXPECT_EQ(keys.indexOf(QStringLiteral("train.checkpoint.every")), keys.indexOf(QStringLiteral("train.epochs")) + 1);
    }
    ASSERT_TRUE(field(p, QStringLiteral("train.checkpoint.every")));
    EXPECT_FALSE(field(p, QStringLiteral("train.checkpoint.every"))->advanced);
    EXPECT_EQ(field(p, QStringLiteral("train.checkpoint.every"))->note, QStringLiteral("0: at the end only"));
}

TEST_F(Experiment, aRetryAfterAFailureIsTheSameRun) {
    ExperimentPresenter p(context.app);
    p.setText(QString::fromUtf8(kText));
    context.engine->on("runs.submit", [](const Json&) -> Result<Json> { return fail(ErrorCode::kUnreachable, "lost"); });
    p.start(true);
    context.settle();
    const Json first = context.lastOf("runs.submit");
    p.start(true);
    context.settle();
    ASSERT_EQ(context.countOf("runs.submit"), 2);
    EXPECT_EQ(context.lastOf("runs.submit")["idempotency_key"], first["idempotency_key"]);
    EXPECT_EQ(context.notices.size(), 2u);
    EXPECT_TRUE(context.visited.empty());
}

TEST_F(Experiment, problemsThatOnlyTheEngineSees) {
    check = [](const Json&) -> Result<Json> {
        return Json{{"ok", false}, {"problems", {{{"line", 5}, {"column", 11}, {"key", "data.train.path"}, {"message", "there is no such file"}, {"hint", ""}}}}, {"resolved", nullptr}};
    };
    ExperimentPresenter p(context.app);
    p.setText(QString::fromUtf8(kText));
    p.start(true);
    context.settle();
    EXPECT_EQ(context.countOf("runs.submit"), 0);
    ASSERT_EQ(p.problems().size(), 1u);
    EXPECT_EQ(p.problems()[0].line, 5);
}

TEST_F(Experiment, opensDataModelsForksAndAsksOnce) {
    ExperimentPresenter p(context.app);
    p.open({{"data", {{"path", "/d/x.jsonl"}, {"format", "jsonl"}, {"columns", {{"text", "body"}}}}}});
    EXPECT_EQ(field(p, QStringLiteral("data.train.path"))->value, QStringLiteral("/d/x.jsonl"));
    EXPECT_EQ(field(p, QStringLiteral("data.train.columns"))->value, QStringLiteral("{text: body}"));
    EXPECT_TRUE(p.problems().empty()) << p.problems()[0].message.toStdString();
    p.open({{"model", "asset:m/x.gguf"}});
    EXPECT_EQ(field(p, QStringLiteral("model.from"))->value, QStringLiteral("asset:m/x.gguf"));
    EXPECT_TRUE(p.problems().empty());
    p.setField(QStringLiteral("name"), QStringLiteral("mine"));
    QSignalSpy asked(&p, &ExperimentPresenter::replaceAsked);
    const Json spec = config::loadSpecText(kText, "x", "/").resolved;
    context.engine->on("runs.get", [spec](const Json&) -> Result<Json> { return Json{{"id", "run-7"}, {"name", "seven"}, {"spec", spec}}; });
    p.open({{"fork", "run-7"}});
    EXPECT_EQ(asked.count(), 1);
    p.confirmReplace(false);
    EXPECT_EQ(field(p, QStringLiteral("name"))->value, QStringLiteral("mine"));
    p.open({{"fork", "run-7"}});
    p.confirmReplace(true);
    context.settle();
    EXPECT_EQ(p.origin(), QStringLiteral("run: seven"));
    EXPECT_TRUE(p.text().contains(QStringLiteral("steps: 10"))) << p.text().toStdString();
    EXPECT_FALSE(p.text().contains(QStringLiteral("clip_norm"))) << "defaults are left out";
    EXPECT_EQ(config::loadSpecText(p.text().toStdString(), "x", "/").resolved, spec);
    p.start(true);
    context.settle();
    EXPECT_EQ(context.lastOf("runs.submit")["parent_of_fork"], "run-7");
    for (const ExperimentTemplate& known : p.templates()) {   // each is complete but for its paths
        p.open({{"template", known.key.toStdString()}});
        for (const SpecProblem& problem : p.problems()) EXPECT_TRUE(problem.key == QLatin1String("data.train.path") || problem.key == QLatin1String("model.from")) << problem.message.toStdString();
    }
}

TEST_F(Experiment, savesAndRemembersTheDraft) {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine.yaml"));
    {
        ExperimentPresenter p(context.app);
        p.setText(QString::fromUtf8(kText));
        EXPECT_TRUE(p.isModified());
        EXPECT_TRUE(p.command().startsWith(QStringLiteral("cat > experiment.yaml <<'END'\nassay: 1\n")));
        QSignalSpy saved(&p, &ExperimentPresenter::saved);
        p.save(path);
        ASSERT_TRUE(saved.count() || saved.wait(5000));
        EXPECT_FALSE(p.isModified());
        EXPECT_EQ(p.command(), QStringLiteral("assay run '") + path + u'\'');
        p.setField(QStringLiteral("train.steps"), QStringLiteral("99"));
    }
    ExperimentPresenter p(context.app);
    EXPECT_TRUE(p.text().contains(QStringLiteral("steps: 99")));
    EXPECT_TRUE(p.isModified());
    EXPECT_EQ(p.filePath(), path);
    EXPECT_EQ(p.recent(), QStringList{path});
    p.open({{"file", path.toStdString()}});
    p.confirmReplace(true);
    ASSERT_TRUE(QTest::qWaitFor([&] { return p.text() == QString::fromUtf8(kText); }, 5000));
}

TEST_F(Experiment, sweepsCountTheirRuns) {
    using Mode = SweepAxis::Mode;
    auto log = sweepValues({.key = {}, .mode = Mode::kLog, .values = {}, .from = 1e-4, .to = 1e-2, .count = 3});
    ASSERT_TRUE(log);
    EXPECT_EQ(*log, Json({1e-4, 1e-3, 1e-2}));
    EXPECT_EQ(*sweepValues({.key = {}, .mode = Mode::kLinear, .values = {}, .from = 1, .to = 2, .count = 5, .wholeNumbers = true}), Json({1, 2}));
    EXPECT_FALSE(sweepValues({.key = {}, .mode = Mode::kLog, .values = {}, .from = 0, .to = 1, .count = 3}));
    ExperimentPresenter p(context.app);
    p.setText(QString::fromUtf8(kText));
    const SweepPlan plan{{{.key = QStringLiteral("train.optimizer.lr"), .values = QStringLiteral("1e-3, 3e-4")}, {.key = QStringLiteral("train.steps"), .values = QStringLiteral("10, 20, 30")}},
                         QStringLiteral("1, 2")};
    EXPECT_EQ(p.previewSweep(plan).runs, 12);
    ASSERT_TRUE(p.applySweep(plan));
    const config::Loaded loaded = config::loadSpecText(p.text().toStdString(), "x", "/");
    EXPECT_TRUE(loaded.problems.empty());
    EXPECT_EQ(config::expandSpec(loaded.spec).size(), 1u + 6 + 12) << "the sweep, its members, their seeds";
    EXPECT_EQ(p.sweep().axes.size(), 2u);
    EXPECT_EQ(p.sweep().seeds, QStringLiteral("1, 2"));
    EXPECT_FALSE(p.previewSweep({{{.key = QStringLiteral("train.nothing"), .values = QStringLiteral("1")}}, {}}).problem.isEmpty());
    EXPECT_TRUE(p.applySweep({}));
    EXPECT_FALSE(p.text().contains(QStringLiteral("sweep")));
    // Variants stand in the text; only their seeds are chosen in the dialog.
    p.setText(p.text() + QStringLiteral("sweep:\n  variants:\n    plain:\n    small: {train.micro_batch: 1}\n"));
    SweepPlan named = p.sweep();
    EXPECT_EQ(named.variantNames(), (QStringList{QStringLiteral("plain"), QStringLiteral("small")}));
    EXPECT_TRUE(named.axes.empty());
    named.seeds = QStringLiteral("1, 2, 3");
    EXPECT_EQ(p.previewSweep(named).runs, 6);
    ASSERT_TRUE(p.applySweep(named));
    EXPECT_TRUE(p.text().contains(QStringLiteral("    small: {train.micro_batch: 1}\n")));
    EXPECT_TRUE(p.text().contains(QStringLiteral("seeds: [1, 2, 3]")));
}

}  // namespace
}  // namespace assay::presenters
