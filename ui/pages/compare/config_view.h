#pragma once
#include <assay/models/json_table_model.h>
#include <assay/presenters/compare_presenter.h>
#include <assay/widgets/card.h>
#include <assay/widgets/table_view.h>

#include <QWidget>

namespace assay::pages {

// Settings in which the set-ups differ, one row a setting, one column a set-up.
class ConfigView final : public QWidget {
    Q_OBJECT
public:
    explicit ConfigView(presenters::ComparePresenter& presenter, QWidget* parent = nullptr);
    void refresh();

private:
    presenters::ComparePresenter& presenter_;
    widgets::Card* card_;
    widgets::TableView* table_;
    models::JsonTableModel* model_ = nullptr;
    QStringList columnsFor_;
};

}  // namespace assay::pages
