#include "sweep_dialog.h"

#include <assay/models/format.h>
#include <assay/style/tokens.h>
#include <assay/widgets/controls.h>

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace assay::pages {

using presenters::SweepAxis;

SweepDialog::SweepDialog(presenters::ExperimentPresenter& presenter, QWidget* parent) : QDialog(parent), presenter_(presenter) {
    setObjectName(QStringLiteral("sweep-dialog"));
    setWindowTitle(tr("Sweep"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(640, 420);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    auto* intro = new QLabel(tr("Every combination of these values becomes a run. A range includes both ends."), this);
    intro->setWordWrap(true);
    layout->addWidget(intro);
    list_ = new QVBoxLayout;
    list_->setSpacing(8);
    layout->addLayout(list_);
    auto* add = widgets::makeButton(tr("Add a key"), widgets::ButtonKind::kQuiet, QStringLiteral("add"), this);
    add->setObjectName(QStringLiteral("sweep-add"));
    add->setAccessibleName(tr("Add a key"));
    connect(add, &QPushButton::clicked, this, [this] { addRow({.key = QStringLiteral("train.optimizer.lr")}); });
    layout->addWidget(add, 0, Qt::AlignLeft);
    auto* seedRow = new QHBoxLayout;
    auto* seedLabel = new QLabel(tr("Seeds"), this);
    seeds_ = new QLineEdit(this);
    seeds_->setObjectName(QStringLiteral("sweep-seeds"));
    seeds_->setAccessibleName(tr("Seeds"));
    seeds_->setPlaceholderText(tr("1, 2, 3 gives error bars"));
    seedLabel->setBuddy(seeds_);
    seedRow->addWidget(seedLabel);
    seedRow->addWidget(seeds_, 1);
    layout->addLayout(seedRow);
    count_ = new QLabel(this);
    count_->setObjectName(QStringLiteral("sweep-count"));
    count_->setTextFormat(Qt::PlainText);
    count_->setWordWrap(true);
    layout->addWidget(count_);
    yaml_ = new QPlainTextEdit(this);
    yaml_->setObjectName(QStringLiteral("sweep-yaml"));
    yaml_->setAccessibleName(tr("Resulting YAML"));
    yaml_->setReadOnly(true);
    yaml_->setTabChangesFocus(true);
    yaml_->setFont(style::font(style::Type::kMono));
    yaml_->setMaximumHeight(88);
    layout->addWidget(yaml_);
    layout->addStretch(1);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    auto* cancel = widgets::makeButton(tr("Cancel"), widgets::ButtonKind::kNormal, QString(), this);
    cancel->setObjectName(QStringLiteral("sweep-cancel"));
    cancel->setAccessibleName(tr("Cancel"));
    apply_ = widgets::makeButton(tr("Apply"), widgets::ButtonKind::kPrimary, QString(), this);
    apply_->setObjectName(QStringLiteral("sweep-apply"));
    apply_->setAccessibleName(tr("Apply"));
    apply_->setDefault(true);
    buttons->addWidget(cancel);
    buttons->addWidget(apply_);
    layout->addLayout(buttons);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(apply_, &QPushButton::clicked, this, [this] {
        if (presenter_.applySweep(plan())) accept();
    });
    connect(seeds_, &QLineEdit::textChanged, this, &SweepDialog::preview);
    const presenters::SweepPlan present = presenter_.sweep();
    seeds_->setText(present.seeds);
    for (const SweepAxis& axis : present.axes) addRow(axis);
    variants_ = present.variants;
    if (const QStringList names = present.variantNames(); !names.isEmpty()) {
        add->hide();
        intro->setTextFormat(Qt::PlainText);
        intro->setText(tr("The file compares these variants, the first is the baseline: %1. What each sets stands in the file.").arg(QLocale().createSeparatedList(names)));
    } else if (present.axes.empty()) addRow({.key = QStringLiteral("train.optimizer.lr"), .mode = SweepAxis::Mode::kLog, .values = {}, .from = 1e-4, .to = 1e-2, .count = 3});
    preview();
}

void SweepDialog::addRow(const SweepAxis& axis) {
    Row row{};
    row.box = new QWidget(this);
    auto* line = new QHBoxLayout(row.box);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    const QString number = QString::number(rows_.size() + 1);
    auto named = [&](QWidget* widget, const char* name, const QString& words) {
        widget->setObjectName(QStringLiteral("sweep-%1-%2").arg(QLatin1String(name), number));
        widget->setAccessibleName(words);
    };
    row.key = new QComboBox(row.box);
    row.key->setEditable(true);
    row.key->setInsertPolicy(QComboBox::NoInsert);
    row.key->addItems(presenter_.sweepableKeys());
    row.key->setEditText(axis.key);
    named(row.key, "key", tr("Key"));
    named(row.key->lineEdit(), "key-edit", tr("Key"));
    row.mode = new QComboBox(row.box);
    row.mode->addItems({tr("Values"), tr("Linear range"), tr("Logarithmic range")});
    row.mode->setCurrentIndex(static_cast<int>(axis.mode));
    named(row.mode, "mode", tr("How values are given"));
    row.values = new QLineEdit(axis.values, row.box);
    row.values->setPlaceholderText(QStringLiteral("1e-3, 3e-4"));
    named(row.values, "values", tr("Values"));
    row.from = new QLineEdit(axis.from != 0 ? QString::number(axis.from) : QString(), row.box);
    row.to = new QLineEdit(axis.to != 0 ? QString::number(axis.to) : QString(), row.box);
    row.from->setPlaceholderText(tr("from"));
    row.to->setPlaceholderText(tr("to"));
    named(row.from, "from", tr("From"));
    named(row.to, "to", tr("To"));
    row.count = new QSpinBox(row.box);
    row.count->setRange(1, 1000);
    row.count->setValue(axis.count);
    named(row.count, "count", tr("Number of values"));
    auto* remove = widgets::makeButton(QString(), widgets::ButtonKind::kQuiet, QStringLiteral("close"), row.box);
    remove->setToolTip(tr("Take this key out"));
    named(remove, "remove", tr("Take this key out"));
    line->addWidget(row.key, 3);
    line->addWidget(row.mode, 2);
    line->addWidget(row.values, 4);
    line->addWidget(row.from, 2);
    line->addWidget(row.to, 2);
    line->addWidget(row.count, 1);
    line->addWidget(remove);
    list_->addWidget(row.box);
    connect(remove, &QPushButton::clicked, this, [this, box = row.box] {
        std::erase_if(rows_, [&](const Row& r) { return r.box == box; });
        box->hide();
        box->deleteLater();
        preview();
    });
    connect(row.key, &QComboBox::editTextChanged, this, &SweepDialog::preview);
    connect(row.mode, &QComboBox::currentIndexChanged, this, &SweepDialog::preview);
    for (QLineEdit* edit : {row.values, row.from, row.to}) connect(edit, &QLineEdit::textChanged, this, &SweepDialog::preview);
    connect(row.count, &QSpinBox::valueChanged, this, &SweepDialog::preview);
    rows_.push_back(row);
    preview();
}

presenters::SweepPlan SweepDialog::plan() const {
    presenters::SweepPlan out;
    out.seeds = seeds_->text();
    out.variants = variants_;
    for (const Row& row : rows_) {
        SweepAxis axis{.key = row.key->currentText().trimmed(), .mode = static_cast<SweepAxis::Mode>(row.mode->currentIndex()), .values = row.values->text(),
                       .from = row.from->text().toDouble(), .to = row.to->text().toDouble(), .count = row.count->value()};
        axis.wholeNumbers = presenter_.isWholeNumber(axis.key);
        out.axes.push_back(std::move(axis));
    }
    return out;
}

void SweepDialog::preview() {
    for (const Row& row : rows_) {
        const bool values = row.mode->currentIndex() == 0;
        row.values->setVisible(values);
        for (QWidget* widget : {static_cast<QWidget*>(row.from), static_cast<QWidget*>(row.to), static_cast<QWidget*>(row.count)}) widget->setVisible(!values);
    }
    const presenters::SweepPreview shown = presenter_.previewSweep(plan());
    count_->setText(shown.problem.isEmpty() ? shown.runs == 1 ? tr("1 run") : tr("%1 runs").arg(models::formatCount(static_cast<double>(shown.runs))) : shown.problem);
    QPalette palette = count_->palette();
    palette.setColor(QPalette::WindowText, shown.problem.isEmpty() ? style::tokens().text : style::tokens().bad);
    count_->setPalette(palette);
    yaml_->setPlainText(shown.yaml);
    apply_->setEnabled(shown.problem.isEmpty());
}

}  // namespace assay::pages
