#pragma once
// Runs as `compare` and `report` need them: whole documents with the whole documents of their children.

#include "context.h"

#include <string>
#include <vector>

namespace assay::cli {

// ID, run:ID, ID/SET-UP or run:ID/SET-UP; of runs named with set-ups only those set-ups are kept.
Result<std::vector<Json>> fetchRuns(Context& context, const std::vector<std::string>& references);

// "run:abc/int8" → {"abc", "int8"}
std::pair<std::string, std::string> splitReference(std::string_view reference);

}  // namespace assay::cli
