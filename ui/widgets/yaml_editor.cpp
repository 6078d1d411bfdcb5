#include "label_style.h"
#include "yaml_highlighter.h"

#include <assay/style/theme_notifier.h>
#include <assay/widgets/text_views.h>

#include <QAbstractItemView>
#include <QCompleter>
#include <QCoreApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <QPlainTextDocumentLayout>
#include <QScrollBar>
#include <QStringListModel>
#include <QTextBlock>
#include <QTimer>
#include <QToolTip>
#include <algorithm>

namespace assay::widgets {

namespace {

constexpr qsizetype kAtOnce = 24'000;   // characters that are put in or taken out in one turn: a tenth of a second is too long
constexpr int kLineHeight = 19, kAbove = 2;   // the text stands in the middle of its line

// Plain documents know no line height: lines are as high as their letters, and blocks a little higher here.
class TallLines final : public QPlainTextDocumentLayout {
public:
    using QPlainTextDocumentLayout::QPlainTextDocumentLayout;
    QRectF blockBoundingRect(const QTextBlock& block) const override {
        QRectF box = QPlainTextDocumentLayout::blockBoundingRect(block);
        if (box.height() > 0) box.setHeight(std::max<qreal>(box.height(), kLineHeight));
        return box;
    }
};

YamlEditor* withTallLines(YamlEditor* editor) {
    auto* document = new QTextDocument(editor);
    document->setDocumentLayout(new TallLines(document));
    editor->setDocument(document);
    return editor;
}

}  // namespace

class YamlGutter final : public QWidget {
public:
    explicit YamlGutter(YamlEditor* editor) : QWidget(editor), editor_(editor) { setObjectName(QStringLiteral("yaml-gutter")); }
    QSize sizeHint() const override { return {editor_->gutterWidth(), 0}; }

protected:
    void paintEvent(QPaintEvent* event) override { editor_->paintGutter(event); }
    void wheelEvent(QWheelEvent* event) override { QCoreApplication::sendEvent(editor_->viewport(), event); }
    bool event(QEvent* event) override {
        if (event->type() == QEvent::ToolTip) return editor_->event(event);
        return QWidget::event(event);
    }

private:
    YamlEditor* editor_;
};

struct YamlEditor::Private : QObject {
    explicit Private(YamlEditor* owner) : QObject(owner), editor(owner), gutter(new YamlGutter(owner)), highlighter(new YamlHighlighter(owner->document())) {}
    YamlEditor* editor;
    YamlGutter* gutter;
    YamlHighlighter* highlighter;
    QCompleter* completer = nullptr;
    std::vector<Mark> marks;
    int fieldLine = 0;
    // A long change in pieces: first `surplus` characters before `place` go, then the rest of `coming` comes there.
    QTimer turns;
    QTextCursor place;
    QString coming;
    qsizetype come = 0, surplus = 0;
    bool wasReadOnly = false, moveCursor = false;

    bool filling() const { return !place.isNull(); }
    void fill(int from, int to, const QString& text, bool cursorToEnd) {
        wasReadOnly = editor->isReadOnly();
        editor->setReadOnly(true);
        place = QTextCursor(editor->document());
        place.setPosition(to);
        surplus = to - from;
        coming = text;
        come = 0;
        moveCursor = cursorToEnd;
        turns.start(0);
    }
    void turn() {
        if (surplus > 0) {
            const qsizetype piece = std::min(surplus, kAtOnce);
            place.setPosition(place.position() - static_cast<int>(piece), QTextCursor::KeepAnchor);
            place.removeSelectedText();
            surplus -= piece;
        } else if (come < coming.size()) {
            qsizetype end = std::min(come + kAtOnce, coming.size());
            if (const qsizetype line = coming.lastIndexOf(QLatin1Char('\n'), end - 1); end < coming.size() && line >= come) end = line + 1;
            if (end < coming.size() && coming[end - 1].isHighSurrogate()) ++end;
            place.insertText(coming.mid(come, end - come));
            come = end;
        }
        if (surplus == 0 && come >= coming.size()) endFilling();
    }
    void endFilling() {
        turns.stop();
        if (moveCursor) editor->setTextCursor(place);
        place = QTextCursor();
        coming.clear();
        editor->setReadOnly(wasReadOnly);
        decorate();
        Q_EMIT editor->filled();
    }

    QTextBlock block(int line) const { return editor->document()->findBlockByNumber(line - 1); }

