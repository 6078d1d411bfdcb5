#pragma once
// From run documents to set-ups that are not yet compared with one another.

#include <assay/report/comparison.h>

namespace assay::report {

struct Collected {
    std::vector<Setup> setups;
    std::vector<Warning> warnings;
    std::optional<double> usdPerHour;
    bool firstIsBaseline = false;  // the variants of one sweep: the file says which is the baseline
};
Collected collectSetups(const std::vector<Json>& runs);

const Json* member(const Json& object, std::string_view key);  // null when absent or null
bool fullPrecision(const Setup& setup);                        // "fp32" or "dequantized …"
Value meanOf(const std::vector<Value>& values);                // mean ± standard error over seeds

}  // namespace assay::report
