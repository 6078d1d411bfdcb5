#include <assay/torch.h>

#include <algorithm>

#include <assay/nn/device.h>

#include "assay/train/trainer.h"

namespace assay::train {
namespace {

// The numbers travel as int32, half the bytes, and are widened where they arrive.
at::Tensor widen(const std::vector<int32_t>& values, const data::Batch& batch, at::Device device) {
    return nn::toDevice(at::from_blob(const_cast<int32_t*>(values.data()), {batch.rows, batch.columns}, at::kInt), device).to(at::kLong);
}

}  // namespace

Result<nn::Inputs> inputsOf(const data::Batch& batch, const model::ModelConfig& config, at::Device device) {
    const auto size = static_cast<size_t>(batch.rows * batch.columns);
    ASSAY_CHECK(batch.ids.size() == size && batch.labels.size() == size && batch.positions.size() == size && batch.segments.size() == size, "batch arrays differ in size");
    bool running = true;  // positions 0 … T−1 in every row
    int32_t last = 0;
    for (size_t i = 0; i < size; ++i) {
        if (batch.ids[i] < 0 || batch.ids[i] >= config.vocab)
            return fail(ErrorCode::kInvalidFile, "the data holds token " + std::to_string(batch.ids[i]) + ", the model knows 0 to " + std::to_string(config.vocab - 1),
                        "prepare the data with the model's own tokenizer");
        if (batch.positions[i] < 0 || batch.positions[i] >= config.context)
            return fail(ErrorCode::kInvalidFile, "a document reaches position " + std::to_string(batch.positions[i]) + ", the model's context ends at " + std::to_string(config.context - 1),
                        "use a smaller data.sequence_length or a larger model.context");
        last = std::max(last, batch.positions[i]);
        running = running && batch.positions[i] == static_cast<int32_t>(i % static_cast<size_t>(batch.columns));
    }
    nn::Inputs inputs;
    inputs.ids = widen(batch.ids, batch, device);
    // Padding follows the text in a row of one segment: causal attention keeps it out, so its positions do not matter.
    if (!running && !batch.oneSegmentPerRow) {
        inputs.positions = widen(batch.positions, batch, device);
        inputs.positionsEnd = last + 1;
    }
    if (!batch.oneSegmentPerRow) inputs.segments = widen(batch.segments, batch, device);
    if (config.experts > 0 && batch.realTokens < batch.rows * batch.columns) inputs.counted = widen(batch.segments, batch, device).ge(0);
    return inputs;
}

at::Tensor labelsOf(const data::Batch& batch) { return widen(batch.labels, batch, at::kCPU); }

}  // namespace assay::train
