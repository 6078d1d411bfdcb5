#include "rows_card.h"

#include <assay/models/json_table_model.h>
#include <assay/widgets/table_view.h>

#include <QHBoxLayout>
#include <QLineEdit>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace assay::pages {

using presenters::RowShape;

namespace {

QWidget* labelled(const QString& caption, QWidget* control, QWidget* parent, QHBoxLayout* row) {
    auto* box = new QWidget(parent);
    auto* line = new QHBoxLayout(box);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(6);
    auto* label = new widgets::PlainLabel(caption, box, style::Type::kSecondary);
    label->setDim(2);
    line->addWidget(label);
    line->addWidget(control, 1);
    row->addWidget(box);
    return box;
}

QString shapeValue(RowShape shape) { return QString::number(static_cast<int>(shape)); }

models::JsonTableModel* makeProblemModel(QObject* parent) {
    using Column = models::JsonTableModel::Column;
    const auto text = [](const char* key) { return [key](const Json& row) { return QString::fromStdString(jsonStringOr(row, key, "")); }; };
    return new models::JsonTableModel(
        {Column{.key = QStringLiteral("reason"), .title = QObject::tr("Problem"), .text = text("reason"), .toolTip = text("hint")},
         Column{.key = QStringLiteral("count"), .title = QObject::tr("Rows"), .text = [](const Json& row) { return models::formatCount(jsonDoubleOr(row, "count", 0)); },
                .number = [](const Json& row) { return jsonDoubleOr(row, "count", 0); }},
         Column{.key = QStringLiteral("effect"), .title = QObject::tr("What happens"), .text = text("effect"), .tone = [](const Json& row) { return static_cast<int>(jsonIntegerOr(row, "tone", -1)); }},
         Column{.key = QStringLiteral("where"), .title = QObject::tr("Where"), .text = text("where"), .toolTip = text("where")},
         Column{.key = QStringLiteral("hint"), .title = QObject::tr("What to do"), .text = text("hint"), .toolTip = text("hint")}},
        parent);
}

}  // namespace

RowsCard::RowsCard(presenters::DataPresenter& presenter, QWidget* parent) : QWidget(parent), presenter_(presenter) {
    setObjectName(QStringLiteral("data-rows-card"));
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    card_ = new widgets::Card(tr("Rows"), this);
    card_->setBodyMargins(0);
    card_->body()->setSpacing(0);
    all->addWidget(card_);
    filter_ = new QLineEdit(card_);
    filter_->setObjectName(QStringLiteral("data-filter"));
    filter_->setAccessibleName(tr("Rows that contain"));
    filter_->setPlaceholderText(tr("Rows that contain…"));
    filter_->setClearButtonEnabled(true);
    filter_->setMaxLength(300);
    filter_->setFixedWidth(180);
    connect(filter_, &QLineEdit::textChanged, &presenter_, &presenters::DataPresenter::setFilter);
    card_->addHeaderWidget(filter_);
    which_ = new widgets::SegmentedControl({tr("Rows"), tr("Problems")}, card_);
    which_->setObjectName(QStringLiteral("data-which"));
    which_->setAccessibleName(tr("Rows or problems"));
    card_->addHeaderWidget(which_);
    card_->body()->addWidget(makeMapping());
    error_ = new widgets::ErrorPanel(card_);
    error_->setObjectName(QStringLiteral("data-rows-error"));
    card_->body()->addWidget(error_);
    makeTables();
    connect(which_, &widgets::SegmentedControl::currentChanged, this, [this](int index) {
        stack_->setCurrentIndex(index);
        filter_->setVisible(index == 0);
        card_->setTitle(index == 0 ? tr("Rows") : tr("Problems"));
        refreshRows();
    });
    refresh();
    refreshRows();
}

// The model goes with the presenter, before the view that listens to it.
RowsCard::~RowsCard() { rows_->setModel(nullptr); }

