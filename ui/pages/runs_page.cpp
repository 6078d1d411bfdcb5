// Queue & runs: the table of every run, with its filter, and what can be done to those selected.
#include <assay/models/format.h>
#include <assay/models/run_text.h>
#include <assay/presenters/runs_presenter.h>
#include <assay/widgets/card.h>
#include <assay/widgets/controls.h>
#include <assay/widgets/table_view.h>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QShortcut>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "make_pages.h"
#include "runs/column_chooser.h"
#include "runs/filter_line.h"

namespace assay::pages {
namespace {

using models::RunRow;
using models::RunTableModel;
using presenters::RunsPresenter;

class RunsPage final : public Page {
    Q_OBJECT
public:
    RunsPage(presenters::AppContext& context, QWidget* parent) : Page(parent), presenter_(context) {
        setObjectName(QStringLiteral("page-runs"));
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(style::size::kPagePadding, 16, style::size::kPagePadding, 12);
        layout->setSpacing(style::size::kGap);
        layout->addWidget(makeHeader());
        layout->addLayout(makeFilters());
        message_ = new widgets::PlainLabel({}, this, style::Type::kSecondary);
        message_->setObjectName(QStringLiteral("runs-message"));
        message_->setAccessibleName(tr("Note on the filter"));
        layout->addWidget(message_);
        error_ = new widgets::ErrorPanel(this);
        error_->setObjectName(QStringLiteral("runs-error"));
        layout->addWidget(error_);
        makeTable();
        empty_ = new widgets::EmptyState(QStringLiteral("runs"), {}, {}, this);
        empty_->setObjectName(QStringLiteral("runs-empty"));
        connect(empty_, &widgets::EmptyState::clicked, this, [this] { presenter_.isFiltered() ? clearFilters() : presenter_.newExperiment(); });
        stack_ = new QStackedWidget(this);
        list_ = new widgets::Card({}, stack_);
        list_->setObjectName(QStringLiteral("runs-card"));
        list_->setBodyMargins(0);
        list_->body()->addWidget(table_);
        stack_->addWidget(list_);
        stack_->addWidget(empty_);
        layout->addWidget(stack_, 1);
        layout->addLayout(makeFooter());
        connect(&presenter_, &RunsPresenter::changed, this, [this] { refresh(); });
        connect(&presenter_, &RunsPresenter::pinnedChanged, this, [this] { refresh(); });
        connect(&presenter_, &RunsPresenter::columnsChanged, this, [this] { fillGroups(); });
        connect(&presenter_.model(), &QAbstractItemModel::dataChanged, this, [this] { showActions(); });
        fillGroups();
        refresh();
    }

    // The model goes with the presenter, before the view that listens to it.
    ~RunsPage() override {
        disconnect(&presenter_, nullptr, this, nullptr);
        disconnect(&presenter_.model(), nullptr, this, nullptr);
        disconnect(table_->selectionModel(), nullptr, this, nullptr);
    }

    void open(const Json& argument) override {
        if (argument.is_object() && argument.contains("filter")) {
            filter_->setText(QString::fromStdString(jsonStringOr(argument, "filter", "")));
            presenter_.setFilter(filter_->text());
        }
        table_->setFocus();
    }

    Json saveState() const override {
        Json state = presenter_.state();
        state["layout"] = table_->layout();
        return state;
    }

    void restoreState(const Json& state) override {
        if (!state.is_object()) return;
        presenter_.restore(state);
        const QSignalBlocker quiet(filter_);
        filter_->setText(presenter_.filter());
        quick_->setCurrent(static_cast<int>(presenter_.quick()));
        kind_->setCurrentIndex(std::max(0, kind_->findData(presenter_.kind())));
        stages_->setChecked(presenter_.showStages());
        tries_->setChecked(presenter_.showTries());
        differences_->setChecked(presenter_.differencesOnly());
        fillGroups();
        if (auto layout = state.find("layout"); layout != state.end()) table_->setLayoutState(*layout);
        refresh();
    }

private:
    QWidget* makeHeader() {
        auto* header = new widgets::PageHeader(tr("Queue & runs"), this);
        stale_ = new widgets::Badge(tr("not live"), style::Tone::kWarn, this);
        stale_->setObjectName(QStringLiteral("runs-stale"));
        header->addBadge(stale_);
        auto button = [&](const char* name, const QString& text, widgets::ButtonKind kind, const QString& icon, auto action) {
            auto* made = widgets::makeButton(text, kind, icon, this);
            made->setObjectName(QString::fromLatin1(name));
            made->setAccessibleName(text);
            connect(made, &QPushButton::clicked, this, action);
            header->addAction(made);
            return made;
        };
        compare_ = button("runs-compare", tr("Compare"), widgets::ButtonKind::kNormal, QStringLiteral("compare"), [this] { presenter_.compare(selected()); });
        stop_ = button("runs-stop", tr("Stop and save"), widgets::ButtonKind::kNormal, QStringLiteral("stop"), [this] { presenter_.stop(selected(), false); });
        resume_ = button("runs-resume", tr("Resume"), widgets::ButtonKind::kNormal, QStringLiteral("resume"), [this] { presenter_.resume(selected()); });
        remove_ = button("runs-remove", tr("Delete"), widgets::ButtonKind::kQuiet, QStringLiteral("trash"), [this] { presenter_.remove(selected()); });
        auto* create = button("runs-new", tr("New experiment"), widgets::ButtonKind::kPrimary, QStringLiteral("add"), [this] { presenter_.newExperiment(); });
        Q_UNUSED(create)
        return header;
    }

