#pragma once
// Predicted beside measured: two bars for each figure with the band that was stated, the figures, and why where it is off.

#include <assay/presenters/run_presenter.h>
#include <assay/widgets/card.h>

namespace assay::models {
class JsonTableModel;
}
namespace assay::widgets {
class BarRows;
class TableView;
}

namespace assay::pages {

class PredictionCard final : public QWidget {
    Q_OBJECT
public:
    PredictionCard(presenters::RunPresenter& presenter, QWidget* parent);
    void refresh();   // hides itself when there is no prediction

private:
    presenters::RunPresenter& presenter_;
    widgets::Card* card_;
    widgets::BarRows* bars_;
    models::JsonTableModel* model_;
    widgets::TableView* table_;
    QLabel* reasons_;
};

}  // namespace assay::pages
