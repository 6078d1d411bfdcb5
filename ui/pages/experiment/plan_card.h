#pragma once
// Before you run: does it fit, how long, what does it cost, where else, what is missing.

#include <assay/presenters/experiment_presenter.h>

#include <QWidget>

class QGridLayout;
class QPushButton;
class QVBoxLayout;

namespace assay::widgets {
class Badge;
class Card;
class Meter;
class PlainLabel;
class ProgressLine;
class StatTile;
}

namespace assay::pages {

class SensitivityView;

class PlanCard final : public QWidget {
    Q_OBJECT
public:
    PlanCard(presenters::ExperimentPresenter& presenter, QWidget* parent);
    void refresh();

private:
    void showPlan(const Json& plan);
    void showElsewhere(const Json& plan);
    void showRemarks();
    QWidget* makeFigures(QWidget* parent);

    presenters::ExperimentPresenter& presenter_;
    widgets::Badge* fits_;
    QWidget* figures_;
    widgets::PlainLabel *memoryCaption_, *memoryText_;
    widgets::Meter* meter_;
    widgets::StatTile *time_, *cost_, *energy_, *checkpoints_, *disk_;
    SensitivityView* sensitivity_;
    QWidget* elsewhere_;
    QGridLayout* elsewhereGrid_;
    widgets::ProgressLine* busy_;
    QWidget* remarks_;
    QVBoxLayout* remarksLayout_;
    QPushButton *start_, *queue_;
};

}  // namespace assay::pages
