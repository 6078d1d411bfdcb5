#pragma once
#include <assay/presenters/compare_presenter.h>
#include <assay/widgets/card.h>
#include <assay/widgets/plot.h>

#include <QWidget>
#include <memory>
#include <vector>

class QCheckBox;
class QComboBox;

namespace assay::pages {

// Training curves of the compared runs over one another, live.
class CurvesView final : public QWidget {
    Q_OBJECT
public:
    CurvesView(presenters::ComparePresenter& presenter, presenters::AppContext& context, QWidget* parent = nullptr);
    void refresh();                  // other runs; nothing is asked for before the view is shown
    Json state() const;
    void restore(const Json& state);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Line {
        presenters::ComparePresenter::CurveRun run;
        std::unique_ptr<presenters::SeriesSource> source;
    };
    void rebind();
    void applyOptions();
    void draw();
    presenters::ComparePresenter& presenter_;
    presenters::AppContext& context_;
    widgets::Card* card_;
    widgets::LinePlot* plot_;
    QComboBox *metric_, *axis_, *smoothing_;
    QCheckBox *logX_, *logY_;
    std::vector<Line> lines_;
    QString boundTo_;
};

}  // namespace assay::pages
