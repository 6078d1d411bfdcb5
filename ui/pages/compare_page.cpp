// Compare: what each set-up saves and costs in accuracy against a baseline, as picture, table and answer.
#include <assay/models/format.h>
#include <assay/models/json_table_model.h>
#include <assay/models/run_table_model.h>
#include <assay/models/run_text.h>
#include <assay/presenters/compare_presenter.h>
#include <assay/presenters/engine_session.h>
#include <assay/presenters/settings.h>
#include <assay/print/pdf_report.h>
#include <assay/widgets/card.h>
#include <assay/widgets/controls.h>
#include <assay/widgets/file_dialog.h>

#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>

#include "compare/answer_card.h"
#include "compare/config_view.h"
#include "compare/cost_view.h"
#include "compare/curves_view.h"
#include "compare/delta_table.h"
#include "compare/parallel_view.h"
#include "compare/run_picker.h"
#include "make_pages.h"

namespace assay::pages {
namespace {

using presenters::ComparePresenter;

enum View { kCost, kCurves, kParallel, kConfig };
constexpr qsizetype kMostWarnings = 3;
constexpr int kNarrow = 960;

class ComparePage final : public Page {
    Q_OBJECT
public:
    ComparePage(presenters::AppContext& context, QWidget* parent) : Page(parent), context_(context), presenter_(context) {
        setObjectName(QStringLiteral("page-compare"));
        presenter_.setPdfWriter([](const std::string& path, const report::ReportInput& input) { return print::writePdfReport(path, input); });
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(style::size::kPagePadding, 16, style::size::kPagePadding, 12);
        layout->setSpacing(style::size::kGap);
        layout->addWidget(makeHeader());
        problem_ = new widgets::ErrorPanel(this);
        problem_->setObjectName(QStringLiteral("compare-problem"));
        warning_ = new widgets::ErrorPanel(this);
        warning_->setObjectName(QStringLiteral("compare-warning"));
        layout->addWidget(problem_);
        bar_ = makeBar();
        layout->addWidget(bar_);
        layout->addWidget(warning_);
        pages_ = new QStackedWidget(this);
        pages_->addWidget(makeFull());
        pages_->addWidget(makeEmpty());
        layout->addWidget(pages_, 1);
        picker_ = new RunPicker(presenter_, this);
        connect(&presenter_, &ComparePresenter::changed, this, &ComparePage::refresh);
        connect(&presenter_, &ComparePresenter::candidatesChanged, this, &ComparePage::fillCandidates);
        connect(&presenter_, &ComparePresenter::exportDone, this, &ComparePage::exported);
        connect(&presenter_, &ComparePresenter::exportFailed, this, [this](const QString& what, const QString& hint) {
            context_.notifier.notify({.severity = presenters::Severity::kError, .title = tr("The report was not written"), .detail = hint.isEmpty() ? what : what + QLatin1Char('\n') + hint, .technical = {}, .actionText = {}, .action = {}});
        });
        connect(&context.session, &presenters::EngineSession::resynchronized, this, [this] {
            if (presenter_.isEmpty()) presenter_.askCandidates({});
        });
        showView(kCost);
        refresh();
    }

    ~ComparePage() override { disconnect(&presenter_, nullptr, this, nullptr); }

    void open(const Json& argument) override {
        QStringList runs;
        if (argument.is_object())
            if (auto given = argument.find("runs"); given != argument.end() && given->is_array())
                for (const Json& run : *given)
                    if (run.is_string()) runs << QString::fromStdString(run.get<std::string>());
        if (!runs.isEmpty()) presenter_.open(runs, QString::fromStdString(jsonStringOr(argument, "baseline", "")));
        if (presenter_.isEmpty()) presenter_.askCandidates({});
        refresh();
    }