    QLayout* makeFilters() {
        auto* rows = new QVBoxLayout;
        rows->setSpacing(8);
        auto* first = new QHBoxLayout;
        first->setSpacing(8);
        filter_ = new FilterLine(this);
        filter_->completions = [this](const presenters::FilterPlace& place) { return presenter_.completions(place); };
        connect(filter_, &FilterLine::settled, &presenter_, &RunsPresenter::setFilter);
        first->addWidget(filter_, 1);
        group_ = new QComboBox(this);
        group_->setObjectName(QStringLiteral("runs-group"));
        group_->setAccessibleName(tr("Group by"));
        connect(group_, &QComboBox::activated, this, [this] { presenter_.setGroupKey(group_->currentData().toString()); });
        first->addWidget(group_);
        chooser_ = new ColumnChooser(this);
        connect(chooser_, &ColumnChooser::chosen, &presenter_, &RunsPresenter::setColumns);
        columns_ = widgets::makeButton(tr("Columns"), widgets::ButtonKind::kNormal, QStringLiteral("columns"), this);
        columns_->setObjectName(QStringLiteral("runs-columns"));
        connect(columns_, &QPushButton::clicked, this, [this] { chooser_->open(presenter_.knownKeys(), presenter_.columns(), columns_->mapToGlobal(QPoint(columns_->width(), columns_->height() + 4))); });
        first->addWidget(columns_);
        rows->addLayout(first);

        auto* second = new QHBoxLayout;
        second->setSpacing(8);
        quick_ = new widgets::SegmentedControl({tr("All"), tr("Running"), tr("Queued"), tr("Failed"), tr("Today")}, this);
        quick_->setObjectName(QStringLiteral("runs-quick"));
        connect(quick_, &widgets::SegmentedControl::currentChanged, this, [this](int index) { presenter_.setQuick(static_cast<RunsPresenter::Quick>(index)); });
        second->addWidget(quick_);
        kind_ = new QComboBox(this);
        kind_->setObjectName(QStringLiteral("runs-kind"));
        kind_->setAccessibleName(tr("Kind of run"));
        kind_->addItem(tr("Every kind"), QString());
        for (const char* kind : {"pipeline", "train", "evaluate", "quantize", "benchmark", "prepare", "generate", "verify"}) kind_->addItem(models::kindText(QString::fromLatin1(kind)), QString::fromLatin1(kind));
        connect(kind_, &QComboBox::activated, this, [this] { presenter_.setKind(kind_->currentData().toString()); });
        second->addWidget(kind_);
        auto toggle = [&](const char* name, const QString& text, const QString& tip, auto action) {
            auto* made = new QToolButton(this);
            made->setObjectName(QString::fromLatin1(name));
            made->setText(text);
            made->setAccessibleName(text);
            made->setToolTip(tip);
            made->setCheckable(true);
            connect(made, &QToolButton::toggled, this, action);
            second->addWidget(made);
            return made;
        };
        stages_ = toggle("runs-stages", tr("Stages"), tr("Show stages, seeds and sweep members beside the runs they belong to"), [this](bool on) { presenter_.setShowStages(on); });
        tries_ = toggle("runs-tries", tr("Tries"), tr("Show the short generate runs of the Try it page"), [this](bool on) { presenter_.setShowTries(on); });
        differences_ = toggle("runs-differences", tr("Differences only"), tr("Show only what differs from the pinned baseline"), [this](bool on) { presenter_.setDifferencesOnly(on); });
        second->addStretch(1);
        baseline_ = new widgets::PlainLabel({}, this, style::Type::kSecondary);
        baseline_->setObjectName(QStringLiteral("runs-baseline"));
        baseline_->setDim(2);
        second->addWidget(baseline_);
        unpin_ = new QToolButton(this);
        unpin_->setObjectName(QStringLiteral("runs-unpin"));
        unpin_->setText(tr("Unpin"));
        unpin_->setAccessibleName(tr("Unpin the baseline"));
        connect(unpin_, &QToolButton::clicked, this, [this] { presenter_.pin({}); });
        second->addWidget(unpin_);
        rows->addLayout(second);
        return rows;
    }

