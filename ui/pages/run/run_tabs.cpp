#include "run_tabs.h"

#include <assay/models/format.h>
#include <assay/models/json_table_model.h>
#include <assay/models/run_text.h>
#include <assay/widgets/controls.h>
#include <assay/widgets/table_view.h>
#include <assay/widgets/text_views.h>
#include <assay/models/json_values.h>

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

namespace assay::pages {
namespace {

using models::JsonTableModel;
using presenters::RunPresenter;


JsonTableModel::Column textColumn(const char* key, const QString& title) {
    return {QString::fromLatin1(key), title, {}, [key](const Json& row) { return models::plainAt(row, key); }, {}, {}, {}, [key](const Json& row) { return models::plainAt(row, key).toHtmlEscaped(); }};
}

widgets::TableView* table(const char* name, const QString& title, JsonTableModel* model, const QString& empty, QWidget* parent) {
    auto* view = new widgets::TableView(parent);
    view->setObjectName(QString::fromLatin1(name));
    view->setAccessibleName(title);
    view->setModel(model);
    view->setRootIsDecorated(false);
    view->setEmptyText(empty);
    view->setRoles(JsonTableModel::kToneRole, JsonTableModel::kColorIndexRole, -1);
    return view;
}

}  // namespace

CurvesTab::CurvesTab(RunPresenter& presenter, QWidget* parent) : QWidget(parent), presenter_(presenter) {
    setObjectName(QStringLiteral("run-curves"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(style::size::kGap);
    auto* row = new QHBoxLayout;
    choice_ = new QComboBox(this);
    choice_->setObjectName(QStringLiteral("curves-add"));
    choice_->setAccessibleName(tr("Add a chart"));
    choice_->setMinimumWidth(240);
    row->addWidget(choice_);
    row->addStretch(1);
    layout->addLayout(row);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    auto* inside = new QWidget(scroll);
    grid_ = new QGridLayout(inside);
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setSpacing(style::size::kGap);
    scroll->setWidget(inside);
    auto* empty = new widgets::PlainLabel(tr("This run has recorded no curve yet."), this, style::Type::kSecondary);
    empty->setDim(2);
    empty_ = empty;
    layout->addWidget(empty);
    layout->addWidget(scroll, 1);
    connect(choice_, &QComboBox::activated, this, [this](int index) {
        const QString metric = choice_->itemData(index).toString();
        if (metric.isEmpty()) return;
        chosen_ = true;
        shown_ << metric;
        rebuild();
    });
    connect(&presenter_, &RunPresenter::metricsChanged, this, [this] {
        if (!chosen_) shown_ = presenter_.metrics().mid(0, 6);
        rebuild();
    });
    connect(&presenter_, &RunPresenter::opened, this, [this] {
        if (!presenter_.isLoaded() && !chosen_) shown_.clear();
        rebuild();
    });
    if (presenter_.isLoaded()) shown_ = presenter_.metrics().mid(0, 6);
    rebuild();
}

void CurvesTab::setShown(const QStringList& metrics) {
    chosen_ = !metrics.isEmpty();
    if (chosen_) shown_ = metrics;
    rebuild();
}

void CurvesTab::setOptions(const CurveOptions& options) {
    options_ = options;
    for (CurveCard* card : cards_) card->setOptions(options);
}

void CurvesTab::fillChoice() {
    choice_->clear();
    choice_->addItem(tr("Add a chart…"), QString());
    for (const QString& metric : presenter_.metrics())
        if (!shown_.contains(metric)) choice_->addItem(models::metricLabel(metric), metric);
    choice_->setEnabled(choice_->count() > 1);
}

void CurvesTab::rebuild() {
    fillChoice();
    empty_->setVisible(shown_.isEmpty());
    QStringList held;
    for (CurveCard* card : cards_) held << card->metrics();
    if (held == shown_) return;
    QList<CurveCard*> next;
    for (const QString& metric : shown_) {
        CurveCard* card = nullptr;
        for (CurveCard* old : cards_)
            if (old->metrics().front() == metric) card = old;
        if (!card) {
            card = new CurveCard(presenter_, models::metricLabel(metric), {metric}, this);
            card->setMinimumHeight(240);
            card->setOptions(options_);
            auto* close = widgets::makeButton({}, widgets::ButtonKind::kQuiet, QStringLiteral("close"), card);
            close->setObjectName(QStringLiteral("remove-chart"));
            close->setAccessibleName(tr("Remove the chart of %1").arg(models::metricLabel(metric)));
            close->setToolTip(tr("Remove this chart"));
            card->card()->addHeaderWidget(close);
            connect(close, &QPushButton::clicked, this, [this, metric] {
                chosen_ = true;
                shown_.removeAll(metric);
                rebuild();
            });
        }
        next << card;
    }
    for (CurveCard* old : cards_) {
        grid_->removeWidget(old);
        if (!next.contains(old)) old->deleteLater();
    }
    cards_ = next;
    for (int i = 0; i < cards_.size(); ++i) {
        grid_->addWidget(cards_[i], i / 2, i % 2);
        cards_[i]->show();
    }
}

SamplesTab::SamplesTab(RunPresenter& presenter, QWidget* parent) : QWidget(parent), presenter_(presenter) {
    setObjectName(QStringLiteral("run-samples"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    model_ = new JsonTableModel({{QStringLiteral("step"), tr("Step"), {}, [](const Json& r) { return models::formatCount(jsonDoubleOr(r, "step", 0)); }, [](const Json& r) { return jsonDoubleOr(r, "step", 0); }},
                                 {QStringLiteral("prompt"), tr("Prompt"), {}, [](const Json& r) { return models::shortened(models::plainAt(r, "prompt"), 80); }, {}},
                                 {QStringLiteral("text"), tr("Text"), {}, [](const Json& r) { return models::shortened(models::plainAt(r, "text"), 200); }, {}}},
                                this);
    auto* split = new QSplitter(Qt::Vertical, this);
    table_ = table("samples-table", tr("Samples"), model_, tr("Texts that the run generates appear here while it runs."), split);
    text_ = new QPlainTextEdit(split);
    text_->setObjectName(QStringLiteral("sample-text"));
    text_->setAccessibleName(tr("Sample"));
    text_->setReadOnly(true);
    split->addWidget(table_);
    split->addWidget(text_);
    layout->addWidget(split);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (!index.isValid()) return text_->clear();
        const Json& row = model_->row(index.row());
        text_->setPlainText(QString::fromStdString(jsonStringOr(row, "prompt", "")) + QString::fromStdString(jsonStringOr(row, "text", "")));
    });
    connect(&presenter_, &RunPresenter::samplesChanged, this, &SamplesTab::refresh);
    connect(&presenter_, &RunPresenter::opened, this, &SamplesTab::refresh);
    refresh();
}

void SamplesTab::refresh() {
    QList<Json> rows = presenter_.samples();
    // A generate run's answer is its only sample.
    if (const Json result = presenter_.document().value("result", Json()); rows.isEmpty() && result.is_object() && result.contains("text"))
        rows.append(Json{{"step", 0}, {"prompt", jsonStringOr(presenter_.document().value("spec", Json::object()).value("generate", Json::object()), "prompt", "")}, {"text", result["text"]}});
    model_->setRows(rows);
    text_->setVisible(!rows.isEmpty());
}

DataTab::DataTab(RunPresenter& presenter, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("run-data"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* model = new JsonTableModel({textColumn("name", tr("Data")), textColumn("value", tr("Value"))}, this);
    layout->addWidget(table("data-facts", tr("Data"), model, tr("This run uses no training data."), this));
    auto refresh = [model, &presenter] { model->setRows(presenter.dataFacts()); };
    connect(&presenter, &RunPresenter::changed, this, refresh);
    refresh();
}

ConfigTab::ConfigTab(RunPresenter& presenter, QWidget* parent) : QWidget(parent), presenter_(presenter) {
    setObjectName(QStringLiteral("run-config"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(style::size::kGap);
    auto* row = new QHBoxLayout;
    mode_ = new widgets::SegmentedControl({tr("Whole file"), tr("Not default"), tr("Against the baseline")}, this);
    mode_->setObjectName(QStringLiteral("config-mode"));
    mode_->setAccessibleName(tr("What to show"));
    row->addWidget(mode_);
    note_ = new QLabel(this);
    note_->setTextFormat(Qt::PlainText);
    note_->setObjectName(QStringLiteral("config-note"));
    row->addWidget(note_, 1);
    layout->addLayout(row);
    yaml_ = new widgets::YamlEditor(this);
    yaml_->setObjectName(QStringLiteral("config-yaml"));
    yaml_->setAccessibleName(tr("Resolved experiment file"));
    yaml_->setReadOnly(true);
    layout->addWidget(yaml_, 1);
    model_ = new JsonTableModel({textColumn("key", tr("Setting")), textColumn("base", tr("Before")), textColumn("value", tr("This run"))}, this);
    table_ = table("config-differences", tr("Differences"), model_, tr("No difference."), this);
    layout->addWidget(table_, 1);
    connect(mode_, &widgets::SegmentedControl::currentChanged, this, &ConfigTab::refresh);
    connect(&presenter_, &RunPresenter::opened, this, &ConfigTab::refresh);
    connect(&presenter_, &RunPresenter::changed, this, [this] {
        if (mode_->current() == 2) refresh();
    });
    refresh();
}

void ConfigTab::refresh() {
    const int mode = mode_->current();
    yaml_->setVisible(mode == 0);
    table_->setVisible(mode != 0);
    note_->clear();
    if (mode == 0) {
        if (const QString text = presenter_.yaml(); yaml_->toPlainText() != text) yaml_->setPlainText(text);
    } else if (mode == 1) {
        model_->setRows(presenter_.differencesToDefaults());
    } else {
        model_->setRows(presenter_.differencesToBaseline());
        note_->setText(presenter_.baselineName().isEmpty() ? tr("No other run is pinned as the baseline.") : tr("Baseline: %1").arg(models::shortened(presenter_.baselineName(), 60)));
    }
}

LineageTab::LineageTab(RunPresenter& presenter, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("run-lineage"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* model = new JsonTableModel({textColumn("relation", tr("Relation")), textColumn("name", tr("Name")), textColumn("detail", tr("Detail"))}, this);
    auto* view = table("lineage-table", tr("Lineage"), model, tr("Nothing belongs to this run yet."), this);
    layout->addWidget(view);
    connect(view, &widgets::TableView::opened, this, [model, &presenter](const QModelIndex& index) {
        if (index.isValid()) presenter.openRun(QString::fromStdString(jsonStringOr(model->row(index.row()), "run", "")));
    });
    auto refresh = [model, &presenter] { model->setRows(presenter.lineage()); };
    connect(&presenter, &RunPresenter::changed, this, refresh);
    refresh();
}

}  // namespace assay::pages
