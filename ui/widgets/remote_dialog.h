#pragma once
// A browser over the folders of another machine. Asks through a lister that answers later; an answer that comes after
// the person has gone elsewhere, or after the dialog is closed, is dropped.

#include <assay/widgets/card.h>
#include <assay/widgets/file_dialog.h>

#include <QDialog>

class QCheckBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QStandardItemModel;

namespace assay::widgets {

class TableView;

class RemoteDialog final : public QDialog {
    Q_OBJECT
public:
    RemoteDialog(const QString& title, bool folder, RemoteLister lister, std::function<void(const QString& path)> done, QWidget* parent);
    void go(const QString& folder);     // empty: where the engine starts
    QString folder() const { return folder_; }

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;   // Backspace in the list, before its search takes it

private:
    void showFolder(const QString& folder, const QList<RemoteEntry>& entries);
    void fill();
    void fillCrumbs();
    void openEntry(const QModelIndex& index);
    void choose();
    void goUp();
    void updateButton();
    QString selectedName(bool* isFolder) const;

    bool wantsFolder_;
    RemoteLister lister_;
    std::function<void(const QString& path)> done_;
    QString folder_;
    QList<RemoteEntry> entries_;
    quint64 asked_ = 0;   // number of the last question
    QWidget* crumbs_;
    QLineEdit* path_;
    QLabel* status_;
    TableView* list_;
    QStandardItemModel* model_;
    QCheckBox* hidden_;
    QPushButton* choose_;
    ErrorPanel* error_;
};

QString parentFolder(const QString& path);                          // "/a/b" → "/a"; "/" → "/"
QString joinedPath(const QString& folder, const QString& name);

}  // namespace assay::widgets
