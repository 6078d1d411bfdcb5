#pragma once
// Ctrl+K: one line to type into, and everything that answers to it. Closes on Escape and when the focus goes.

#include <assay/presenters/palette_presenter.h>

#include <QFrame>
#include <QPointer>

class QLineEdit;
class QListView;
class QStandardItemModel;

namespace assay::shell {

class CommandPalette final : public QFrame {
    Q_OBJECT
public:
    CommandPalette(presenters::AppContext& context, QWidget* window);
    void popUp();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    void place();
    void runCurrent();
    presenters::PalettePresenter presenter_;
    QLineEdit* line_;
    QListView* list_;
    QStandardItemModel* model_;
    QPointer<QWidget> before_;   // gets the focus back
};

}  // namespace assay::shell