    void decorate() {
        const style::Tokens& t = style::tokens();
        QList<QTextEdit::ExtraSelection> all;
        for (const Mark& mark : marks) {
            const QTextBlock place = block(mark.line);
            if (!place.isValid()) continue;
            const QString text = place.text();
            int from = std::clamp(mark.column - 1, 0, static_cast<int>(text.size()));
            int to = from;
            while (to < text.size() && !text[to].isSpace() && !QStringLiteral(",:]}").contains(text[to])) ++to;
            if (to == from) {   // at the end or on a space: the whole line's text
                to = static_cast<int>(text.size());
                from = std::min(from, std::max(0, to - 1));
                if (mark.column <= 1) from = static_cast<int>(std::min(text.size(), text.size() - text.trimmed().size()));
            }
            QTextEdit::ExtraSelection wave;
            wave.cursor = QTextCursor(place);
            wave.cursor.setPosition(place.position() + from);
            wave.cursor.setPosition(place.position() + to, QTextCursor::KeepAnchor);
            wave.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
            wave.format.setUnderlineColor(mark.error ? t.bad : t.warn);
            all.append(wave);
        }
        editor->setExtraSelections(all);
        gutter->update();
        editor->viewport()->update();
    }

    QString messageAt(int line) const {
        QStringList texts;
        for (const Mark& mark : marks)
            if (mark.line == line) texts.append(mark.message);
        return texts.join(QLatin1Char('\n'));
    }

    QString wordBeforeCursor() const {
        const QTextCursor cursor = editor->textCursor();
        const QString text = cursor.block().text().left(cursor.positionInBlock());
        int start = static_cast<int>(text.size());
        while (start > 0 && (text[start - 1].isLetterOrNumber() || text[start - 1] == QLatin1Char('_') || text[start - 1] == QLatin1Char('.') || text[start - 1] == QLatin1Char('-'))) --start;
        return text.mid(start);
    }

    void showCompletions() {
        if (!completer) return;
        const QString word = wordBeforeCursor();
        completer->setCompletionPrefix(word);
        if (completer->completionCount() == 0) return completer->popup()->hide();
        completer->popup()->setCurrentIndex(completer->completionModel()->index(0, 0));
        QRect at = editor->cursorRect().translated(editor->viewport()->pos());
        at.translate(-editor->fontMetrics().horizontalAdvance(word), 4);
        at.setWidth(std::min(360, completer->popup()->sizeHintForColumn(0) + 40));
        completer->complete(at);
    }

    void insertCompletion(const QString& key) {
        QTextCursor cursor = editor->textCursor();
        cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor, static_cast<int>(wordBeforeCursor().size()));
        const QString rest = cursor.block().text().mid(editor->textCursor().positionInBlock());
        cursor.insertText(rest.trimmed().isEmpty() ? key + QStringLiteral(": ") : key);
        editor->setTextCursor(cursor);
    }

    void indentLines(bool more) {
        QTextCursor cursor = editor->textCursor();
        if (!cursor.hasSelection() && more) {
            cursor.insertText(QString(2 - cursor.positionInBlock() % 2, QLatin1Char(' ')));
            return;
        }
        QTextBlock first = editor->document()->findBlock(cursor.selectionStart()), last = editor->document()->findBlock(cursor.selectionEnd());
        cursor.beginEditBlock();
        for (QTextBlock line = first; line.isValid(); line = line.next()) {
            QTextCursor edit(line);
            if (more) edit.insertText(QStringLiteral("  "));
            for (int i = 0; !more && i < 2 && line.text().startsWith(QLatin1Char(' ')); ++i) edit.deleteChar();
            if (line == last) break;
        }
        cursor.endEditBlock();
    }
};

YamlEditor::YamlEditor(QWidget* parent) : QPlainTextEdit(parent), d_(new Private(withTallLines(this))) {
    setObjectName(QStringLiteral("yaml-editor"));
    setAccessibleName(tr("YAML"));
    setFont(style::font(style::Type::kMono));
    setLineWrapMode(NoWrap);
    setTabChangesFocus(false);
    setTabStopDistance(2 * fontMetrics().horizontalAdvance(QLatin1Char(' ')));
    const auto fitGutter = [this] { setViewportMargins(gutterWidth(), 0, 0, 0); };
    connect(this, &QPlainTextEdit::blockCountChanged, this, fitGutter);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int scrolled) {
        d_->highlighter->show(firstVisibleBlock(), viewport()->height() / kLineHeight + 2);
        if (scrolled != 0) d_->gutter->scroll(0, scrolled);
        else d_->gutter->update(0, rect.y(), d_->gutter->width(), rect.height());
    });
    connect(this, &QPlainTextEdit::cursorPositionChanged, d_->gutter, qOverload<>(&QWidget::update));
    connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, this, [this] {
        d_->highlighter->rehighlight();
        d_->decorate();
    });
    fitGutter();
    connect(&d_->turns, &QTimer::timeout, d_, [this] { d_->turn(); });
}