    Json saveState() const override {
        return {{"view", views_->current()}, {"log_x", cost_->logX()}, {"curves", curves_->state()}, {"table", table_->layout()}};
    }
    void restoreState(const Json& state) override {
        if (!state.is_object()) return;
        showView(static_cast<int>(std::clamp<int64_t>(jsonIntegerOr(state, "view", 0), 0, kConfig)));
        cost_->setLogX(jsonBoolOr(state, "log_x", false));
        if (auto curves = state.find("curves"); curves != state.end()) curves_->restore(*curves);
        if (auto table = state.find("table"); table != state.end() && table->is_object()) table_->setLayoutState(*table);
    }
    void exportData() override { chooseExport(); }

protected:
    void resizeEvent(QResizeEvent* event) override {
        Page::resizeEvent(event);
        subtitle_->setVisible(width() >= kNarrow && !presenter_.isEmpty());
    }

private:
    QPushButton* button(const char* name, const QString& text, widgets::ButtonKind kind, const QString& icon, QWidget* parent) {
        auto* made = widgets::makeButton(text, kind, icon, parent);
        made->setObjectName(QString::fromLatin1(name));
        made->setAccessibleName(text);
        return made;
    }

    QWidget* makeHeader() {
        auto* header = new widgets::PageHeader(tr("Compare"), this);
        subtitle_ = new widgets::PlainLabel({}, this, style::Type::kSecondary);   // gives way when the window is narrow
        subtitle_->setDim(2);
        subtitle_->setObjectName(QStringLiteral("compare-subtitle"));
        stale_ = new widgets::Badge(tr("not live"), style::Tone::kWarn, this);
        stale_->setObjectName(QStringLiteral("compare-stale"));
        header->addBadge(subtitle_);
        header->addBadge(stale_);
        views_ = new widgets::SegmentedControl({tr("Cost vs accuracy"), tr("Curves"), tr("Parallel axes"), tr("Config diff")}, this);
        views_->setObjectName(QStringLiteral("compare-views"));
        views_->setAccessibleName(tr("View"));
        connect(views_, &widgets::SegmentedControl::currentChanged, this, &ComparePage::showView);
        header->addAction(views_);
        add_ = button("compare-add", tr("Add runs…"), widgets::ButtonKind::kNormal, {}, this);
        connect(add_, &QPushButton::clicked, this, [this] { picker_->openBelow(add_); });
        header->addAction(add_);
        export_ = button("compare-export", tr("Export report"), widgets::ButtonKind::kPrimary, {}, this);
        connect(export_, &QPushButton::clicked, this, &ComparePage::chooseExport);
        header->addAction(export_);
        return header;
    }

    QWidget* makeBar() {
        auto* bar = new QWidget(this);
        auto* row = new QHBoxLayout(bar);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(8);
        const auto caption = [&](const QString& text) {
            auto* label = new widgets::PlainLabel(text, bar, style::Type::kSecondary);
            label->setDim(2);
            label->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
            row->addWidget(label);
        };
        caption(tr("Baseline"));
        baseline_ = new QComboBox(bar);
        baseline_->setObjectName(QStringLiteral("compare-baseline"));
        baseline_->setAccessibleName(tr("Baseline"));
        baseline_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        baseline_->setMinimumContentsLength(10);
        baseline_->setMaximumWidth(340);
        baseline_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        connect(baseline_, &QComboBox::activated, this, [this] { presenter_.setBaseline(baseline_->currentData().toString()); });
        row->addWidget(baseline_, 2);
        row->addSpacing(12);
        caption(tr("Target"));
        targetMetric_ = new QComboBox(bar);
        targetMetric_->setObjectName(QStringLiteral("compare-target-metric"));
        targetMetric_->setAccessibleName(tr("Metric of the target"));
        targetMetric_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        targetMetric_->setMinimumContentsLength(10);
        targetMetric_->setMaximumWidth(190);
        targetMetric_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        connect(targetMetric_, &QComboBox::activated, this, &ComparePage::targetEdited);
        row->addWidget(targetMetric_, 2);
        target_ = new QLineEdit(bar);
        target_->setObjectName(QStringLiteral("compare-target"));
        target_->setAccessibleName(tr("Value of the target"));
        target_->setPlaceholderText(tr("none"));
        target_->setFixedWidth(76);
        connect(target_, &QLineEdit::editingFinished, this, &ComparePage::targetEdited);
        row->addWidget(target_);
        targetNote_ = new widgets::PlainLabel({}, bar, style::Type::kSecondary);
        targetNote_->setObjectName(QStringLiteral("compare-target-note"));
        targetNote_->setTone(style::Tone::kBad);
        row->addWidget(targetNote_, 1);
        return bar;
    }

