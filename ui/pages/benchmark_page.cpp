// Benchmark: speed and memory of a model's schemes over prompt lengths, batches and depths, measured in turn.
#include <assay/models/format.h>
#include <assay/models/json_table_model.h>
#include <assay/models/run_table_model.h>
#include <assay/models/run_text.h>
#include <assay/presenters/benchmark_presenter.h>
#include <assay/presenters/engine_session.h>
#include <assay/widgets/card.h>
#include <assay/widgets/controls.h>
#include <assay/widgets/plot.h>
#include <assay/widgets/table_view.h>

#include <QCheckBox>
#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>
#include <cmath>

#include "make_pages.h"
#include "model_box.h"
#include "wrapped_label.h"

namespace assay::pages {
namespace {

using presenters::BenchmarkPresenter;

constexpr int kFormWidth = 288;
constexpr int kTitled = 940;   // from here on the results' title fits beside the measures

class BenchmarkPage final : public Page {
    Q_OBJECT
public:
    BenchmarkPage(presenters::AppContext& context, QWidget* parent) : Page(parent), context_(context), presenter_(context) {
        setObjectName(QStringLiteral("page-benchmark"));
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(style::size::kPagePadding, 16, style::size::kPagePadding, 12);
        layout->setSpacing(style::size::kGap);
        auto* header = new widgets::PageHeader(tr("Benchmark"), this);
        stop_ = button("bench-stop", tr("Stop"), widgets::ButtonKind::kNormal, QStringLiteral("stop"), this);
        connect(stop_, &QPushButton::clicked, &presenter_, &BenchmarkPresenter::stop);
        header->addAction(stop_);
        start_ = button("bench-start", tr("Start"), widgets::ButtonKind::kPrimary, QStringLiteral("play"), this);
        connect(start_, &QPushButton::clicked, this, [this] {
            readForm();
            presenter_.start();
        });
        header->addAction(start_);
        layout->addWidget(header);
        progress_ = new widgets::ProgressLine(this);
        progress_->setObjectName(QStringLiteral("bench-progress"));
        progress_->setAccessibleName(tr("Progress"));
        layout->addWidget(progress_);
        error_ = new widgets::ErrorPanel(this);
        error_->setObjectName(QStringLiteral("bench-error"));
        layout->addWidget(error_);
        auto* columns = new QHBoxLayout;
        columns->setSpacing(style::size::kGap);
        layout->addLayout(columns, 1);
        auto* left = new QVBoxLayout;
        left->setSpacing(style::size::kGap);
        left->addWidget(makeForm());
        left->addWidget(makeEarlier(), 1);
        columns->addLayout(left);
        auto* right = new QVBoxLayout;
        right->setSpacing(style::size::kGap);
        right->addWidget(makeChart(), 1);
        right->addWidget(makeTable());
        columns->addLayout(right, 1);
        connect(&presenter_, &BenchmarkPresenter::changed, this, &BenchmarkPage::refresh);
        connect(&presenter_, &BenchmarkPresenter::formChanged, this, &BenchmarkPage::showForm);
        connect(&presenter_, &BenchmarkPresenter::earlierChanged, this, &BenchmarkPage::fillEarlier);
        showForm();
        refresh();
    }

    ~BenchmarkPage() override { disconnect(&presenter_, nullptr, this, nullptr); }

    void open(const Json& argument) override {
        if (!argument.is_object()) return;
        if (const QString model = QString::fromStdString(jsonStringOr(argument, "model", "")); !model.isEmpty()) {
            BenchmarkPresenter::Form form = presenter_.form();
            form.model = model;
            presenter_.setForm(form);
        }
        if (const QString run = QString::fromStdString(jsonStringOr(argument, "run", "")); !run.isEmpty()) presenter_.show(run);
    }
    Json saveState() const override {
        Json state = presenter_.state();
        state["measure"] = measure_->current();
        return state;
    }
    void restoreState(const Json& state) override {
        presenter_.restore(state);
        if (state.is_object()) measure_->setCurrent(static_cast<int>(std::clamp<int64_t>(jsonIntegerOr(state, "measure", 0), 0, BenchmarkPresenter::measures().size() - 1)));
        refresh();
    }

private:
    QPushButton* button(const char* name, const QString& text, widgets::ButtonKind kind, const QString& icon, QWidget* parent) {
        auto* made = widgets::makeButton(text, kind, icon, parent);
        made->setObjectName(QString::fromLatin1(name));
        made->setAccessibleName(text);
        return made;
    }