QWidget* RowsCard::makeMapping() {
    mapping_ = new QWidget(card_);
    mapping_->setObjectName(QStringLiteral("data-mapping"));
    auto* row = new QHBoxLayout(mapping_);
    row->setContentsMargins(style::size::kCardPadding, 8, 8, 8);
    row->setSpacing(style::size::kGap);
    file_ = makeCombo("data-file", tr("File"), {}, mapping_);
    fileField_ = labelled(tr("File"), file_, mapping_, row);
    format_ = makeCombo("data-format", tr("Format"), {{QStringLiteral("auto"), tr("Automatic")}, {QStringLiteral("text"), tr("Text")}, {QStringLiteral("jsonl"), QStringLiteral("JSONL")}, {QStringLiteral("csv"), QStringLiteral("CSV")},
                                                        {QStringLiteral("parquet"), QStringLiteral("Parquet")}, {QStringLiteral("arrow"), QStringLiteral("Arrow")}, {QStringLiteral("hf"), tr("Hugging Face folder")}}, mapping_);
    format_->setMinimumContentsLength(9);
    labelled(tr("Read as"), format_, mapping_, row);
    shape_ = makeCombo("data-shape", tr("What a row holds"), {}, mapping_);
    shape_->setMinimumContentsLength(12);
    shapeField_ = labelled(tr("Rows hold"), shape_, mapping_, row);
    for (const auto& [key, caption] : {std::pair{QStringLiteral("text"), tr("Text from")}, std::pair{QStringLiteral("prompt"), tr("Prompt from")}, std::pair{QStringLiteral("completion"), tr("Completion from")}}) {
        auto* box = makeCombo(qPrintable(QStringLiteral("data-column-") + key), caption, {}, mapping_);
        roles_.push_back({key, labelled(caption, box, mapping_, row), box});
        connect(box, qOverload<int>(&QComboBox::activated), this, [this, box, role = key] { presenter_.setColumn(role, box->currentData().toString()); });
    }
    reason_ = new widgets::PlainLabel({}, mapping_, style::Type::kSecondary);
    reason_->setObjectName(QStringLiteral("data-mapping-reason"));
    reason_->setDim(3);
    guess_ = widgets::makeButton(tr("Guess again"), widgets::ButtonKind::kQuiet, {}, mapping_);
    guess_->setObjectName(QStringLiteral("data-guess"));
    row->addWidget(reason_, 1);
    row->addWidget(guess_);
    connect(file_, qOverload<int>(&QComboBox::activated), &presenter_, &presenters::DataPresenter::setCurrentFile);
    connect(format_, qOverload<int>(&QComboBox::activated), this, [this] {
        const QString format = format_->currentData().toString();
        if (format != QLatin1String("hf") || presenter_.isHuggingFace()) return presenter_.setFormat(format);
        choose(format_, presenter_.format());  // until a folder is chosen
        Q_EMIT folderWanted();
    });
    connect(shape_, qOverload<int>(&QComboBox::activated), this, [this] { presenter_.setShape(static_cast<RowShape>(shape_->currentData().toString().toInt())); });
    connect(guess_, &QPushButton::clicked, &presenter_, &presenters::DataPresenter::guessMapping);
    return mapping_;
}

void RowsCard::makeTables() {
    stack_ = new QStackedWidget(card_);
    rows_ = new widgets::TableView(stack_);
    rows_->setObjectName(QStringLiteral("data-rows"));
    rows_->setAccessibleName(tr("Rows"));
    rows_->setModel(&presenter_.rows());
    rows_->setRoles(models::DataRowsModel::kToneRole, -1, -1);
    rows_->setMinimumHeight(120);
    // Number and remark as wide as they need, the texts get the rest. A remark may be far below what is on screen.
    rows_->setFirmColumns([this](int column) { return column == 0 ? 56 : column == presenter_.rows().columnCount() - 1 ? 204 : -1; });
    problems_ = new widgets::TableView(stack_);
    problems_->setObjectName(QStringLiteral("data-problems"));
    problems_->setAccessibleName(tr("Problems"));
    problemModel_ = makeProblemModel(this);
    problems_->setModel(problemModel_);
    problems_->setRoles(models::JsonTableModel::kToneRole, -1, -1);
    problems_->setEmptyText(tr("Every row can be used as it is."));
    stack_->addWidget(rows_);
    stack_->addWidget(problems_);
    card_->body()->addWidget(stack_, 1);
}

void RowsCard::refresh() {
    refreshMapping();
    refreshProblems();
}

