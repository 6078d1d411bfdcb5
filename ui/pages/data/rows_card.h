#pragma once
// The rows of the file with the mapping of their columns, or the problems, in one card.

#include "parts.h"

class QLineEdit;
class QStackedWidget;

namespace assay::models {
class JsonTableModel;
}
namespace assay::widgets {
class TableView;
}

namespace assay::pages {

class RowsCard final : public QWidget {
    Q_OBJECT
public:
    explicit RowsCard(presenters::DataPresenter& presenter, QWidget* parent = nullptr);
    ~RowsCard() override;
    void refresh();                    // files, mapping, problems
    void refreshRows();
    void showProblems();
    Json layout() const;
    void setLayout(const Json& layout);
Q_SIGNALS:
    void folderWanted();               // "Hugging Face folder" was chosen for what is none

private:
    QWidget* makeMapping();
    void makeTables();
    void refreshMapping();
    void refreshProblems();
    presenters::DataPresenter& presenter_;
    widgets::Card* card_;
    widgets::SegmentedControl* which_;
    QLineEdit* filter_;
    QWidget *mapping_, *fileField_, *shapeField_;
    QComboBox *file_, *format_, *shape_;
    struct Role {
        QString key;
        QWidget* field;
        QComboBox* box;
    };
    std::vector<Role> roles_;
    widgets::PlainLabel* reason_;
    QPushButton* guess_;
    widgets::ErrorPanel* error_;
    QStackedWidget* stack_;
    widgets::TableView *rows_, *problems_;
    models::JsonTableModel* problemModel_;
    QStringList shownColumns_;
};

}  // namespace assay::pages
