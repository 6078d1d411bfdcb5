// Cards, labels, badges, panels and small controls.
#include <assay/widgets/card.h>
#include <assay/widgets/controls.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QVBoxLayout>
#include <cmath>

using namespace assay;
using namespace assay::widgets;

TEST(PlainLabel, NeverInterpretsMarkupAndElides) {
    PlainLabel label(QStringLiteral("<b>bold</b>\nand a second line"));
    EXPECT_EQ(label.textFormat(), Qt::PlainText);
    EXPECT_EQ(label.accessibleName(), QStringLiteral("<b>bold</b> and a second line"));
    label.show();
    label.resize(60, 20);
    EXPECT_TRUE(label.text().endsWith(QChar(0x2026)));
    EXPECT_FALSE(label.toolTip().contains(QStringLiteral("<b>")));   // escaped inside the tip
    EXPECT_TRUE(label.toolTip().contains(QStringLiteral("&lt;b&gt;")));
    label.resize(600, 20);
    EXPECT_EQ(label.text(), QStringLiteral("<b>bold</b> and a second line"));
    EXPECT_TRUE(label.toolTip().isEmpty());
}

TEST(PlainLabel, ElidesInTheMiddleWhenAsked) {
    PlainLabel label(QStringLiteral("a-very-long-name-of-a-checkpoint.safetensors"));
    label.setElideMode(Qt::ElideMiddle);
    label.show();
    label.resize(120, 20);
    EXPECT_TRUE(label.text().contains(QChar(0x2026)));
    EXPECT_TRUE(label.text().endsWith(QLatin1Char('s')));
}

TEST(PlainLabel, ToneAndDimSetTheColour) {
    PlainLabel label(QStringLiteral("text"));
    EXPECT_EQ(label.palette().color(QPalette::WindowText), style::tokens().text);
    label.setDim(2);
    EXPECT_EQ(label.palette().color(QPalette::WindowText), style::tokens().text2);
    label.setTone(style::Tone::kBad);
    EXPECT_EQ(label.palette().color(QPalette::WindowText), style::tokens().bad);
}

TEST(Card, HasAHeaderOnlyWhenItSaysSomething) {
    Card bare;
    EXPECT_EQ(bare.findChild<QWidget*>(QStringLiteral("card-header")), nullptr);
    Card card(QStringLiteral("Loss"));
    EXPECT_EQ(card.accessibleName(), QStringLiteral("Loss"));
    card.setNote(QStringLiteral("12.4 M points"));
    auto* first = makeButton(QStringLiteral("first"), ButtonKind::kQuiet);
    auto* second = makeButton(QStringLiteral("second"), ButtonKind::kQuiet);
    card.addHeaderWidget(first);
    card.addHeaderWidget(second);
    card.resize(500, 200);
    card.grab();
    auto* note = card.findChild<QWidget*>(QStringLiteral("card-note"));
    ASSERT_NE(note, nullptr);
    EXPECT_LT(note->x(), first->x());
    EXPECT_LT(first->x(), second->x());
    EXPECT_EQ(card.findChild<QWidget*>(QStringLiteral("card-header"))->height(), 37);
    EXPECT_EQ(card.body()->contentsMargins().left(), style::size::kCardPadding);
}

TEST(PageHeader, OrdersItsPartsAndNamesItself) {
    PageHeader header(QStringLiteral("Compare"));
    auto* back = makeButton({}, ButtonKind::kQuiet, QStringLiteral("back"));
    auto* badge = new Badge(QStringLiteral("9 set-ups"));
    auto* action = makeButton(QStringLiteral("Export"), ButtonKind::kPrimary);
    header.addAction(action);
    header.addBadge(badge);
    header.addLeading(back);
    header.resize(800, 40);
    header.grab();
    auto* title = header.findChild<QLabel*>(QStringLiteral("page-title"));
    EXPECT_EQ(title->text(), QStringLiteral("Compare"));
    EXPECT_LT(back->x(), title->x());
    EXPECT_LT(title->x(), badge->x());
    EXPECT_LT(badge->x(), action->x());
    EXPECT_EQ(header.accessibleName(), QStringLiteral("Compare"));
}

TEST(PageHeader, ElidesALongTitleRatherThanPushingButtonsOut) {
    PageHeader header(QString(400, QLatin1Char('m')));
    auto* action = makeButton(QStringLiteral("Export"), ButtonKind::kPrimary);
    header.addAction(action);
    header.resize(500, 40);
    header.grab();
    EXPECT_LE(action->geometry().right(), 500);
    EXPECT_TRUE(header.findChild<QLabel*>(QStringLiteral("page-title"))->text().contains(QChar(0x2026)));
}