void RowsCard::refreshMapping() {
    const auto& files = presenter_.files();
    {
        const QSignalBlocker quiet(file_);
        file_->clear();
        for (const auto& file : files) file_->addItem(models::shortened(file.name, 40));
        file_->setCurrentIndex(presenter_.currentFile());
    }
    fileField_->setVisible(files.size() > 1);
    choose(format_, presenter_.format());
    format_->setItemText(0, presenter_.inspection().is_object() && presenter_.format() == QLatin1String("auto") ? tr("%1 (auto)").arg(presenter_.formatText()) : tr("Automatic"));
    const bool columns = presenter_.hasColumns();
    shapeField_->setVisible(columns);
    {
        const QSignalBlocker quiet(shape_);
        shape_->clear();
        shape_->addItem(tr("One text"), shapeValue(RowShape::kText));
        shape_->addItem(tr("Prompt and completion"), shapeValue(RowShape::kPromptCompletion));
        if (presenter_.canBeMessages() || presenter_.shape() == RowShape::kMessages) shape_->addItem(tr("Messages"), shapeValue(RowShape::kMessages));
        shape_->setCurrentIndex(shape_->findData(shapeValue(presenter_.shape())));
    }
    const QStringList names = presenter_.columns();
    const RowShape shape = presenter_.shape();
    for (Role& role : roles_) {
        const bool shown = columns && (role.key == QLatin1String("text") ? shape == RowShape::kText : shape == RowShape::kPromptCompletion);
        role.field->setVisible(shown);
        if (!shown) continue;
        const QSignalBlocker quiet(role.box);
        const QString chosen = presenter_.column(role.key);
        role.box->clear();
        for (const QString& name : names) role.box->addItem(models::shortened(name, 40), name);
        if (!chosen.isEmpty() && !names.contains(chosen)) role.box->addItem(tr("%1 (missing)").arg(models::shortened(chosen, 40)), chosen);
        role.box->setCurrentIndex(role.box->findData(chosen));
    }
    const QString reason = presenter_.mappingReason();
    reason_->setFullText(!columns ? QString() : presenter_.mappingIsGuessed() ? (reason.isEmpty() ? QString() : tr("Guessed: %1").arg(reason)) : tr("Chosen by you"));
    guess_->setVisible(columns && !presenter_.mappingIsGuessed());
}

void RowsCard::refreshProblems() {
    QList<Json> rows;
    for (const auto& problem : presenter_.problems()) {
        const QString where = problem.file.isEmpty() ? problem.where : problem.file + QStringLiteral(": ") + problem.where;
        rows.append(Json{{"reason", models::rowReasonText(problem.reason).toStdString()}, {"count", problem.count}, {"where", where.toStdString()}, {"hint", problem.hint.toStdString()},
                         {"effect", (problem.keeps ? tr("kept") : tr("left out")).toStdString()}, {"tone", static_cast<int>(problem.keeps ? style::Tone::kWarn : style::Tone::kNeutral)}});
    }
    const qint64 count = presenter_.problemRows();
    problemModel_->setRows(std::move(rows));
    which_->setLabels({tr("Rows"), count > 0 ? tr("Problems · %1").arg(models::formatCount(static_cast<double>(count))) : tr("Problems")});
}

void RowsCard::refreshRows() {
    {
        const QSignalBlocker quiet(filter_);
        if (filter_->text() != presenter_.filter()) filter_->setText(presenter_.filter());
    }
    const bool rows = which_->current() == 0;
    if (rows) showError(error_, tr("The rows cannot be read."), presenter_.rowsError());
    else error_->clear();
    rows_->setEmptyText(presenter_.isReadingRows() ? tr("Reading…") : presenter_.filter().isEmpty() ? tr("No rows.") : tr("No row contains this."));
    const int total = static_cast<int>(std::min<qint64>(presenter_.rows().total(), 2000000000));
    card_->setNote(!rows || total == 0 ? QString() : presenter_.filter().isEmpty() ? tr("%Ln row(s)", nullptr, total) : tr("%Ln row(s) contain it", nullptr, total));
}

void RowsCard::showProblems() { which_->setCurrent(1); }

Json RowsCard::layout() const { return problems_->layout(); }
void RowsCard::setLayout(const Json& layout) { problems_->setLayoutState(layout); }

}  // namespace assay::pages