    QWidget* makeFull() {
        auto* full = new QWidget(this);
        auto* layout = new QVBoxLayout(full);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(style::size::kGap);
        auto* top = new QHBoxLayout;
        top->setSpacing(style::size::kGap);
        stack_ = new QStackedWidget(full);
        stack_->setMinimumWidth(400);   // wide views stand alone, the narrow one beside the answer
        cost_ = new CostView(presenter_, stack_);
        curves_ = new CurvesView(presenter_, context_, stack_);
        parallel_ = new ParallelView(presenter_, stack_);
        config_ = new ConfigView(presenter_, stack_);
        for (QWidget* view : {static_cast<QWidget*>(cost_), static_cast<QWidget*>(curves_), static_cast<QWidget*>(parallel_), static_cast<QWidget*>(config_)}) stack_->addWidget(view);
        top->addWidget(stack_, 1);
        answer_ = new AnswerCard(full);
        top->addWidget(answer_);
        layout->addLayout(top, 1);
        table_ = new DeltaTable(presenter_, full);
        layout->addWidget(table_);
        connect(cost_, &CostView::selected, this, &ComparePage::select);
        connect(parallel_, &ParallelView::selected, this, &ComparePage::select);
        connect(table_, &DeltaTable::selected, this, &ComparePage::select);
        connect(cost_, &CostView::opened, this, &ComparePage::openRun);
        connect(table_, &DeltaTable::opened, this, &ComparePage::openRun);
        connect(table_, &DeltaTable::menuWanted, this, &ComparePage::showMenu);
        connect(parallel_, &ParallelView::kept, this, [this](const std::optional<QStringList>& ids) { table_->setKept(ids); });
        return full;
    }

    QWidget* makeEmpty() {
        auto* empty = new QWidget(this);
        auto* layout = new QVBoxLayout(empty);
        layout->setContentsMargins(0, 24, 0, 0);
        layout->setSpacing(16);
        auto* state = new widgets::EmptyState(QStringLiteral("compare"), tr("Choose runs to see what each set-up saves and what it costs in accuracy."), tr("Choose runs…"), empty);
        state->setObjectName(QStringLiteral("compare-empty"));
        connect(state, &widgets::EmptyState::clicked, this, [this] { picker_->openBelow(add_); });
        layout->addWidget(state);
        recent_ = new widgets::Card(tr("Recent runs with results"), empty);
        recent_->setBodyMargins(0);
        compareChosen_ = button("compare-chosen", tr("Compare selected"), widgets::ButtonKind::kNormal, {}, recent_);
        recent_->addHeaderWidget(compareChosen_);
        using Column = models::JsonTableModel::Column;
        const auto row = [](const Json& json) { return models::runRowFromJson(json); };
        candidateModel_ = new models::JsonTableModel(
            {Column{.key = QStringLiteral("name"), .title = tr("Name"), .tip = {}, .text = [row](const Json& json) { return models::plain(row(json).name); }, .number = {},
                    .color = [row](const Json& json) { return models::runColorIndex(row(json).id); }},
             Column{.key = QStringLiteral("kind"), .title = tr("Kind"), .tip = {}, .text = [row](const Json& json) { return models::kindText(row(json).kind); }, .number = {}},
             Column{.key = QStringLiteral("created_at"), .title = tr("Created"), .tip = {}, .text = [row](const Json& json) { return models::formatAgo(row(json).createdAt, QDateTime::currentDateTimeUtc()); }, .number = {}}},
            this);
        candidateTable_ = new widgets::TableView(recent_);
        candidateTable_->setObjectName(QStringLiteral("compare-recent"));
        candidateTable_->setAccessibleName(tr("Recent runs with results"));
        candidateTable_->setModel(candidateModel_);
        candidateTable_->setRoles(-1, models::JsonTableModel::kColorIndexRole, -1);
        candidateTable_->setSelectionMode(QAbstractItemView::ExtendedSelection);
        candidateTable_->setEmptyText(tr("No finished run yet. Run an experiment first."));
        const auto chosen = [this] {
            QStringList ids;
            for (const QModelIndex& index : candidateTable_->selectionModel()->selectedRows()) ids << models::runRowFromJson(candidateModel_->row(index.row())).id;
            return ids;
        };
        connect(candidateTable_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] { compareChosen_->setEnabled(candidateTable_->selectionModel()->hasSelection()); });
        connect(compareChosen_, &QPushButton::clicked, this, [this, chosen] { presenter_.open(chosen()); });
        connect(candidateTable_, &widgets::TableView::opened, this, [this](const QModelIndex& index) {
            if (index.isValid()) presenter_.open({models::runRowFromJson(candidateModel_->row(index.row())).id});
        });
        compareChosen_->setEnabled(false);
        recent_->body()->addWidget(candidateTable_);
        layout->addWidget(recent_);
        layout->addStretch(1);
        return empty;
    }

