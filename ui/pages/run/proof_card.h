#pragma once
// Whether the run can be resumed bit by bit: started here, and what the newest check found.

#include <assay/presenters/run_presenter.h>
#include <assay/widgets/card.h>

class QPushButton;

namespace assay::pages {

class ProofCard final : public QWidget {
    Q_OBJECT
public:
    ProofCard(presenters::RunPresenter& presenter, QWidget* parent);
    void refresh();   // hides itself where nothing can be checked and nothing was

private:
    presenters::RunPresenter& presenter_;
    widgets::Card* card_;
    widgets::Badge* badge_;
    QLabel *detail_, *notes_;
    QPushButton *check_, *open_;
};

}  // namespace assay::pages
