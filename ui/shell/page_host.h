#pragma once
// The pages that were visited: made on first visit, kept, each in a scroll area; and the inspector of the one on screen.

#include <assay/pages/page.h>

#include <QPointer>
#include <QStackedWidget>
#include <QWidget>
#include <map>

class QSplitter;
class QLabel;
class QVBoxLayout;

namespace assay::shell {

class PageHost final : public QWidget {
    Q_OBJECT
public:
    explicit PageHost(presenters::AppContext& context, QWidget* parent = nullptr);
    ~PageHost() override;
    bool open(const QString& key, const Json& argument);   // false: there is no such page
    pages::Page* page(const QString& key);                 // made if need be; null: there is none
    pages::Page* current() const;
    const QString& currentKey() const { return key_; }
    void saveStates() const;                               // of all pages that were made
    void setInspectorShown(bool shown);
    bool inspectorShown() const { return inspectorWanted_; }
    bool hasInspector() const;

Q_SIGNALS:
    void inspectorChanged();
    void contentShown();

private:
    void showInspector();
    void giveBackInspector();
    presenters::AppContext& context_;
    QSplitter* splitter_;
    QStackedWidget* stack_;
    QWidget* dock_;
    QVBoxLayout* dockLayout_;
    std::map<QString, pages::Page*> made_;
    QString key_;
    QPointer<QWidget> inspector_, inspectorOwner_;
    bool inspectorWanted_ = true;
};

const pages::PageEntry* findPage(const QString& key);

}  // namespace assay::shell
