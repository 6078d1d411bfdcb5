#include "answer_card.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QVBoxLayout>

#include "../wrapped_label.h"

namespace assay::pages {
namespace {

constexpr int kMostDifferences = 8, kNarrowest = 300, kWidest = 372;

}  // namespace

AnswerCard::AnswerCard(QWidget* parent) : QWidget(parent) {
    setMinimumWidth(kNarrowest);
    setMaximumWidth(kWidest);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* card = new widgets::Card(tr("Answer"), this);
    card->setObjectName(QStringLiteral("compare-answer"));
    card->setBodyMargins(0);
    layout->addWidget(card);
    auto* scroll = new QScrollArea(card);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* inside = new QWidget(scroll);
    scroll->setWidget(inside);
    // The card's surface shows through.
    scroll->viewport()->setAutoFillBackground(false);
    inside->setAutoFillBackground(false);
    card->body()->addWidget(scroll, 1);
    auto* body = new QVBoxLayout(inside);
    body->setContentsMargins(style::size::kCardPadding, style::size::kCardPadding, style::size::kCardPadding, style::size::kCardPadding);
    body->setSpacing(4);
    headline_ = new widgets::PlainLabel({}, inside, style::Type::kTitle);
    headline_->setObjectName(QStringLiteral("answer-headline"));
    body->addWidget(headline_);
    why_ = makeWrappedLabel(style::Type::kBody, 2, "answer-why", inside);
    body->addWidget(why_);
    figures_ = new QWidget(inside);
    auto* row = new QHBoxLayout(figures_);
    row->setContentsMargins(0, 6, 0, 2);
    row->setSpacing(16);
    saves_ = new widgets::StatTile(tr("saves"), figures_);
    accuracy_ = new widgets::StatTile(tr("costs in accuracy"), figures_);
    speed_ = new widgets::StatTile(tr("speed"), figures_);
    for (widgets::StatTile* tile : {saves_, accuracy_, speed_}) row->addWidget(tile);
    row->addStretch(1);
    body->addWidget(figures_);
    sensitivity_ = makeWrappedLabel(style::Type::kSecondary, 2, "answer-sensitivity", inside);
    body->addWidget(sensitivity_);
    differences_ = new QWidget(inside);
    auto* below = new QVBoxLayout(differences_);
    below->setContentsMargins(0, 6, 0, 0);
    below->setSpacing(6);
    auto* line = new QWidget(differences_);
    line->setFixedHeight(1);
    line->setAutoFillBackground(true);
    const auto recolour = [line] {
        QPalette palette = line->palette();
        palette.setColor(QPalette::Window, style::tokens().line);
        line->setPalette(palette);
    };
    recolour();
    connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, line, recolour);
    below->addWidget(line);
    auto* caption = new widgets::PlainLabel(tr("Differs from the baseline in"), differences_, style::Type::kSecondary);
    caption->setDim(2);
    below->addWidget(caption);
    grid_ = new QGridLayout;
    grid_->setHorizontalSpacing(12);
    grid_->setVerticalSpacing(2);
    grid_->setColumnStretch(1, 1);
    below->addLayout(grid_);
    body->addWidget(differences_);
    body->addSpacing(6);
    measured_ = makeWrappedLabel(style::Type::kSmall, 3, "answer-measured", inside);
    body->addWidget(measured_);
    body->addStretch(1);
}

QSize AnswerCard::sizeHint() const { return {kWidest, QWidget::sizeHint().height()}; }
QString AnswerCard::headline() const { return headline_->text(); }
QString AnswerCard::sensitivity() const { return sensitivity_->text(); }

void AnswerCard::set(const presenters::ComparePresenter::Answer& answer) {
    headline_->setFullText(answer.headline);
    why_->setText(answer.why);
    saves_->set(answer.saves);
    accuracy_->set(answer.accuracy);
    speed_->set(answer.speed);
    saves_->setVisible(!answer.saves.isEmpty());
    accuracy_->setVisible(!answer.accuracy.isEmpty());
    speed_->setVisible(!answer.speed.isEmpty());
    figures_->setVisible(!answer.saves.isEmpty() || !answer.accuracy.isEmpty() || !answer.speed.isEmpty());
    sensitivity_->setText(answer.sensitivity);
    sensitivity_->setVisible(!answer.sensitivity.isEmpty());
    measured_->setText(answer.measured);
    while (QLayoutItem* item = grid_->takeAt(0)) {
        if (QWidget* old = item->widget()) old->deleteLater();
        delete item;
    }
    differences_->setVisible(!answer.differences.isEmpty());
    const auto cell = [&](const QString& text, int row, int column, int dim) {
        auto* label = new widgets::PlainLabel(text, differences_, style::Type::kMono);
        label->setDim(dim);
        label->setToolTip(text);
        grid_->addWidget(label, row, column);
    };
    int shown = 0;
    for (const Json& difference : answer.differences) {
        const auto text = [&](const char* key) { return QString::fromStdString(jsonStringOr(difference, key, "")); };
        if (shown == kMostDifferences) {
            cell(tr("and %n more", nullptr, static_cast<int>(answer.differences.size()) - shown), shown, 0, 3);
            break;
        }
        cell(text("key"), shown, 0, 2);
        cell(QStringLiteral("%1 → %2").arg(text("base"), text("value")), shown, 1, 0);
        ++shown;
    }
}

}  // namespace assay::pages
