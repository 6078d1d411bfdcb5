#pragma once
#include <assay/models/json_table_model.h>
#include <assay/presenters/try_presenter.h>
#include <assay/widgets/card.h>
#include <assay/widgets/table_view.h>

#include <QWidget>

class QPlainTextEdit;
class QPushButton;

namespace assay::pages {

class OutputCard final : public QWidget {
    Q_OBJECT
public:
    explicit OutputCard(int side, QWidget* parent = nullptr);
    void set(const presenters::TryPresenter::Side& side, size_t index);
    void clear();

Q_SIGNALS:
    void openRun();

private:
    void mark(int from);
    widgets::Card* card_;
    widgets::Badge* status_;
    widgets::PlainLabel* figures_;
    QPlainTextEdit* text_;
    widgets::ErrorPanel* error_;
    widgets::TableView* top_;
    models::JsonTableModel* model_;
    QPushButton* open_;
    int from_ = -1;
};

}  // namespace assay::pages
