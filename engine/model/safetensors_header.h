#pragma once
// The header of a safetensors file, checked against the file's size before any tensor is touched.
#include "assay/model/model_file.h"

namespace assay::model {

constexpr uint64_t kMaxSafetensorsHeader = 100'000'000;  // bytes; the limit of the reference implementation

struct SafetensorsHeader {
    std::vector<SafetensorsEntry> entries;  // in order of their data
    Json metadata = Json::object();         // string → string
};
// `file` is the whole file; entries view into it.
Result<SafetensorsHeader> parseSafetensors(std::string_view file, const std::string& path);

}  // namespace assay::model
