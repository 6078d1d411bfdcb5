// EmptyState and ErrorPanel.
#include "label_style.h"

#include <assay/style/icons.h>
#include <assay/style/theme_notifier.h>
#include <assay/widgets/card.h>
#include <assay/widgets/controls.h>

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace assay::widgets {

EmptyState::EmptyState(const QString& icon, const QString& sentence, const QString& button, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("empty-state"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 20, 20, 20);
    column->setSpacing(12);
    icon_ = new QLabel(this);
    sentence_ = new QLabel(this);
    sentence_->setObjectName(QStringLiteral("empty-sentence"));
    dress(sentence_, style::Type::kBody, 2);
    sentence_->setWordWrap(true);
    sentence_->setAlignment(Qt::AlignCenter);
    sentence_->setMaximumWidth(420);
    button_ = makeButton(button, ButtonKind::kNormal, {}, this);
    button_->setObjectName(QStringLiteral("empty-button"));
    column->addStretch(1);
    column->addWidget(icon_, 0, Qt::AlignCenter);
    auto* middle = new QHBoxLayout;   // without an alignment the label's height follows its width
    middle->addStretch(1);
    middle->addWidget(sentence_, 100);
    middle->addStretch(1);
    column->addLayout(middle);
    column->addWidget(button_, 0, Qt::AlignCenter);
    column->addStretch(1);
    const auto draw = [this, icon] { icon_->setPixmap(style::pixmap(icon, style::tokens().text3, 28, devicePixelRatioF())); };
    draw();
    connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, this, draw);
    connect(button_, &QPushButton::clicked, this, &EmptyState::clicked);
    set(sentence, button);
}

void EmptyState::set(const QString& sentence, const QString& button) {
    sentence_->setText(sentence);
    button_->setText(button);
    button_->setAccessibleName(button);
    button_->setVisible(!button.isEmpty());
    setAccessibleName(sentence);
}

struct ErrorPanel::Private : QObject {
    explicit Private(QWidget* owner) : QObject(owner) {}
    QLabel *icon = nullptr, *what = nullptr, *hint = nullptr;
    QPushButton *action = nullptr, *fold = nullptr, *copy = nullptr, *close = nullptr;
    QPlainTextEdit* details = nullptr;
    bool warning = false;
    QString full;   // what "Copy" takes

    void paintIcon() {
        const style::Tokens& t = style::tokens();
        icon->setPixmap(style::pixmap(warning ? QStringLiteral("warning") : QStringLiteral("error"), warning ? t.warn : t.bad, 18, icon->devicePixelRatioF()));
    }
    void fill(ErrorPanel* panel, bool asWarning, const QString& whatText, const QString& hintText, const QString& technical, const QString& actionText) {
        warning = asWarning;
        full = whatText;
        for (const QString& part : {hintText, technical})
            if (!part.isEmpty()) full += QLatin1Char('\n') + part;
        what->setText(whatText);
        hint->setText(hintText);
        hint->setVisible(!hintText.isEmpty());
        details->setPlainText(technical);
        fold->setChecked(false);
        fold->setVisible(!technical.isEmpty());
        copy->setVisible(!asWarning);
        action->setText(actionText);
        action->setAccessibleName(actionText);
        action->setVisible(!actionText.isEmpty());
        panel->setAccessibleName(whatText);
        panel->setAccessibleDescription(hintText);
        setSurface(panel, asWarning ? QStringLiteral("warn") : QStringLiteral("bad"));
        paintIcon();
        panel->setVisible(true);
    }
};

ErrorPanel::ErrorPanel(QWidget* parent) : QFrame(parent), d_(new Private(this)) {
    setObjectName(QStringLiteral("error-panel"));
    setSurface(this, QStringLiteral("bad"));
    auto* all = new QHBoxLayout(this);
    all->setContentsMargins(12, 8, 8, 8);
    all->setSpacing(8);
    d_->icon = new QLabel(this);
    d_->icon->setFixedSize(18, style::size::kControlHeight);
    d_->what = new QLabel(this);
    d_->hint = new QLabel(this);
    d_->what->setObjectName(QStringLiteral("error-what"));
    d_->hint->setObjectName(QStringLiteral("error-hint"));
    dress(d_->what, style::Type::kCardTitle, 0);
    dress(d_->hint, style::Type::kBody, 0);
    for (QLabel* label : {d_->what, d_->hint}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    }
    d_->details = new QPlainTextEdit(this);
    d_->details->setObjectName(QStringLiteral("error-details"));
    d_->details->setAccessibleName(tr("Technical details"));
    d_->details->setReadOnly(true);
    d_->details->setFont(style::font(style::Type::kMono));
    d_->details->setMaximumHeight(120);
    d_->details->hide();
    d_->action = makeButton({}, ButtonKind::kNormal, {}, this);
    d_->action->setObjectName(QStringLiteral("error-action"));
    d_->fold = makeButton(tr("Details"), ButtonKind::kQuiet, {}, this);
    d_->fold->setObjectName(QStringLiteral("error-fold"));
    d_->fold->setCheckable(true);
    d_->copy = makeButton(tr("Copy"), ButtonKind::kQuiet, QStringLiteral("copy"), this);
    d_->copy->setObjectName(QStringLiteral("error-copy"));
    d_->close = makeButton({}, ButtonKind::kQuiet, QStringLiteral("close"), this);
    d_->close->setObjectName(QStringLiteral("error-close"));
    d_->close->setAccessibleName(tr("Dismiss"));
    d_->close->setToolTip(tr("Dismiss"));
    auto* column = new QVBoxLayout;
    column->setContentsMargins(0, 5, 0, 5);
    column->setSpacing(2);
    column->addWidget(d_->what);
    column->addWidget(d_->hint);
    column->addWidget(d_->details);
    all->addWidget(d_->icon, 0, Qt::AlignTop);
    all->addLayout(column, 1);
    for (QPushButton* button : {d_->action, d_->fold, d_->copy, d_->close}) all->addWidget(button, 0, Qt::AlignTop);
    connect(d_->fold, &QPushButton::toggled, d_->details, &QWidget::setVisible);
    connect(d_->copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(d_->full); });
    connect(d_->close, &QPushButton::clicked, this, &ErrorPanel::clear);
    connect(d_->action, &QPushButton::clicked, this, &ErrorPanel::actionClicked);
    connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, this, [this] { d_->paintIcon(); });
    hide();
}

void ErrorPanel::show(const QString& what, const QString& hint, const QString& technical) {
    d_->fill(this, false, what, hint, technical, {});
}

void ErrorPanel::showWarning(const QString& what, const QString& hint, const QString& action) {
    d_->fill(this, true, what, hint, {}, action);
}

void ErrorPanel::clear() {
    d_->full.clear();
    hide();
}

}  // namespace assay::widgets
