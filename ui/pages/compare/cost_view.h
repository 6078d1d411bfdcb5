#pragma once
#include <assay/presenters/compare_presenter.h>
#include <assay/widgets/card.h>
#include <assay/widgets/plot.h>

#include <QWidget>

class QCheckBox;
class QComboBox;

namespace assay::pages {

// Cost against accuracy: points with 95 % bars, the frontier, the target, a ring on the answer.
class CostView final : public QWidget {
    Q_OBJECT
public:
    explicit CostView(presenters::ComparePresenter& presenter, QWidget* parent = nullptr);
    void refresh();
    void select(const QString& id) { plot_->setSelected(id); }
    bool logX() const;
    void setLogX(bool on);

Q_SIGNALS:
    void selected(const QString& id);
    void opened(const QString& id);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fillAxes();
    void axesChosen();
    presenters::ComparePresenter& presenter_;
    widgets::Card* card_;
    widgets::ScatterPlot* plot_;
    QComboBox *x_, *y_;
    QCheckBox* log_;
};

}  // namespace assay::pages
