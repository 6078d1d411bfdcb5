#include "model_details.h"

#include <assay/models/format.h>
#include <assay/models/json_table_model.h>
#include <assay/widgets/table_view.h>
#include <assay/models/json_values.h>

#include <QApplication>
#include <QClipboard>
#include <QGridLayout>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <cmath>

namespace assay::pages {
namespace {

QString known(const QString& value) { return value.isEmpty() ? models::notMeasured() : value; }
QString count(const Json& object, const char* key) {
    const double value = jsonDoubleOr(object, key, 0);
    return value > 0 ? models::formatCount(value) : models::notMeasured();
}

QString shapeText(const Json& row) {
    QStringList parts;
    if (auto shape = row.find("shape"); shape != row.end() && shape->is_array())
        for (const Json& size : *shape) parts << QString::number(size.is_number_integer() ? size.get<qint64>() : 0);
    return parts.join(QStringLiteral(" × "));
}

widgets::TableView* makeTable(const char* name, const QString& accessible, QAbstractItemModel* model, QWidget* parent) {
    auto* table = new widgets::TableView(parent);
    table->setObjectName(QLatin1String(name));
    table->setAccessibleName(accessible);
    table->setModel(model);
    return table;
}

}  // namespace

ModelDetails::ModelDetails(presenters::ModelsPresenter& presenter, presenters::Notifier& notifier, QWidget* parent) : QWidget(parent), presenter_(presenter), notifier_(notifier) {
    setObjectName(QStringLiteral("model-details"));
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    card_ = new widgets::Card(tr("Details"), this);
    card_->setBodyMargins(0);
    all->addWidget(card_);
    empty_ = new widgets::EmptyState(QStringLiteral("models"), tr("Select a model to see what it is made of and what can be done with it."), {}, card_);
    card_->body()->addWidget(empty_, 1);
    body_ = new QWidget(card_);
    card_->body()->addWidget(body_, 1);
    auto* column = new QVBoxLayout(body_);
    column->setContentsMargins(style::size::kCardPadding, style::size::kCardPadding, style::size::kCardPadding, style::size::kCardPadding);
    column->setSpacing(style::size::kGap);
    column->addWidget(makeActions());
    broken_ = new widgets::ErrorPanel(body_);
    broken_->setObjectName(QStringLiteral("model-broken"));
    column->addWidget(broken_);
    error_ = new widgets::ErrorPanel(body_);
    error_->setObjectName(QStringLiteral("model-error"));
    column->addWidget(error_);
    which_ = new widgets::SegmentedControl({tr("Overview"), tr("Tensors"), tr("Set-ups"), tr("Template")}, body_);
    which_->setObjectName(QStringLiteral("model-which"));
    which_->setAccessibleName(tr("Part of the details"));
    column->addWidget(which_, 0, Qt::AlignLeft);
    progress_ = new widgets::ProgressLine(body_);
    column->addWidget(progress_);
    stack_ = new QStackedWidget(body_);
    auto* scroll = new QScrollArea(stack_);
    scroll->setObjectName(QStringLiteral("model-facts-scroll"));
    scroll->setAccessibleName(tr("Facts"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    auto* inside = new QWidget(scroll);
    auto* inner = new QVBoxLayout(inside);
    inner->setContentsMargins(0, 0, 0, 0);
    facts_ = new widgets::KeyValueList(inside);
    facts_->setObjectName(QStringLiteral("model-facts"));
    inner->addWidget(facts_);
    inner->addStretch(1);
    scroll->setWidget(inside);
    inside->setAutoFillBackground(false);   // the scroll area wants to fill it
    using Column = models::JsonTableModel::Column;
    const auto bytes = [](const Json& row) { return models::formatBytes(jsonDoubleOr(row, "bytes", 0)); };
    const auto size = [](const Json& row) { return jsonDoubleOr(row, "bytes", 0); };
    tensorModel_ = new models::JsonTableModel({Column{.key = QStringLiteral("name"), .title = tr("Tensor"), .text = [](const Json& row) { return models::plainAt(row, "name"); }, .toolTip = [](const Json& row) { return models::plainAt(row, "name"); }},
                                               Column{.key = QStringLiteral("shape"), .title = tr("Shape"), .text = shapeText}, Column{.key = QStringLiteral("dtype"), .title = tr("Type"), .text = [](const Json& row) { return models::plainAt(row, "dtype"); }},
                                               Column{.key = QStringLiteral("bytes"), .title = tr("Size"), .text = bytes, .number = size}},
                                              this);
    setupModel_ = new models::JsonTableModel({Column{.key = QStringLiteral("name"), .title = tr("Set-up"), .text = [](const Json& row) { return models::plainAt(row, "name"); }},
                                              Column{.key = QStringLiteral("scheme"), .title = tr("Scheme"), .text = [](const Json& row) { return models::plainAt(row, "scheme"); }},
                                              Column{.key = QStringLiteral("bytes"), .title = tr("Size"), .text = bytes, .number = size}},
                                             this);
    tensors_ = makeTable("model-tensors", tr("Tensors"), tensorModel_, stack_);
    setups_ = makeTable("model-setups", tr("Set-ups"), setupModel_, stack_);
    setups_->setEmptyText(tr("No run has quantized this model yet."));
    template_ = new QPlainTextEdit(stack_);
    template_->setObjectName(QStringLiteral("model-template"));
    template_->setAccessibleName(tr("Chat template"));
    template_->setReadOnly(true);
    template_->setFont(style::font(style::Type::kMono));
    for (QWidget* part : std::initializer_list<QWidget*>{scroll, tensors_, setups_, template_}) stack_->addWidget(part);
    column->addWidget(stack_, 1);
    connect(which_, &widgets::SegmentedControl::currentChanged, stack_, &QStackedWidget::setCurrentIndex);
    refresh();
}

QWidget* ModelDetails::makeActions() {
    auto* box = new QWidget(body_);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(8);
    const auto button = [&](const char* name, const QString& words, widgets::ButtonKind kind, const QString& icon, int row, int column, int span = 1) {
        auto* made = widgets::makeButton(words, kind, icon, box);
        made->setObjectName(QLatin1String(name));
        grid->addWidget(made, row, column, 1, span);
        return made;
    };
    quantize_ = button("model-quantize", tr("Quantize and benchmark"), widgets::ButtonKind::kPrimary, {}, 0, 0, 2);
    experiment_ = button("model-experiment", tr("New experiment"), widgets::ButtonKind::kNormal, {}, 1, 0);
    try_ = button("model-try", tr("Try it"), widgets::ButtonKind::kNormal, QStringLiteral("try"), 1, 1);
    copy_ = button("model-copy", tr("Copy reference"), widgets::ButtonKind::kNormal, QStringLiteral("copy"), 2, 0);
    run_ = button("model-run", tr("Open its run"), widgets::ButtonKind::kNormal, QStringLiteral("runs"), 2, 1);
    connect(quantize_, &QPushButton::clicked, &presenter_, &presenters::ModelsPresenter::quantize);
    connect(experiment_, &QPushButton::clicked, &presenter_, &presenters::ModelsPresenter::newExperiment);
    connect(try_, &QPushButton::clicked, &presenter_, &presenters::ModelsPresenter::tryIt);
    connect(run_, &QPushButton::clicked, &presenter_, &presenters::ModelsPresenter::openRun);
    connect(copy_, &QPushButton::clicked, this, [this] {
        QApplication::clipboard()->setText(presenter_.selected());
        notifier_.notify({.severity = presenters::Severity::kInfo, .title = tr("Reference copied"), .detail = models::shortened(presenter_.selected(), 120), .technical = {}, .actionText = {}, .action = {}});
    });
    return box;
}

void ModelDetails::refresh() {
    const Json model = presenter_.selectedModel();
    const bool some = model.is_object();
    empty_->setVisible(!some);
    body_->setVisible(some);
    card_->setTitle(some ? known(models::plainAt(model, "name")) : tr("Details"));
    if (!some) return;
    const auto broken = model.find("error");
    const bool usable = broken == model.end() || broken->is_null();
    if (usable) broken_->clear();
    else {
        QString why = broken->is_object() ? models::plainAt(*broken, "message") : QString();
        if (broken->is_object() && !models::plainAt(*broken, "hint").isEmpty()) why += QLatin1Char('\n') + models::plainAt(*broken, "hint");
        broken_->show(tr("This model cannot be used."), why);
    }
    for (QPushButton* button : {quantize_, experiment_, try_}) button->setEnabled(usable);
    run_->setVisible(!jsonStringOr(model, "run", "").empty());
    if (const auto& error = presenter_.detailsError(); error && usable) error_->show(tr("The details could not be read."), models::plain(QString::fromStdString(error->message)), models::plain(QString::fromStdString(error->text())));
    else error_->clear();
    const bool asking = presenter_.isDescribing();
    progress_->setVisible(asking);
    progress_->set(asking ? std::nan("") : 0, asking ? tr("Reading its tensors…") : QString());
    refreshFacts(model);
    refreshTables(model);
}

void ModelDetails::refreshFacts(const Json& model) {
    const auto fit = static_cast<presenters::Fit>(jsonIntegerOr(model, "fit", 0));
    const double needs = presenters::residentBytes(model), memory = presenter_.memoryBytes();
    QString fitLine = presenters::fitText(fit);
    if (fit != presenters::Fit::kUnknown) fitLine = tr("%1: about %2 of %3").arg(fitLine, models::formatBytes(needs), models::formatBytes(memory));
    const double parameters = jsonDoubleOr(model, "parameters", 0);
    const bool hasTemplate = model.contains("chat_template") && model["chat_template"].is_boolean() && model["chat_template"].get<bool>();
    facts_->setRows({
        {tr("Family"), known(models::plainAt(model, "family")), {}},
        {tr("Parameters"), parameters > 0 ? models::formatCompact(parameters) : models::notMeasured(), parameters > 0 ? models::formatCount(parameters) : QString()},
        {tr("Size"), models::formatBytes(jsonDoubleOr(model, "bytes", 0)), {}},
        {tr("Number format"), known(models::plainAt(model, "dtype")), {}},
        {tr("Memory here"), fitLine, tr("Weights, a tenth more for everything else, and the cache of one sequence of at most 4,096 tokens")},
        {tr("Context"), jsonDoubleOr(model, "context", 0) > 0 ? tr("%1 tokens").arg(count(model, "context")) : models::notMeasured(), {}},
        {tr("Layers"), count(model, "layers"), {}},
        {tr("Hidden size"), count(model, "hidden"), {}},
        {tr("Heads"), tr("%1, %2 for keys and values").arg(count(model, "heads"), count(model, "kv_heads")), {}},
        {tr("Feed-forward size"), count(model, "ffn"), {}},
        {tr("Vocabulary"), count(model, "vocab"), {}},
        {tr("Tokenizer"), known(models::shortened(QString::fromStdString(jsonStringOr(model, "tokenizer", "")), 48)), models::plainAt(model, "tokenizer")},
        {tr("Chat template"), hasTemplate ? tr("yes") : tr("none"), {}},
        {tr("Reference"), models::shortened(presenter_.selected(), 48), models::plain(presenter_.selected())},
        {tr("Folder or file"), models::shortened(QString::fromStdString(jsonStringOr(model, "path", "")), 48), models::plainAt(model, "path")},
    });
}

void ModelDetails::refreshTables(const Json& model) {
    const Json& details = presenter_.details();
    const auto rowsOf = [](const Json& from, const char* key) {
        QList<Json> rows;
        if (!from.is_object()) return rows;
        if (auto list = from.find(key); list != from.end() && list->is_array())
            for (const Json& row : *list)
                if (row.is_object()) rows.append(row);
        return rows;
    };
    const QList<Json> tensors = rowsOf(details, "tensors"), setups = rowsOf(model, "setups");
    tensors_->setEmptyText(presenter_.isDescribing() ? tr("Reading…") : tr("No tensors."));
    // A table of thousands is not filled again while only the state around it changes.
    const QString shown = presenter_.selected() + QString::number(tensors.size());
    if (shown != shownTensors_) tensorModel_->setRows(tensors);
    shownTensors_ = shown;
    setupModel_->setRows(setups);
    const QString source = details.is_object() && details.contains("chat_template_text") ? QString::fromStdString(jsonStringOr(details, "chat_template_text", "")) : QString();
    if (template_->toPlainText() != source) template_->setPlainText(source);
    template_->setPlaceholderText(jsonBoolOr(model, "chat_template", false) ? tr("The model has a chat template; it lies in its tokenizer: %1").arg(models::plainAt(model, "tokenizer")) : tr("The model has no chat template."));
}

}  // namespace assay::pages
