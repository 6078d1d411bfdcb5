#pragma once
// Small things that the cards of this page share.

#include <assay/models/format.h>
#include <assay/presenters/data_presenter.h>
#include <assay/widgets/card.h>
#include <assay/widgets/controls.h>

#include <QComboBox>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>

namespace assay::pages {

// A combo box of (value, words); the index with that value, −1 without one.
inline QComboBox* makeCombo(const char* name, const QString& accessible, const std::vector<std::pair<QString, QString>>& items, QWidget* parent) {
    auto* box = new QComboBox(parent);
    box->setObjectName(QLatin1String(name));
    box->setAccessibleName(accessible);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(6);
    for (const auto& [value, text] : items) box->addItem(text, value);
    return box;
}
// The field inside a spin box takes the focus, so it is read by a name too.
inline void nameField(QSpinBox* box) {
    if (auto* field = box->findChild<QLineEdit*>()) {
        field->setObjectName(box->objectName() + QStringLiteral("-field"));
        field->setAccessibleName(box->accessibleName());
    }
}
inline void choose(QComboBox* box, const QString& value) {
    const QSignalBlocker quiet(box);
    box->setCurrentIndex(box->findData(value));
}

inline void showError(widgets::ErrorPanel* panel, const QString& what, const std::optional<Error>& error) {
    if (!error) return panel->clear();
    QString technical = QString::fromUtf8(errorCodeName(error->code).data());
    for (const std::string& where : error->context) technical += QLatin1Char('\n') + QString::fromStdString(where);
    const QString message = models::plain(QString::fromStdString(error->message)), hint = models::plain(QString::fromStdString(error->hint));
    panel->show(what, hint.isEmpty() ? message : message + QLatin1Char('\n') + hint, technical);
}

}  // namespace assay::pages
