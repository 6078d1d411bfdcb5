#include "status_bar.h"

#include <assay/models/format.h>
#include <assay/presenters/engine_session.h>
#include <assay/presenters/link_status.h>
#include <assay/presenters/notice_log.h>
#include <assay/shell/language.h>
#include <assay/style/icons.h>
#include <assay/style/theme_notifier.h>

#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>
#include <limits>

#include "status_cell.h"

namespace assay::shell {
namespace {

constexpr int kMeterWidth = 1000, kNarrow = 900;
constexpr double kNoMeter = std::numeric_limits<double>::quiet_NaN();

style::Tone toneOf(presenters::Severity severity) {
    switch (severity) {
        case presenters::Severity::kInfo: return style::Tone::kNeutral;
        case presenters::Severity::kGood: return style::Tone::kGood;
        case presenters::Severity::kWarning: return style::Tone::kWarn;
        case presenters::Severity::kError: return style::Tone::kBad;
    }
    return style::Tone::kNeutral;
}

QToolButton* quiet(const QString& name, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setObjectName(name);
    button->setAutoRaise(true);
    button->setFont(style::font(style::Type::kSmall));
    button->setFixedHeight(style::size::kStatusBar - 4);
    return button;
}

double share(double part, double whole) { return whole > 0 ? part / whole : kNoMeter; }

}  // namespace

StatusBar::StatusBar(presenters::AppContext& context, presenters::MachineWatch& watch, presenters::NoticeLog& notices, QWidget* parent)
    : QFrame(parent), context_(context), watch_(watch), notices_(notices) {
    setObjectName(QStringLiteral("status-bar"));
    setAccessibleName(tr("State of the engine"));
    setFixedHeight(style::size::kStatusBar);
    row_ = new QHBoxLayout(this);
    row_->setContentsMargins(8, 1, 8, 0);
    row_->setSpacing(6);
    link_ = addCell(QStringLiteral("status-link"), {});
    link_->setOpens(true);
    queue_ = addCell(QStringLiteral("status-queue"), tr("queue"));
    queue_->setOpens(true);
    cpu_ = addCell(QStringLiteral("status-cpu"), tr("CPU"));
    memory_ = addCell(QStringLiteral("status-memory"), tr("memory"));
    disk_ = addCell(QStringLiteral("status-disk"), tr("disk"));
    row_->addStretch(1);
    language_ = quiet(QStringLiteral("status-language"), this);
    palette_ = quiet(QStringLiteral("status-palette"), this);
    bell_ = quiet(QStringLiteral("status-notices"), this);
    for (QToolButton* button : {language_, palette_, bell_}) row_->addWidget(button);
    language_->setText(languageName(installedLanguage()));
    language_->setAccessibleName(tr("Language"));
    language_->setToolTip(tr("Language: English or 简体中文"));
    palette_->setText(tr("Ctrl K  commands"));
    palette_->setAccessibleName(tr("Commands"));
    palette_->setToolTip(tr("Every action, page and run by name"));
    bell_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bell_->setIconSize({14, 14});

    connect(link_, &QAbstractButton::clicked, this, &StatusBar::enginesWanted);
    connect(queue_, &QAbstractButton::clicked, this, &StatusBar::runsWanted);
    connect(language_, &QToolButton::clicked, this, &StatusBar::languageWanted);
    connect(palette_, &QToolButton::clicked, this, &StatusBar::paletteWanted);
    connect(bell_, &QToolButton::clicked, this, &StatusBar::noticesWanted);
    connect(&context.session, &presenters::EngineSession::linkChanged, this, &StatusBar::showLink);
    connect(&context.session, &presenters::EngineSession::troubleChanged, this, &StatusBar::showLink);
    connect(&watch, &presenters::MachineWatch::changed, this, &StatusBar::showMachine);
    connect(&notices, &presenters::NoticeLog::changed, this, &StatusBar::showNotices);
    connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, this, QOverload<>::of(&QWidget::update));
    showLink();
    showMachine();
    showNotices();
}

StatusCell* StatusBar::addCell(const QString& name, const QString& caption) {
    auto* cell = new StatusCell(caption, this);
    cell->setObjectName(name);
    row_->addWidget(cell);
    return cell;
}

void StatusBar::showLink() {
    const presenters::LinkStatus status = presenters::describeLink(context_.session);
    link_->setDot(toneOf(status.tone));
    link_->set(models::shortened(context_.session.target().name(), 28), status.title.isEmpty() ? tr("Open the Engines page") : status.title);
    link_->setAfter(status.state);
}

void StatusBar::showMachine() {
    const Json& machine = watch_.machine();
    const bool known = machine.is_object();
    for (StatusCell* cell : {queue_, cpu_, memory_, disk_}) cell->setVisible(known && (cell != memory_ || width() >= kNarrow));
    if (!known) return;
    queue_->set(watch_.queueText(), tr("Open the queue"));
    cpu_->set(watch_.cpuText(), models::plain(QString::fromStdString(jsonStringOr(machine, "cpu_model", ""))));
    // A narrow window shows the figures without their bars.
    const bool meters = width() >= kMeterWidth;
    cpu_->setMeter(meters ? watch_.cpuFraction() : kNoMeter);
    memory_->set(watch_.memoryText(), tr("Memory used on the engine's machine"));
    memory_->setMeter(!meters ? kNoMeter : share(jsonDoubleOr(machine, "memory_used_bytes", 0), jsonDoubleOr(machine, "memory_total_bytes", 0)));
    const double total = jsonDoubleOr(machine, "disk_total_bytes", 0), free = jsonDoubleOr(machine, "disk_free_bytes", 0);
    disk_->set(watch_.diskText(), tr("The store takes %1").arg(models::formatBytes(jsonDoubleOr(machine, "store_bytes", 0))));
    disk_->setMeter(!meters ? kNoMeter : share(total - free, total));
}

void StatusBar::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    palette_->setText(width() >= kMeterWidth ? tr("Ctrl K  commands") : QStringLiteral("Ctrl K"));
    showMachine();
}

void StatusBar::showNotices() {
    const int unread = notices_.unread();
    bell_->setIcon(style::icon(QStringLiteral("bell")));
    bell_->setText(unread ? QString::number(unread) : QString());
    const QString text = unread ? tr("Notices, %n new", nullptr, unread) : tr("Notices");
    bell_->setToolTip(text);
    bell_->setAccessibleName(text);
}

void StatusBar::paintEvent(QPaintEvent*) {
    const style::Tokens& t = style::tokens();
    QPainter painter(this);
    painter.fillRect(rect(), t.background);
    painter.setPen(t.line);
    painter.drawLine(0, 0, width(), 0);
}

}  // namespace assay::shell
