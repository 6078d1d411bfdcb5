#include <assay/models/format.h>
#include <assay/models/json_table_model.h>
#include <assay/models/run_table_model.h>
#include <assay/models/run_text.h>
#include <assay/presenters/home_presenter.h>
#include <assay/widgets/card.h>
#include <assay/widgets/controls.h>
#include <assay/widgets/table_view.h>

#include <QHBoxLayout>
#include <QShowEvent>
#include <QVBoxLayout>
#include <cmath>

#include "home/latest_card.h"
#include "home/next_step_row.h"
#include "home/run_progress_row.h"
#include "make_pages.h"

namespace assay::pages {
namespace {

using presenters::HomePresenter;
using widgets::Card;   // lupdate takes a qualified return type of a member for its class

constexpr int kRoomForChart = 620;   // below, the lists need the height

QLabel* sentence(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

class HomePage final : public Page {
    Q_OBJECT
public:
    HomePage(presenters::AppContext& context, QWidget* parent) : Page(parent), context_(context), presenter_(context), latest_(context) {
        setObjectName(QStringLiteral("page-home"));
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(style::size::kPagePadding, 16, style::size::kPagePadding, 16);
        layout->setSpacing(style::size::kGap);
        auto* header = new widgets::PageHeader(tr("Home"), this);
        newExperiment_ = widgets::makeButton(tr("New experiment"), widgets::ButtonKind::kPrimary, QStringLiteral("add"), this);
        newExperiment_->setObjectName(QStringLiteral("home-new"));
        connect(newExperiment_, &QPushButton::clicked, this, [this] { context_.navigator.navigate(QStringLiteral("experiment")); });
        header->addAction(newExperiment_);
        layout->addWidget(header);
        problem_ = new widgets::ErrorPanel(this);
        layout->addWidget(problem_);
        auto* columns = new QHBoxLayout;
        columns->setSpacing(style::size::kGap);
        layout->addLayout(columns, 1);
        auto* left = new QVBoxLayout;
        auto* right = new QVBoxLayout;
        for (QVBoxLayout* column : {left, right}) column->setSpacing(style::size::kGap);
        columns->addLayout(left, 5);
        columns->addLayout(right, 3);
        left->addWidget(makeWelcome());
        left->addWidget(makeActive());
        left->addWidget(makeRecent());
        left->addWidget(makeLatest(), 1000);
        left->addStretch(1);
        right->addWidget(makeMachine());
        right->addWidget(makeNext());
        right->addStretch(1);
        connect(&presenter_, &HomePresenter::changed, this, &HomePage::refresh);
        connect(&presenter_, &HomePresenter::machineChanged, this, &HomePage::refreshMachine);
        refresh();
        refreshMachine();
    }

protected:
    void showEvent(QShowEvent* event) override {
        Page::showEvent(event);
        presenter_.setVisible(true);
    }
    void resizeEvent(QResizeEvent* event) override {
        Page::resizeEvent(event);
        latestCard_->setRoom(height() >= kRoomForChart);
    }
    void hideEvent(QHideEvent* event) override {
        presenter_.setVisible(false);
        Page::hideEvent(event);
    }

private:
    Card* makeWelcome() {
        welcome_ = new widgets::Card({}, this);
        welcome_->setObjectName(QStringLiteral("home-welcome"));
        QVBoxLayout* body = welcome_->body();
        body->setContentsMargins(20, 18, 20, 18);
        auto* title = sentence(tr("What do your models cost, and what would cheaper ones lose?"), welcome_);
        title->setFont(style::font(style::Type::kTitle));
        body->addWidget(title);
        body->addWidget(sentence(tr("The demo trains a small language model on this machine, makes 16-, 8- and 4-bit versions of it, and measures "
                                    "size, speed and accuracy of each. It takes a few minutes on two cores and needs no network."), welcome_));
        auto* row = new QHBoxLayout;
        row->setContentsMargins(0, 8, 0, 0);
        demo_ = widgets::makeButton(tr("Run the demo"), widgets::ButtonKind::kPrimary, QStringLiteral("play"), welcome_);
        demo_->setObjectName(QStringLiteral("home-demo"));
        auto* open = widgets::makeButton(tr("Open a dataset"), widgets::ButtonKind::kNormal, QStringLiteral("folder"), welcome_);
        open->setObjectName(QStringLiteral("home-open-dataset"));
        connect(demo_, &QPushButton::clicked, &presenter_, &HomePresenter::runDemo);
        connect(open, &QPushButton::clicked, &presenter_, &HomePresenter::openDataset);
        row->addWidget(demo_);
        row->addWidget(open);
        row->addStretch(1);
        body->addLayout(row);
        return welcome_;
    }

    Card* makeActive() {
        active_ = new widgets::Card(tr("Running and waiting"), this);
        active_->setObjectName(QStringLiteral("home-active"));
        active_->body()->setSpacing(14);
        return active_;
    }

    Card* makeRecent() {
        recent_ = new widgets::Card(tr("Recent runs"), this);
        recent_->setObjectName(QStringLiteral("home-recent"));
        recent_->setBodyMargins(0);
        auto* all = widgets::makeButton(tr("All runs"), widgets::ButtonKind::kQuiet, {}, recent_);
        all->setObjectName(QStringLiteral("home-all-runs"));
        connect(all, &QPushButton::clicked, this, [this] { context_.navigator.navigate(QStringLiteral("runs")); });
        recent_->addHeaderWidget(all);
        using Column = models::JsonTableModel::Column;
        const auto row = [](const Json& json) { return models::runRowFromJson(json); };
        model_ = new models::JsonTableModel(
            {Column{.key = QStringLiteral("name"), .title = tr("Name"), .text = [row](const Json& json) { return models::plain(row(json).name); },
                    .color = [row](const Json& json) { return models::runColorIndex(row(json).id); }},
             Column{.key = QStringLiteral("status"), .title = tr("Status"), .text = [row](const Json& json) { return models::statusText(row(json)); },
                    .tone = [row](const Json& json) { return models::statusTone(row(json).status); }},
             Column{.key = QStringLiteral("kind"), .title = tr("Kind"), .text = [row](const Json& json) { return models::kindText(row(json).kind); }},
             Column{.key = QStringLiteral("running_seconds"), .title = tr("Time"), .text = [row](const Json& json) { return models::runCellText(row(json), QStringLiteral("running_seconds")); },
                    .number = [row](const Json& json) { return row(json).runningSeconds; }},
             Column{.key = QStringLiteral("created_at"), .title = tr("Created"),
                    .text = [row](const Json& json) { return models::formatAgo(row(json).createdAt, QDateTime::currentDateTimeUtc()); }}},
            this);
        table_ = new widgets::TableView(recent_);
        table_->setObjectName(QStringLiteral("home-recent-table"));
        table_->setAccessibleName(tr("Recent runs"));
        table_->setModel(model_);
        table_->setRoles(models::JsonTableModel::kToneRole, models::JsonTableModel::kColorIndexRole, -1);
        table_->setEmptyText(tr("No run yet."));
        connect(table_, &widgets::TableView::opened, this, [this](const QModelIndex& index) {
            if (index.isValid()) presenter_.openRun(models::runRowFromJson(model_->row(index.row())).id);
        });
        recent_->body()->addWidget(table_);
        return recent_;
    }

    Card* makeMachine() {
        machine_ = new widgets::Card(tr("Machine"), this);
        machine_->setObjectName(QStringLiteral("home-machine"));
        cpu_ = new widgets::PlainLabel({}, machine_, style::Type::kBody);
        machine_->body()->addWidget(cpu_);
        memory_ = new widgets::Meter(machine_);
        memory_->setAccessibleName(tr("Memory"));
        disk_ = new widgets::Meter(machine_);
        disk_->setAccessibleName(tr("Disk"));
        for (widgets::Meter* meter : {memory_, disk_}) {
            meter->setBarHeight(8);
            machine_->body()->addWidget(meter);
        }
        facts_ = new widgets::KeyValueList(machine_);
        machine_->body()->addWidget(facts_);
        return machine_;
    }

    Card* makeNext() {
        next_ = new widgets::Card(tr("Next"), this);
        next_->setObjectName(QStringLiteral("home-next"));
        next_->setBodyMargins(6);
        next_->body()->setSpacing(2);
        return next_;
    }

    void refresh() {
        problem_->clear();
        if (presenter_.error())
            problem_->show(models::plain(QString::fromStdString(presenter_.error()->message)), models::plain(QString::fromStdString(presenter_.error()->hint)));
        const bool first = presenter_.isFirstStart();
        welcome_->setVisible(first);
        demo_->setEnabled(!presenter_.isSubmitting());
        demo_->setText(presenter_.isSubmitting() ? tr("Starting…") : tr("Run the demo"));
        newExperiment_->setVisible(!first);

        const auto& active = presenter_.active();
        active_->setVisible(!active.isEmpty());
        while (rows_.size() > static_cast<size_t>(active.size())) {
            rows_.back()->deleteLater();
            rows_.pop_back();
        }
        while (rows_.size() < static_cast<size_t>(active.size())) {
            auto* row = new RunProgressRow(active_);
            connect(row, &RunProgressRow::opened, &presenter_, &HomePresenter::openRun);
            connect(row, &RunProgressRow::stopWanted, &presenter_, &HomePresenter::stopRun);
            active_->body()->addWidget(row);
            rows_.push_back(row);
        }
        for (size_t i = 0; i < rows_.size(); ++i) rows_[i]->set(active[static_cast<qsizetype>(i)]);

        recent_->setVisible(!first);
        QList<Json> rows;
        for (const models::RunRow& run : presenter_.recent()) rows.append(run.raw);
        model_->setRows(rows);
        table_->setEmptyText(presenter_.isLoaded() ? tr("No run yet.") : tr("Waiting for the engine…"));
        table_->fitHeight(HomePresenter::kMostRecent);
        recent_->setNote(presenter_.total() ? tr("%1 in the store").arg(models::formatCount(static_cast<double>(presenter_.total()))) : QString());

        refreshNext();
        latest_.setRecent(presenter_.recent());
        if (presenter_.isLoaded() && !std::exchange(told_, true)) Q_EMIT contentShown();
    }

    QWidget* makeLatest() {
        latestCard_ = new LatestCard(latest_, this);
        connect(latestCard_, &LatestCard::openWanted, this, [this](const QString& run) { context_.navigator.navigate(QStringLiteral("compare"), {{"runs", {run.toStdString()}}}); });
        return latestCard_;
    }

    void refreshNext() {
        const auto steps = presenter_.nextSteps();
        QStringList ids;
        for (const auto& step : steps) ids.append(step.id + step.title + step.text + QString::fromStdString(dumpJson(step.argument)));
        next_->setVisible(!steps.isEmpty() && !presenter_.isFirstStart());
        if (ids == nextIds_) return;
        nextIds_ = ids;
        for (QWidget* old : nextRows_) old->deleteLater();
        nextRows_.clear();
        for (const presenters::NextStep& step : steps) {
            auto* row = new NextStepRow(step, next_);
            connect(row, &QAbstractButton::clicked, this, [this, step] { context_.navigator.navigate(step.page, step.argument); });
            next_->body()->addWidget(row);
            nextRows_.append(row);
        }
    }

    void refreshMachine() {
        const Json& m = presenter_.machine().machine();
        machine_->setVisible(m.is_object());
        if (!m.is_object()) return;
        const double memory = jsonDoubleOr(m, "memory_total_bytes", 0), memoryUsed = jsonDoubleOr(m, "memory_used_bytes", 0);
        const double disk = jsonDoubleOr(m, "disk_total_bytes", 0), free = jsonDoubleOr(m, "disk_free_bytes", 0), store = jsonDoubleOr(m, "store_bytes", 0);
        cpu_->setFullText(models::plain(QString::fromStdString(jsonStringOr(m, "cpu_model", ""))));
        machine_->setNote(tr("%n core(s)", nullptr, static_cast<int>(jsonIntegerOr(m, "cores", 0))));
        memory_->setSegments({{tr("Memory used"), memoryUsed, 0, tr("%1 of %2").arg(models::formatBytes(memoryUsed), models::formatBytes(memory))}}, memory);
        disk_->setSegments({{tr("Runs and results"), store, 2, models::formatBytes(store)},
                            {tr("Other files on the disk"), std::max(0.0, disk - free - store), -1, tr("%1 free").arg(models::formatBytes(free))}}, disk);
        std::vector<widgets::KeyValueList::Row> facts;
        if (const double cpu = presenter_.machine().cpuFraction(); std::isfinite(cpu)) facts.push_back({tr("CPU in use"), models::formatPercent(cpu, 0), {}});
        if (auto gpus = m.find("gpus"); gpus != m.end() && gpus->is_array()) {
            for (const Json& gpu : *gpus) facts.push_back({tr("GPU"), models::plain(QString::fromStdString(jsonStringOr(gpu, "name", ""))), {}});
            if (gpus->empty()) facts.push_back({tr("GPU"), tr("none; runs use the CPU"), {}});
        }
        facts_->setRows(facts);
        if (auto trouble = m.find("trouble"); trouble != m.end() && trouble->is_object())
            problem_->show(models::plain(QString::fromStdString(jsonStringOr(*trouble, "message", ""))), models::plain(QString::fromStdString(jsonStringOr(*trouble, "hint", ""))));
    }

    presenters::AppContext& context_;
    HomePresenter presenter_;
    presenters::LatestComparison latest_;
    widgets::ErrorPanel* problem_;
    widgets::Card *welcome_, *active_, *recent_, *machine_, *next_;
    QPushButton *demo_, *newExperiment_;
    widgets::TableView* table_;
    models::JsonTableModel* model_;
    widgets::PlainLabel* cpu_;
    widgets::Meter *memory_, *disk_;
    widgets::KeyValueList* facts_;
    std::vector<RunProgressRow*> rows_;
    LatestCard* latestCard_;
    QList<QWidget*> nextRows_;
    QStringList nextIds_;
    bool told_ = false;
};

}  // namespace

Page* makeHomePage(presenters::AppContext& context, QWidget* parent) { return new HomePage(context, parent); }

}  // namespace assay::pages

#include "home_page.moc"
