#include "yaml_highlighter.h"

#include <assay/style/tokens.h>
#include <assay/widgets/text_views.h>
#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QApplication>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QPainter>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>

using namespace assay::widgets;

namespace {

std::string pieces(const char* text, int open = -1) {
    const QString line = QString::fromUtf8(text);
    std::string out;
    for (const YamlPiece& piece : readYamlLine(line, open).pieces)
        out += std::string("ktnc-").substr(static_cast<size_t>(piece.kind), 1) + ":" + line.mid(piece.start, piece.length).toStdString() + ";";
    return out;
}

}  // namespace

TEST(YamlColours, KeysStringsNumbersAndComments) {
    EXPECT_EQ(pieces("name: smollm2   # a comment"), "k:name;c:# a comment;");
    EXPECT_EQ(pieces("  lr: 2e-4"), "k:lr;n:2e-4;");
    EXPECT_EQ(pieces("data: {path: \"a # b\", loss_on: assistant, packed: true}"), "k:data;k:path;t:\"a # b\";k:loss_on;k:packed;n:true;");
    EXPECT_EQ(pieces("- 'it''s'"), "-:-;t:'it''s';");
    EXPECT_EQ(pieces("url: http://host:80/x#y"), "k:url;");   // neither a key nor a comment inside a plain text
    EXPECT_EQ(pieces("\"quoted key\": 1"), "k:\"quoted key\";n:1;");
    EXPECT_EQ(pieces("schemes: [fp16, int8, .inf, ~]"), "k:schemes;n:.inf;n:~;");
}

TEST(YamlColours, BlockScalarsGoOnUntilTheIndentEnds) {
    EXPECT_EQ(readYamlLine(QStringLiteral("  text: |"), -1).open, 2);
    EXPECT_EQ(pieces("    key: no key", 2), "t:    key: no key;");
    EXPECT_EQ(readYamlLine(QStringLiteral("    more"), 2).open, 2);
    EXPECT_EQ(readYamlLine(QString(), 2).open, 2);
    EXPECT_EQ(readYamlLine(QStringLiteral("  next: 1"), 2).open, -1);
}

TEST(YamlEditor, MarksUnderlineTheWordAtTheirPlace) {
    YamlEditor editor;
    editor.setPlainText(QStringLiteral("name: x\ntrain:\n  steps: many # no\n"));
    editor.setMarks({{3, 10, QStringLiteral("a number is needed"), true}, {9, 1, QStringLiteral("no such line"), true}});
    const auto selections = editor.extraSelections();
    ASSERT_EQ(selections.size(), 1);
    EXPECT_EQ(selections[0].cursor.selectedText(), QStringLiteral("many"));
    EXPECT_EQ(selections[0].cursor.block().blockNumber(), 2);
    EXPECT_EQ(selections[0].format.underlineColor(), assay::style::tokens().bad);
    editor.setMarks({});
    EXPECT_TRUE(editor.extraSelections().isEmpty());
}

TEST(YamlEditor, TabIsTwoSpacesAndEnterKeepsTheIndent) {
    YamlEditor editor;
    QTest::keyClicks(&editor, QStringLiteral("train:"));
    QTest::keyClick(&editor, Qt::Key_Return);
    QTest::keyClicks(&editor, QStringLiteral("steps: 1"));
    QTest::keyClick(&editor, Qt::Key_Return);
    QTest::keyClick(&editor, Qt::Key_Tab);
    QTest::keyClicks(&editor, QStringLiteral("a"));
    EXPECT_EQ(editor.toPlainText(), QStringLiteral("train:\n  steps: 1\n    a"));
    editor.selectAll();
    QTest::keyClick(&editor, Qt::Key_Tab);
    EXPECT_EQ(editor.toPlainText(), QStringLiteral("  train:\n    steps: 1\n      a"));
    QTest::keyClick(&editor, Qt::Key_Backtab, Qt::ShiftModifier);
    EXPECT_EQ(editor.toPlainText(), QStringLiteral("train:\n  steps: 1\n    a"));
}

