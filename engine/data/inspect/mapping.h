#pragma once
#include <string>
#include <utility>
#include <vector>

namespace assay::data {

struct ColumnSample {
    std::string name;
    size_t texts = 0, bytes = 0;  // rows in which it is a string with content, and their bytes
};
struct Mapping {
    std::vector<std::pair<std::string, std::string>> roles;  // role → column
    bool isDefault = false;  // the reader would do the same without being told
    std::string reason;      // for people
};
// Which column is the text, from names first and contents second; no roles when nothing fits.
Mapping guessMapping(const std::vector<ColumnSample>& columns, bool csv);

}  // namespace assay::data
