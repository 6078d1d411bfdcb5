// One run: where it stands, its curves, and everything that is known of it.
#include <assay/models/format.h>
#include <assay/models/run_text.h>
#include <assay/presenters/run_presenter.h>
#include <assay/widgets/card.h>
#include <assay/widgets/controls.h>
#include <assay/widgets/text_views.h>

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDesktopServices>
#include <QHBoxLayout>
#include <QMenu>
#include <QMessageBox>
#include <QStackedWidget>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>
#include <cmath>

#include "make_pages.h"
#include "run/run_overview.h"
#include "run/run_tabs.h"

namespace assay::pages {
namespace {

using presenters::RunPresenter;

enum Tab { kOverview, kCurves, kSamples, kData, kConfig, kLineage, kLog };

class RunPage final : public Page {
    Q_OBJECT
public:
    RunPage(presenters::AppContext& context, QWidget* parent) : Page(parent), context_(context), presenter_(context) {
        setObjectName(QStringLiteral("page-run"));
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(style::size::kPagePadding, 16, style::size::kPagePadding, 12);
        layout->setSpacing(style::size::kGap);
        layout->addWidget(makeHeader());
        progress_ = new widgets::ProgressLine(this);
        progress_->setObjectName(QStringLiteral("run-progress"));
        progress_->setAccessibleName(tr("Progress"));
        layout->addWidget(progress_);
        error_ = new widgets::ErrorPanel(this);
        error_->setObjectName(QStringLiteral("run-error"));
        layout->addWidget(error_);
        layout->addLayout(makeTabRow());
        stack_ = new QStackedWidget(this);
        overview_ = new RunOverview(presenter_, this);
        curves_ = new CurvesTab(presenter_, this);
        log_ = new widgets::LogView(this);
        log_->setObjectName(QStringLiteral("run-log"));
        log_->setAccessibleName(tr("Log"));
        for (QWidget* tab : {static_cast<QWidget*>(overview_), static_cast<QWidget*>(curves_), static_cast<QWidget*>(new SamplesTab(presenter_, this)), static_cast<QWidget*>(new DataTab(presenter_, this)),
                             static_cast<QWidget*>(new ConfigTab(presenter_, this)), static_cast<QWidget*>(new LineageTab(presenter_, this)), static_cast<QWidget*>(log_)})
            stack_->addWidget(tab);
        layout->addWidget(stack_, 1);
        connect(&presenter_, &RunPresenter::changed, this, &RunPage::refresh);
        connect(&presenter_, &RunPresenter::logReset, this, [this](const QString& text) {
            log_->clear();
            log_->append(text);
        });
        connect(&presenter_, &RunPresenter::logAppended, log_, &widgets::LogView::append);
        connect(&presenter_, &RunPresenter::logPrepended, log_, &widgets::LogView::prepend);
        connect(log_, &widgets::LogView::olderNeeded, &presenter_, &RunPresenter::askOlderLog);
        // Elapsed time and cost go on between the messages of the engine.
        clock_.setInterval(1000);
        connect(&clock_, &QTimer::timeout, this, [this] {
            if (presenter_.row().isActive()) showProgress();
        });
        refresh();
    }

    ~RunPage() override { disconnect(&presenter_, nullptr, this, nullptr); }

    void open(const Json& argument) override {
        const QString id = argument.is_object() ? QString::fromStdString(jsonStringOr(argument, "run", "")) : QString();
        if (!id.isEmpty()) presenter_.open(id);
        if (argument.is_object() && argument.contains("tab")) showTab(static_cast<int>(std::clamp<int64_t>(jsonIntegerOr(argument, "tab", 0), 0, kLog)));
        if (tabs_->current() == kLog) presenter_.showLog();
    }