TEST(YamlEditor, ReplaceIsOneUndoStepAndKeepsTheCursor) {
    YamlEditor editor;
    editor.setPlainText(QStringLiteral("name: x\nsteps: 640\nseed: 1\n"));
    editor.gotoPlace(3, 3);
    editor.replaceText(QStringLiteral("name: x\nsteps: 1280\nseed: 1\n"));
    EXPECT_EQ(editor.textCursor().blockNumber(), 2);
    EXPECT_EQ(editor.textCursor().positionInBlock(), 2);
    editor.undo();
    EXPECT_EQ(editor.toPlainText(), QStringLiteral("name: x\nsteps: 640\nseed: 1\n"));
    editor.redo();
    EXPECT_EQ(editor.toPlainText(), QStringLiteral("name: x\nsteps: 1280\nseed: 1\n"));
}

TEST(YamlEditor, CompletionInsertsTheKey) {
    YamlEditor editor;
    editor.resize(400, 300);
    editor.show();
    editor.setCompletions({QStringLiteral("micro_batch"), QStringLiteral("global_batch"), QStringLiteral("seed")});
    QTest::keyClicks(&editor, QStringLiteral("glob"));
    QTest::keyClick(&editor, Qt::Key_Space, Qt::ControlModifier);
    auto* popup = qobject_cast<QAbstractItemView*>(QApplication::activePopupWidget());
    ASSERT_NE(popup, nullptr);
    QTest::keyClick(popup, Qt::Key_Return);
    EXPECT_EQ(editor.toPlainText(), QStringLiteral("global_batch: "));
}

TEST(YamlEditor, LinesAreNineteenPixelsHighAndFewNeedNoScrollBar) {
    YamlEditor editor;
    editor.resize(400, 300);
    editor.setPlainText(QStringLiteral("a: 1\nb: 2\nc: 3\nd: 4\n"));
    editor.show();
    QTextCursor cursor(editor.document());
    const int first = editor.cursorRect(cursor).top();
    cursor.setPosition(5);
    EXPECT_EQ(editor.cursorRect(cursor).top() - first, 19);
    EXPECT_EQ(editor.cursorForPosition(QPoint(5, first + 3 * 19 + 4)).blockNumber(), 3);
    EXPECT_EQ(editor.verticalScrollBar()->maximum(), 0);
    EXPECT_EQ(editor.horizontalScrollBar()->maximum(), 0);
    QApplication::processEvents();   // bars come and go with a layout request
    EXPECT_FALSE(editor.verticalScrollBar()->isVisible());
    EXPECT_FALSE(editor.horizontalScrollBar()->isVisible());
    const QImage before = editor.grab().toImage();
    editor.highlightLine(2);
    const QImage after = editor.grab().toImage();
    EXPECT_EQ(after.pixelColor(380, first + 19 + 8), assay::style::tokens().accentBackground);
    EXPECT_EQ(after.pixelColor(380, first + 8), before.pixelColor(380, first + 8));
}

TEST(YamlEditor, LongTextsAreColouredWhereOneLooks) {
    YamlEditor editor;
    editor.resize(400, 300);
    QString text;
    for (int i = 0; i < 5000; ++i) text += i == 2499 ? QStringLiteral("text: |\n") : i == 2500 ? QStringLiteral("  key: no key\n") : QStringLiteral("key: 1\n");
    editor.setPlainText(text);
    editor.show();
    auto pieces = [&](int line) { return editor.document()->findBlockByNumber(line).layout()->formats().size(); };
    EXPECT_EQ(pieces(0), 2);      // key and number
    EXPECT_EQ(pieces(4000), 0);
    editor.verticalScrollBar()->setValue(4000);
    EXPECT_EQ(pieces(4000), 2);
    editor.verticalScrollBar()->setValue(2495);
    EXPECT_EQ(pieces(2500), 1);   // text of the block that a line before it opened
    EXPECT_EQ(pieces(2501), 2);
    editor.verticalScrollBar()->setValue(2500);
    editor.gotoPlace(3000, 1);
    QTest::keyClicks(&editor, QStringLiteral("a: 2 #"));
    EXPECT_GE(pieces(2999), 2);
}

