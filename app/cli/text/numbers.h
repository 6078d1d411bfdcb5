#pragma once
// Checks of numbers on the command line whose messages say what is wanted and what was given.

#include <CLI/CLI.hpp>
#include <cstdint>

namespace assay::cli {

CLI::Validator wholeNumber(int64_t least, int64_t most = INT64_MAX);
CLI::Validator finiteNumber(double least);

}  // namespace assay::cli