    Json saveState() const override {
        Json shown = Json::array();
        for (const QString& metric : curves_->shown()) shown.push_back(metric.toStdString());
        return {{"run", presenter_.id().toStdString()}, {"tab", tabs_->current()}, {"axis", axis_->currentIndex()}, {"smoothing", smoothing_->currentIndex()}, {"log_y", logY_->isChecked()}, {"log_x", logX_->isChecked()},
                {"curves", std::move(shown)}};
    }

    void restoreState(const Json& state) override {
        if (!state.is_object()) return;
        axis_->setCurrentIndex(static_cast<int>(std::clamp<int64_t>(jsonIntegerOr(state, "axis", 0), 0, 4)));
        smoothing_->setCurrentIndex(static_cast<int>(std::clamp<int64_t>(jsonIntegerOr(state, "smoothing", 2), 0, 3)));
        logY_->setChecked(jsonBoolOr(state, "log_y", false));
        logX_->setChecked(jsonBoolOr(state, "log_x", false));
        showTab(static_cast<int>(std::clamp<int64_t>(jsonIntegerOr(state, "tab", 0), 0, kLog)));
        if (const QString id = QString::fromStdString(jsonStringOr(state, "run", "")); !id.isEmpty() && presenter_.id().isEmpty()) presenter_.open(id);
        applyOptions();
    }

protected:
    void showEvent(QShowEvent* event) override {
        Page::showEvent(event);
        clock_.start();
    }
    void hideEvent(QHideEvent* event) override {
        Page::hideEvent(event);
        clock_.stop();
    }

private:
    QWidget* makeHeader() {
        header_ = new widgets::PageHeader({}, this);
        header_->setObjectName(QStringLiteral("run-header"));
        auto* back = widgets::makeButton({}, widgets::ButtonKind::kQuiet, QStringLiteral("back"), this);
        back->setObjectName(QStringLiteral("run-back"));
        back->setAccessibleName(tr("Back to the runs"));
        back->setToolTip(tr("Back to the runs"));
        connect(back, &QPushButton::clicked, this, [this] { context_.navigator.navigate(QStringLiteral("runs")); });
        header_->addLeading(back);
        status_ = new widgets::Badge({}, style::Tone::kNeutral, this);
        status_->setObjectName(QStringLiteral("run-status"));
        stale_ = new widgets::Badge(tr("not live"), style::Tone::kWarn, this);
        stale_->setObjectName(QStringLiteral("run-stale"));
        what_ = new widgets::PlainLabel({}, this, style::Type::kSecondary);
        what_->setObjectName(QStringLiteral("run-what"));
        what_->setDim(2);
        header_->addBadge(status_);
        header_->addBadge(stale_);
        header_->addBadge(what_);
        auto button = [&](const char* name, const QString& text, const QString& icon, auto action) {
            auto* made = widgets::makeButton(text, widgets::ButtonKind::kNormal, icon, this);
            made->setObjectName(QString::fromLatin1(name));
            made->setAccessibleName(text);
            connect(made, &QPushButton::clicked, this, action);
            header_->addAction(made);
            return made;
        };
        stop_ = button("run-stop", tr("Stop and save"), QStringLiteral("stop"), [this] { presenter_.stop(false); });
        resume_ = button("run-resume", tr("Resume"), QStringLiteral("resume"), [this] { presenter_.resume(); });
        fork_ = button("run-fork", tr("New from this"), QStringLiteral("fork"), [this] { presenter_.fork(); });
        compare_ = button("run-compare", tr("Compare"), QStringLiteral("compare"), [this] { presenter_.compare(); });
        more_ = widgets::makeButton({}, widgets::ButtonKind::kQuiet, QStringLiteral("more"), this);
        more_->setObjectName(QStringLiteral("run-more"));
        more_->setAccessibleName(tr("More actions"));
        more_->setToolTip(tr("More actions"));
        connect(more_, &QPushButton::clicked, this, &RunPage::showMenu);
        header_->addAction(more_);
        return header_;
    }

