#include "sensitivity_view.h"

#include <assay/models/format.h>
#include <assay/models/json_values.h>
#include <assay/widgets/bar_rows.h>
#include <assay/widgets/card.h>

#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace assay::pages {

SensitivityView::SensitivityView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("plan-sensitivity"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    auto* title = new widgets::PlainLabel(tr("Cost at other prices"), this, style::Type::kSecondary);
    title->setDim(2);
    title->setToolTip(tr("Hours that are paid for and not used cost as much as those that are."));
    column->addWidget(title);
    bars_ = new widgets::BarRows(this);
    bars_->setObjectName(QStringLiteral("plan-sensitivity-bars"));
    bars_->setAccessibleName(title->text());
    column->addWidget(bars_);
    hide();
}

void SensitivityView::show(const Json& plan) {
    using models::numberAt;
    const Json found = plan.is_object() ? plan.value("cost_sensitivity", Json()) : Json();
    const double usd = plan.is_object() ? numberAt(plan, "cost_usd") : NAN;
    setVisible(found.is_object() && std::isfinite(usd));
    if (!isVisibleTo(parentWidget())) return;
    std::vector<widgets::BarRows::Row> rows;
    const auto add = [&](const QString& label, double amount, bool planned = false) {
        if (std::isfinite(amount))
            rows.push_back({.label = label, .text = models::formatUsd(amount), .value = amount, .tone = planned ? style::Tone::kAccent : style::Tone::kNeutral, .strong = planned});
    };
    add(tr("price −20 %"), numberAt(found, "price_minus_20_percent"));
    add(tr("as planned"), usd, true);
    add(tr("price +20 %"), numberAt(found, "price_plus_20_percent"));
    std::vector<std::pair<double, double>> shares;
    if (const Json list = found.value("utilisation", Json()); list.is_array())
        for (const Json& one : list)
            if (one.is_object()) shares.emplace_back(numberAt(one, "utilisation"), numberAt(one, "cost_usd"));
    std::sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [share, amount] : shares)
        if (std::isfinite(share)) add(tr("%1 of the hours used").arg(models::formatPercent(share, 0)), amount);
    bars_->setRows(std::move(rows), true);
}

}  // namespace assay::pages
