#include <assay/config/config.h>

#include "assay/plan/plan.h"

namespace assay::plan {
namespace {

Json optional(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json memoryJson(const Memory& m) {
    return {{"weights_bytes", m.weights}, {"gradients_bytes", m.gradients}, {"optimizer_bytes", m.optimizer}, {"activations_bytes", m.activations},
            {"other_bytes", m.other}, {"peak_bytes", m.peak}, {"process_bytes", m.process}, {"offloaded_bytes", m.offloaded}, {"moment", m.moment}};
}

}  // namespace

Json planToJson(const Plan& plan) {
    Json stages = Json::array(), warnings = Json::array(), elsewhere = Json::array();
    for (const Stage& s : plan.stages)
        stages.push_back({{"name", s.name}, {"kind", config::kindName(s.kind)}, {"runs", s.runs}, {"members", s.members}, {"memory", memoryJson(s.memory)},
                          {"seconds", s.seconds.value}, {"seconds_uncertainty", s.seconds.uncertainty},
                          {"step_seconds", s.step ? Json(s.step->value) : Json()}, {"step_seconds_uncertainty", s.step ? Json(s.step->uncertainty) : Json()}});
    for (const Warning& w : plan.warnings) warnings.push_back({{"key", w.key}, {"message", w.message}, {"hint", w.hint}, {"blocks", w.blocks}});
    for (const Elsewhere& e : plan.elsewhere) {
        const auto& price = e.hardware->price;
        elsewhere.push_back({{"hardware", e.hardware->name}, {"label", e.hardware->label}, {"total_seconds", e.total.value}, {"total_seconds_uncertainty", e.total.uncertainty},
                             {"cost_usd", optional(e.costUsd)}, {"fits", e.fits}, {"capacity_bytes", e.hardware->memoryBytes},
                             {"usd_per_hour", price ? Json(price->usdPerHour) : Json()}, {"price_source", price ? Json(price->source) : Json()}, {"price_date", price ? Json(price->date) : Json()}});
    }
    Json document;
    document["memory"] = plan.stages.empty() ? memoryJson({}) : memoryJson(plan.stages[plan.peakStage].memory);
    if (!plan.stages.empty()) document["memory"]["stage"] = plan.stages[plan.peakStage].name;
    const auto& t = plan.training;
    document["step_seconds"] = t ? Json(t->step.value) : Json();
    document["step_seconds_uncertainty"] = t ? Json(t->step.uncertainty) : Json();
    document["total_seconds"] = plan.total.value;
    document["total_seconds_uncertainty"] = plan.total.uncertainty;
    document["energy_joules"] = optional(plan.energyJoules);
    document["cost_usd"] = optional(plan.costUsd);
    if (const auto& s = plan.sensitivity) {
        Json utilisation = Json::array();
        for (const auto& [share, usd] : s->utilisation) utilisation.push_back({{"utilisation", share}, {"cost_usd", usd}});
        document["cost_sensitivity"] = {{"price_minus_20_percent", s->priceLow}, {"price_plus_20_percent", s->priceHigh}, {"utilisation", utilisation}};
    } else {
        document["cost_sensitivity"] = nullptr;
    }
    document["layout"] = t ? Json{{"ranks", t->ranks}, {"data", t->ranks}, {"zero", t->zero}, {"tensor", 1}, {"pipeline", 1}, {"expert", 1}, {"context", 1},
                                  {"micro_batch", t->rows}, {"accumulation", t->accumulation}}
                           : Json{{"ranks", 1}};
    document["training"] = t ? Json{{"parameters", t->parameters}, {"steps", t->steps}, {"tokens_per_step", t->tokensPerStep}, {"flops_per_step", t->flopsPerStep},
                                    {"total_flops", t->flopsPerStep * static_cast<double>(t->steps)}, {"epochs", optional(t->epochs)}, {"activation_checkpointing", config::checkpointingJson(t->checkpointing)}}
                             : Json();
    document["hardware"] = plan.hardware.name;
    document["hardware_label"] = plan.hardware.label;
    document["hardware_measured"] = plan.hardware.measured;
    document["capacity_bytes"] = plan.capacityBytes;
    document["fits"] = plan.fits;
    document["stages"] = std::move(stages);
    document["warnings"] = std::move(warnings);
    document["elsewhere"] = std::move(elsewhere);
    document["assumptions"] = plan.assumptions;
    return document;
}

}  // namespace assay::plan
