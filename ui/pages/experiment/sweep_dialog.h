#pragma once
// Chooses keys and values to try, and seeds; shows how many runs that makes before it is written into the file.

#include <assay/presenters/experiment_presenter.h>

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace assay::pages {

class SweepDialog final : public QDialog {
    Q_OBJECT
public:
    SweepDialog(presenters::ExperimentPresenter& presenter, QWidget* parent);

private:
    struct Row {
        QWidget* box;
        QComboBox* key;
        QComboBox* mode;
        QLineEdit *values, *from, *to;
        QSpinBox* count;
    };
    void addRow(const presenters::SweepAxis& axis);
    presenters::SweepPlan plan() const;
    void preview();

    presenters::ExperimentPresenter& presenter_;
    QVBoxLayout* list_;
    std::vector<Row> rows_;
    QLineEdit* seeds_;
    QLabel* count_;
    QPlainTextEdit* yaml_;
    QPushButton* apply_;
    Json variants_;   // of a file that names its members
};

}  // namespace assay::pages