bool YamlEditor::isFilling() const { return d_->filling(); }
void YamlEditor::finishFilling() {
    while (d_->filling()) d_->turn();
}

void YamlEditor::insertFromMimeData(const QMimeData* source) {
    if (!source->hasText()) return QPlainTextEdit::insertFromMimeData(source);
    QString text = source->text();
    const QTextCursor cursor = textCursor();
    const qsizetype kept = document()->characterCount() - 1 - (cursor.selectionEnd() - cursor.selectionStart());
    if (kept + text.size() > kMostCharacters) return Q_EMIT pasteRefused(text.size());
    if (text.size() <= kAtOnce) return QPlainTextEdit::insertFromMimeData(source);
    text.replace(QLatin1String("\r\n"), QLatin1String("\n")).replace(QLatin1Char('\r'), QLatin1Char('\n'));
    for (qsizetype begin = 0, end = 0; begin < text.size(); begin = end + 1) {   // a line is laid out as a whole
        end = text.indexOf(QLatin1Char('\n'), begin);
        if (end < 0) end = text.size();
        if (end - begin > kLongestLine) return Q_EMIT pasteRefused(text.size());
    }
    finishFilling();
    d_->fill(cursor.selectionStart(), cursor.selectionEnd(), text, true);
}

void YamlEditor::setMarks(std::vector<Mark> marks) {
    d_->marks = std::move(marks);
    d_->decorate();
}

void YamlEditor::highlightLine(int line) {
    if (d_->fieldLine == line) return;
    d_->fieldLine = line;
    d_->decorate();
    if (line > 0 && !hasFocus()) {   // shown, without moving the person's cursor
        const QTextBlock block = d_->block(line);
        if (!block.isValid()) return;
        const int first = firstVisibleBlock().blockNumber();
        const int shown = std::max(1, viewport()->height() / kLineHeight);
        if (block.blockNumber() < first || block.blockNumber() >= first + shown - 1) verticalScrollBar()->setValue(std::max(0, block.blockNumber() - shown / 3));
    }
}

void YamlEditor::setCompletions(const QStringList& keys) {
    if (!d_->completer) {
        d_->completer = new QCompleter(this);
        d_->completer->setWidget(this);
        d_->completer->setModel(new QStringListModel(d_->completer));
        d_->completer->setCompletionMode(QCompleter::PopupCompletion);
        d_->completer->setFilterMode(Qt::MatchContains);
        d_->completer->setCaseSensitivity(Qt::CaseInsensitive);
        d_->completer->popup()->setObjectName(QStringLiteral("yaml-completions"));
        connect(d_->completer, qOverload<const QString&>(&QCompleter::activated), this, [this](const QString& key) { d_->insertCompletion(key); });
    }
    static_cast<QStringListModel*>(d_->completer->model())->setStringList(keys);
}

void YamlEditor::replaceText(const QString& text) {
    finishFilling();
    const QString now = toPlainText();
    if (now == text) return;
    // Only the part that differs is replaced: the cursor, the view and the colours of everything else stay.
    const qsizetype shorter = std::min(now.size(), text.size());
    qsizetype front = 0, back = 0;
    while (front < shorter && now[front] == text[front]) ++front;
    while (back < shorter - front && now[now.size() - 1 - back] == text[text.size() - 1 - back]) ++back;
    if (std::max(now.size(), text.size()) - front - back > kAtOnce)
        return d_->fill(static_cast<int>(front), static_cast<int>(now.size() - back), text.mid(front, text.size() - front - back), false);
    const int scroll = verticalScrollBar()->value();
    QTextCursor cursor(document());
    cursor.beginEditBlock();
    cursor.setPosition(static_cast<int>(front));
    cursor.setPosition(static_cast<int>(now.size() - back), QTextCursor::KeepAnchor);
    cursor.insertText(text.mid(front, text.size() - front - back));
    cursor.endEditBlock();
    verticalScrollBar()->setValue(scroll);
    d_->decorate();
}

void YamlEditor::gotoPlace(int line, int column) {
    const QTextBlock block = d_->block(std::clamp(line, 1, blockCount()));
    QTextCursor cursor(block);
    cursor.setPosition(block.position() + std::clamp(column - 1, 0, std::max(0, block.length() - 1)));
    setTextCursor(cursor);
    centerCursor();
    setFocus(Qt::OtherFocusReason);
}