    QWidget* makeForm() {
        auto* card = new widgets::Card(tr("What to measure"), this);
        card->setFixedWidth(kFormWidth);
        QVBoxLayout* body = card->body();
        body->setSpacing(4);
        const auto caption = [&](const QString& text) {
            auto* label = new widgets::PlainLabel(text, card, style::Type::kSecondary);
            label->setDim(2);
            body->addWidget(label);
        };
        const auto named = [](QWidget* widget, const char* name, const QString& title) {
            widget->setObjectName(QString::fromLatin1(name));
            widget->setAccessibleName(title);
            if (auto* inner = widget->findChild<QLineEdit*>(QStringLiteral("qt_spinbox_lineedit"))) inner->setAccessibleName(title);
        };
        caption(tr("Model"));
        model_ = new ModelBox(presenter_.models(), {}, card);
        named(model_, "bench-model", tr("Model"));
        connect(model_, &ModelBox::chosen, this, &BenchmarkPage::readForm);
        body->addWidget(model_);
        body->addSpacing(4);
        caption(tr("Schemes, none: the model as it is"));
        auto* grid = new QGridLayout;
        grid->setHorizontalSpacing(12);
        grid->setVerticalSpacing(2);
        int at = 0;
        for (const QString& scheme : BenchmarkPresenter::knownSchemes()) {
            auto* box = new QCheckBox(scheme, card);
            named(box, qPrintable(QStringLiteral("bench-scheme-") + scheme), scheme);
            connect(box, &QCheckBox::toggled, this, &BenchmarkPage::readForm);
            grid->addWidget(box, at / 3, at % 3);
            schemes_.append(box);
            ++at;
        }
        body->addLayout(grid);
        body->addSpacing(4);
        auto* fields = new QGridLayout;
        fields->setHorizontalSpacing(12);
        fields->setVerticalSpacing(4);
        const auto field = [&](QWidget* control, const char* name, const QString& title, const QString& tip, int row) {
            named(control, name, title);
            control->setToolTip(tip);
            auto* label = new widgets::PlainLabel(title, card, style::Type::kSecondary);
            label->setDim(2);
            fields->addWidget(label, row, 0);
            fields->addWidget(control, row, 1);
        };
        const auto line = [&] {
            auto* edit = new QLineEdit(card);
            connect(edit, &QLineEdit::textEdited, this, &BenchmarkPage::readForm);
            return edit;
        };
        const auto spin = [&](int low, int high) {
            auto* box = new QSpinBox(card);
            box->setRange(low, high);
            connect(box, &QSpinBox::valueChanged, this, &BenchmarkPage::readForm);
            return box;
        };
        field(prefill_ = line(), "bench-prefill", tr("Prompt tokens"), tr("One or more numbers, with spaces"), 0);
        field(batch_ = line(), "bench-batch", tr("Batch"), tr("Sequences at once; one or more numbers"), 1);
        field(depth_ = line(), "bench-depth", tr("Depth"), tr("Tokens already in the cache; one or more numbers"), 2);
        field(decode_ = spin(0, 1000000), "bench-decode", tr("Generated tokens"), tr("Tokens generated after the prompt"), 3);
        field(repeats_ = spin(1, 10000), "bench-repeats", tr("Repeats"), tr("Measurements of each; the median is shown. Percentiles need 44 or more."), 4);
        fields->setColumnStretch(1, 1);
        body->addLayout(fields);
        body->addSpacing(4);
        count_ = new widgets::PlainLabel({}, card, style::Type::kSmall);
        count_->setObjectName(QStringLiteral("bench-count"));
        body->addWidget(count_);
        auto* row = new QHBoxLayout;
        row->setSpacing(4);
        command_ = new QLineEdit(card);
        named(command_, "bench-command", tr("The same as a command"));
        command_->setReadOnly(true);
        command_->setFont(style::font(style::Type::kMono));
        command_->setToolTip(tr("The same as a command"));
        auto* copy = widgets::makeButton({}, widgets::ButtonKind::kQuiet, QStringLiteral("copy"), card);
        named(copy, "bench-copy", tr("Copy the command"));
        copy->setToolTip(tr("Copy the command"));
        connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(presenter_.command()); });
        row->addWidget(command_, 1);
        row->addWidget(copy);
        body->addLayout(row);
        return card;
    }

