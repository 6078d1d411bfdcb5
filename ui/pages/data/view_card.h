#pragma once
// One training sequence as the model gets it: tokens coloured by loss, control tokens, borders of documents.

#include "parts.h"

class QScrollArea;
class QSpinBox;

namespace assay::widgets {
class TokenView;
}

namespace assay::pages {

class ViewCard final : public QWidget {
    Q_OBJECT
public:
    explicit ViewCard(presenters::DataPresenter& presenter, QWidget* parent = nullptr);
    void refresh();

private:
    presenters::DataPresenter& presenter_;
    widgets::Card* card_;
    widgets::ErrorPanel* error_;
    widgets::TokenView* tokens_;
    widgets::ProgressLine* progress_;
    widgets::PlainLabel *summary_, *of_;
    QScrollArea* scroll_;
    QPushButton *previous_, *next_;
    QSpinBox* row_;
    QWidget* legend_;
};

}  // namespace assay::pages
