#pragma once
// Steps that the kinds share: data and model of a job.

#include <assay/config/spec.h>
#include <assay/nn/model.h>

#include <optional>

#include "assay/train/kinds.h"

namespace assay::train {

// Prepares the spec's data in the store's cache; nothing when the run was asked to stop.
Result<std::optional<data::PrepareReport>> prepareData(const config::Spec& spec, protocol::WorkerContext& context);

// What would train on nothing, or never measure what it waits for.
Result<void> checkTrainable(const config::TrainSpec& train, const data::PreparedData& data);

struct ModelSource {
    model::ModelConfig config;
    std::shared_ptr<const model::ModelFile> file;  // null: described, starts from the seed
};
// `model: from:` opened, or the description filled up with the family's defaults and the data's vocabulary.
Result<ModelSource> modelSource(const config::Spec& spec, const data::PreparedData& data);

}  // namespace assay::train
