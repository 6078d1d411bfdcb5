#pragma once
// One chart of a run in a card: follows its series, asks for finer points on zoom, marks resumed sessions.

#include <assay/presenters/run_presenter.h>
#include <assay/widgets/card.h>
#include <assay/widgets/plot.h>

#include <QPointer>

namespace assay::pages {

struct CurveOptions {
    presenters::XAxis axis = presenters::XAxis::kStep;
    double smoothing = 0.9;
    bool logX = false, logY = false;
};

class CurveCard final : public QWidget {
    Q_OBJECT
public:
    CurveCard(presenters::RunPresenter& presenter, const QString& title, const QStringList& metrics, QWidget* parent = nullptr);
    void rebind();                                   // another run, or its metrics changed
    void setOptions(const CurveOptions& options);
    const QStringList& metrics() const { return metrics_; }
    widgets::Card* card() { return card_; }
    widgets::LinePlot* plot() { return plot_; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void draw();
    presenters::RunPresenter& presenter_;
    QStringList metrics_;
    CurveOptions options_;
    widgets::Card* card_;
    widgets::LinePlot* plot_;
    QList<QPointer<presenters::SeriesSource>> sources_;
};

}  // namespace assay::pages
