#include "plan_card.h"

#include <assay/models/format.h>
#include <assay/style/theme_notifier.h>
#include <assay/style/tokens.h>
#include <assay/widgets/card.h>
#include <assay/widgets/controls.h>

#include <QFrame>
#include <QGridLayout>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>
#include <cmath>
#include <limits>

#include "sensitivity_view.h"
#include "wrapped_label.h"

namespace assay::pages {
namespace {

using style::Tone;
using style::Type;

double number(const Json& object, const char* key) {
    if (!object.is_object()) return NAN;
    auto found = object.find(key);
    return found != object.end() && found->is_number() ? found->get<double>() : NAN;
}

// A remark on coloured ground; plain text, several lines.
class Remark final : public QWidget {
public:
    Remark(const QString& text, Tone tone, QWidget* parent) : QWidget(parent), tone_(tone) {
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(8, 6, 8, 6);
        auto* label = new QLabel(text, this);
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setFont(style::font(Type::kSecondary));
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setFocusPolicy(Qt::NoFocus);
        QPalette palette = label->palette();
        palette.setColor(QPalette::WindowText, tone == Tone::kNeutral ? style::tokens().text2 : style::toneText(tone));
        label->setPalette(palette);
        layout->addWidget(label);
        setAccessibleName(text);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(style::toneBackground(tone_));
        painter.drawRoundedRect(rect(), style::size::kSmallRadius, style::size::kSmallRadius);
    }

private:
    Tone tone_;
};

void clear(QLayout* layout) {
    while (QLayoutItem* item = layout->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
}

QString uncertain(double value, double uncertainty) {
    if (!(value > 0) || !(uncertainty > 0)) return {};
    return QStringLiteral(" ± %1 %").arg(std::lround(std::min(uncertainty < 1 ? uncertainty * 100 : uncertainty / value * 100, 999.0)));
}

}  // namespace

PlanCard::PlanCard(presenters::ExperimentPresenter& presenter, QWidget* parent) : QWidget(parent), presenter_(presenter) {
    setObjectName(QStringLiteral("plan-card"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* card = new widgets::Card(tr("Before you run"), this);
    fits_ = new widgets::Badge(QString(), Tone::kNeutral, card);
    fits_->setObjectName(QStringLiteral("plan-fits"));
    card->addHeaderWidget(fits_);
    card->setBodyMargins(0);
    outer->addWidget(card);

    auto* scroll = new QScrollArea(card);
    scroll->setObjectName(QStringLiteral("plan-scroll"));
    scroll->setAccessibleName(tr("Before you run"));
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* body = new QWidget(scroll);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(12);
    busy_ = new widgets::ProgressLine(body);
    column->addWidget(busy_);
    figures_ = makeFigures(body);
    column->addWidget(figures_);
    sensitivity_ = new SensitivityView(body);
    column->addWidget(sensitivity_);
    elsewhere_ = new QWidget(body);
    elsewhere_->setObjectName(QStringLiteral("plan-elsewhere"));
    elsewhereGrid_ = new QGridLayout(elsewhere_);
    elsewhereGrid_->setContentsMargins(0, 0, 0, 0);
    elsewhereGrid_->setHorizontalSpacing(12);
    elsewhereGrid_->setVerticalSpacing(6);
    column->addWidget(elsewhere_);
    remarks_ = new QWidget(body);
    remarks_->setObjectName(QStringLiteral("plan-remarks"));
    remarksLayout_ = new QVBoxLayout(remarks_);
    remarksLayout_->setContentsMargins(0, 0, 0, 0);
    remarksLayout_->setSpacing(8);
    column->addWidget(remarks_);
    column->addStretch(1);
    scroll->setWidget(body);
    scroll->viewport()->setAutoFillBackground(false);
    body->setAutoFillBackground(false);
    connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, this, &PlanCard::refresh);
    card->body()->addWidget(scroll, 1);

    auto* bar = new QWidget(card);
    auto* buttons = new QHBoxLayout(bar);
    buttons->setContentsMargins(12, 0, 12, 12);
    buttons->setSpacing(8);
    start_ = widgets::makeButton(tr("Start"), widgets::ButtonKind::kPrimary, QString(), bar);
    start_->setObjectName(QStringLiteral("experiment-start"));
    start_->setAccessibleName(tr("Start"));
    queue_ = widgets::makeButton(tr("Queue"), widgets::ButtonKind::kNormal, QString(), bar);
    queue_->setObjectName(QStringLiteral("experiment-queue"));
    queue_->setAccessibleName(tr("Queue"));
    buttons->addWidget(start_, 1);
    buttons->addWidget(queue_);
    connect(start_, &QPushButton::clicked, this, [this] { presenter_.start(true); });
    connect(queue_, &QPushButton::clicked, this, [this] { presenter_.start(false); });
    card->body()->addWidget(bar);
}

QWidget* PlanCard::makeFigures(QWidget* parent) {
    auto* figures = new QWidget(parent);
    figures->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);   // where the room is short the card scrolls
    auto* column = new QVBoxLayout(figures);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    auto* head = new QHBoxLayout;
    memoryCaption_ = new widgets::PlainLabel(QString(), figures, Type::kSecondary);
    memoryCaption_->setDim(2);
    memoryText_ = new widgets::PlainLabel(QString(), figures, Type::kSecondary);
    memoryText_->setObjectName(QStringLiteral("plan-memory"));
    memoryText_->setAlignment(Qt::AlignRight);
    head->addWidget(memoryCaption_, 1);
    head->addWidget(memoryText_);
    column->addLayout(head);
    meter_ = new widgets::Meter(figures);
    meter_->setObjectName(QStringLiteral("plan-meter"));
    meter_->setAccessibleName(tr("Memory"));
    meter_->setLegend(true);
    meter_->setBarHeight(14);
    column->addWidget(meter_);
    auto* grid = new QGridLayout;
    grid->setContentsMargins(0, 8, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(10);
    time_ = new widgets::StatTile(tr("time"), figures);
    cost_ = new widgets::StatTile(tr("cost"), figures);
    energy_ = new widgets::StatTile(tr("energy"), figures);
    checkpoints_ = new widgets::StatTile(tr("checkpoint"), figures);
    grid->addWidget(time_, 0, 0);
    grid->addWidget(cost_, 0, 1);
    grid->addWidget(energy_, 1, 0);
    grid->addWidget(checkpoints_, 1, 1);
    disk_ = new widgets::StatTile(tr("disk"), figures);
    disk_->setObjectName(QStringLiteral("plan-disk"));
    grid->addWidget(disk_, 2, 0);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    column->addLayout(grid);
    return figures;
}

void PlanCard::refresh() {
    const Json& plan = presenter_.plan();
    busy_->setVisible(presenter_.isPlanning());
    if (presenter_.isPlanning()) busy_->set(std::numeric_limits<double>::quiet_NaN(), tr("Estimating"));
    figures_->setVisible(plan.is_object());
    elsewhere_->setVisible(false);
    sensitivity_->show(plan);
    if (plan.is_object()) {
        showPlan(plan);
        showElsewhere(plan);
    } else {
        const bool ready = presenter_.missing().isEmpty(), wrong = presenter_.missing() != presenter_.openPlaces();
        fits_->set(ready ? tr("ready") : tr("not ready"), wrong ? Tone::kWarn : Tone::kNeutral);
    }
    showRemarks();
    // Once the parts have been laid out.
    QTimer::singleShot(0, this, [this] {
        QWidget* inside = figures_->parentWidget();
        holdColumn(inside, {busy_, figures_, sensitivity_, elsewhere_, remarks_}, inside->width() - 24, 12, 24);
    });
    const QStringList missing = presenter_.missing();
    const bool can = presenter_.canPressStart();
    start_->setText(presenter_.isStarting() ? tr("Starting…") : presenter_.warnings().isEmpty() ? tr("Start") : tr("Start anyway"));
    for (QPushButton* button : {start_, queue_}) button->setEnabled(can);
    const QString why = missing.isEmpty() ? QString() : QStringLiteral("<p style='white-space:pre-wrap'>") + missing.join(u'\n').toHtmlEscaped() + QStringLiteral("</p>");
    start_->setToolTip(why.isEmpty() ? tr("Starts the run and shows it (Ctrl+Return)") : why);
    queue_->setToolTip(why.isEmpty() ? tr("Puts the run into the queue and stays here") : why);
    start_->setAccessibleDescription(missing.join(u' '));
}

void PlanCard::showPlan(const Json& plan) {
    const std::string fits = jsonStringOr(plan, "fits", "");
    if (fits == "too_big") fits_->set(tr("too big here"), Tone::kBad);
    else if (fits == "tight") fits_->set(tr("tight"), Tone::kWarn);
    else if (fits == "fits") fits_->set(tr("fits"), Tone::kGood);
    else fits_->set(tr("estimate"), Tone::kNeutral);
    const Json memory = plan.contains("memory") ? plan["memory"] : Json();
    const double peak = number(memory, "peak_bytes"), capacity = number(plan, "capacity_bytes");
    const QString hardware = QString::fromStdString(jsonStringOr(plan, "hardware_label", jsonStringOr(plan, "hardware", "")));
    memoryCaption_->setFullText(tr("Memory"));
    memoryCaption_->setToolTip(hardware.toHtmlEscaped());
    memoryText_->setFullText(std::isfinite(capacity) ? tr("%1 of %2").arg(models::formatBytes(peak), models::formatBytes(capacity)) : models::formatBytes(peak));
    std::vector<widgets::Meter::Segment> segments;
    const std::pair<const char*, QString> kParts[] = {{"weights_bytes", tr("weights")}, {"gradients_bytes", tr("gradients")}, {"optimizer_bytes", tr("optimizer")},
                                                      {"activations_bytes", tr("activations")}, {"other_bytes", tr("other")}};
    int color = 0;
    for (const auto& [key, label] : kParts) {
        const double bytes = number(memory, key);
        if (bytes > 0) segments.push_back({label, bytes, key == std::string_view("other_bytes") ? -1 : color, models::formatBytes(bytes)});
        ++color;
    }
    meter_->setSegments(std::move(segments), std::isfinite(capacity) ? capacity : peak);
    const double total = number(plan, "total_seconds"), step = number(plan, "step_seconds");
    time_->set(std::isfinite(total) ? models::formatSeconds(total) : models::notMeasured(),
               std::isfinite(step) ? tr("%1 / step%2").arg(models::formatSeconds(step), uncertain(step, number(plan, "step_seconds_uncertainty")))
                                   : uncertain(total, number(plan, "total_seconds_uncertainty")).trimmed());
    const double usd = number(plan, "cost_usd");
    cost_->set(std::isfinite(usd) ? models::formatUsd(usd) : models::notMeasured(), std::isfinite(usd) && total > 0 ? tr("at %1/h").arg(models::formatUsd(usd / total * 3600)) : tr("no price known"));
    const double joules = number(plan, "energy_joules");
    energy_->set(std::isfinite(joules) ? models::formatJoules(joules) : models::notMeasured(), std::isfinite(joules) ? tr("estimate") : tr("no power known"));
    const bool trains = plan.contains("training") && plan["training"].is_object();
    const double saved = number(memory, "weights_bytes") + number(memory, "optimizer_bytes");
    checkpoints_->set(trains && std::isfinite(saved) ? models::formatBytes(saved) : models::notMeasured(), trains ? tr("each, about") : tr("nothing is trained"));
    const double free = presenter_.diskFreeBytes();
    disk_->set(std::isfinite(free) ? models::formatBytes(free) : models::notMeasured(), std::isfinite(free) ? tr("free for the store") : tr("not known"));
}

void PlanCard::showElsewhere(const Json& plan) {
    clear(elsewhereGrid_);
    auto found = plan.find("elsewhere");
    if (found == plan.end() || !found->is_array() || found->empty()) return;
    elsewhere_->setVisible(true);
    auto* line = new QFrame(elsewhere_);
    line->setFrameShape(QFrame::NoFrame);
    line->setFixedHeight(1);
    line->setAutoFillBackground(true);
    QPalette palette = line->palette();
    palette.setColor(QPalette::Window, style::tokens().line);
    line->setPalette(palette);
    elsewhereGrid_->addWidget(line, 0, 0, 1, 3);
    auto* title = new widgets::PlainLabel(tr("The same on"), elsewhere_, Type::kSecondary);
    title->setDim(2);
    elsewhereGrid_->addWidget(title, 1, 0, 1, 3);
    int row = 2;
    for (const Json& place : *found) {
        if (!place.is_object() || row > 9) continue;
        const std::string fits = place.contains("fits") && place["fits"].is_boolean() ? (place["fits"].get<bool>() ? "fits" : "too_big") : jsonStringOr(place, "fits", "");
        auto* name = makeWrappedLabel(Type::kSecondary, 0, "plan-place", elsewhere_);   // a product's name ends in what matters
        name->setText(models::plain(QString::fromStdString(jsonStringOr(place, "label", jsonStringOr(place, "hardware", "")))));
        const double seconds = number(place, "total_seconds"), usd = number(place, "cost_usd");
        auto* time = new widgets::PlainLabel(fits == "too_big" ? tr("too big") : std::isfinite(seconds) ? models::formatSeconds(seconds) : models::notMeasured(), elsewhere_, Type::kSecondary);
        auto* cost = new widgets::PlainLabel(std::isfinite(usd) && fits != "too_big" ? models::formatUsd(usd) : models::notMeasured(), elsewhere_, Type::kSecondary);
        if (fits == "too_big") time->setDim(3);
        for (auto* label : {time, cost}) label->setAlignment(Qt::AlignRight | Qt::AlignTop);
        elsewhereGrid_->addWidget(name, row, 0);
        elsewhereGrid_->addWidget(time, row, 1, Qt::AlignTop);
        elsewhereGrid_->addWidget(cost, row, 2, Qt::AlignTop);
        ++row;
    }
    elsewhereGrid_->setColumnStretch(0, 1);
}

void PlanCard::showRemarks() {
    clear(remarksLayout_);
    if (presenter_.engineIsRemote()) remarksLayout_->addWidget(new Remark(tr("Paths are those of %1, where this will run.").arg(presenter_.engineName()), Tone::kNeutral, remarks_));
    const QStringList missing = presenter_.missing();
    const QStringList open = presenter_.openPlaces();   // to be done, and nothing that anybody did wrong
    for (qsizetype i = 0; i < missing.size() && i < 4; ++i) remarksLayout_->addWidget(new Remark(missing[i], open.contains(missing[i]) ? Tone::kNeutral : Tone::kBad, remarks_));
    if (missing.size() > 4) remarksLayout_->addWidget(new Remark(tr("And %n more.", nullptr, static_cast<int>(missing.size() - 4)), Tone::kBad, remarks_));
    for (const QString& warning : presenter_.warnings()) remarksLayout_->addWidget(new Remark(warning, Tone::kWarn, remarks_));
    if (presenter_.planError()) {
        const Error& error = *presenter_.planError();
        remarksLayout_->addWidget(new Remark(tr("There is no estimate: %1").arg(QString::fromStdString(error.message)), Tone::kNeutral, remarks_));
    }
    remarks_->setVisible(remarksLayout_->count() > 0);
}

}  // namespace assay::pages
