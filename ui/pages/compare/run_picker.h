#pragma once
#include <assay/presenters/compare_presenter.h>

#include <QFrame>
#include <QTimer>

class QLineEdit;
class QListWidget;

namespace assay::pages {

// A list below the "Add runs" button: what is compared, ticked, and what could be; typing searches, a tick adds or removes.
class RunPicker final : public QFrame {
    Q_OBJECT
public:
    explicit RunPicker(presenters::ComparePresenter& presenter, QWidget* parent = nullptr);
    void openBelow(QWidget* button);

private:
    void fill();
    presenters::ComparePresenter& presenter_;
    QLineEdit* search_;
    QListWidget* list_;
    QTimer typing_;
};

}  // namespace assay::pages
