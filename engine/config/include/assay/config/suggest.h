#pragma once
// What somebody may have meant by a word that is none of the known ones.

#include <string>
#include <string_view>
#include <vector>

namespace assay::config {

std::string didYouMean(std::string_view written, const std::vector<std::string>& known);  // "did you mean X?" or ""

}  // namespace assay::config
