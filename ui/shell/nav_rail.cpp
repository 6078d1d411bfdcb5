#include "nav_rail.h"

#include <assay/style/icons.h>
#include <assay/style/tokens.h>

#include <QKeyEvent>
#include <QVBoxLayout>

#include "rail_button.h"

namespace assay::shell {

NavRail::NavRail(QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("nav-rail"));
    setAccessibleName(tr("Pages"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 12, 8, 8);
    layout->setSpacing(2);
    brand_ = new BrandMark(this);
    layout->addWidget(brand_);
    group_.setExclusive(false);   // a page without a button leaves none marked
    for (const pages::PageEntry& entry : pages::registry())
        if (entry.inRail && !entry.atBottom) addEntry(entry, layout);
    layout->addStretch(1);
    for (const pages::PageEntry& entry : pages::registry())
        if (entry.inRail && entry.atBottom) addEntry(entry, layout);
    fold_ = new QToolButton(this);
    fold_->setObjectName(QStringLiteral("rail-fold"));
    fold_->setAutoRaise(true);
    fold_->setIconSize({16, 16});
    connect(fold_, &QToolButton::clicked, this, [this] {
        setCollapsed(!collapsed_);
        Q_EMIT collapsedChanged(collapsed_);
    });
    layout->addSpacing(4);
    layout->addWidget(fold_, 0, Qt::AlignLeft);
    setCollapsed(false);
}

void NavRail::addEntry(const pages::PageEntry& entry, QVBoxLayout* layout) {
    const QString key = QLatin1String(entry.key);
    auto* button = new RailButton(QLatin1String(entry.icon), pages::pageTitle(entry), this);
    button->setObjectName(QStringLiteral("rail-") + key);
    group_.addButton(button);
    connect(button, &QAbstractButton::clicked, this, [this, key] { Q_EMIT chosen(key); });
    items_.push_back({key, pages::pageTitle(entry), button});
    layout->addWidget(button);
}

void NavRail::setCurrent(const QString& key) {
    for (const Item& item : items_) item.button->setChecked(item.key == key);
}

void NavRail::setCollapsed(bool collapsed) {
    collapsed_ = collapsed;
    setFixedWidth(collapsed ? style::size::kRailCollapsed : style::size::kRailWidth);
    refresh();
}

void NavRail::refresh() {
    brand_->setCollapsed(collapsed_);
    int number = 0;
    for (const Item& item : items_) {
        item.button->setCollapsed(collapsed_);
        ++number;
        item.button->setToolTip(number <= 9 ? QStringLiteral("%1  Ctrl+%2").arg(item.title).arg(number) : item.title);
    }
    fold_->setIcon(style::icon(collapsed_ ? QStringLiteral("chevron-right") : QStringLiteral("chevron-left")));
    const QString text = collapsed_ ? tr("Show names of pages") : tr("Hide names of pages");
    fold_->setToolTip(text);
    fold_->setAccessibleName(text);
}

QStringList NavRail::keys() const {
    QStringList keys;
    for (const Item& item : items_) keys.append(item.key);
    return keys;
}

void NavRail::keyPressEvent(QKeyEvent* event) {
    const int step = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    if (!step) return QFrame::keyPressEvent(event);
    for (size_t i = 0; i < items_.size(); ++i)
        if (items_[i].button->hasFocus()) {
            const size_t next = (i + items_.size() + static_cast<size_t>(step)) % items_.size();
            items_[next].button->setFocus(Qt::TabFocusReason);
            return;
        }
}

}  // namespace assay::shell
