#pragma once
// How long rows are in tokens, and what each packing wastes.

#include "parts.h"

namespace assay::widgets {
class BarPlot;
}

namespace assay::pages {

class LengthsCard final : public QWidget {
    Q_OBJECT
public:
    explicit LengthsCard(presenters::DataPresenter& presenter, QWidget* parent = nullptr);
    void refresh();

private:
    presenters::DataPresenter& presenter_;
    widgets::Card* card_;
    widgets::ErrorPanel* error_;
    widgets::BarPlot* plot_;
    widgets::ProgressLine* progress_;
    QWidget* waiting_;
    widgets::PlainLabel *tokens_, *rows_, *waste_[3];
    QWidget* figures_;
};

}  // namespace assay::pages
