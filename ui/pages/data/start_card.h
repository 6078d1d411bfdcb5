#pragma once
// Before a dataset is open: what to do, and what was open before.

#include <assay/presenters/data_presenter.h>
#include <assay/widgets/card.h>

#include <functional>

class QVBoxLayout;

namespace assay::pages {

class StartCard final : public QWidget {
    Q_OBJECT
public:
    explicit StartCard(presenters::DataPresenter& presenter, QWidget* parent = nullptr);
    void refresh();
    void refreshFound();
Q_SIGNALS:
    void openWanted();

private:
    widgets::Card* makeList(const char* name, const QString& title);
    QWidget* makeRow(widgets::Card* card, const QString& name, const QString& title, const QString& detail, const QString& path, std::function<void()> open);

    presenters::DataPresenter& presenter_;
    widgets::EmptyState* empty_;
    widgets::Card *recent_, *found_;
    QList<QWidget*> rows_, foundRows_;
    QStringList shown_;
};

}  // namespace assay::pages
