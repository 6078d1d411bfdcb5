#include <assay/presenters/compare_figures.h>

#include <QObject>
#include <algorithm>
#include <cmath>
#include <limits>

#include "words.h"

namespace assay::presenters {
namespace {

constexpr double k95 = 1.959963984540054;   // of a normal distribution, two-sided
constexpr double kPrices[] = {0.8, 1, 1.2}, kUtilisations[] = {0.3, 0.6, 0.9};

bool finite(const report::Value& value) { return value.value && std::isfinite(*value.value); }
double at(const Json& spec, const char* group, const char* key) {
    if (!spec.is_object()) return kNan;
    auto cost = spec.find("cost");
    if (cost == spec.end() || !cost->is_object()) return kNan;
    auto part = cost->find(group);
    return part == cost->end() || !part->is_object() || !part->contains(key) ? kNan : numberFromJson((*part)[key]);
}

// A cost taken apart into what scales with price and utilisation, and the electricity that does not.
struct Parts {
    const report::Setup* setup;
    double price = 0, electricity = 0;
    double total(double factor, double utilisation) const { return price * factor / utilisation + electricity; }
};

Parts partsOf(const report::Setup& setup, double cost) {
    const double hourly = at(setup.spec, "price", "usd_per_hour"), rate = setup.decodeTokensPerS.value.value_or(kNan);
    const double perToken = setup.usdPer1mOutputTokens.value.value_or(kNan);
    // USD per hour that the cost follows from; more than the price of the hour when measured electricity is in it.
    const double all = perToken * rate * 3600 / 1e6;
    if (!std::isfinite(hourly) || !std::isfinite(all) || all <= 0) return {&setup, cost, 0};
    const double share = std::clamp(hourly / all, 0.0, 1.0);
    return {&setup, cost * share, cost * (1 - share)};
}

QString percent(double share) { return QObject::tr("%1 %").arg(qRound(100 * share)); }

}  // namespace

std::vector<const report::Setup*> frontierOf(const report::Comparison& comparison, const report::Metric& x, const report::Metric& y) {
    const auto worth = [](const report::Setup& setup, const report::Metric& metric) {
        const double value = *(setup.*metric.value).value;
        return metric.lowerIsBetter ? value : -value;
    };
    std::vector<const report::Setup*> counted, out;
    for (const report::Setup& setup : comparison.setups)
        if (setup.comparable && finite(setup.*x.value) && finite(setup.*y.value)) counted.push_back(&setup);
    for (const report::Setup* one : counted) {
        const double sx = worth(*one, x), sy = worth(*one, y);
        const bool beaten = std::any_of(counted.begin(), counted.end(), [&](const report::Setup* other) {
            const double ox = worth(*other, x), oy = worth(*other, y);
            return ox <= sx && oy <= sy && (ox < sx || oy < sy);
        });
        if (!beaten) out.push_back(one);
    }
    std::stable_sort(out.begin(), out.end(), [&](const auto* a, const auto* b) { return *(a->*x.value).value < *(b->*x.value).value; });
    return out;
}

Delta deltaTo(const report::Comparison& comparison, const report::Setup& setup, const report::Metric& metric) {
    const report::Setup* base = comparison.baselineSetup();
    if (!base || base->id == setup.id) return {kNan, {}, {}};
    const report::Value &mine = setup.*metric.value, &theirs = base->*metric.value;
    if (!finite(mine) || !finite(theirs)) return {kNan, {}, {}};
    Delta out{*mine.value - *theirs.value, {}, {}};
    if (!setup.comparable && std::string_view(metric.name).starts_with("accuracy.")) return {kNan, {}, {}};
    // Seeds that both have make pairs: their interval says more than two errors taken as independent.
    if (const auto paired = setup.differences.find(metric.name); paired != setup.differences.end()) {
        out.value = paired->second.mean;
        out.se = paired->second.se;
        out.separable = paired->second.separable;
        return out;
    }
    // A ratio is already paired with the baseline, whose own is exact.
    const bool paired = std::string_view(metric.name) == "accuracy.perplexity_ratio";
    if (mine.se && (paired || theirs.se)) out.separable = std::abs(out.value) > k95 * std::hypot(*mine.se, paired ? 0 : *theirs.se);
    return out;
}

Sensitivity sensitivityOf(const report::Comparison& comparison) {
    Sensitivity out;
    const report::Metric* x = report::findMetric(comparison.x);
    if (!x || !std::string_view(x->name).starts_with("cost.")) return out;
    std::vector<Parts> costs;
    for (const report::Setup& setup : comparison.setups)
        if (finite(setup.*x->value)) costs.push_back(partsOf(setup, *(setup.*x->value).value));
    if (costs.size() < 2) return out;
    out.applies = true;
    const auto sorted = [&](double factor, double utilisation) {
        std::vector<Parts> order = costs;
        std::stable_sort(order.begin(), order.end(), [&](const Parts& a, const Parts& b) { return a.total(factor, utilisation) < b.total(factor, utilisation); });
        order.resize(std::min<size_t>(order.size(), 3));
        return order;
    };
    const std::vector<Parts> measured = sorted(1, 1);
    for (const Parts& part : measured) out.order << QString::fromStdString(part.setup->id);
    out.lowest = std::numeric_limits<double>::infinity();
    out.highest = 0;
    for (const double factor : kPrices)
        for (const double utilisation : kUtilisations) {
            const double total = measured.front().total(factor, utilisation);
            out.lowest = std::min(out.lowest, total);
            out.highest = std::max(out.highest, total);
            if (out.changes) continue;
            const std::vector<Parts> now = sorted(factor, utilisation);
            out.changes = !std::equal(now.begin(), now.end(), measured.begin(), measured.end(), [](const Parts& a, const Parts& b) { return a.setup == b.setup; });
            if (out.changes) {
                const QString price = factor < 1 ? QObject::tr("price −20 %") : factor > 1 ? QObject::tr("price +20 %") : QObject::tr("the price given");
                out.changedAt = QObject::tr("%1, utilisation %2").arg(price, percent(utilisation));
            }
        }
    return out;
}

}  // namespace assay::presenters
