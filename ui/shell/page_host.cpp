#include "page_host.h"

#include <assay/presenters/settings.h>
#include <assay/style/icons.h>
#include <assay/style/tokens.h>

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

namespace assay::shell {
namespace {

constexpr int kInspectorWidth = 300;

QString stateKey(const QString& page) { return QStringLiteral("page.%1.state").arg(page); }

}  // namespace

const pages::PageEntry* findPage(const QString& key) {
    for (const pages::PageEntry& entry : pages::registry())
        if (QLatin1String(entry.key) == key) return &entry;
    return nullptr;
}

PageHost::PageHost(presenters::AppContext& context, QWidget* parent) : QWidget(parent), context_(context) {
    setObjectName(QStringLiteral("page-host"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    splitter_ = new QSplitter(Qt::Horizontal, this);
    splitter_->setObjectName(QStringLiteral("inspector-splitter"));
    splitter_->setChildrenCollapsible(false);
    splitter_->setHandleWidth(1);
    layout->addWidget(splitter_);
    stack_ = new QStackedWidget(splitter_);
    splitter_->addWidget(stack_);

    dock_ = new QFrame(splitter_);
    dock_->setObjectName(QStringLiteral("inspector"));
    dock_->setAccessibleName(tr("Inspector"));
    dock_->setMinimumWidth(220);
    dockLayout_ = new QVBoxLayout(dock_);
    dockLayout_->setContentsMargins(0, 0, 0, 0);
    dockLayout_->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 10, 8, 6);
    auto* title = new QLabel(tr("Inspector"), dock_);
    title->setFont(style::font(style::Type::kCardTitle));
    auto* close = new QToolButton(dock_);
    close->setObjectName(QStringLiteral("inspector-close"));
    close->setAccessibleName(tr("Close the inspector"));
    close->setToolTip(tr("Close (Ctrl+I shows it again)"));
    close->setIcon(style::icon(QStringLiteral("close")));
    close->setIconSize({12, 12});
    close->setAutoRaise(true);
    head->addWidget(title, 1);
    head->addWidget(close);
    dockLayout_->addLayout(head);
    dock_->hide();
    splitter_->addWidget(dock_);
    splitter_->setStretchFactor(0, 1);
    splitter_->setStretchFactor(1, 0);
    connect(close, &QToolButton::clicked, this, [this] { setInspectorShown(false); });
    connect(splitter_, &QSplitter::splitterMoved, this, [this] { context_.settings.set(QStringLiteral("window.inspector_width"), dock_->width()); });
    inspectorWanted_ = context.settings.flag(QStringLiteral("window.inspector"), true);
}

PageHost::~PageHost() {
    giveBackInspector();
}

pages::Page* PageHost::page(const QString& key) {
    if (auto it = made_.find(key); it != made_.end()) return it->second;
    const pages::PageEntry* entry = findPage(key);
    if (!entry || !entry->make) return nullptr;
    auto* scroll = new QScrollArea(stack_);
    scroll->setObjectName(QStringLiteral("scroll-") + key);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    pages::Page* made = entry->make(context_, scroll);
    if (made->objectName().isEmpty()) made->setObjectName(QStringLiteral("page-") + key);
    if (made->accessibleName().isEmpty()) made->setAccessibleName(pages::pageTitle(*entry));
    scroll->setWidget(made);
    stack_->addWidget(scroll);
    made_[key] = made;
    connect(made, &pages::Page::contentShown, this, &PageHost::contentShown);
    const Json state = context_.settings.value(stateKey(key));
    if (!state.is_null()) made->restoreState(state);
    return made;
}

bool PageHost::open(const QString& key, const Json& argument) {
    pages::Page* target = page(key);
    if (!target) return false;
    if (pages::Page* before = current(); before && before != target) context_.settings.set(stateKey(key_), before->saveState());
    key_ = key;
    for (QWidget* up = target; up; up = up->parentWidget())
        if (up->parentWidget() == stack_) stack_->setCurrentWidget(up);
    target->open(argument);
    showInspector();
    return true;
}

pages::Page* PageHost::current() const {
    auto it = made_.find(key_);
    return it == made_.end() ? nullptr : it->second;
}

void PageHost::saveStates() const {
    for (const auto& [key, page] : made_) context_.settings.set(stateKey(key), page->saveState());
}

void PageHost::setInspectorShown(bool shown) {
    if (shown == inspectorWanted_) return;
    inspectorWanted_ = shown;
    context_.settings.set(QStringLiteral("window.inspector"), shown);
    showInspector();
}

bool PageHost::hasInspector() const { return current() && current()->inspector(); }

// An inspector belongs to its page: it goes with that, not with the dock.
void PageHost::giveBackInspector() {
    if (!inspector_) return;
    dockLayout_->removeWidget(inspector_);
    inspector_->setParent(inspectorOwner_);
    inspector_->hide();
    inspector_ = nullptr;
}

void PageHost::showInspector() {
    QWidget* wanted = current() ? current()->inspector() : nullptr;
    if (inspector_ != wanted) {
        giveBackInspector();
        inspector_ = wanted;
        inspectorOwner_ = current();
        if (wanted) dockLayout_->addWidget(wanted, 1);
    }
    const bool shown = wanted && inspectorWanted_;
    if (wanted) wanted->setVisible(shown);
    const bool appears = shown && !dock_->isVisible();
    dock_->setVisible(shown);
    if (appears) {
        const Json saved = context_.settings.value(QStringLiteral("window.inspector_width"));
        const int width = saved.is_number_integer() ? std::clamp(saved.get<int>(), 220, 600) : kInspectorWidth;
        splitter_->setSizes({std::max(1, this->width() - width), width});
    }
    Q_EMIT inspectorChanged();
}

}  // namespace assay::shell
