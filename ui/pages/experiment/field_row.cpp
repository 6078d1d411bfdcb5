#include "field_row.h"

#include <assay/style/tokens.h>
#include <assay/widgets/card.h>
#include <assay/widgets/controls.h>

#include <QCheckBox>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

namespace assay::pages {

using presenters::FormField;
using Kind = FormField::Kind;

void UnitEdit::setUnit(const QString& unit) {
    unit_ = unit;
    fit();
}
void UnitEdit::fit() {
    setTextMargins(0, 0, unit_.isEmpty() ? 0 : QFontMetrics(style::font(style::Type::kSecondary)).horizontalAdvance(unit_) + 8, 0);
}
void UnitEdit::changeEvent(QEvent* event) {
    QLineEdit::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fit();
}
void UnitEdit::paintEvent(QPaintEvent* event) {
    QLineEdit::paintEvent(event);
    if (unit_.isEmpty()) return;
    QPainter painter(this);
    painter.setFont(style::font(style::Type::kSecondary));
    painter.setPen(style::tokens().text3);
    painter.drawText(rect().adjusted(0, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter, unit_);
}

namespace {

QString methodLabel(const QString& word) {
    if (word == QLatin1String("full")) return QObject::tr("Full");
    if (word == QLatin1String("lora")) return QStringLiteral("LoRA");
    if (word == QLatin1String("qlora")) return QStringLiteral("QLoRA");
    if (word == QLatin1String("distill")) return QObject::tr("Distill");
    if (word == QLatin1String("prune")) return QObject::tr("Prune");
    return word;
}

QString objectNameOf(const QString& key) {
    QString name = key;
    return QStringLiteral("field-") + name.replace(u'.', u'-').replace(u'_', u'-');
}

}  // namespace

FieldRow::FieldRow(const FormField& field, QWidget* parent) : QWidget(parent), field_(field) {
    setObjectName(objectNameOf(field.key) + QStringLiteral("-row"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 2, 4, 4);
    layout->setSpacing(4);
    const bool check = field.kind == Kind::kSwitch || field.kind == Kind::kGroup;
    dot_ = new widgets::PlainLabel(QStringLiteral("•"), this, style::Type::kCardTitle);
    dot_->setTone(style::Tone::kAccent);
    dot_->setFixedWidth(8);
    dot_->setToolTip(tr("Differs from the default"));
    if (!check) {
        auto* head = new QHBoxLayout;
        head->setSpacing(4);
        label_ = new widgets::PlainLabel(field.label, this, style::Type::kSecondary);
        label_->setDim(2);
        typical_ = new widgets::PlainLabel(field.typical, this, style::Type::kSmall);
        typical_->setDim(3);
        typical_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        head->addWidget(dot_);
        head->addWidget(label_);
        head->addWidget(typical_, 1);
        layout->addLayout(head);
        layout->addWidget(makeControl());
    } else {
        auto* row = new QHBoxLayout;
        row->setSpacing(4);
        row->addWidget(dot_);
        row->addWidget(makeControl());
        row->addStretch(1);
        layout->addStretch(1);
        layout->addLayout(row);
    }
    if (!field.note.isEmpty()) {
        auto* note = new widgets::PlainLabel(field.note, this, style::Type::kSmall);
        note->setObjectName(objectNameOf(field.key) + QStringLiteral("-note"));
        note->setDim(3);
        layout->addWidget(note);
    }
    problem_ = new widgets::PlainLabel(QString(), this, style::Type::kSmall);
    problem_->setObjectName(objectNameOf(field.key) + QStringLiteral("-problem"));
    problem_->setTone(style::Tone::kBad);
    layout->addWidget(problem_);
    update(field);
}

bool FieldRow::isWide() const {
    if (field_.kind == Kind::kGroup) return true;
    return field_.kind == Kind::kPath || field_.kind == Kind::kModel || field_.kind == Kind::kList || field_.key == QLatin1String("method") || field_.key == QLatin1String("name") ||
           field_.key == QLatin1String("data.tokenizer") || field_.key == QLatin1String("generate.prompt") || field_.key == QLatin1String("data.train");
}

QWidget* FieldRow::makeControl() {
    QWidget* control = nullptr;
    QWidget* shown = nullptr;
    switch (field_.kind) {
        case Kind::kSwitch:
        case Kind::kGroup:
            control = check_ = new QCheckBox(field_.label, this);
            connect(check_, &QCheckBox::toggled, this, [this](bool on) {
                if (!updating_) Q_EMIT edited(field_.key, on ? QStringLiteral("true") : QStringLiteral("false"));
            });
            break;
        case Kind::kChoice:
            if (field_.key == QLatin1String("method")) {
                QStringList labels;
                for (const QString& word : field_.choiceLabels) labels << methodLabel(word);
                control = segments_ = new widgets::SegmentedControl(labels, this);
                connect(segments_, &widgets::SegmentedControl::currentChanged, this, [this](int index) {
                    if (!updating_ && index != field_.choice && index >= 0 && index < field_.choices.size()) Q_EMIT edited(field_.key, field_.choices[index]);
                });
                for (QWidget* button : segments_->findChildren<QWidget*>()) button->installEventFilter(this);
                break;
            }
            control = combo_ = new QComboBox(this);
            combo_->setEditable(field_.freeChoice);
            combo_->setInsertPolicy(QComboBox::NoInsert);
            combo_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
            combo_->setMinimumContentsLength(6);
            connect(combo_, &QComboBox::activated, this, [this](int index) {
                if (!updating_ && index >= 0) Q_EMIT edited(field_.key, combo_->itemData(index).toString());
            });
            if (combo_->isEditable()) {
                combo_->lineEdit()->setObjectName(objectNameOf(field_.key) + QStringLiteral("-edit"));
                combo_->lineEdit()->setAccessibleName(field_.label);
                combo_->lineEdit()->installEventFilter(this);
                if (field_.fallback.isEmpty()) combo_->lineEdit()->setPlaceholderText(tr("the model's own"));
                connect(combo_->lineEdit(), &QLineEdit::editingFinished, this, [this] {
                    const QString text = combo_->currentText();
                    if (!updating_ && combo_->lineEdit()->isModified() && text != field_.value) Q_EMIT edited(field_.key, text);
                });
            }
            break;
        default: {
            control = edit_ = new UnitEdit(this);
            edit_->setUnit(field_.unit);
            edit_->setPlaceholderText(field_.invitation);
            pause_ = new QTimer(this);
            pause_->setSingleShot(true);
            pause_->setInterval(600);
            connect(pause_, &QTimer::timeout, this, &FieldRow::commit);
            connect(edit_, &QLineEdit::textEdited, this, [this] { pause_->start(); });
            connect(edit_, &QLineEdit::editingFinished, this, &FieldRow::commit);
            if (field_.kind == Kind::kPath || field_.kind == Kind::kModel) {
                auto* row = new QWidget(this);
                auto* line = new QHBoxLayout(row);
                line->setContentsMargins(0, 0, 0, 0);
                line->setSpacing(4);
                line->addWidget(edit_, 1);
                auto* browse = widgets::makeButton(QString(), widgets::ButtonKind::kNormal, QStringLiteral("folder"), row);
                browse->setObjectName(objectNameOf(field_.key) + QStringLiteral("-browse"));
                browse->setAccessibleName(tr("Choose: %1").arg(field_.label));
                browse->setToolTip(tr("Choose…"));
                connect(browse, &QPushButton::clicked, this, [this] { Q_EMIT browseAsked(field_.key); });
                line->addWidget(browse);
                shown = row;
            }
        }
    }
    control->setObjectName(objectNameOf(field_.key));
    control->setAccessibleName(field_.label);
    control->setAccessibleDescription(field_.help.contains(field_.note) ? field_.help : field_.help + u' ' + field_.note);
    control->installEventFilter(this);
    return shown ? shown : control;
}

void FieldRow::commit() {
    pause_->stop();
    if (!edit_->isModified() || updating_) return;
    edit_->setModified(false);
    if (edit_->text() != field_.value) Q_EMIT edited(field_.key, edit_->text());
}

QString FieldRow::tip() const {
    QStringList lines{field_.help};
    if (!field_.typical.isEmpty()) lines << tr("Typical: %1").arg(field_.unit.isEmpty() ? field_.typical : field_.typical + u' ' + field_.unit);
    if (!field_.fallback.isEmpty()) lines << tr("Default: %1").arg(field_.fallback);
    lines << field_.key;
    // Tool tips guess whether text is markup; none of ours is.
    return QStringLiteral("<p style='white-space:pre-wrap'>") + lines.join(u'\n').toHtmlEscaped() + QStringLiteral("</p>");
}

void FieldRow::update(const FormField& field) {
    field_ = field;
    updating_ = true;
    setToolTip(tip());
    dot_->setVisible(field.changed);
    if (edit_ && !(edit_->hasFocus() && edit_->isModified()) && edit_->text() != field.value) {
        edit_->setText(field.value);
        if (!edit_->hasFocus()) edit_->setCursorPosition(0);
    }
    if (check_) check_->setChecked(field.value == QLatin1String("true"));
    if (segments_ && field.choice >= 0) segments_->setCurrent(field.choice);
    if (combo_ && !(combo_->isEditable() && combo_->lineEdit()->hasFocus() && combo_->lineEdit()->isModified())) {
        combo_->clear();
        for (int i = 0; i < field.choices.size(); ++i) combo_->addItem(field.choiceLabels[i], field.choices[i]);
        int index = field.choice;
        if (index < 0 && !field.value.isEmpty()) {
            combo_->addItem(field.value, field.value);
            index = combo_->count() - 1;
        }
        combo_->setCurrentIndex(index);
        if (combo_->isEditable()) {
            combo_->setEditText(field.value);
            combo_->lineEdit()->setCursorPosition(0);
        }
    }
    problem_->setFullText(field.problem);
    problem_->setVisible(!field.problem.isEmpty());
    updating_ = false;
}

void FieldRow::setHighlighted(bool on) {
    if (highlighted_ == on) return;
    highlighted_ = on;
    QWidget::update();
}

void FieldRow::focusControl() {
    QWidget* control = edit_ ? static_cast<QWidget*>(edit_) : combo_ ? static_cast<QWidget*>(combo_) : check_ ? static_cast<QWidget*>(check_) : segments_;
    control->setFocus(Qt::OtherFocusReason);
}

void FieldRow::paintEvent(QPaintEvent*) {
    if (!highlighted_) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(style::tokens().accentBackground);
    painter.drawRoundedRect(rect(), style::size::kSmallRadius, style::size::kSmallRadius);
}

bool FieldRow::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusIn) Q_EMIT focused(field_.key);
    // Turning the wheel over a long form scrolls it and changes nothing.
    if (event->type() == QEvent::Wheel && watched == combo_ && !combo_->hasFocus()) {
        event->ignore();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void FieldRow::contextMenuEvent(QContextMenuEvent* event) {
    if (!field_.written) return;
    QMenu menu(this);
    menu.addAction(field_.fallback.isEmpty() ? tr("Remove") : tr("Back to the default (%1)").arg(field_.fallback), this, [this] { Q_EMIT resetAsked(field_.key); });
    menu.exec(event->globalPos());
}

}  // namespace assay::pages
