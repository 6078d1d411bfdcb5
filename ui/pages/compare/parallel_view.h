#pragma once
#include <assay/presenters/compare_presenter.h>
#include <assay/widgets/card.h>
#include <assay/widgets/plot.h>

#include <QWidget>
#include <optional>

namespace assay::pages {

// Settings that differ and what was measured as upright axes; a brush keeps the set-ups inside it.
class ParallelView final : public QWidget {
    Q_OBJECT
public:
    explicit ParallelView(presenters::ComparePresenter& presenter, QWidget* parent = nullptr);
    void refresh();
    void select(const QString& id) { plot_->setSelected(id); }

Q_SIGNALS:
    void selected(const QString& id);
    void kept(const std::optional<QStringList>& ids);   // nothing: no brush

private:
    presenters::ComparePresenter& presenter_;
    widgets::Card* card_;
    widgets::ParallelPlot* plot_;
};

}  // namespace assay::pages
