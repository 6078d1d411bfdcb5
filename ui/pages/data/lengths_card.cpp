#include "lengths_card.h"

#include <assay/widgets/plot.h>

#include <QGridLayout>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <cmath>

namespace assay::pages {
namespace {

std::vector<double> numbers(const Json& document, const char* key) {
    std::vector<double> out;
    if (auto list = document.find(key); list != document.end() && list->is_array())
        for (const Json& value : *list) out.push_back(value.is_number() ? value.get<double>() : 0);
    return out;
}

constexpr const char* kPackings[] = {"none", "concat", "best_fit"};

}  // namespace

LengthsCard::LengthsCard(presenters::DataPresenter& presenter, QWidget* parent) : QWidget(parent), presenter_(presenter) {
    setObjectName(QStringLiteral("data-lengths"));
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    card_ = new widgets::Card(tr("Length, tokens per row"), this);
    all->addWidget(card_);
    error_ = new widgets::ErrorPanel(card_);
    error_->setObjectName(QStringLiteral("data-lengths-error"));
    card_->body()->addWidget(error_);
    waiting_ = new QWidget(card_);
    auto* line = new QHBoxLayout(waiting_);
    line->setContentsMargins(0, 0, 0, 0);
    progress_ = new widgets::ProgressLine(waiting_);
    auto* cancel = widgets::makeButton(tr("Cancel"), widgets::ButtonKind::kQuiet, {}, waiting_);
    cancel->setObjectName(QStringLiteral("data-lengths-cancel"));
    connect(cancel, &QPushButton::clicked, &presenter_, &presenters::DataPresenter::cancelMeasuring);
    line->addWidget(progress_, 1);
    line->addWidget(cancel);
    card_->body()->addWidget(waiting_);
    plot_ = new widgets::BarPlot(card_);
    plot_->setObjectName(QStringLiteral("data-lengths-plot"));
    plot_->setAccessibleName(tr("Histogram of lengths"));
    plot_->setAxes({}, {}, [](double value) { return models::formatCompact(value); });
    plot_->setEmptyText(tr("Not measured yet"));
    card_->addHeaderWidget(widgets::makeExportButton(plot_, QStringLiteral("lengths")));
    card_->body()->addWidget(plot_, 1);
    figures_ = new QWidget(card_);
    auto* grid = new QGridLayout(figures_);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    tokens_ = new widgets::PlainLabel({}, figures_, style::Type::kSecondary);
    tokens_->setObjectName(QStringLiteral("data-tokens"));
    rows_ = new widgets::PlainLabel({}, figures_, style::Type::kSecondary);
    rows_->setDim(2);
    grid->addWidget(tokens_, 0, 0, 1, 3);
    grid->addWidget(rows_, 1, 0, 1, 3);
    for (int i = 0; i < 3; ++i) {
        waste_[i] = new widgets::PlainLabel({}, figures_, style::Type::kSecondary);
        waste_[i]->setObjectName(QStringLiteral("data-padding-") + QLatin1String(kPackings[i]));
        grid->addWidget(waste_[i], 2, i);
        grid->setColumnStretch(i, 1);
    }
    card_->body()->addWidget(figures_);
    refresh();
}

void LengthsCard::refresh() {
    const Json& lengths = presenter_.lengths();
    const bool known = lengths.is_object();
    showError(error_, tr("Lengths cannot be measured."), presenter_.lengthsError());
    waiting_->setVisible(presenter_.isMeasuring());
    progress_->set(presenter_.isMeasuring() ? std::nan("") : 0, presenter_.isMeasuring() ? tr("Tokenizing every row…") : QString());
    figures_->setVisible(known);
    plot_->setVisible(known || (!presenter_.isMeasuring() && !presenter_.lengthsError()));
    card_->setNote(known && jsonBoolOr(lengths, "sampled", false) ? tr("measured on a sample") : QString());
    if (!known) return plot_->setHistogram({}, {}, std::nan(""), {});
    const auto limit = static_cast<double>(presenter_.sequenceLength());
    plot_->setHistogram(numbers(lengths, "edges"), numbers(lengths, "counts"), limit, models::formatCount(limit));
    const double tokens = jsonDoubleOr(lengths, "tokens_estimated", jsonDoubleOr(lengths, "tokens", 0)), loss = jsonDoubleOr(lengths, "loss_tokens", 0), counted = jsonDoubleOr(lengths, "tokens", 0);
    const bool sampled = jsonBoolOr(lengths, "sampled", false);
    tokens_->setFullText((sampled ? tr("about %1 tokens · %2 carry loss") : tr("%1 tokens · %2 carry loss"))
                             .arg(sampled ? models::formatCompact(tokens) : models::formatCount(tokens), sampled ? models::formatPercent(counted > 0 ? loss / counted : 0) : models::formatCount(loss)));
    QStringList rows = {tr("shortest %1").arg(models::formatCount(jsonDoubleOr(lengths, "shortest", 0))), tr("median %1").arg(models::formatNumber(jsonDoubleOr(lengths, "median", 0))),
                        tr("longest %1").arg(models::formatCount(jsonDoubleOr(lengths, "longest", 0)))};
    if (const double over = jsonDoubleOr(lengths, "over_length_rows", 0); over > 0) rows << tr("%1 rows over %2").arg(models::formatCount(over), models::formatCount(limit));
    rows_->setFullText(rows.join(QStringLiteral(" · ")));
    const QString names[] = {tr("none"), tr("concatenated"), tr("best fit")};
    const auto padding = lengths.find("padding");
    for (int i = 0; i < 3; ++i) {
        const double waste = padding != lengths.end() && padding->is_object() ? jsonDoubleOr(*padding, kPackings[i], std::nan("")) : std::nan("");
        const bool chosen = presenter_.packing() == QLatin1String(kPackings[i]);
        waste_[i]->setFullText(tr("%1 %2").arg(names[i], std::isfinite(waste) ? models::formatPercent(waste) : models::notMeasured()));
        waste_[i]->setAccessibleName(widgets::namedValue(tr("Padding with packing %1").arg(names[i]), std::isfinite(waste) ? models::formatPercent(waste) : models::notMeasured()));
        if (chosen) waste_[i]->setTone(style::Tone::kAccent);
        else waste_[i]->setDim(2);
    }
}

}  // namespace assay::pages
