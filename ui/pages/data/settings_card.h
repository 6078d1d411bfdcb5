#pragma once
// What decides what the model sees: tokenizer, sequence length, packing, rows that are too long, what carries loss.

#include "parts.h"

class QSpinBox;

namespace assay::pages {

class SettingsCard final : public QFrame {
    Q_OBJECT
public:
    explicit SettingsCard(presenters::DataPresenter& presenter, QWidget* parent = nullptr);
    void refresh();
    void refreshTokenizers();
Q_SIGNALS:
    void fileWanted();   // a tokenizer that is not in the list

private:
    presenters::DataPresenter& presenter_;
    QComboBox *tokenizer_, *packing_, *overLength_, *lossOn_, *document_;
    QWidget* documentField_;
    QSpinBox* length_;
};

}  // namespace assay::pages
