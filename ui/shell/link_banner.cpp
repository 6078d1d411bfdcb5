#include "link_banner.h"

#include <assay/presenters/engine_session.h>
#include <assay/presenters/link_status.h>
#include <assay/style/icons.h>
#include <assay/style/theme_notifier.h>
#include <assay/style/tokens.h>
#include <assay/widgets/controls.h>

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

namespace assay::shell {
namespace {

QLabel* bannerLabel(const QString& name, style::Type type, QWidget* parent) {
    auto* made = new QLabel(parent);
    made->setObjectName(name);
    made->setTextFormat(Qt::PlainText);
    made->setWordWrap(true);
    made->setFont(style::font(type));
    made->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return made;
}

}  // namespace

LinkBanner::LinkBanner(presenters::AppContext& context, QWidget* parent) : QFrame(parent), context_(context) {
    setObjectName(QStringLiteral("link-banner"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(style::size::kPagePadding, 8, style::size::kPagePadding, 8);
    row->setSpacing(style::size::kGap);
    icon_ = new QLabel(this);
    row->addWidget(icon_, 0, Qt::AlignTop);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    title_ = bannerLabel(QStringLiteral("banner-title"), style::Type::kCardTitle, this);
    advice_ = bannerLabel(QStringLiteral("banner-advice"), style::Type::kSecondary, this);
    technical_ = bannerLabel(QStringLiteral("banner-details"), style::Type::kMono, this);
    technical_->hide();
    for (QLabel* text : {title_, advice_, technical_}) words->addWidget(text);
    row->addLayout(words, 1);
    details_ = widgets::makeButton(tr("Details"), widgets::ButtonKind::kQuiet, {}, this);
    details_->setObjectName(QStringLiteral("banner-show-details"));
    details_->setCheckable(true);
    engines_ = widgets::makeButton(tr("Engines"), widgets::ButtonKind::kNormal, {}, this);
    engines_->setObjectName(QStringLiteral("banner-engines"));
    retry_ = widgets::makeButton(tr("Try again"), widgets::ButtonKind::kPrimary, {}, this);
    retry_->setObjectName(QStringLiteral("banner-retry"));
    for (QPushButton* button : {details_, engines_, retry_}) {
        button->setAccessibleName(button->text());
        row->addWidget(button, 0, Qt::AlignVCenter);
    }
    connect(details_, &QPushButton::toggled, technical_, &QWidget::setVisible);
    connect(engines_, &QPushButton::clicked, this, [this] { context_.navigator.navigate(QStringLiteral("engines")); });
    connect(retry_, &QPushButton::clicked, this, [this] { context_.session.retry(); });
    connect(&context.session, &presenters::EngineSession::linkChanged, this, &LinkBanner::refresh);
    connect(&context.session, &presenters::EngineSession::troubleChanged, this, &LinkBanner::refresh);
    connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, this, &LinkBanner::refresh);
    refresh();
}

void LinkBanner::refresh() {
    const presenters::LinkStatus status = presenters::describeLink(context_.session);
    setVisible(status.banner);
    if (!status.banner) return;
    bad_ = status.tone == presenters::Severity::kError;
    title_->setText(status.title);
    advice_->setText(status.advice);
    technical_->setText(status.technical);
    details_->setVisible(!status.technical.isEmpty());
    if (status.technical.isEmpty()) details_->setChecked(false);
    retry_->setVisible(status.canRetry);
    engines_->setVisible(status.offerEngines);
    setAccessibleName(status.title);
    setAccessibleDescription(status.advice);
    const QColor color = bad_ ? style::tokens().bad : style::tokens().warn;
    icon_->setPixmap(style::pixmap(bad_ ? QStringLiteral("link-off") : QStringLiteral("warning"), color, 18, devicePixelRatioF()));
    update();
}

void LinkBanner::paintEvent(QPaintEvent*) {
    const style::Tokens& t = style::tokens();
    QPainter painter(this);
    painter.fillRect(rect(), bad_ ? t.badBackground : t.warnBackground);
    painter.setPen(t.line);
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

}  // namespace assay::shell