    void makeTable() {
        table_ = new widgets::TableView(this);
        table_->setObjectName(QStringLiteral("runs-table"));
        table_->setAccessibleName(tr("Runs"));
        table_->setModel(&presenter_.model());
        table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
        table_->setSelectionBehavior(QAbstractItemView::SelectRows);
        table_->setUniformRowHeights(true);
        table_->setRoles(-1, RunTableModel::kColorIndexRole, RunTableModel::kFractionRole, [this](const QModelIndex& index) {
            const auto& columns = presenter_.model().columns();
            if (index.column() >= columns.size() || columns[index.column()].key != QLatin1String("status")) return -1;
            const QString status = index.data(RunTableModel::kStatusRole).toString();
            return status.isEmpty() ? -1 : models::statusTone(status);
        });
        connect(table_, &widgets::TableView::opened, this, [this](const QModelIndex& index) { presenter_.open(index.data(RunTableModel::kIdRole).toString()); });
        connect(table_, &widgets::TableView::sortRequested, this, [this](int column, Qt::SortOrder order) {
            const auto& columns = presenter_.model().columns();
            if (column < 0 || column >= columns.size()) return;
            const QString key = columns[column].key == QLatin1String("progress") ? QStringLiteral("status") : columns[column].key;
            presenter_.setSort(key, order == Qt::DescendingOrder);
        });
        connect(table_, &widgets::TableView::contextMenuRequested, this, [this](const QModelIndex&, const QPoint& global) { showMenu(global); });
        connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] { showActions(); });
        auto* remove = new QShortcut(QKeySequence::Delete, table_);
        remove->setContext(Qt::WidgetShortcut);
        connect(remove, &QShortcut::activated, this, [this] {
            if (presenter_.whyNotRemove(selected()).isEmpty()) presenter_.remove(selected());
        });
        auto* find = new QShortcut(QKeySequence::Find, this);
        find->setContext(Qt::WidgetWithChildrenShortcut);
        connect(find, &QShortcut::activated, this, [this] { filter_->setFocus(Qt::ShortcutFocusReason); });
    }

    QLayout* makeFooter() {
        auto* row = new QHBoxLayout;
        count_ = new widgets::PlainLabel({}, this, style::Type::kSecondary);
        count_->setObjectName(QStringLiteral("runs-count"));
        count_->setDim(2);
        row->addWidget(count_, 1);
        return row;
    }

    QList<RunRow> selected() const {
        QList<RunRow> runs;
        for (const QModelIndex& index : table_->selectionModel()->selectedRows())
            if (auto run = presenter_.model().run(index)) runs.append(*run);
        return runs;
    }

    void showMenu(const QPoint& global) {
        const QList<RunRow> runs = selected();
        if (runs.isEmpty()) return;
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->setToolTipsVisible(true);
        auto add = [&](const QString& text, const QString& why, auto action) {
            QAction* made = menu->addAction(text, this, action);
            made->setEnabled(why.isEmpty());
            made->setToolTip(why);
        };
        const RunRow first = runs.front();
        if (runs.size() == 1) {
            add(tr("Open"), {}, [this, first] { presenter_.open(first.id); });
            add(tr("New from this…"), {}, [this, first] { presenter_.fork(first.id); });
            if (presenter_.pinned() == first.id) add(tr("Unpin baseline"), {}, [this] { presenter_.pin({}); });
            else add(tr("Pin as baseline"), {}, [this, first] { presenter_.pin(first.id); });
            menu->addSeparator();
        }
        add(tr("Compare"), presenter_.whyNotCompare(runs), [this, runs] { presenter_.compare(runs); });
        add(tr("Stop and save"), presenter_.whyNotStop(runs), [this, runs] { presenter_.stop(runs, false); });
        add(tr("Stop and discard"), presenter_.whyNotStop(runs), [this, runs] { presenter_.stop(runs, true); });
        add(tr("Resume"), presenter_.whyNotResume(runs), [this, runs] { presenter_.resume(runs); });
        menu->addSeparator();
        add(tr("Copy rows"), {}, [this] { table_->copySelection(); });
        add(tr("Copy run ID"), {}, [runs] {
            QStringList ids;
            for (const RunRow& run : runs) ids << run.id;
            QApplication::clipboard()->setText(ids.join(QLatin1Char('\n')));
        });
        menu->addSeparator();
        add(tr("Delete"), presenter_.whyNotRemove(runs), [this, runs] { presenter_.remove(runs); });
        menu->popup(global);
    }

    void clearFilters() {
        filter_->clear();
        quick_->setCurrent(0);
        kind_->setCurrentIndex(0);
        presenter_.clearFilters();
    }