    QWidget* makeEarlier() {
        auto* card = new widgets::Card(tr("Benchmark runs"), this);
        card->setFixedWidth(kFormWidth);
        card->setBodyMargins(0);
        using Column = models::JsonTableModel::Column;
        const auto row = [](const Json& json) { return models::runRowFromJson(json); };
        earlierModel_ = new models::JsonTableModel(
            {Column{.key = QStringLiteral("name"), .title = tr("Name"), .tip = {}, .text = [row](const Json& json) { return models::plain(row(json).name); }, .number = {},
                    .color = [row](const Json& json) { return models::runColorIndex(row(json).id); }},
             Column{.key = QStringLiteral("status"), .title = tr("Status"), .tip = {}, .text = [row](const Json& json) { return models::statusText(row(json)); }, .number = {},
                    .tone = [row](const Json& json) { return models::statusTone(row(json).status); }}},
            this);
        earlier_ = new widgets::TableView(card);
        earlier_->setObjectName(QStringLiteral("bench-runs"));
        earlier_->setAccessibleName(tr("Benchmark runs"));
        earlier_->setModel(earlierModel_);
        earlier_->setRoles(models::JsonTableModel::kToneRole, models::JsonTableModel::kColorIndexRole, -1);
        earlier_->setEmptyText(tr("No benchmark yet."));
        connect(earlier_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
            if (!filling_ && now.isValid()) presenter_.show(models::runRowFromJson(earlierModel_->row(now.row())).id);
        });
        connect(earlier_, &widgets::TableView::opened, this, [this] { presenter_.openRun(); });
        card->body()->addWidget(earlier_, 1);
        return card;
    }

protected:
    // The measures say what the chart shows where there is no room for a title.
    void resizeEvent(QResizeEvent* event) override {
        Page::resizeEvent(event);
        chart_->setTitle(width() < kTitled ? QString() : tr("Results"));
    }

