#pragma once
// Before a dataset is open: what to do, and what was open before.

#include <assay/presenters/data_presenter.h>
#include <assay/widgets/card.h>

class QVBoxLayout;

namespace assay::pages {

class StartCard final : public QWidget {
    Q_OBJECT
public:
    explicit StartCard(presenters::DataPresenter& presenter, QWidget* parent = nullptr);
    void refresh();
Q_SIGNALS:
    void openWanted();

private:
    presenters::DataPresenter& presenter_;
    widgets::EmptyState* empty_;
    widgets::Card* recent_;
    QList<QWidget*> rows_;
    QStringList shown_;
};

}  // namespace assay::pages
