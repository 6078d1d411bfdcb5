#pragma once
// The window: rail, page, inspector, status bar, command palette, notices. Composition only: pages know nothing of it.

#include <assay/presenters/app_context.h>

#include <QMainWindow>
#include <memory>

namespace assay::shell {

class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(presenters::AppContext& context, QWidget* parent = nullptr);
    ~MainWindow() override;
    void openPage(const QString& key, const Json& argument = Json::object());
    QString currentPage() const;
    void openPaths(const QStringList& paths);   // dropped, or given on the command line

Q_SIGNALS:
    void contentShown();   // a page shows what it asked the engine for

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace assay::shell
