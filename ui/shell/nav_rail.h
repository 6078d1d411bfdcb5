#pragma once
// The rail on the left: one button a page, icon and word; collapsed to icons alone.

#include <assay/pages/page.h>

#include <QButtonGroup>
#include <QFrame>
#include <QToolButton>

class QVBoxLayout;

namespace assay::shell {

class NavRail final : public QFrame {
    Q_OBJECT
public:
    explicit NavRail(QWidget* parent = nullptr);
    void setCurrent(const QString& key);    // a page without a button: none is marked
    void setCollapsed(bool collapsed);
    bool isCollapsed() const { return collapsed_; }
    QStringList keys() const;               // in the order of Ctrl+1 … Ctrl+9

Q_SIGNALS:
    void chosen(const QString& key);
    void collapsedChanged(bool collapsed);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void addEntry(const pages::PageEntry& entry, QVBoxLayout* layout);
    void refresh();
    struct Item {
        QString key, title;
        class RailButton* button;
    };
    std::vector<Item> items_;
    class BrandMark* brand_;
    QToolButton* fold_;
    QButtonGroup group_;
    bool collapsed_ = false;
};

}  // namespace assay::shell