TEST(Badge, SizeFollowsTheTextAndNameIsTheText) {
    Badge badge(QStringLiteral("fits"), style::Tone::kGood);
    const int narrow = badge.sizeHint().width();
    badge.set(QStringLiteral("cheapest at target"), style::Tone::kAccent);
    EXPECT_GT(badge.sizeHint().width(), narrow);
    EXPECT_EQ(badge.text(), QStringLiteral("cheapest at target"));
    EXPECT_EQ(badge.accessibleName(), badge.text());
    badge.resize(badge.sizeHint());
    EXPECT_EQ(badge.grab().toImage().pixelColor(6, badge.height() / 2), style::tokens().accentBackground);
}

TEST(StatTile, SaysCaptionFigureAndRemark) {
    StatTile tile(QStringLiteral("cost"));
    EXPECT_EQ(tile.accessibleDescription(), QStringLiteral("—"));   // nothing measured is no zero
    tile.set(QStringLiteral("$0.34"), QStringLiteral("at 0.08 USD/h"));
    EXPECT_EQ(tile.accessibleName(), QStringLiteral("cost"));
    EXPECT_EQ(tile.accessibleDescription(), QStringLiteral("$0.34, at 0.08 USD/h"));
}

TEST(EmptyState, ButtonSpeaksAndCanBeAbsent) {
    EmptyState state(QStringLiteral("data"), QStringLiteral("No data yet."), QStringLiteral("Open a dataset…"));
    QSignalSpy spy(&state, &EmptyState::clicked);
    auto* button = state.findChild<QPushButton*>(QStringLiteral("empty-button"));
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(spy.count(), 1);
    state.set(QStringLiteral("No match."), {});
    EXPECT_TRUE(button->isHidden());
    EXPECT_EQ(state.accessibleName(), QStringLiteral("No match."));
}

TEST(ErrorPanel, ShowsWhyAndCopiesEverything) {
    ErrorPanel panel;
    EXPECT_TRUE(panel.isHidden());
    panel.show(QStringLiteral("The model could not be read."), QStringLiteral("<b>Check</b> the folder."), QStringLiteral("ENOENT"));
    EXPECT_FALSE(panel.isHidden());
    EXPECT_EQ(panel.findChild<QLabel*>(QStringLiteral("error-hint"))->textFormat(), Qt::PlainText);
    auto* details = panel.findChild<QPlainTextEdit*>(QStringLiteral("error-details"));
    EXPECT_TRUE(details->isHidden());
    panel.findChild<QPushButton*>(QStringLiteral("error-fold"))->click();
    EXPECT_FALSE(details->isHidden());
    panel.findChild<QPushButton*>(QStringLiteral("error-copy"))->click();
    EXPECT_EQ(QApplication::clipboard()->text(), QStringLiteral("The model could not be read.\n<b>Check</b> the folder.\nENOENT"));
    panel.clear();
    EXPECT_TRUE(panel.isHidden());
}

TEST(ErrorPanel, WarningHasOneAction) {
    ErrorPanel panel;
    QSignalSpy spy(&panel, &ErrorPanel::actionClicked);
    panel.showWarning(QStringLiteral("14 rows are cut."), {}, QStringLiteral("Show rows"));
    auto* action = panel.findChild<QPushButton*>(QStringLiteral("error-action"));
    EXPECT_EQ(action->text(), QStringLiteral("Show rows"));
    action->click();
    EXPECT_EQ(spy.count(), 1);
    panel.show(QStringLiteral("Failed."), {});
    EXPECT_TRUE(action->isHidden());
}

TEST(SegmentedControl, MouseAndArrowKeysMoveTheChoice) {
    SegmentedControl control({QStringLiteral("Full"), QStringLiteral("LoRA"), QStringLiteral("QLoRA")});
    QSignalSpy spy(&control, &SegmentedControl::currentChanged);
    EXPECT_EQ(control.current(), 0);
    control.show();
    auto* first = control.findChild<QAbstractButton*>(QStringLiteral("segment-0"));
    auto* second = control.findChild<QAbstractButton*>(QStringLiteral("segment-1"));
    QTest::keyClick(first, Qt::Key_Left);   // there is nothing before the first
    EXPECT_EQ(control.current(), 0);
    QTest::keyClick(first, Qt::Key_Right);
    EXPECT_EQ(control.current(), 1);
    QTest::mouseClick(control.findChild<QAbstractButton*>(QStringLiteral("segment-2")), Qt::LeftButton);
    EXPECT_EQ(control.current(), 2);
    EXPECT_EQ(spy.count(), 2);
    EXPECT_EQ(second->accessibleName(), QStringLiteral("LoRA"));
    EXPECT_EQ(second->focusPolicy(), Qt::ClickFocus);   // one stop in the tab order
    control.setLabels({QStringLiteral("a"), QStringLiteral("b")});
    EXPECT_EQ(control.current(), 1);
}

