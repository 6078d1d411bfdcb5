#include "text/numbers.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace assay::cli {
namespace {

template <class T>
bool parse(const std::string& text, T& value) {
    const char* end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, value);
    return code == std::errc() && stop == end;
}

}  // namespace

CLI::Validator wholeNumber(int64_t least, int64_t most) {
    const std::string wanted = most == INT64_MAX ? fmt::format("a whole number of at least {}", least) : fmt::format("a whole number from {} to {}", least, most);
    return CLI::Validator(
        [=](std::string& text) {
            int64_t value = 0;
            if (parse(text, value) && value >= least && value <= most) return std::string();
            return fmt::format("must be {}, not '{}'", wanted, text);
        },
        "", "");
}

CLI::Validator finiteNumber(double least) {
    return CLI::Validator(
        [=](std::string& text) {
            double value = 0;
            if (parse(text, value) && std::isfinite(value) && value >= least) return std::string();
            return fmt::format("must be a number of at least {}, not '{}'", least, text);
        },
        "", "");
}

}  // namespace assay::cli
