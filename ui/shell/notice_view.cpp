#include <assay/models/format.h>
#include <assay/style/icons.h>
#include <assay/style/theme_notifier.h>
#include <assay/style/tokens.h>
#include <assay/widgets/controls.h>

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "toast_host.h"

namespace assay::shell {
namespace {

struct Look {
    const char* icon;
    style::Tone tone;
};

Look lookOf(presenters::Severity severity) {
    switch (severity) {
        case presenters::Severity::kGood: return {"check", style::Tone::kGood};
        case presenters::Severity::kWarning: return {"warning", style::Tone::kWarn};
        case presenters::Severity::kError: return {"error", style::Tone::kBad};
        case presenters::Severity::kInfo: break;
    }
    return {"info", style::Tone::kAccent};
}

QLabel* label(const QString& text, style::Type type, QWidget* parent) {
    auto* made = new QLabel(text, parent);
    made->setTextFormat(Qt::PlainText);
    made->setWordWrap(true);
    made->setFont(style::font(type));
    return made;
}

}  // namespace

NoticeView::NoticeView(const presenters::Notice& notice, bool closable, QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("notice"));
    setAccessibleName(notice.title);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 8, 8, 8);
    row->setSpacing(10);
    auto* icon = new QLabel(this);
    const Look look = lookOf(notice.severity);
    const auto tint = [icon, look] { icon->setPixmap(style::pixmap(QLatin1String(look.icon), style::toneText(look.tone), 16, icon->devicePixelRatioF())); };
    tint();
    connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, icon, tint);
    row->addWidget(icon, 0, Qt::AlignTop);
    auto* words = new QVBoxLayout;
    words->setSpacing(4);
    row->addLayout(words, 1);
    auto* title = label(models::plain(notice.title), style::Type::kCardTitle, this);
    title->setObjectName(QStringLiteral("notice-title"));
    words->addWidget(title);
    if (!notice.detail.isEmpty()) words->addWidget(label(notice.detail, style::Type::kSecondary, this));
    remark_ = label({}, style::Type::kSmall, this);
    remark_->setEnabled(false);
    remark_->hide();
    words->addWidget(remark_);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    if (!notice.actionText.isEmpty() && notice.action) {
        auto* action = widgets::makeButton(notice.actionText, widgets::ButtonKind::kNormal, {}, this);
        action->setObjectName(QStringLiteral("notice-action"));
        action->setAccessibleName(notice.actionText);
        connect(action, &QPushButton::clicked, this, [this, run = notice.action] {
            Q_EMIT closed();
            run();
        });
        buttons->addWidget(action);
    }
    if (!notice.technical.isEmpty()) {
        auto* technical = label(models::plain(notice.technical), style::Type::kMono, this);
        technical->setTextInteractionFlags(Qt::TextSelectableByMouse);
        technical->hide();
        auto* details = widgets::makeButton(tr("Details"), widgets::ButtonKind::kQuiet, {}, this);
        details->setCheckable(true);
        details->setObjectName(QStringLiteral("notice-details"));
        auto* copy = widgets::makeButton(tr("Copy"), widgets::ButtonKind::kQuiet, QStringLiteral("copy"), this);
        copy->setObjectName(QStringLiteral("notice-copy"));
        connect(details, &QPushButton::toggled, technical, &QWidget::setVisible);
        connect(copy, &QPushButton::clicked, this, [notice] {
            QGuiApplication::clipboard()->setText(QStringList{notice.title, notice.detail, notice.technical}.join(QLatin1Char('\n')));
        });
        buttons->addWidget(details);
        buttons->addWidget(copy);
        words->addWidget(technical);
    }
    if (buttons->count()) {
        buttons->addStretch(1);
        words->addLayout(buttons);
    } else {
        delete buttons;
    }
    if (!closable) return;
    auto* close = new QToolButton(this);
    close->setObjectName(QStringLiteral("notice-close"));
    close->setAccessibleName(tr("Close this notice"));
    close->setToolTip(tr("Close"));
    close->setIcon(style::icon(QStringLiteral("close")));
    close->setIconSize({12, 12});
    close->setAutoRaise(true);
    connect(close, &QToolButton::clicked, this, &NoticeView::closed);
    row->addWidget(close, 0, Qt::AlignTop);
}

void NoticeView::setRemark(const QString& text) {
    remark_->setText(text);
    remark_->setVisible(!text.isEmpty());
}

}  // namespace assay::shell