    void showView(int view) {
        {
            const QSignalBlocker quiet(views_);
            views_->setCurrent(view);
        }
        stack_->setCurrentIndex(view);
        answer_->setVisible(view == kCost);
        table_->setVisible(view == kCost || view == kParallel);
        if (view != kParallel) table_->setKept({});
        refreshView();
    }

    void refreshView() {
        switch (views_->current()) {
            case kCost: return cost_->refresh();
            case kCurves: return curves_->refresh();
            case kParallel: return parallel_->refresh();
            default: return config_->refresh();
        }
    }

    void refresh() {
        const bool empty = presenter_.isEmpty();
        pages_->setCurrentIndex(empty ? 1 : 0);
        bar_->setVisible(!empty);
        views_->setVisible(!empty);
        export_->setVisible(!empty);
        export_->setEnabled(!presenter_.isExporting() && !presenter_.comparison().setups.empty());
        export_->setText(presenter_.isExporting() ? tr("Writing…") : tr("Export report"));
        stale_->setVisible(presenter_.isStale());
        subtitle_->setFullText(presenter_.isLoading() && presenter_.comparison().setups.empty() ? tr("loading…") : presenter_.subtitle());
        subtitle_->setVisible(!empty && width() >= kNarrow);
        problem_->clear();
        if (presenter_.error()) problem_->show(models::plain(QString::fromStdString(presenter_.error()->message)), models::plain(QString::fromStdString(presenter_.error()->hint)));
        showWarnings();
        if (empty) {
            if (presenter_.candidates().isEmpty() && context_.session.isLive() && !std::exchange(asked_, true)) presenter_.askCandidates({});
            return;
        }
        asked_ = false;
        fillBar();
        answer_->set(presenter_.answer());
        table_->refresh();
        refreshView();
        const QString wanted = !selected_.isEmpty() && presenter_.comparison().find(selected_.toStdString()) ? selected_ : presenter_.answerSetup();
        select(wanted);
        if (!presenter_.comparison().setups.empty() && !std::exchange(told_, true)) Q_EMIT contentShown();
    }

    void showWarnings() {
        const QStringList all = presenter_.isEmpty() ? QStringList() : presenter_.warnings();
        if (all == warnings_) return;
        warnings_ = all;
        if (all.isEmpty()) return warning_->clear();
        QStringList shown = all.mid(0, kMostWarnings);
        if (all.size() > kMostWarnings) shown << tr("and %n more; all are in the exported report", nullptr, static_cast<int>(all.size() - kMostWarnings));
        warning_->showWarning(all.size() == 1 ? all.front() : tr("What limits this comparison"), all.size() == 1 ? QString() : shown.join(QLatin1Char('\n')));
    }

    void fillBar() {
        const report::Comparison& comparison = presenter_.comparison();
        {
            const QSignalBlocker quiet(baseline_);
            baseline_->clear();
            for (const report::Setup& setup : comparison.setups) baseline_->addItem(presenter_.setupTitle(setup), QString::fromStdString(setup.id));
            baseline_->setCurrentIndex(baseline_->findData(QString::fromStdString(comparison.baseline)));
        }
        const auto parsed = report::parseTarget(presenter_.targetText().toStdString());
        const QString before = targetMetric_->currentData().toString();
        {
            const QSignalBlocker quiet(targetMetric_);
            targetMetric_->clear();
            for (const report::Metric* metric : presenter_.measuredMetrics())
                targetMetric_->addItem(QStringLiteral("%1 %2").arg(presenters::metricTitle(*metric), metric->lowerIsBetter ? QStringLiteral("≤") : QStringLiteral("≥")), QString::fromLatin1(metric->name));
            const QString wanted = parsed ? QString::fromStdString(parsed->metric) : !before.isEmpty() ? before : QString::fromStdString(comparison.y);
            targetMetric_->setCurrentIndex(std::max(0, targetMetric_->findData(wanted)));
        }
        if (!target_->hasFocus() && presenter_.targetError().isEmpty()) {
            const QSignalBlocker quiet(target_);
            target_->setText(parsed ? QString::fromStdString(report::exact(parsed->value)) : QString());
        }
        targetNote_->setFullText(presenter_.targetError());
    }