    QLayout* makeTabRow() {
        auto* row = new QHBoxLayout;
        row->setSpacing(8);
        tabs_ = new widgets::SegmentedControl({tr("Overview"), tr("Curves"), tr("Samples"), tr("Data"), tr("Config"), tr("Lineage"), tr("Log")}, this);
        tabs_->setObjectName(QStringLiteral("run-tabs"));
        tabs_->setAccessibleName(tr("Parts of the run"));
        connect(tabs_, &widgets::SegmentedControl::currentChanged, this, &RunPage::showTab);
        row->addWidget(tabs_);
        row->addStretch(1);
        axis_ = new QComboBox(this);
        axis_->setObjectName(QStringLiteral("run-axis"));
        axis_->setAccessibleName(tr("Horizontal axis"));
        axis_->addItems({tr("by step"), tr("by time"), tr("by tokens"), tr("by cost"), tr("by energy")});
        smoothing_ = new QComboBox(this);
        smoothing_->setObjectName(QStringLiteral("run-smoothing"));
        smoothing_->setAccessibleName(tr("Smoothing"));
        smoothing_->addItems({tr("not smoothed"), tr("smoothing 0.6"), tr("smoothing 0.9"), tr("smoothing 0.97")});
        smoothing_->setCurrentIndex(2);
        logX_ = new QCheckBox(tr("log x"), this);
        logX_->setObjectName(QStringLiteral("run-log-x"));
        logY_ = new QCheckBox(tr("log y"), this);
        logY_->setObjectName(QStringLiteral("run-log-y"));
        for (QWidget* control : {static_cast<QWidget*>(axis_), static_cast<QWidget*>(smoothing_), static_cast<QWidget*>(logX_), static_cast<QWidget*>(logY_)}) row->addWidget(control);
        connect(axis_, &QComboBox::currentIndexChanged, this, &RunPage::applyOptions);
        connect(smoothing_, &QComboBox::currentIndexChanged, this, &RunPage::applyOptions);
        connect(logX_, &QCheckBox::toggled, this, &RunPage::applyOptions);
        connect(logY_, &QCheckBox::toggled, this, &RunPage::applyOptions);
        return row;
    }

    void applyOptions() {
        static constexpr double kWeights[] = {0, 0.6, 0.9, 0.97};
        const CurveOptions options{.axis = static_cast<presenters::XAxis>(axis_->currentIndex()), .smoothing = kWeights[std::clamp(smoothing_->currentIndex(), 0, 3)], .logX = logX_->isChecked(), .logY = logY_->isChecked()};
        overview_->setOptions(options);
        curves_->setOptions(options);
    }

    void showTab(int index) {
        tabs_->setCurrent(index);
        stack_->setCurrentIndex(index);
        const bool charts = index == kOverview || index == kCurves;
        for (QWidget* control : {static_cast<QWidget*>(axis_), static_cast<QWidget*>(smoothing_), static_cast<QWidget*>(logX_), static_cast<QWidget*>(logY_)}) control->setVisible(charts);
        if (index == kLog) presenter_.showLog();
    }

    void showMenu() {
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->setToolTipsVisible(true);
        auto add = [&](const QString& text, const QString& why, auto action) {
            QAction* made = menu->addAction(text, this, action);
            made->setEnabled(why.isEmpty());
            made->setToolTip(why);
        };
        add(tr("Stop now and discard"), presenter_.whyNotStop(), [this] { presenter_.stop(true); });
        menu->addSeparator();
        if (presenter_.canBeVerified()) add(tr("Check resuming"), presenter_.whyNotVerify(), [this] { presenter_.verifyResume(); });
        add(tr("Pin as baseline"), {}, [this] { presenter_.pin(); });
        add(tr("Open folder"), presenter_.whyNotOpenFolder(), [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(QString::fromStdString(jsonStringOr(presenter_.document(), "folder", "")))); });
        add(tr("Copy run ID"), {}, [this] { QApplication::clipboard()->setText(presenter_.id()); });
        menu->addSeparator();
        add(tr("Delete…"), presenter_.whyNotRemove(), [this] { askRemove(); });
        menu->popup(more_->mapToGlobal(QPoint(0, more_->height())));
    }