int YamlEditor::gutterWidth() const {
    const int digits = std::max(2, static_cast<int>(QString::number(blockCount()).size()));
    return 24 + fontMetrics().horizontalAdvance(QLatin1Char('9')) * digits;
}

void YamlEditor::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    const QRect inside = contentsRect();
    d_->gutter->setGeometry(inside.left(), inside.top(), gutterWidth(), inside.height());
}

void YamlEditor::keyPressEvent(QKeyEvent* event) {
    const bool popup = d_->completer && d_->completer->popup()->isVisible();
    if (popup && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Tab || event->key() == Qt::Key_Escape))
        return event->ignore();   // the popup takes it
    if (event->key() == Qt::Key_Space && event->modifiers() == Qt::ControlModifier) return d_->showCompletions();
    // Tab indents, so Ctrl+Tab leaves: the keyboard is never caught here.
    if ((event->key() == Qt::Key_Tab || event->key() == Qt::Key_Backtab) && (event->modifiers() & Qt::ControlModifier)) {
        QWidget::focusNextPrevChild(event->key() == Qt::Key_Tab);   // the text edit's own refuses
        return;
    }
    if (!isReadOnly() && event->key() == Qt::Key_Tab && event->modifiers() == Qt::NoModifier) return d_->indentLines(true);
    if (!isReadOnly() && event->key() == Qt::Key_Backtab) return d_->indentLines(false);
    if (!isReadOnly() && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) {
        // The new line starts where this one does, two further in after a key without a value.
        const QString line = textCursor().block().text().left(textCursor().positionInBlock());
        qsizetype indent = 0;
        while (indent < line.size() && line[indent] == QLatin1Char(' ')) ++indent;
        if (line.trimmed().endsWith(QLatin1Char(':'))) indent += 2;
        textCursor().insertText(QLatin1Char('\n') + QString(indent, QLatin1Char(' ')));
        return ensureCursorVisible();
    }
    QPlainTextEdit::keyPressEvent(event);
    if (popup) d_->showCompletions();
}

void YamlEditor::paintEvent(QPaintEvent* event) {
    if (const QTextBlock field = d_->block(d_->fieldLine); d_->fieldLine > 0 && field.isValid()) {
        const QRectF box = blockBoundingGeometry(field).translated(contentOffset());
        QPainter(viewport()).fillRect(QRectF(0, box.top() - kAbove, viewport()->width(), box.height()), style::tokens().accentBackground);
    }
    QPlainTextEdit::paintEvent(event);
}

bool YamlEditor::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const QPoint at = viewport()->mapFromGlobal(help->globalPos());
        const QString message = d_->messageAt(cursorForPosition(QPoint(std::max(0, at.x()), at.y())).blockNumber() + 1);
        if (message.isEmpty()) QToolTip::hideText();
        else QToolTip::showText(help->globalPos(), plainTip(message), this);
        return true;
    }
    return QPlainTextEdit::event(event);
}

void YamlEditor::paintGutter(QPaintEvent* event) {
    const style::Tokens& t = style::tokens();
    QPainter painter(d_->gutter);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(event->rect(), t.surface);
    painter.setFont(font());
    const int cursorLine = textCursor().blockNumber();
    QTextBlock block = firstVisibleBlock();
    while (block.isValid()) {
        const QRectF box = blockBoundingGeometry(block).translated(contentOffset().x(), contentOffset().y() - kAbove);
        if (box.top() > event->rect().bottom()) break;
        if (block.isVisible() && box.bottom() >= event->rect().top()) {
            const int line = block.blockNumber() + 1;
            if (line == d_->fieldLine) painter.fillRect(QRectF(d_->gutter->width() - 2, box.top(), 2, box.height()), t.accent);
            for (const Mark& mark : d_->marks) {
                if (mark.line != line) continue;
                painter.setPen(Qt::NoPen);
                painter.setBrush(mark.error ? t.bad : t.warn);
                painter.drawEllipse(QRectF(4, box.top() + box.height() / 2 - 3, 6, 6));
                if (mark.error) break;   // the worse one is shown
            }
            painter.setPen(block.blockNumber() == cursorLine ? t.text2 : t.text3);
            painter.drawText(QRectF(0, box.top(), d_->gutter->width() - 8, box.height()), Qt::AlignRight | Qt::AlignVCenter, QString::number(line));
        }
        block = block.next();
    }
}

}  // namespace assay::widgets