private:
    QWidget* makeChart() {
        chart_ = new widgets::Card(tr("Results"), this);
        chart_->setBodyMargins(8);
        QStringList labels{tr("Decode"), tr("Prefill"), tr("First token"), tr("Per token"), tr("Weights"), tr("Peak")};
        measure_ = new widgets::SegmentedControl(labels, this);
        measure_->setObjectName(QStringLiteral("bench-measure"));
        measure_->setAccessibleName(tr("What the bars show"));
        connect(measure_, &widgets::SegmentedControl::currentChanged, this, &BenchmarkPage::refresh);
        chart_->addHeaderWidget(measure_);
        bars_ = new widgets::BarPlot(this);
        bars_->setObjectName(QStringLiteral("bench-bars"));
        bars_->setAccessibleName(tr("Results by shape and scheme"));
        chart_->addHeaderWidget(widgets::makeExportButton(bars_, tr("benchmark")));
        chart_->body()->addWidget(bars_, 1);
        note_ = makeWrappedLabel(style::Type::kSmall, 3, "bench-note", this);
        note_->setContentsMargins(8, 0, 8, 4);
        chart_->body()->addWidget(note_);
        return chart_;
    }

    QWidget* makeTable() {
        auto* card = new widgets::Card({}, this);
        card->setBodyMargins(0);
        using Column = models::JsonTableModel::Column;
        const auto whole = [](const char* key, const QString& title) {
            return Column{.key = QString::fromLatin1(key), .title = title, .tip = {}, .text = [key](const Json& row) { return models::formatCount(jsonDoubleOr(row, key, std::nan(""))); },
                          .number = [key](const Json& row) { return jsonDoubleOr(row, key, std::nan("")); }};
        };
        const auto measured = [](const char* key, const QString& title) {
            return Column{.key = QString::fromLatin1(key), .title = title, .tip = BenchmarkPresenter::measureTitle(QString::fromLatin1(key)),
                          .text = [key](const Json& row) { return QString::fromStdString(jsonStringOr(row, std::string(key) + "_text", "")); }, .number = [key](const Json& row) { return numberFromJson(row.value(key, Json())); },
                          .toolTip = [key](const Json& row) {
                              QStringList parts{QString::fromStdString(jsonStringOr(row, std::string(key) + "_text", "")), QString::fromStdString(jsonStringOr(row, std::string(key) + "_spread", "")),
                                                QString::fromStdString(jsonStringOr(row, std::string(key) + "_tail", ""))};
                              if (parts[0].contains(parts[1])) parts[1].clear();
                              parts.removeAll(QString());
                              return parts.join(QStringLiteral(" · "));
                          }};
        };
        tableModel_ = new models::JsonTableModel(
            {Column{.key = QStringLiteral("scheme"), .title = tr("Scheme"), .tip = {}, .text = [](const Json& row) { return models::plain(QString::fromStdString(jsonStringOr(row, "scheme", ""))); }, .number = {},
                    .color = [this](const Json& row) { return static_cast<int>(series_.indexOf(models::plain(QString::fromStdString(jsonStringOr(row, "scheme", ""))))); }},
             whole("prefill", tr("Prompt")), whole("batch", tr("Batch")), whole("depth", tr("Depth")), measured("prefill_tokens_per_s", tr("Prefill, tokens/s")), measured("decode_tokens_per_s", tr("Decode, tokens/s")),
             measured("ttft_ms", tr("First token, ms")), measured("tpot_ms", tr("Per token, ms")), measured("resident_weight_bytes", tr("Weights")), measured("peak_bytes", tr("Peak"))},
            this);
        table_ = new widgets::TableView(card);
        table_->setObjectName(QStringLiteral("bench-table"));
        table_->setAccessibleName(tr("Results by shape and scheme"));
        table_->setModel(tableModel_);
        table_->setRoles(-1, models::JsonTableModel::kColorIndexRole, -1);
        table_->setEmptyText(tr("Nothing was measured yet."));
        table_->setExpendableColumns({3, 9, 8, 7, 6});   // the depth is most often 0; the others are a click away in the chart
        card->body()->addWidget(table_);
        return card;
    }

    void readForm() {
        if (showing_) return;
        BenchmarkPresenter::Form form = presenter_.form();
        form.model = model_->reference();
        form.schemes.clear();
        for (const QCheckBox* box : schemes_)
            if (box->isChecked()) form.schemes << box->text();
        form.prefill = prefill_->text();
        form.batch = batch_->text();
        form.depth = depth_->text();
        form.decode = decode_->value();
        form.repeats = repeats_->value();
        presenter_.setForm(form);
    }

    void showForm() {
        showing_ = true;
        const BenchmarkPresenter::Form& form = presenter_.form();
        model_->setReference(form.model);
        for (QCheckBox* box : schemes_) box->setChecked(form.schemes.contains(box->text()));
        for (const auto& [edit, text] : {std::pair{prefill_, form.prefill}, std::pair{batch_, form.batch}, std::pair{depth_, form.depth}})
            if (edit->text() != text) edit->setText(text);
        decode_->setValue(form.decode);
        repeats_->setValue(form.repeats);
        showing_ = false;
        showStart();
    }

    void showStart() {
        const QString why = presenter_.whyNotStart();
        start_->setEnabled(why.isEmpty());
        start_->setToolTip(why);
        const int all = presenter_.measurements();
        count_->setFullText(why.isEmpty() ? tr("%n measurement(s), and one of each to warm up", nullptr, all) : why);
        count_->setDim(3);
        command_->setText(presenter_.command());
        command_->setCursorPosition(0);
    }

    void refresh() {
        showStart();
        const models::RunRow& row = presenter_.row();
        const bool active = row.isActive();
        stop_->setVisible(active);
        progress_->setVisible(active);
        if (active) progress_->set(presenter_.fraction(), presenter_.statusLine());
        error_->clear();
        if (presenter_.error()) error_->show(models::plain(QString::fromStdString(presenter_.error()->message)), models::plain(QString::fromStdString(presenter_.error()->hint)));
        const QString measure = BenchmarkPresenter::measures()[measure_->current()];
        const BenchmarkPresenter::Grid grid = presenter_.grid(measure);
        series_ = grid.series;
        std::vector<widgets::BarGroup> groups;
        for (const auto& group : grid.groups) groups.push_back({group.name, group.values, group.errors});
        const bool bytes = measure.endsWith(QLatin1String("_bytes"));
        bars_->setAxes({}, BenchmarkPresenter::measureTitle(measure), [bytes](double value) { return bytes ? models::formatBytes(value) : models::formatNumber(value, 3); });
        bars_->setSeries(grid.series);
        bars_->setEmptyText(presenter_.shown().isEmpty() ? tr("Choose a model and start. Schemes are measured in turn, so that all see the same machine.") : active ? tr("Results come when the last repeat is done.") : tr("This run has no results."));
        bars_->setGroups(std::move(groups));
        note_->setText(presenter_.note());
        note_->setVisible(!note_->text().isEmpty());
        const QList<Json> rows = presenter_.rows();
        tableModel_->setRows(rows);
        // A column in which all are equal is said in the note.
        for (int column = 0; column < tableModel_->columnCount(); ++column) {
            const QString key = tableModel_->columns()[column].key;
            if (key != QLatin1String("batch") && key != QLatin1String("depth")) continue;
            const std::string name = key.toStdString();
            table_->setColumnHidden(column, !rows.isEmpty() && std::all_of(rows.begin(), rows.end(), [&](const Json& one) { return one.value(name, Json()) == rows.front().value(name, Json()); }));
        }
        table_->fitHeight(8);
        table_->setRoles(-1, models::JsonTableModel::kColorIndexRole, -1);   // fits the columns to the new texts
        markShown();
    }

    void fillEarlier() {
        filling_ = true;
        QList<Json> rows;
        for (const models::RunRow& run : presenter_.earlier()) rows.append(run.raw);
        earlierModel_->setRows(rows);
        filling_ = false;
        markShown();
        if (!std::exchange(told_, true)) Q_EMIT contentShown();
    }

    void markShown() {
        filling_ = true;
        for (int row = 0; row < earlierModel_->rowCount(); ++row)
            if (models::runRowFromJson(earlierModel_->row(row)).id == presenter_.shown() && earlier_->currentIndex().row() != row) earlier_->setCurrentIndex(earlierModel_->index(row, 0));
        filling_ = false;
    }

    presenters::AppContext& context_;
    BenchmarkPresenter presenter_;
    QPushButton *start_, *stop_;
    widgets::ProgressLine* progress_;
    widgets::ErrorPanel* error_;
    ModelBox* model_;
    QList<QCheckBox*> schemes_;
    QLineEdit *prefill_, *batch_, *depth_, *command_;
    QSpinBox *decode_, *repeats_;
    widgets::PlainLabel* count_;
    models::JsonTableModel *earlierModel_, *tableModel_;
    widgets::TableView *earlier_, *table_;
    widgets::Card* chart_;
    widgets::SegmentedControl* measure_;
    widgets::BarPlot* bars_;
    QLabel* note_;
    QStringList series_;
    bool showing_ = false, filling_ = false, told_ = false;
};

}  // namespace

Page* makeBenchmarkPage(presenters::AppContext& context, QWidget* parent) { return new BenchmarkPage(context, parent); }

}  // namespace assay::pages

#include "benchmark_page.moc"