    void targetEdited() {
        const QString value = target_->text().trimmed();
        const report::Metric* metric = report::findMetric(targetMetric_->currentData().toString().toStdString());
        if (value.isEmpty() || !metric) return presenter_.setTarget({});
        presenter_.setTarget(QString::fromLatin1(metric->name) + (metric->lowerIsBetter ? QStringLiteral("<=") : QStringLiteral(">=")) + value);
    }

    void fillCandidates() {
        QList<Json> rows;
        for (const models::RunRow& run : presenter_.candidates()) rows.append(run.raw);
        candidateModel_->setRows(rows);
        candidateTable_->fitHeight(8);
    }

    void select(const QString& id) {
        selected_ = id;
        cost_->select(id);
        parallel_->select(id);
        table_->select(id);
    }

    void openRun(const QString& setup) { context_.navigator.navigate(QStringLiteral("run"), {{"run", setup.section(QLatin1Char('/'), 0, 0).toStdString()}}); }

    void showMenu(const QString& id, const QPoint& global) {
        const QString run = id.section(QLatin1Char('/'), 0, 0);
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addAction(tr("Use as baseline"), this, [this, id] { presenter_.setBaseline(id); });
        menu->addAction(tr("Open run"), this, [this, id] { openRun(id); });
        menu->addAction(tr("Try it"), this, [this, id] { context_.navigator.navigate(QStringLiteral("try"), {{"model", "run:" + id.toStdString()}}); });
        menu->addSeparator();
        if (presenter_.runs().contains(run)) menu->addAction(tr("Remove “%1” from the comparison").arg(presenter_.runName(run)), this, [this, run] { presenter_.removeRun(run); });
        menu->popup(global);
    }

    void chooseExport() {
        if (presenter_.isEmpty() || presenter_.isExporting()) return;
        const QString folder = context_.settings.text(QStringLiteral("compare.export_folder"), QDir::homePath());
        widgets::chooseSavePath(this, tr("Export report"), tr("Web page (*.html);;PDF (*.pdf);;Spreadsheet (*.csv);;JSON (*.json)"), folder + QStringLiteral("/comparison.html"), [this](const QString& path) {
            if (path.isEmpty()) return;
            context_.settings.set(QStringLiteral("compare.export_folder"), QFileInfo(path).absolutePath().toStdString());
            presenter_.exportReport(QFileInfo(path).suffix().isEmpty() ? path + QStringLiteral(".html") : path);
        });
    }

    // The toast opens the file; its technical part is the path, with a button that copies it.
    void exported(const QString& path) {
        const QFileInfo file(path);
        context_.notifier.notify({.severity = presenters::Severity::kGood, .title = tr("Report written"), .detail = tr("%1, %2").arg(models::plain(file.fileName()), models::formatBytes(static_cast<double>(file.size()))),
                                  .technical = path, .actionText = tr("Open"), .action = [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); }});
    }

    presenters::AppContext& context_;
    ComparePresenter presenter_;
    widgets::PlainLabel* subtitle_;
    widgets::Badge* stale_;
    widgets::SegmentedControl* views_;
    QPushButton *add_, *export_, *compareChosen_;
    widgets::ErrorPanel *problem_, *warning_;
    QWidget* bar_;
    QComboBox *baseline_, *targetMetric_;
    QLineEdit* target_;
    widgets::PlainLabel* targetNote_;
    QStackedWidget *pages_, *stack_;
    CostView* cost_;
    CurvesView* curves_;
    ParallelView* parallel_;
    ConfigView* config_;
    AnswerCard* answer_;
    DeltaTable* table_;
    widgets::Card* recent_;
    models::JsonTableModel* candidateModel_;
    widgets::TableView* candidateTable_;
    RunPicker* picker_;
    QString selected_;
    QStringList warnings_;
    bool told_ = false, asked_ = false;
};

}  // namespace

Page* makeComparePage(presenters::AppContext& context, QWidget* parent) { return new ComparePage(context, parent); }

}  // namespace assay::pages

#include "compare_page.moc"
