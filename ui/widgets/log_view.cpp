#include "label_style.h"

#include <assay/models/format.h>
#include <assay/style/icons.h>
#include <assay/widgets/text_views.h>

#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QScrollBar>
#include <QShortcut>
#include <QStyle>
#include <QTextBlock>
#include <QVBoxLayout>
#include <algorithm>

namespace assay::widgets {
namespace {

constexpr int kMostLines = 50'000;   // some MB; what is older is asked for again when reached

}  // namespace

LogView::LogView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("log-view"));
    setAccessibleName(tr("Log"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    search_ = new QLineEdit(this);
    search_->setObjectName(QStringLiteral("log-search"));
    search_->setAccessibleName(tr("Search the log"));
    search_->setPlaceholderText(tr("Search the log (Enter: next, Shift+Enter: previous)"));
    search_->setClearButtonEnabled(true);
    search_->addAction(style::icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    edit_ = new QPlainTextEdit(this);
    edit_->setObjectName(QStringLiteral("log-text"));
    edit_->setAccessibleName(tr("Log"));
    edit_->setReadOnly(true);
    edit_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    edit_->setFont(style::font(style::Type::kMono));
    edit_->setLineWrapMode(QPlainTextEdit::NoWrap);
    edit_->setUndoRedoEnabled(false);
    edit_->document()->setMaximumBlockCount(kMostLines);
    column->addWidget(search_);
    column->addWidget(edit_, 1);
    setFocusProxy(edit_);

    const auto find = [this](bool backward) {
        const QString wanted = search_->text();
        if (wanted.isEmpty()) return;
        const QTextDocument::FindFlags flags = backward ? QTextDocument::FindBackward : QTextDocument::FindFlags();
        if (!edit_->find(wanted, flags)) {  // once around
            const QTextCursor before = edit_->textCursor();
            edit_->moveCursor(backward ? QTextCursor::End : QTextCursor::Start);
            const bool found = edit_->find(wanted, flags);
            if (!found) edit_->setTextCursor(before);
            search_->setProperty("invalid", !found);
        } else {
            search_->setProperty("invalid", false);
        }
        search_->style()->unpolish(search_);
        search_->style()->polish(search_);
    };
    connect(search_, &QLineEdit::returnPressed, this, [find] { find(QGuiApplication::keyboardModifiers() & Qt::ShiftModifier); });
    auto* shortcut = new QShortcut(QKeySequence::Find, this);
    shortcut->setContext(Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, this, [this] {
        search_->setFocus(Qt::ShortcutFocusReason);
        search_->selectAll();
    });
    connect(edit_->verticalScrollBar(), &QScrollBar::valueChanged, this, [this](int value) {
        const QScrollBar* bar = edit_->verticalScrollBar();
        if (value == bar->minimum() && bar->maximum() > bar->minimum()) Q_EMIT olderNeeded();
    });
}

void LogView::clear() {
    edit_->clear();
}

void LogView::append(const QString& text) {
    if (text.isEmpty()) return;
    QScrollBar* bar = edit_->verticalScrollBar();
    const bool follow = bar->value() >= bar->maximum() - 1;
    const int place = bar->value(), across = edit_->horizontalScrollBar()->value();
    QTextCursor end(edit_->document());   // the person's cursor and selection stay
    end.movePosition(QTextCursor::End);
    end.insertText(text);
    bar->setValue(follow ? bar->maximum() : place);
    edit_->horizontalScrollBar()->setValue(across);
}

void LogView::prepend(const QString& text) {
    if (text.isEmpty()) return;
    QScrollBar* bar = edit_->verticalScrollBar();
    const int before = edit_->blockCount();
    const int place = bar->value();
    // Older text is what the person asked for: the limit would cut it off again at once.
    const int added = static_cast<int>(text.count(QLatin1Char('\n')));
    edit_->document()->setMaximumBlockCount(std::max(kMostLines, before + added + 1));
    QTextCursor start(edit_->document());
    start.movePosition(QTextCursor::Start);
    start.insertText(text);
    const QSignalBlocker quiet(bar);
    bar->setValue(place + edit_->blockCount() - before);  // the lines on screen stay where they are
    edit_->viewport()->update();
}

QString LogView::text() const {
    return edit_->toPlainText();
}

}  // namespace assay::widgets
