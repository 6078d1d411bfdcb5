#pragma once
#include <assay/presenters/latest_comparison.h>
#include <assay/widgets/card.h>
#include <assay/widgets/plot.h>

namespace assay::pages {

// The newest experiment's set-ups by cost and accuracy: the answer that the program is there for, on its first page.
class LatestCard final : public QWidget {
    Q_OBJECT
public:
    LatestCard(presenters::LatestComparison& latest, QWidget* parent);
    void refresh();
    void setRoom(bool enough);   // without room it is not shown

Q_SIGNALS:
    void openWanted(const QString& run);

private:
    presenters::LatestComparison& latest_;
    widgets::Card* card_;
    widgets::PlainLabel* headline_;
    widgets::ScatterPlot* plot_;
    bool room_ = true;
};

}  // namespace assay::pages
