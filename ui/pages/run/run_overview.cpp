#include "run_overview.h"

#include <assay/models/format.h>
#include <assay/models/json_table_model.h>
#include <assay/models/run_text.h>
#include <assay/style/theme_notifier.h>
#include <assay/widgets/controls.h>
#include <assay/widgets/table_view.h>
#include <assay/models/json_values.h>

#include <QGridLayout>
#include <QHBoxLayout>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "wrapped_label.h"

namespace assay::pages {
namespace {

using models::JsonTableModel;
using presenters::RunPresenter;

constexpr int kSideWidth = 348;

widgets::TableView* table(const char* name, const QString& title, JsonTableModel* model, QWidget* parent) {
    auto* view = new widgets::TableView(parent);
    view->setObjectName(QString::fromLatin1(name));
    view->setAccessibleName(title);
    view->setModel(model);
    view->setFrameShape(QFrame::NoFrame);
    view->setRootIsDecorated(false);
    view->setRoles(JsonTableModel::kToneRole, JsonTableModel::kColorIndexRole, -1);
    return view;
}

}  // namespace

RunOverview::RunOverview(RunPresenter& presenter, QWidget* parent) : QScrollArea(parent), presenter_(presenter) {
    setObjectName(QStringLiteral("run-overview"));
    setAccessibleName(tr("Overview"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* inside = new QWidget(this);
    inside->setObjectName(QStringLiteral("run-overview-inside"));
    auto* row = new QHBoxLayout(inside);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(style::size::kGap);
    auto* left = new QVBoxLayout;
    left->setSpacing(style::size::kGap);
    auto* right = new QVBoxLayout;
    right->setSpacing(style::size::kGap);
    row->addLayout(left, 1);
    row->addLayout(right);

    stageModel_ = new JsonTableModel({{QStringLiteral("name"), tr("Stage"), {},
                                       [this](const Json& r) {   // "held/train" below the page of "held" is "train"
                                           const QString name = models::textAt(r, "name"), of = presenter_.row().name + QLatin1Char('/');
                                           return models::plain(name.startsWith(of) ? name.mid(of.size()) : name);
                                       },
                                       {}},
                                      {QStringLiteral("kind"), tr("Kind"), {}, [](const Json& r) { return models::kindText(models::plainAt(r, "kind")); }, {}},
                                      {QStringLiteral("status"), tr("Status"), {}, [](const Json& r) { return models::statusText(models::runRowFromJson(r)); }, {},
                                       [](const Json& r) { return models::statusTone(models::plainAt(r, "status")); }, {}, [](const Json& r) { return models::plainAt(r, "reason").toHtmlEscaped(); }},
                                      {QStringLiteral("progress"), tr("Progress"), {}, [](const Json& r) { return models::progressText(models::runRowFromJson(r)); }, {}},
                                      {QStringLiteral("result"), tr("Result"), {},
                                       [](const Json& r) {
                                           const Json summary = r.value("summary", Json::object());
                                           for (const char* key : {"accuracy/perplexity", "eval/perplexity", "eval/loss", "train/loss", "decode_tokens_per_s", "data/tokens"})
                                               if (auto it = summary.find(key); it != summary.end() && !it->is_null())
                                                   return QStringLiteral("%1 %2").arg(models::metricLabel(QString::fromLatin1(key)), models::formatMetric(QString::fromLatin1(key), numberFromJson(*it)));
                                           return QString();
                                       },
                                       {}},
                                      {QStringLiteral("time"), tr("Time"), {}, [](const Json& r) { return models::runCellText(models::runRowFromJson(r), QStringLiteral("running_seconds")); },
                                       [](const Json& r) { return jsonDoubleOr(r, "running_seconds", 0); }}},
                                     this);
    stages_ = new widgets::Card(tr("Stages"), inside);
    stages_->setObjectName(QStringLiteral("run-stages-card"));
    stages_->setBodyMargins(0);
    stageTable_ = table("run-stages", tr("Stages"), stageModel_, stages_);
    stages_->body()->addWidget(stageTable_);
    stageNote_ = makeWrappedLabel(style::Type::kSmall, 3, "run-stages-note", stages_);
    stageNote_->setContentsMargins(10, 2, 10, 6);
    stageNote_->setText(tr("Two held-out perplexities: training scores the held-out text in packed sequences like those it trains on, evaluation in windows of its own length. "
                           "Compare each only with others of its kind."));
    stages_->body()->addWidget(stageNote_);
    connect(stageTable_, &widgets::TableView::opened, this, [this](const QModelIndex& index) {
        if (index.isValid()) presenter_.openRun(models::plainAt(stageModel_->row(index.row()), "id"));
    });
    left->addWidget(stages_);

    charts_ = new QWidget(inside);
    charts_->setObjectName(QStringLiteral("run-charts"));
    auto* grid = new QGridLayout(charts_);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(style::size::kGap);
    auto* loss = new CurveCard(presenter, tr("Loss"), {QStringLiteral("train/loss"), QStringLiteral("eval/loss")}, charts_);
    auto* speed = new CurveCard(presenter, tr("Throughput"), {QStringLiteral("train/tokens_per_s")}, charts_);
    auto* norm = new CurveCard(presenter, tr("Gradient norm"), {QStringLiteral("train/grad_norm")}, charts_);
    loss->setMinimumHeight(296);
    speed->setMinimumHeight(208);
    norm->setMinimumHeight(208);
    grid->addWidget(loss, 0, 0, 1, 2);
    grid->addWidget(speed, 1, 0);
    grid->addWidget(norm, 1, 1);
    grid->setRowStretch(0, 3);
    grid->setRowStretch(1, 2);
    curves_ = {loss, speed, norm};
    left->addWidget(charts_, 1);

    resultModel_ = new JsonTableModel({{QStringLiteral("name"), tr("Measure"), {}, [](const Json& r) { return models::plainAt(r, "name"); }, {}},
                                       {QStringLiteral("value"), tr("Value"), {}, [](const Json& r) { return models::plainAt(r, "value"); }, [](const Json& r) { return numberFromJson(r.value("number", Json())); }}},
                                      this);
    results_ = new widgets::Card(tr("Results"), inside);
    results_->setObjectName(QStringLiteral("run-results-card"));
    results_->setBodyMargins(0);
    resultTable_ = table("run-results", tr("Results"), resultModel_, results_);
    results_->body()->addWidget(resultTable_);
    left->addWidget(results_);
    left->addStretch(0);

    memory_ = new widgets::Card(tr("Memory"), inside);
    memory_->setObjectName(QStringLiteral("run-memory"));
    meter_ = new widgets::Meter(memory_);
    meter_->setObjectName(QStringLiteral("run-memory-meter"));
    meter_->setAccessibleName(tr("Memory by use"));
    memory_->body()->addWidget(meter_);
    right->addWidget(memory_);

    predictions_ = new PredictionCard(presenter, inside);
    right->addWidget(predictions_);

    proof_ = new ProofCard(presenter, inside);
    right->addWidget(proof_);

    checks_ = new widgets::Card(tr("Checks"), inside);
    checks_->setObjectName(QStringLiteral("run-checks"));
    right->addWidget(checks_);
    right->addStretch(1);
    for (QWidget* side : {static_cast<QWidget*>(memory_), static_cast<QWidget*>(predictions_), static_cast<QWidget*>(proof_), static_cast<QWidget*>(checks_)}) side->setFixedWidth(kSideWidth);
    setWidget(inside);
    connect(&presenter_, &RunPresenter::changed, this, &RunOverview::refresh);
    connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, this, [this] {
        shownChecks_.clear();   // their colours are the theme's
        refresh();
    });
    refresh();
}

void RunOverview::setOptions(const CurveOptions& options) {
    for (CurveCard* card : curves_) card->setOptions(options);
}

void RunOverview::refresh() {
    const QList<Json> stages = presenter_.stages();
    stages_->setVisible(!stages.isEmpty());
    stageModel_->setRows(stages);
    stageTable_->fitHeight(12);
    // Where the room is short: the stage's name holds its kind, and what has ended makes no progress.
    if (const int active = presenter_.row().isActive(); active != stagesActive_) {
        stagesActive_ = active;
        stageTable_->setExpendableColumns(active ? std::vector<int>{1, 4} : std::vector<int>{3, 1});
    }
    const auto scored = std::count_if(stages.begin(), stages.end(), [](const Json& stage) {
        const std::string kind = jsonStringOr(stage, "kind", "");
        return (kind == "train" || kind == "evaluate") && !std::isnan(models::numberAt(stage.value("summary", Json::object()), "eval/perplexity"));
    });
    stageNote_->setVisible(scored > 1);

    const QStringList metrics = presenter_.metrics();
    const bool training = presenter_.row().kind == QLatin1String("train") || metrics.contains(QStringLiteral("train/loss"));
    charts_->setVisible(training);

    QList<Json> results;
    if (!training || presenter_.row().kind == QLatin1String("pipeline"))
        for (const auto& [key, value] : presenter_.row().summary.items()) {
            const QString name = QString::fromStdString(key);
            const double number = numberFromJson(value);
            if (std::isnan(number) && value != "nan") continue;
            results.append(Json{{"id", key}, {"name", models::metricLabel(name).toStdString()}, {"value", models::formatMetric(name, number).toStdString()}, {"number", value}});
        }
    results_->setVisible(!results.isEmpty());
    resultModel_->setRows(results);
    resultTable_->fitHeight(16);

    const RunPresenter::Memory memory = presenter_.memory();
    std::vector<widgets::Meter::Segment> segments;
    for (const auto& part : memory.parts) segments.push_back({part.label, part.bytes, part.color, models::formatBytes(part.bytes)});
    memory_->setVisible(!segments.empty());
    meter_->setSegments(std::move(segments), memory.capacity > 0 ? memory.capacity : memory.peak);
    memory_->setNote(memory.capacity > 0 ? tr("%1 of %2").arg(models::formatBytes(memory.peak), models::formatBytes(memory.capacity)) : models::formatBytes(memory.peak));

    predictions_->refresh();
    proof_->refresh();
    QTimer::singleShot(0, this, [this] { holdColumn(widget(), {memory_, predictions_, proof_, checks_}, kSideWidth, style::size::kGap, 0); });

    const auto checks = presenter_.checks();
    checks_->setVisible(!checks.empty());
    QStringList shown;
    for (const auto& check : checks) shown << QString::number(static_cast<int>(check.level)) + check.text;
    if (shown == shownChecks_) return;
    shownChecks_ = shown;
    delete checkList_;
    checkList_ = new QWidget(checks_);
    auto* list = new QVBoxLayout(checkList_);
    list->setContentsMargins(0, 0, 0, 0);
    list->setSpacing(6);
    int index = 0;
    for (const auto& check : checks) {
        const bool good = check.level == RunPresenter::Level::kGood, bad = check.level == RunPresenter::Level::kBad, warn = check.level == RunPresenter::Level::kWarning;
        auto* label = new QLabel((good ? QStringLiteral("✓  ") : bad ? QStringLiteral("✕  ") : warn ? QStringLiteral("!  ") : QStringLiteral("·  ")) + check.text, checkList_);
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setFont(style::font(style::Type::kSecondary));
        label->setObjectName(QStringLiteral("check-%1").arg(index++));
        label->setAccessibleName(check.text);
        if (bad || warn) {
            QPalette palette = label->palette();
            palette.setColor(QPalette::WindowText, style::toneText(bad ? style::Tone::kBad : style::Tone::kWarn));
            label->setPalette(palette);
        }
        list->addWidget(label);
    }
    checks_->body()->addWidget(checkList_);
}

}  // namespace assay::pages
