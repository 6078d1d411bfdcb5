#include "settings_card.h"

#include <QHBoxLayout>
#include <QSpinBox>
#include <QVBoxLayout>

namespace assay::pages {
namespace {

const QString kOther = QStringLiteral("\n");   // no reference is a line break

QWidget* field(const QString& caption, QWidget* control, QWidget* parent, QHBoxLayout* row, int stretch) {
    auto* box = new QWidget(parent);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto* label = new widgets::PlainLabel(caption, box, style::Type::kSmall);
    label->setDim(2);
    column->addWidget(label);
    column->addWidget(control);
    row->addWidget(box, stretch);
    return box;
}

}  // namespace

SettingsCard::SettingsCard(presenters::DataPresenter& presenter, QWidget* parent) : QFrame(parent), presenter_(presenter) {
    setObjectName(QStringLiteral("data-settings"));
    setAccessibleName(tr("How the data is read"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(style::size::kGap);
    tokenizer_ = makeCombo("data-tokenizer", tr("Tokenizer"), {}, this);
    length_ = new QSpinBox(this);
    length_->setObjectName(QStringLiteral("data-sequence-length"));
    length_->setAccessibleName(tr("Sequence length"));
    nameField(length_);
    length_->setRange(2, 1 << 20);
    length_->setGroupSeparatorShown(true);
    length_->setSuffix(tr(" tokens"));
    length_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    length_->setKeyboardTracking(false);
    length_->setToolTip(tr("Tokens of one training sequence; the context of the model is the most it can be."));
    packing_ = makeCombo("data-packing", tr("Packing"), {{QStringLiteral("none"), tr("None: one row a sequence")}, {QStringLiteral("concat"), tr("Concatenate")}, {QStringLiteral("best_fit"), tr("Best fit")}}, this);
    packing_->setToolTip(tr("How rows share sequences. Documents never see one another."));
    overLength_ = makeCombo("data-over-length", tr("Longer rows"), {{QStringLiteral("split"), tr("Split")}, {QStringLiteral("truncate"), tr("Cut off")}, {QStringLiteral("drop"), tr("Leave out")}, {QStringLiteral("error"), tr("Refuse")}}, this);
    overLength_->setToolTip(tr("What happens to rows with more tokens than a sequence holds."));
    lossOn_ = makeCombo("data-loss-on", tr("Loss on"), {{QStringLiteral("all"), tr("All tokens")}, {QStringLiteral("assistant"), tr("Answers only")}, {QStringLiteral("completion"), tr("Completions only")}}, this);
    lossOn_->setToolTip(tr("Which tokens the model learns to write; the others are read only."));
    document_ = makeCombo("data-document", tr("One row is"), {{QStringLiteral("line"), tr("A line")}, {QStringLiteral("paragraph"), tr("A paragraph")}, {QStringLiteral("file"), tr("The file")}}, this);
    document_->setToolTip(tr("What counts as one document of a text file."));
    field(tr("Tokenizer"), tokenizer_, this, row, 4);
    field(tr("Sequence length"), length_, this, row, 2);
    field(tr("Packing"), packing_, this, row, 3);
    field(tr("Longer rows"), overLength_, this, row, 2);
    field(tr("Loss on"), lossOn_, this, row, 3);
    documentField_ = field(tr("One row is"), document_, this, row, 2);
    const auto value = [](QComboBox* box) { return box->currentData().toString(); };
    connect(tokenizer_, qOverload<int>(&QComboBox::activated), this, [this, value] {
        if (value(tokenizer_) == kOther) {
            refreshTokenizers();   // what is chosen stays until there is a file
            Q_EMIT fileWanted();
        } else {
            presenter_.setTokenizer(value(tokenizer_));
        }
    });
    connect(length_, qOverload<int>(&QSpinBox::valueChanged), this, [this](int length) { presenter_.setSequenceLength(length); });
    connect(packing_, qOverload<int>(&QComboBox::activated), this, [this, value] { presenter_.setPacking(value(packing_)); });
    connect(overLength_, qOverload<int>(&QComboBox::activated), this, [this, value] { presenter_.setOverLength(value(overLength_)); });
    connect(lossOn_, qOverload<int>(&QComboBox::activated), this, [this, value] { presenter_.setLossOn(value(lossOn_)); });
    connect(document_, qOverload<int>(&QComboBox::activated), this, [this, value] { presenter_.setDocument(value(document_)); });
    refreshTokenizers();
    refresh();
}

void SettingsCard::refresh() {
    choose(packing_, presenter_.packing());
    choose(overLength_, presenter_.overLength());
    choose(lossOn_, presenter_.lossOn());
    choose(document_, presenter_.document());
    const QSignalBlocker quiet(length_);
    if (length_->value() != presenter_.sequenceLength()) length_->setValue(static_cast<int>(presenter_.sequenceLength()));
    documentField_->setVisible(!presenter_.hasColumns());
}

void SettingsCard::refreshTokenizers() {
    const QSignalBlocker quiet(tokenizer_);
    tokenizer_->clear();
    for (const auto& choice : presenter_.tokenizers()) {
        tokenizer_->addItem(choice.label, choice.reference);
        // Tool tips of items are read as markup when they look like it.
        tokenizer_->setItemData(tokenizer_->count() - 1, choice.detail.toHtmlEscaped(), Qt::ToolTipRole);
    }
    tokenizer_->insertSeparator(tokenizer_->count());
    tokenizer_->addItem(tr("A file or folder…"), kOther);
    tokenizer_->setCurrentIndex(tokenizer_->findData(presenter_.tokenizer()));
}

}  // namespace assay::pages
