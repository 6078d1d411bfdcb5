#pragma once
#include <assay/models/json_table_model.h>
#include <assay/presenters/compare_presenter.h>
#include <assay/widgets/card.h>
#include <assay/widgets/table_view.h>

#include <QWidget>
#include <optional>

namespace assay::pages {

// Set-ups below one another with what each saves and loses against the baseline.
class DeltaTable final : public QWidget {
    Q_OBJECT
public:
    explicit DeltaTable(presenters::ComparePresenter& presenter, QWidget* parent = nullptr);
    void refresh();
    void select(const QString& id);
    void setKept(std::optional<QStringList> ids);   // only these rows; nothing: all
    widgets::TableView* view() { return table_; }
    Json layout() const;
    void setLayoutState(const Json& layout);

Q_SIGNALS:
    void selected(const QString& id);
    void opened(const QString& id);
    void menuWanted(const QString& id, const QPoint& global);

private:
    void makeModel();
    void fill();
    QString idAt(const QModelIndex& index) const;
    QString columnsWanted() const;   // what the columns depend on
    presenters::ComparePresenter& presenter_;
    widgets::Card* card_;
    widgets::TableView* table_;
    models::JsonTableModel* model_ = nullptr;
    QString columnsFor_, selected_;
    std::optional<QStringList> kept_;
    Json layout_;
    int sortColumn_ = -1;
    bool descending_ = false, selecting_ = false;
};

}  // namespace assay::pages
