#pragma once
// What the families share: bounds of a plausible model, and reading config.json with errors that name the key.
#include "assay/model/config.h"

namespace assay::model {

// Every number positive and below bounds under which no product of two shapes overflows; heads divide; kvHeads divides heads.
Result<void> checkShape(const ModelConfig& config);

// Integers and numbers of config.json. Absent or null: the fallback, or an error naming the key when there is none.
Result<int64_t> hfInteger(const Json& config, std::string_view key);
Result<int64_t> hfInteger(const Json& config, std::string_view key, int64_t fallback);
Result<double> hfDouble(const Json& config, std::string_view key, double fallback);
Result<bool> hfBool(const Json& config, std::string_view key, bool fallback);
Result<std::string> hfString(const Json& config, std::string_view key, std::string_view fallback);
bool hfHas(const Json& config, std::string_view key);  // present and not null

// eos_token_id: an id, a list of ids or null. Appends what is not there yet.
Result<void> hfEosIds(const Json& config, std::vector<int64_t>& ids);
Json hfEosJson(const std::vector<int64_t>& ids);  // null, id, or list

// rope_theta with rope_scaling (transformers ≤ 4) or rope_parameters (5).
// Reads head dimension and context of `out`.
Result<void> ropeFromHuggingFace(const Json& config, ModelConfig& out, double defaultTheta = 10000.0);
void ropeToHuggingFace(const ModelConfig& config, Json& out);

}  // namespace assay::model
