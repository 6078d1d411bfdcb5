#include "command_palette.h"

#include <assay/pages/page.h>
#include <assay/style/theme_notifier.h>
#include <assay/style/tokens.h>

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include "palette_delegate.h"

namespace assay::shell {
namespace {

constexpr int kWidth = 620, kMostRows = 10, kRow = 34;

QList<presenters::PalettePage> palettePages() {
    QList<presenters::PalettePage> list;
    for (const pages::PageEntry& entry : pages::registry())
        if (entry.inRail) list.append({QLatin1String(entry.key), pages::pageTitle(entry), QLatin1String(entry.icon)});
    return list;
}

}  // namespace

CommandPalette::CommandPalette(presenters::AppContext& context, QWidget* window) : QFrame(window), presenter_(context, palettePages()) {
    setObjectName(QStringLiteral("command-palette"));
    setAccessibleName(tr("Commands"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 7);
    layout->setSpacing(6);
    line_ = new QLineEdit(this);
    line_->setObjectName(QStringLiteral("palette-text"));
    line_->setAccessibleName(tr("Command, page or run"));
    line_->setPlaceholderText(tr("Type a command, a page or the name of a run"));
    line_->setFrame(false);
    line_->setFixedHeight(40);
    line_->setStyleSheet(QStringLiteral("QLineEdit#palette-text { border: 0; background: transparent; padding: 0 14px; font-size: 14px; }"));
    layout->addWidget(line_);
    model_ = new QStandardItemModel(this);
    list_ = new QListView(this);
    list_->setObjectName(QStringLiteral("palette-list"));
    list_->setAccessibleName(tr("Answers"));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setModel(model_);
    list_->setItemDelegate(new PaletteDelegate(list_));
    list_->setUniformItemSizes(true);
    list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setFocusPolicy(Qt::NoFocus);
    list_->viewport()->setAutoFillBackground(false);
    list_->setStyleSheet(QStringLiteral("QListView#palette-list { background: transparent; border: 0; }"));
    layout->addWidget(list_);
    line_->installEventFilter(this);
    window->installEventFilter(this);
    connect(line_, &QLineEdit::textChanged, this, [this](const QString& text) {
        list_->setCurrentIndex({});   // new text begins at the top
        presenter_.setTyped(text);
    });
    connect(list_, &QListView::clicked, this, [this] { runCurrent(); });
    connect(&presenter_, &presenters::PalettePresenter::changed, this, [this] {
        if (isVisible()) refresh();
    });
    hide();
}

void CommandPalette::popUp() {
    before_ = QApplication::focusWidget();
    line_->clear();
    refresh();
    show();
    raise();
    line_->setFocus(Qt::ShortcutFocusReason);
}

void CommandPalette::refresh() {
    const int current = std::max(0, list_->currentIndex().row());
    model_->clear();
    for (const presenters::PaletteEntry& entry : presenter_.entries()) {
        auto* item = new QStandardItem(entry.title);
        item->setData(entry.detail, PaletteDelegate::kDetailRole);
        item->setData(entry.shortcut, PaletteDelegate::kShortcutRole);
        item->setData(entry.icon.isEmpty() ? QStringLiteral("command") : entry.icon, PaletteDelegate::kIconRole);
        item->setAccessibleText(entry.detail.isEmpty() ? entry.title : entry.title + QStringLiteral(", ") + entry.detail);
        model_->appendRow(item);
    }
    if (model_->rowCount() == 0) {
        auto* item = new QStandardItem(presenter_.isSearching() ? tr("Searching runs…") : tr("Nothing has this name"));
        item->setFlags(Qt::NoItemFlags);
        item->setData(QStringLiteral("search"), PaletteDelegate::kIconRole);
        model_->appendRow(item);
    }
    list_->setCurrentIndex(model_->index(std::min(current, model_->rowCount() - 1), 0));   // runs that arrive do not move the choice
    place();
}

void CommandPalette::place() {
    const int rows = std::min(model_->rowCount(), kMostRows);
    list_->setFixedHeight(rows * kRow);
    const int width = std::min(kWidth, parentWidget()->width() - 48);
    setFixedWidth(width);
    adjustSize();
    move((parentWidget()->width() - width) / 2, std::max(24, parentWidget()->height() / 8));
}

void CommandPalette::runCurrent() {
    const int row = list_->currentIndex().row();
    if (row < 0 || row >= presenter_.entries().size()) return;
    const auto run = presenter_.entries()[row].run;
    hide();
    if (before_) before_->setFocus(Qt::OtherFocusReason);
    if (run) run();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget()) {
        if (event->type() == QEvent::Resize && isVisible()) place();
        return false;
    }
    if (event->type() == QEvent::FocusOut && static_cast<QFocusEvent*>(event)->reason() != Qt::ActiveWindowFocusReason) hide();
    if (event->type() != QEvent::KeyPress) return false;
    const int last = model_->rowCount() - 1, row = list_->currentIndex().row();
    const auto select = [&](int to) { list_->setCurrentIndex(model_->index(to, 0)); };
    switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Down: select(row >= last ? 0 : row + 1); return true;
        case Qt::Key_Up: select(row <= 0 ? last : row - 1); return true;
        case Qt::Key_PageDown: select(std::min(last, row + kMostRows)); return true;
        case Qt::Key_PageUp: select(std::max(0, row - kMostRows)); return true;
        case Qt::Key_Return:
        case Qt::Key_Enter: runCurrent(); return true;
        case Qt::Key_Escape:
            hide();
            if (before_) before_->setFocus(Qt::OtherFocusReason);
            return true;
        default: return false;
    }
}

void CommandPalette::paintEvent(QPaintEvent*) {
    const style::Tokens& t = style::tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(t.line, 1));
    painter.setBrush(t.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), style::size::kRadius, style::size::kRadius);
    painter.drawLine(1, 41, width() - 2, 41);
}

}  // namespace assay::shell
