#include "model_box.h"

#include <QLineEdit>
#include <QSignalBlocker>

namespace assay::pages {

ModelBox::ModelBox(presenters::ModelChoices& choices, const QString& none, QWidget* parent) : QComboBox(parent), choices_(choices), none_(none) {
    setEditable(true);
    setInsertPolicy(QComboBox::NoInsert);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(16);
    lineEdit()->setPlaceholderText(none.isEmpty() ? tr("choose, or type a path or run:ID") : none);
    lineEdit()->setObjectName(QStringLiteral("model-edit"));
    lineEdit()->setAccessibleName(tr("Model"));
    connect(this, &QComboBox::activated, this, [this](int index) {
        wanted_ = itemData(index).toString();
        setToolTip(itemData(index, Qt::ToolTipRole).toString());
        if (wanted_.isEmpty()) clearEditText();
        Q_EMIT chosen(wanted_);
    });
    connect(lineEdit(), &QLineEdit::editingFinished, this, [this] {
        const QString typed = currentText().trimmed();
        if (typed == choices_.nameOf(wanted_) && !wanted_.isEmpty()) return;
        const int at = typed.isEmpty() ? -1 : findText(typed, Qt::MatchExactly);
        const QString reference = at >= 0 ? itemData(at).toString() : typed;
        if (reference == wanted_) return;
        wanted_ = reference;
        Q_EMIT chosen(wanted_);
    });
    connect(&choices_, &presenters::ModelChoices::changed, this, &ModelBox::fill);
    fill();
}

QString ModelBox::reference() const { return wanted_; }

void ModelBox::setReference(const QString& reference) {
    if (reference == wanted_ && (reference.isEmpty() || currentText() == choices_.nameOf(reference) || hasFocus())) return;
    wanted_ = reference;
    fill();
}

void ModelBox::fill() {
    const QSignalBlocker quiet(this);
    clear();
    if (!none_.isEmpty()) addItem(none_, QString());
    for (const presenters::ModelChoice& choice : choices_.choices()) {
        addItem(choice.name, choice.reference);
        setItemData(count() - 1, choice.detail.isEmpty() ? choice.reference : QStringLiteral("%1\n%2").arg(choice.reference, choice.detail), Qt::ToolTipRole);
    }
    const int at = wanted_.isEmpty() ? -1 : findData(wanted_);
    setCurrentIndex(at);
    if (at < 0) setEditText(wanted_);
    setToolTip(wanted_);
}

}  // namespace assay::pages
