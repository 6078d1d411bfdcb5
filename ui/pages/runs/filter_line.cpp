#include "filter_line.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QStringListModel>

namespace assay::pages {

FilterLine::FilterLine(QWidget* parent) : QLineEdit(parent), completer_(new QCompleter(this)), words_(new QStringListModel(this)) {
    setObjectName(QStringLiteral("runs-filter"));
    setAccessibleName(tr("Filter"));
    setPlaceholderText(tr("Filter, for example: eval/loss < 3.5 and tag = demo"));
    setClearButtonEnabled(true);
    completer_->setModel(words_);
    completer_->setWidget(this);
    completer_->setCompletionMode(QCompleter::UnfilteredPopupCompletion);   // the presenter has chosen already
    completer_->setMaxVisibleItems(10);
    pause_.setSingleShot(true);
    pause_.setInterval(250);
    connect(&pause_, &QTimer::timeout, this, [this] { Q_EMIT settled(text()); });
    connect(this, &QLineEdit::textEdited, this, [this] {
        pause_.start();
        complete();
    });
    connect(this, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (text.isEmpty()) pause_.start();
    });
    connect(completer_, qOverload<const QString&>(&QCompleter::activated), this, &FilterLine::insert);
}

void FilterLine::complete() {
    if (!completions) return;
    const presenters::FilterPlace place = presenters::filterPlaceAt(text(), cursorPosition());
    QStringList words = place.word.isEmpty() ? QStringList() : completions(place);
    if (words.size() == 1 && words.front() == place.word) words.clear();
    if (words.isEmpty()) return completer_->popup()->hide();
    words_->setStringList(words.mid(0, 50));
    completer_->complete();
}

void FilterLine::insert(const QString& word) {
    const presenters::FilterPlace place = presenters::filterPlaceAt(text(), cursorPosition());
    const QString before = text().left(place.begin), after = text().mid(cursorPosition());
    const QString put = word + (after.startsWith(QLatin1Char(' ')) ? QString() : QStringLiteral(" "));
    setText(before + put + after);
    setCursorPosition(static_cast<int>(before.size() + put.size()));
    pause_.start();
}

void FilterLine::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (completer_->popup()->isVisible() && (enter || event->key() == Qt::Key_Escape || event->key() == Qt::Key_Tab)) {
        event->ignore();   // the popup's
        return;
    }
    if (event->key() == Qt::Key_Space && event->modifiers() == Qt::ControlModifier) {
        const presenters::FilterPlace place = presenters::filterPlaceAt(text(), cursorPosition());
        words_->setStringList(completions ? completions(place).mid(0, 200) : QStringList());
        completer_->complete();
        return;
    }
    QLineEdit::keyPressEvent(event);
    if (enter) {
        pause_.stop();
        Q_EMIT settled(text());
    }
}

}  // namespace assay::pages
