#include "form_view.h"

#include <assay/style/tokens.h>
#include <assay/widgets/card.h>
#include <assay/widgets/controls.h>

#include <QApplication>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollBar>

namespace assay::pages {

using presenters::FormField;
using presenters::FormSection;

FormView::FormView(presenters::ExperimentPresenter& presenter, QWidget* parent) : QScrollArea(parent), presenter_(presenter) {
    setObjectName(QStringLiteral("experiment-form"));
    setAccessibleName(tr("Form"));
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAutoFillBackground(false);
}

void FormView::setAdvanced(bool on) {
    advanced_ = on;
    refresh();
}

// What is written is shown, simple or not: nothing that the file says is hidden.
bool FormView::shows(const FormField& field) const {
    if (advanced_ || !field.advanced) return true;
    return field.changed || !field.problem.isEmpty();
}

QStringList FormView::shape() const {
    QStringList out;
    for (const FormSection& section : presenter_.sections()) {
        out << section.key + (section.present ? QStringLiteral("+") : QStringLiteral("-"));
        if (!section.present) continue;
        for (const FormField& field : section.fields)
            if (shows(field)) out << field.key + QString::number(static_cast<int>(field.kind));
    }
    return out;
}

void FormView::refresh() {
    if (const QStringList now = shape(); now != shape_) {
        shape_ = now;
        rebuild();
    }
    size_t i = 0;
    for (const FormSection& section : presenter_.sections()) {
        if (!section.present) continue;
        for (const FormField& field : section.fields)
            if (shows(field) && i < rows_.size()) rows_[i++]->update(field);
    }
    if (widget()) widget()->setEnabled(presenter_.formReadable() && !presenter_.isChecking());
}

void FormView::rebuild() {
    QString focusKey;
    QWidget* focus = QApplication::focusWidget();
    for (FieldRow* row : rows_) {
        if (focus && row->isAncestorOf(focus)) focusKey = row->key();
        row->blockSignals(true);   // losing the focus must not write an old value
    }
    const int scrolled = verticalScrollBar()->value();
    rows_.clear();
    auto* body = new QWidget;
    body->setObjectName(QStringLiteral("experiment-form-body"));
    auto* grid = new QGridLayout(body);
    grid->setContentsMargins(8, 8, 8, 8);
    grid->setHorizontalSpacing(4);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    int line = 0;
    auto* absent = new QWidget(body);
    auto* add = new QGridLayout(absent);
    add->setContentsMargins(4, 4, 4, 4);
    add->setSpacing(4);
    int addable = 0;
    for (const FormSection& section : presenter_.sections()) {
        if (!section.present) {
            if (!section.optional) continue;
            auto* button = widgets::makeButton(section.title, widgets::ButtonKind::kNormal, QStringLiteral("add"), absent);
            button->setObjectName(QStringLiteral("add-") + section.key);
            button->setAccessibleName(tr("Add: %1").arg(section.title));
            button->setToolTip(section.help.toHtmlEscaped());
            connect(button, &QPushButton::clicked, this, [this, key = section.key] { presenter_.setSectionPresent(key, true); });
            add->addWidget(button, addable / 3, addable % 3);
            ++addable;
            continue;
        }
        std::vector<const FormField*> fields;
        for (const FormField& field : section.fields)
            if (shows(field)) fields.push_back(&field);
        if (fields.empty()) continue;
        // The head of a section; the first one and the method need none.
        if (!section.key.isEmpty() && section.key != QLatin1String("method")) {
            auto* head = new QWidget(body);
            auto* row = new QHBoxLayout(head);
            row->setContentsMargins(4, line == 0 ? 0 : 8, 4, 0);
            auto* title = new widgets::PlainLabel(section.title, head, style::Type::kCardTitle);
            title->setToolTip(section.help.toHtmlEscaped());
            row->addWidget(title, 1);
            if (section.optional) {
                auto* remove = widgets::makeButton(QString(), widgets::ButtonKind::kQuiet, QStringLiteral("close"), head);
                remove->setObjectName(QStringLiteral("remove-") + section.key);
                remove->setAccessibleName(tr("Remove: %1").arg(section.title));
                remove->setToolTip(tr("Take this section out of the file"));
                connect(remove, &QPushButton::clicked, this, [this, key = section.key] { presenter_.setSectionPresent(key, false); });
                row->addWidget(remove);
            }
            grid->addWidget(head, line++, 0, 1, 2);
        }
        int column = 0;
        for (const FormField* field : fields) {
            auto* row = new FieldRow(*field, body);
            connect(row, &FieldRow::edited, &presenter_, &presenters::ExperimentPresenter::setField);
            connect(row, &FieldRow::resetAsked, &presenter_, &presenters::ExperimentPresenter::resetField);
            connect(row, &FieldRow::focused, this, [this](const QString& key) {
                highlight(key);
                Q_EMIT focused(key);
            });
            connect(row, &FieldRow::browseAsked, this, &FormView::browseAsked);
            rows_.push_back(row);
            if (row->isWide()) {
                if (column) ++line;
                column = 0;
                grid->addWidget(row, line++, 0, 1, 2);
            } else {
                row->setSizePolicy(QSizePolicy::Ignored, row->sizePolicy().verticalPolicy());   // halves are halves, whatever stands in them
                grid->addWidget(row, line, column, Qt::AlignTop);
                if (column) ++line;
                column = 1 - column;
            }
        }
        if (column) ++line;
    }
    if (addable) {
        auto* title = new widgets::PlainLabel(tr("Add to this experiment"), body, style::Type::kSecondary);
        title->setDim(3);
        title->setContentsMargins(4, 12, 4, 0);
        grid->addWidget(title, line++, 0, 1, 2);
        for (int i = 0; i < 3; ++i) add->setColumnStretch(i, 1);
        grid->addWidget(absent, line++, 0, 1, 2);
    } else {
        delete absent;
    }
    grid->setRowStretch(line, 1);
    // The old widgets may be on the stack: one of them said what made the new ones.
    if (QWidget* old = takeWidget()) old->deleteLater();
    setWidget(body);
    body->setAutoFillBackground(false);
    verticalScrollBar()->setValue(scrolled);
    if (!focusKey.isEmpty())
        if (FieldRow* again = row(focusKey)) again->focusControl();
}

void FormView::focusField(const QString& key) {
    if (FieldRow* there = row(key)) there->focusControl();
}

FieldRow* FormView::row(const QString& key) const {
    for (FieldRow* row : rows_)
        if (row->key() == key) return row;
    return nullptr;
}

void FormView::highlight(const QString& key) {
    FieldRow* best = nullptr;
    for (QString path = key; !best && !path.isEmpty(); path = path.left(std::max<qsizetype>(0, path.lastIndexOf(u'.')))) best = row(path);
    for (FieldRow* row : rows_) row->setHighlighted(row == best);
    if (best) ensureWidgetVisible(best, 0, 12);
}

}  // namespace assay::pages
