#pragma once
// Extended grapheme clusters (UAX #29) of Unicode 17, without rule GB9c: its clusters are longer than any that is asked about.
#include <cstddef>
#include <string_view>

namespace assay::data {

size_t graphemeEnd(std::string_view text, size_t begin);  // end of the cluster that starts at `begin`

}  // namespace assay::data