TEST(Buttons, KindsNamesAndSizes) {
    auto primary = std::unique_ptr<QPushButton>(makeButton(QStringLiteral("&Start run"), ButtonKind::kPrimary, QStringLiteral("play")));
    EXPECT_EQ(primary->property("kind").toString(), QStringLiteral("primary"));
    EXPECT_EQ(primary->accessibleName(), QStringLiteral("Start run"));
    EXPECT_EQ(primary->objectName(), QStringLiteral("button-start-run"));
    EXPECT_EQ(primary->sizeHint().height(), style::size::kControlHeight);
    QSpinBox spin;
    spin.ensurePolished();
    EXPECT_EQ(spin.minimumHeight(), style::size::kControlHeight);
}

TEST(Meter, OverCapacityIsShownAsBad) {
    Meter meter;
    meter.setBarHeight(12);
    meter.setSegments({{QStringLiteral("weights"), 6, 0, QStringLiteral("6 GB")}, {QStringLiteral("other"), 2, -1, QStringLiteral("2 GB")}}, 16);
    meter.resize(160, meter.sizeHint().height());
    EXPECT_EQ(meter.sizeHint().height(), 12 + 6 + 2 * 22);
    QImage image = meter.grab().toImage();
    EXPECT_EQ(image.pixelColor(30, 6), style::dataColor(0));          // 6 of 16: up to 60
    EXPECT_EQ(image.pixelColor(70, 6), style::tokens().text3);        // neutral: up to 80
    EXPECT_EQ(image.pixelColor(120, 6), style::tokens().sunken);      // free
    EXPECT_EQ(meter.accessibleDescription(), QStringLiteral("weights 6 GB · other 2 GB"));
    meter.setSegments({{QStringLiteral("weights"), 20, 0, QStringLiteral("20 GB")}}, 10);
    image = meter.grab().toImage();
    EXPECT_EQ(image.pixelColor(40, 6), style::dataColor(0));          // half the bar is what there is
    int bad = 0;
    for (int x = 90; x < 150; ++x) bad += image.pixelColor(x, 6) == style::tokens().bad;
    EXPECT_GT(bad, 20);
}

TEST(ProgressLine, FillsItsShare) {
    ProgressLine line;
    line.set(0.5, {});
    line.resize(200, 18);
    const QImage image = line.grab().toImage();
    EXPECT_EQ(image.pixelColor(50, 9), style::tokens().accent);
    EXPECT_EQ(image.pixelColor(150, 9), style::tokens().line);
    line.set(0.5, QStringLiteral("5 / 10 steps"));
    EXPECT_EQ(line.accessibleDescription(), QStringLiteral("50\u00A0%, 5 / 10 steps"));
    line.set(std::nan(""), QStringLiteral("waiting"));
    EXPECT_EQ(line.accessibleDescription(), QStringLiteral("waiting"));
}

TEST(KeyValueList, RowsArePlainAndReplaced) {
    KeyValueList list;
    list.setRows({{QStringLiteral("a"), QStringLiteral("<i>1</i>"), QStringLiteral("<b>tip</b>"), 0}, {QStringLiteral("b"), QStringLiteral("2"), {}, -1}});
    auto* value = list.findChild<QLabel*>(QStringLiteral("value-0"));
    EXPECT_EQ(value->text(), QStringLiteral("<i>1</i>"));
    EXPECT_EQ(value->textFormat(), Qt::PlainText);
    EXPECT_FALSE(value->toolTip().contains(QStringLiteral("<b>")));
    EXPECT_TRUE(value->textInteractionFlags() & Qt::TextSelectableByMouse);
    EXPECT_EQ(list.findChild<QLabel*>(QStringLiteral("value-1"))->accessibleName(), QStringLiteral("b: 2")) << "a screen reader says the value, and of what";
    list.setRows({{QStringLiteral("c"), QStringLiteral("3"), {}, -1}});
    EXPECT_EQ(list.layout()->count(), 2);
}

TEST(Card, AnEditorThatTouchesTheLineHasNoFrameOfItsOwn) {
    Card bare(QStringLiteral("text")), padded(QStringLiteral("text"));
    bare.setBodyMargins(0);
    auto* touching = new QPlainTextEdit;
    auto* framed = new QPlainTextEdit;
    bare.body()->addWidget(touching);
    padded.body()->addWidget(framed);
    for (Card* card : {&bare, &padded}) {
        card->resize(300, 200);
        card->show();
        QCoreApplication::sendPostedEvents();
    }
    EXPECT_TRUE(touching->property("flat").toBool());
    EXPECT_EQ(touching->viewport()->width(), touching->width());
    EXPECT_FALSE(framed->property("flat").toBool());
    EXPECT_LT(framed->viewport()->width(), framed->width());
}
