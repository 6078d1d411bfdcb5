// Every widget in both themes. With ASSAY_GALLERY=FOLDER the pictures are written there for a person to look at.
#include <assay/models/json_table_model.h>
#include <assay/style/icons.h>
#include <assay/style/tokens.h>
#include <assay/widgets/card.h>
#include <assay/widgets/controls.h>
#include <assay/widgets/table_view.h>
#include <assay/widgets/text_views.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QGridLayout>
#include <QLineEdit>
#include <QPainter>
#include <QRadioButton>
#include <QSpinBox>
#include <QTabWidget>
#include <cmath>

using namespace assay;
using namespace assay::widgets;

namespace {

void addControls(QVBoxLayout* body, QWidget* parent) {
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(makeButton(QStringLiteral("Start"), ButtonKind::kPrimary, QStringLiteral("play"), parent));
    buttons->addWidget(makeButton(QStringLiteral("Add runs…"), ButtonKind::kNormal, QStringLiteral("add"), parent));
    buttons->addWidget(makeButton(QStringLiteral("Details"), ButtonKind::kQuiet, {}, parent));
    buttons->addWidget(makeButton(QStringLiteral("Delete"), ButtonKind::kDanger, QStringLiteral("trash"), parent));
    auto* disabled = makeButton(QStringLiteral("Queue"), ButtonKind::kPrimary, {}, parent);
    disabled->setEnabled(false);
    buttons->addWidget(disabled);
    buttons->addWidget(makeButton({}, ButtonKind::kNormal, QStringLiteral("more"), parent));
    buttons->addStretch(1);
    body->addLayout(buttons);
    body->addWidget(new SegmentedControl({QStringLiteral("Overview"), QStringLiteral("Curves"), QStringLiteral("Samples"), QStringLiteral("Log")}, parent), 0, Qt::AlignLeft);
    auto* fields = new QGridLayout;
    auto* edit = new QLineEdit(QStringLiteral("smollm2-lora-r8"), parent);
    auto* hint = new QLineEdit(parent);
    hint->setPlaceholderText(QStringLiteral("lr < 1e-3 and tag = demo"));
    auto* wrong = new QLineEdit(QStringLiteral("1e-3x"), parent);
    wrong->setProperty("invalid", true);
    auto* combo = new QComboBox(parent);
    combo->addItems({QStringLiteral("fp32"), QStringLiteral("bf16")});
    auto* spin = new QSpinBox(parent);
    spin->setMaximum(100000);
    spin->setValue(1024);
    auto* off = new QComboBox(parent);
    off->addItem(QStringLiteral("not available"));
    off->setEnabled(false);
    int place = 0;
    for (QWidget* field : std::initializer_list<QWidget*>{edit, hint, wrong, combo, spin, off}) {
        fields->addWidget(field, place / 3, place % 3);
        ++place;
    }
    body->addLayout(fields);
    auto* checks = new QHBoxLayout;
    auto* on = new QCheckBox(QStringLiteral("Differences only"), parent);
    on->setChecked(true);
    auto* radio = new QRadioButton(QStringLiteral("Linear"), parent);
    radio->setChecked(true);
    auto* gone = new QCheckBox(QStringLiteral("Not here"), parent);
    gone->setEnabled(false);
    for (QWidget* check : std::initializer_list<QWidget*>{on, new QCheckBox(QStringLiteral("Log axis"), parent), radio, new QRadioButton(QStringLiteral("Logarithmic"), parent), gone}) checks->addWidget(check);
    checks->addStretch(1);
    body->addLayout(checks);
    auto* line = new ProgressLine(parent);
    line->set(0.71, QStringLiteral("454 / 640 steps · 3:01 elapsed · 1:14 left"));
    body->addWidget(line);
    auto* meter = new Meter(parent);
    meter->setSegments({{QStringLiteral("weights"), 538, 0, QStringLiteral("538 MB")}, {QStringLiteral("gradients"), 538, 2, QStringLiteral("538 MB")},
                        {QStringLiteral("optimizer"), 1076, 4, QStringLiteral("1.08 GB")}, {QStringLiteral("other"), 81, -1, QStringLiteral("81 MB")}}, 4000);
    body->addWidget(meter);
    auto* full = new Meter(parent);
    full->setLegend(false);
    full->setSegments({{QStringLiteral("weights"), 10, 0, QStringLiteral("10 GB")}, {QStringLiteral("activations"), 6, 1, QStringLiteral("6 GB")}}, 12);
    body->addWidget(full);
    body->addStretch(1);
}

models::JsonTableModel* makeModel(QObject* parent) {
    using Column = models::JsonTableModel::Column;
    const auto text = [](const char* key) { return [key](const Json& row) { return QString::fromStdString(row.value(key, "")); }; };
    QList<Column> columns;
    columns.append({.key = QStringLiteral("name"), .title = QStringLiteral("set-up"), .text = text("name"), .color = [](const Json& row) { return row.value("color", 0); }});
    for (const char* key : {"cost", "ratio", "speed"})
        columns.append({.key = QString::fromLatin1(key), .title = QString::fromLatin1(key), .text = text(key), .number = [](const Json&) { return 0.0; }});
    columns.append({.key = QStringLiteral("state"), .title = QStringLiteral("state"), .text = text("state"), .tone = [](const Json& row) { return row.value("tone", 0); }});
    auto* model = new models::JsonTableModel(columns, parent);
    model->setRows({{{"name", "fp32 · base"}, {"cost", "—"}, {"ratio", "1.0000"}, {"speed", "6.8"}, {"state", "baseline"}, {"tone", 0}, {"color", 0}},
                    {{"name", "int8 · per channel"}, {"cost", "−58.1 %"}, {"ratio", "1.0031 ± .0009"}, {"speed", "19.4"}, {"state", "cheapest at target"}, {"tone", 1}, {"color", 2}},
                    {{"name", "int4 · AWQ g128"}, {"cost", "−79.6 %"}, {"ratio", "1.0271 ± .0031"}, {"speed", "31.0"}, {"state", "done"}, {"tone", 2}, {"color", 3}},
                    {{"name", "<b>int4</b> · RTN"}, {"cost", "−77.9 %"}, {"ratio", "1.0522 ± .0040"}, {"speed", "29.4"}, {"state", "dominated"}, {"tone", 3}, {"color", 1}},
                    {{"name", "pruned 2:4"}, {"cost", "not measured"}, {"ratio", "—"}, {"speed", "—"}, {"state", "failed"}, {"tone", 4}, {"color", 5}}});
    return model;
}

std::vector<TokenView::Token> makeTokens() {
    std::vector<TokenView::Token> tokens;
    int id = 1;
    const auto add = [&](const QString& text, bool loss, bool special = false, bool border = false) { tokens.push_back({text, id++, loss, special, border}); };
    add(QStringLiteral("<|im_start|>"), false, true);
    for (const char* word : {"user", "\n", "What", " is", " gradient", " accumulation", "?"}) add(QString::fromLatin1(word), false);
    add(QStringLiteral("<|im_end|>"), false, true);
    add(QStringLiteral("<|im_start|>"), false, true, true);
    add(QStringLiteral("assistant"), false);
    for (const char* word : {"Add", "ing", " up", " gradients", " of", " several", " small", " batches", "\t", "\x01", "."}) add(QString::fromLatin1(word), true);
    add(QStringLiteral("梯度"), true);
    add(QStringLiteral("<|im_end|>"), true, true);
    return tokens;
}

std::unique_ptr<QWidget> makeGallery() {
    auto page = std::make_unique<QWidget>();
    auto* all = new QVBoxLayout(page.get());
    all->setContentsMargins(20, 16, 20, 12);
    all->setSpacing(12);
    auto* header = new PageHeader(QStringLiteral("Compare"), page.get());
    auto* back = makeButton({}, ButtonKind::kQuiet, QStringLiteral("back"));
    back->setAccessibleName(QStringLiteral("Back"));
    header->addLeading(back);
    header->addBadge(new Badge(QStringLiteral("9 set-ups · SmolLM2-135M"), style::Tone::kNeutral));
    for (const auto& [text, tone] : {std::pair("training", style::Tone::kAccent), {"fits", style::Tone::kGood}, {"tight", style::Tone::kWarn}, {"failed", style::Tone::kBad}})
        header->addBadge(new Badge(QString::fromLatin1(text), tone));
    header->addAction(makeButton(QStringLiteral("Add runs…"), ButtonKind::kNormal));
    header->addAction(makeButton(QStringLiteral("Export report"), ButtonKind::kPrimary));
    all->addWidget(header);
    auto* grid = new QGridLayout;
    grid->setSpacing(12);
    auto* controls = new Card(QStringLiteral("Controls"), page.get());
    controls->setNote(QStringLiteral("2.69 of 24 GB · no leak"));
    addControls(controls->body(), controls);
    grid->addWidget(controls, 0, 0);

    auto* answer = new Card(QStringLiteral("Answer"), page.get());
    auto* tiles = new QHBoxLayout;
    for (const auto& [caption, figure, remark] : {std::tuple("saves", "79.6 %", "at 0.08 USD/h"), {"costs in accuracy", "+2.7 %", "± 0.3"}, {"speed", "4.6×", ""}}) {
        auto* tile = new StatTile(QString::fromUtf8(caption), answer);
        tile->set(QString::fromUtf8(figure), QString::fromUtf8(remark));
        tiles->addWidget(tile);
    }
    answer->body()->addLayout(tiles);
    auto* list = new KeyValueList(answer);
    list->setRows({{QStringLiteral("peak memory"), QStringLiteral("2.69 GB"), {}, 0}, {QStringLiteral("step time"), QStringLiteral("398 ms"), {}, 1}, {QStringLiteral("path"), QStringLiteral("<i>not markup</i>"), QStringLiteral("<b>tip</b>"), -1}});
    answer->body()->addWidget(list);
    auto* error = new ErrorPanel(answer);
    error->show(QStringLiteral("The model could not be read."), QStringLiteral("Check that the folder holds config.json."), QStringLiteral("ENOENT: config.json"));
    answer->body()->addWidget(error);
    auto* warning = new ErrorPanel(answer);
    warning->showWarning(QStringLiteral("14 of 18,402 rows are longer than 1,024 tokens and will be split."), {}, QStringLiteral("Show rows"));
    answer->body()->addWidget(warning);
    answer->body()->addWidget(new EmptyState(QStringLiteral("data"), QStringLiteral("No data yet. Drop a file here, or open one."), QStringLiteral("Open a dataset…")), 1);
    grid->addWidget(answer, 0, 1);

    auto* table = new Card(QStringLiteral("Set-ups"), page.get());
    table->setBodyMargins(0);
    auto* view = new TableView(table);
    view->setModel(makeModel(view));
    view->setRoles(models::JsonTableModel::kToneRole, models::JsonTableModel::kColorIndexRole, -1);
    view->fitHeight(5);
    view->setCurrentIndex(view->model()->index(2, 0));
    table->body()->addWidget(view);
    grid->addWidget(table, 1, 0);

    auto* text = new Card(QStringLiteral("The model's view"), page.get());
    auto* tokens = new TokenView(text);
    tokens->setTokens(makeTokens());
    text->body()->addWidget(tokens);
    auto* yaml = new YamlEditor(text);
    yaml->setPlainText(QStringLiteral("name: smollm2-lora-r8   # a comment\nseed: 1234\ndata:\n  train: {path: \"dialogues.jsonl\"}\n  packing: best_fit\ntrain:\n  steps: many\n"));
    yaml->setMarks({{7, 10, QStringLiteral("a number is needed"), true}, {2, 7, QStringLiteral("the default is 0"), false}});
    yaml->highlightLine(4);
    text->body()->addWidget(yaml, 1);
    grid->addWidget(text, 1, 1);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    all->addLayout(grid, 1);
    return page;
}

}  // namespace

