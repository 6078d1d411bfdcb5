#pragma once
#include <string_view>

namespace assay::data {

// The first line of `bytes` without its end; `used`: with it. False: its end is not among them and `last` is not set.
bool takeLine(std::string_view bytes, bool last, size_t& used, std::string_view& line);
bool isBlankLine(std::string_view line);

}  // namespace assay::data