TEST(YamlEditor, FiveMegabytesDoNotFreezeTyping) {
    YamlEditor editor;
    editor.resize(600, 400);
    QString text;
    while (text.size() < 5'000'000) text += QStringLiteral("  learning_rate: {value: 2e-4, note: \"a text\"}\n");
    QElapsedTimer timer;
    timer.start();
    editor.replaceText(text);
    editor.finishFilling();
    editor.grab();
    const qint64 loading = timer.restart();
    editor.gotoPlace(50'000, 1);
    timer.restart();
    QTest::keyClicks(&editor, QStringLiteral("abcdefghij"));
    const qint64 typing = timer.elapsed();
    EXPECT_LT(loading, 2000);   // measured: a quarter of it
    EXPECT_LT(typing, 300);   // ten keys
    RecordProperty("loading_ms", static_cast<int>(loading));
    RecordProperty("typing_ms", static_cast<int>(typing));
}

TEST(LogView, FollowsTheEndUnlessScrolledUp) {
    LogView log;
    log.resize(400, 200);
    log.show();
    QString lines;
    for (int i = 0; i < 100; ++i) lines += QStringLiteral("line %1\n").arg(i);
    log.append(lines);
    auto* edit = log.findChild<QPlainTextEdit*>(QStringLiteral("log-text"));
    QScrollBar* bar = edit->verticalScrollBar();
    EXPECT_EQ(bar->value(), bar->maximum());
    bar->setValue(20);
    log.append(QStringLiteral("<b>more</b>\n"));
    EXPECT_EQ(bar->value(), 20);
    EXPECT_TRUE(log.text().endsWith(QStringLiteral("<b>more</b>\n")));
    QSignalSpy older(&log, &LogView::olderNeeded);
    bar->setValue(0);
    EXPECT_EQ(older.count(), 1);
    log.prepend(QStringLiteral("older 1\nolder 2\n"));
    EXPECT_TRUE(log.text().startsWith(QStringLiteral("older 1\nolder 2\nline 0\n")));
    EXPECT_EQ(bar->value(), 2);   // the line that was at the top still is
}

TEST(LogView, SearchGoesRoundAndSaysWhenThereIsNothing) {
    LogView log;
    log.append(QStringLiteral("alpha\nbeta\nalpha\n"));
    auto* search = log.findChild<QLineEdit*>(QStringLiteral("log-search"));
    auto* edit = log.findChild<QPlainTextEdit*>(QStringLiteral("log-text"));
    search->setText(QStringLiteral("alpha"));
    QTest::keyClick(search, Qt::Key_Return);
    EXPECT_EQ(edit->textCursor().blockNumber(), 0);
    QTest::keyClick(search, Qt::Key_Return);
    EXPECT_EQ(edit->textCursor().blockNumber(), 2);
    QTest::keyClick(search, Qt::Key_Return);
    EXPECT_EQ(edit->textCursor().blockNumber(), 0);
    search->setText(QStringLiteral("gamma"));
    QTest::keyClick(search, Qt::Key_Return);
    EXPECT_TRUE(search->property("invalid").toBool());
}

TEST(TokenView, WrapsAndGrowsWithLessWidth) {
    TokenView view;
    std::vector<TokenView::Token> tokens;
    for (int i = 0; i < 200; ++i) tokens.push_back({QStringLiteral(" token"), i, i % 2 == 0, false, i == 100});
    view.setTokens(tokens);
    EXPECT_GT(view.heightForWidth(200), view.heightForWidth(800));
    EXPECT_EQ(view.heightForWidth(20'000), 28);   // one line
    EXPECT_TRUE(view.accessibleDescription().contains(QStringLiteral("100")));
    view.setTokens({});
    EXPECT_EQ(view.heightForWidth(200), 0);
}

TEST(TokenView, ColoursSayWhatCarriesLoss) {
    TokenView view;
    view.setTokens({{QStringLiteral("aaaa"), 1, true, false, false}, {QStringLiteral("bbbb"), 2, false, false, false}, {QStringLiteral("cccc"), 3, false, true, false}});
    view.resize(400, 28);
    const QImage image = view.grab().toImage();
    const int step = QFontMetrics(view.font()).horizontalAdvance(QStringLiteral("aaaa")) + 8;
    EXPECT_EQ(image.pixelColor(2, 14), assay::style::tokens().goodBackground);
    EXPECT_EQ(image.pixelColor(step + 2, 14), assay::style::tokens().sunken);
    EXPECT_EQ(image.pixelColor(2 * step + 2, 14), assay::style::tokens().accentBackground);
}