    void askRemove() {
        auto* box = new QMessageBox(QMessageBox::Question, tr("Delete this run?"), tr("The run, its checkpoints and its results are deleted. This cannot be undone."), QMessageBox::Cancel, this);
        box->setObjectName(QStringLiteral("run-remove-question"));
        box->setAttribute(Qt::WA_DeleteOnClose);
        auto* yes = box->addButton(tr("Delete"), QMessageBox::DestructiveRole);
        connect(yes, &QAbstractButton::clicked, this, [this] { presenter_.remove(); });
        box->open();
    }

    void showProgress() {
        const auto& run = presenter_.row();
        const bool waiting = run.status == QLatin1String("queued");
        progress_->set(waiting ? 0 : run.isActive() ? presenter_.fraction() : run.status == QLatin1String("done") ? 1 : std::isnan(presenter_.fraction()) ? 0 : presenter_.fraction(), presenter_.statusLine());
    }

    static void enable(QPushButton* button, const QString& why, const QString& tip) {
        button->setEnabled(why.isEmpty());
        button->setToolTip(why.isEmpty() ? tip : why);
    }

    void refresh() {
        const auto& run = presenter_.row();
        header_->setTitle(presenter_.title());
        what_->setFullText(presenter_.subtitle());
        QString status = models::statusText(run);
        if (run.status == QLatin1String("running") && run.progress.is_object())
            if (const QString phase = models::phaseText(QString::fromStdString(jsonStringOr(run.progress, "phase", ""))); !phase.isEmpty()) status = phase;
        status_->set(status, static_cast<style::Tone>(models::statusTone(run.status)));
        status_->setMinimumWidth(status_->sizeHint().width());   // a long name gives way, the status does not
        status_->setVisible(presenter_.isLoaded());
        stale_->setVisible(presenter_.isStale());
        stop_->setVisible(run.isActive() || !presenter_.isLoaded());
        resume_->setVisible(run.canResume());
        enable(stop_, presenter_.whyNotStop(), tr("Finish the step, save a checkpoint and stop"));
        enable(resume_, presenter_.whyNotResume(), tr("Go on from the last checkpoint"));
        enable(fork_, presenter_.isLoaded() ? QString() : tr("The run is not loaded yet."), tr("A new experiment with this run's settings"));
        enable(compare_, presenter_.isLoaded() ? QString() : tr("The run is not loaded yet."), tr("Its set-ups by cost and accuracy"));
        if (presenter_.error() && !presenter_.isStale())
            error_->show(models::plain(QString::fromStdString(presenter_.error()->message)), models::plain(QString::fromStdString(presenter_.error()->hint)));
        else
            error_->clear();
        showProgress();
    }

    presenters::AppContext& context_;
    RunPresenter presenter_;
    widgets::PageHeader* header_ = nullptr;
    widgets::Badge *status_ = nullptr, *stale_ = nullptr;
    widgets::PlainLabel* what_ = nullptr;
    widgets::ProgressLine* progress_ = nullptr;
    widgets::ErrorPanel* error_ = nullptr;
    widgets::SegmentedControl* tabs_ = nullptr;
    QComboBox *axis_ = nullptr, *smoothing_ = nullptr;
    QCheckBox *logX_ = nullptr, *logY_ = nullptr;
    QPushButton *stop_ = nullptr, *resume_ = nullptr, *fork_ = nullptr, *compare_ = nullptr, *more_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    RunOverview* overview_ = nullptr;
    CurvesTab* curves_ = nullptr;
    widgets::LogView* log_ = nullptr;
    QTimer clock_;
};

}  // namespace

Page* makeRunPage(presenters::AppContext& context, QWidget* parent) { return new RunPage(context, parent); }

}  // namespace assay::pages

#include "run_page.moc"
