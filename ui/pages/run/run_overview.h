#pragma once
// The first tab of a run: charts at the left, memory, prediction and checks at the right; stages of a pipeline on top.

#include <QScrollArea>

#include "curve_card.h"
#include "prediction_card.h"
#include "proof_card.h"

class QVBoxLayout;
class QGridLayout;

namespace assay::models {
class JsonTableModel;
}
namespace assay::widgets {
class Meter;
class TableView;
}

namespace assay::pages {

class RunOverview final : public QScrollArea {
    Q_OBJECT
public:
    explicit RunOverview(presenters::RunPresenter& presenter, QWidget* parent = nullptr);
    void setOptions(const CurveOptions& options);
    void refresh();

private:
    presenters::RunPresenter& presenter_;
    widgets::Card *stages_, *memory_, *checks_, *results_;
    PredictionCard* predictions_;
    ProofCard* proof_;
    models::JsonTableModel *stageModel_, *resultModel_;
    widgets::TableView *stageTable_, *resultTable_;
    widgets::Meter* meter_;
    QList<CurveCard*> curves_;
    QWidget* charts_;
    QLabel* stageNote_ = nullptr;
    int stagesActive_ = -1;   // not known yet
    QWidget* checkList_ = nullptr;
    QStringList shownChecks_;
};

}  // namespace assay::pages