TEST(Gallery, EveryWidgetPaintsInBothThemes) {
    QImage images[2];
    const QString folder = qEnvironmentVariable("ASSAY_GALLERY");
    for (const auto& [at, choice, name] : {std::tuple(0, style::ThemeChoice::kLight, "light"), {1, style::ThemeChoice::kDark, "dark"}}) {
        style::setTheme(choice);
        const std::unique_ptr<QWidget> page = makeGallery();
        page->resize(1280, 860);
        page->show();   // scroll bars take their range when shown
        QCoreApplication::processEvents();
        images[at] = page->grab().toImage();
        EXPECT_EQ(images[at].pixelColor(2, 2), style::tokens().background);
        if (!folder.isEmpty()) {
            QDir().mkpath(folder);
            EXPECT_TRUE(images[at].save(folder + QStringLiteral("/gallery-%1.png").arg(QLatin1String(name))));
        }
    }
    style::setTheme(style::ThemeChoice::kLight);
    EXPECT_NE(images[0], images[1]);
}

TEST(Gallery, AThemeSwitchLeavesNothingOfTheOldOne) {
    style::setTheme(style::ThemeChoice::kLight);
    const std::unique_ptr<QWidget> page = makeGallery();
    page->resize(1280, 860);
    page->grab();
    style::setTheme(style::ThemeChoice::kDark);
    const QImage switched = page->grab().toImage();
    const std::unique_ptr<QWidget> fresh = makeGallery();
    fresh->resize(1280, 860);
    const QImage made = fresh->grab().toImage();
    style::setTheme(style::ThemeChoice::kLight);
    int differing = 0;
    for (int y = 0; y < made.height(); ++y)
        for (int x = 0; x < made.width(); ++x) differing += switched.pixel(x, y) != made.pixel(x, y);
    EXPECT_LT(differing, made.width() * made.height() / 500) << "pixels that kept the colours of the other theme";
}

TEST(Gallery, IconsInOnePicture) {
    const QStringList names = QDir(QStringLiteral(ASSAY_SOURCE_DIR "/resources/icons")).entryList({QStringLiteral("*.svg")}, QDir::Files, QDir::Name);
    QImage sheet(12 * 80, (static_cast<int>(names.size()) / 12 + 1) * 64, QImage::Format_ARGB32_Premultiplied);
    sheet.fill(style::tokens().surface);
    QPainter painter(&sheet);
    painter.setFont(style::font(style::Type::kSmall));
    for (int i = 0; i < names.size(); ++i) {
        const QPixmap picture = style::pixmap(names[i].chopped(4), style::tokens().text, 32, 1);
        EXPECT_FALSE(picture.isNull());
        painter.drawPixmap(i % 12 * 80 + 24, i / 12 * 64 + 8, picture);
        painter.drawText(QRect(i % 12 * 80, i / 12 * 64 + 44, 80, 16), Qt::AlignCenter, names[i].chopped(4));
    }
    painter.end();
    const QString folder = qEnvironmentVariable("ASSAY_GALLERY");
    if (folder.isEmpty()) return;
    EXPECT_TRUE(sheet.save(folder + QStringLiteral("/icons.png")));
}
