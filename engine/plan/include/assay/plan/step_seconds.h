#pragma once
// A training step by its parts, in seconds of one machine's kernels. Pure functions.

#include <assay/plan/kernel_rates.h>
#include <assay/plan/memory.h>

namespace assay::plan {

config::PrecisionSpec precisionOf(std::string_view type);       // of a name of KernelRates
std::string_view typeOf(const config::PrecisionSpec& precision);  // and back

struct LayerParts {  // of one layer and micro-batch
    KernelRates::Both products, attention, rest;
    KernelRates::Both known() const { return {products.forward + attention.forward, products.backward + attention.backward}; }
    KernelRates::Both all() const { return {known().forward + rest.forward, known().backward + rest.backward}; }
};
// Products and attention, without `rest`.
LayerParts layerParts(const KernelRates& rates, const model::ModelConfig& config, const TrainShape& shape, std::string_view type);
double layerSaved(const model::ModelConfig& config, const TrainShape& shape);  // bytes one layer's forward pass keeps, dropout apart

struct StepParts {
    double layers = 0, attention = 0, recompute = 0, loss = 0, tables = 0, update = 0, exchange = 0, other = 0;
    double sum() const { return layers + attention + recompute + loss + tables + update + exchange + other; }
};
StepParts stepParts(const KernelRates& rates, const model::ModelConfig& config, const TrainShape& shape);

}  // namespace assay::plan