    void fillGroups() {
        const QSignalBlocker quiet(group_);
        group_->clear();
        group_->addItem(tr("No groups"), QString());
        QStringList keys = {QStringLiteral("kind"), QStringLiteral("status"), QStringLiteral("tags"), QStringLiteral("group")};
        for (const QString& key : presenter_.columns())
            if (!keys.contains(key) && key != QLatin1String("name") && key != QLatin1String("progress") && !key.endsWith(QLatin1String("_at"))) keys << key;
        if (!presenter_.groupKey().isEmpty() && !keys.contains(presenter_.groupKey())) keys << presenter_.groupKey();
        for (const QString& key : keys) group_->addItem(tr("By %1").arg(models::columnTitle(key).toLower()), key);
        group_->setCurrentIndex(std::max(0, group_->findData(presenter_.groupKey())));
    }

    static void enable(QPushButton* button, const QString& why, const QString& tip) {
        button->setEnabled(why.isEmpty());
        button->setToolTip(why.isEmpty() ? tip : why);
    }

    void showActions() {
        const QList<RunRow> runs = selected();
        enable(compare_, presenter_.whyNotCompare(runs), tr("Put the selected runs side by side"));
        enable(stop_, presenter_.whyNotStop(runs), tr("Finish the step, save a checkpoint and stop"));
        enable(resume_, presenter_.whyNotResume(runs), tr("Go on from the last checkpoint"));
        enable(remove_, presenter_.whyNotRemove(runs), tr("Delete the selected runs; can be undone for 8 seconds"));
        const int total = static_cast<int>(presenter_.total());
        QStringList facts = {presenter_.allRuns() > presenter_.total() ? tr("%Ln run(s) shown of %1", nullptr, total).arg(models::formatCount(static_cast<double>(presenter_.allRuns()))) : tr("%Ln run(s)", nullptr, total)};
        if (!runs.isEmpty()) facts << tr("%1 selected").arg(models::formatCount(static_cast<double>(runs.size())));
        count_->setFullText(facts.join(QStringLiteral(" · ")));
    }

    void refresh() {
        stale_->setVisible(presenter_.isStale());
        const bool wrong = !presenter_.filterError().isEmpty();
        const QString note = wrong ? presenter_.filterError() : presenter_.warning();
        message_->setFullText(models::plain(note));
        message_->setTone(wrong ? style::Tone::kBad : style::Tone::kWarn);
        message_->setVisible(!note.isEmpty());
        if (presenter_.error() && !presenter_.isStale())
            error_->show(models::plain(QString::fromStdString(presenter_.error()->message)), models::plain(QString::fromStdString(presenter_.error()->hint)));
        else
            error_->clear();
        const bool pinned = !presenter_.pinned().isEmpty();
        baseline_->setFullText(pinned ? tr("Baseline: %1").arg(presenter_.pinnedName().isEmpty() ? presenter_.pinned().left(8) : models::shortened(presenter_.pinnedName(), 28)) : QString());
        baseline_->setVisible(pinned);
        unpin_->setVisible(pinned);
        differences_->setEnabled(pinned);
        differences_->setToolTip(pinned ? tr("Show only what differs from the pinned baseline") : tr("Pin a baseline first: right-click a run"));
        const bool nothing = presenter_.total() == 0 && !presenter_.isLoading() && presenter_.allRuns() >= 0;
        if (nothing && presenter_.isFiltered()) empty_->set(tr("No run matches the filter."), tr("Clear the filter"));
        else if (nothing) empty_->set(tr("Every experiment you start appears here, with its progress, cost and results."), tr("New experiment"));
        stack_->setCurrentWidget(nothing ? static_cast<QWidget*>(empty_) : list_);
        showActions();
    }

    mutable RunsPresenter presenter_;   // its model is read where the page is const
    FilterLine* filter_ = nullptr;
    ColumnChooser* chooser_ = nullptr;
    widgets::TableView* table_ = nullptr;
    widgets::Card* list_ = nullptr;
    widgets::EmptyState* empty_ = nullptr;
    widgets::ErrorPanel* error_ = nullptr;
    widgets::PlainLabel *message_ = nullptr, *count_ = nullptr, *baseline_ = nullptr;
    widgets::Badge* stale_ = nullptr;
    widgets::SegmentedControl* quick_ = nullptr;
    QComboBox *group_ = nullptr, *kind_ = nullptr;
    QPushButton *columns_ = nullptr, *compare_ = nullptr, *stop_ = nullptr, *resume_ = nullptr, *remove_ = nullptr;
    QToolButton *stages_ = nullptr, *tries_ = nullptr, *differences_ = nullptr, *unpin_ = nullptr;
    QStackedWidget* stack_ = nullptr;
};

}  // namespace

Page* makeRunsPage(presenters::AppContext& context, QWidget* parent) { return new RunsPage(context, parent); }

}  // namespace assay::pages

#include "runs_page.moc"
