#pragma once
// Which columns the table has: all known keys with a search line; chosen ones first.

#include <assay/presenters/runs_presenter.h>

#include <QFrame>

class QLineEdit;
class QListWidget;

namespace assay::pages {

class ColumnChooser final : public QFrame {   // a popup
    Q_OBJECT
public:
    explicit ColumnChooser(QWidget* parent = nullptr);
    void open(const QList<presenters::RunsPresenter::KeyInfo>& known, const QStringList& chosen, const QPoint& topRight);
Q_SIGNALS:
    void chosen(const QStringList& keys);

private:
    void fill();
    QLineEdit* search_;
    QListWidget* list_;
    QList<presenters::RunsPresenter::KeyInfo> known_;
    QStringList keys_;
};

}  // namespace assay::pages
