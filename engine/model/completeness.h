#pragma once
// Are the tensors of a file exactly those of its model?
#include "assay/model/model_file.h"

namespace assay::model {

// Checks `tensors` (already under their Hugging Face names) against the family's parameters: missing, unexpected and
// wrongly shaped ones are named. With a record, a quantized weight NAME is there as NAME.packed, NAME.scale … instead.
// A stored head that equals the embedding it is tied to is dropped from the list.
Result<void> checkComplete(const ModelConfig& config, const QuantizationRecord* record, const std::string& path, std::vector<TensorView>& tensors);

// The name the family uses for a name in a file: with the base prefix when the file leaves it out; empty for buffers that
// are ignored by rule.
std::string canonicalName(const Family& family, std::string_view name);

}  // namespace assay::model
