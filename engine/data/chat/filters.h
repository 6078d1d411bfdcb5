#pragma once
// Filters: a function, the names of its parameters, how many of these must be given.
#include <span>
#include <string_view>

#include "chat/interpreter.h"

namespace assay::data::jinja {

struct FilterCall {
    Interpreter& in;
    Runtime& r;
    const Value& value;
    const Bound& a;
    const Arguments& raw;
};
struct Filter {
    std::string_view name;
    Value (*run)(const FilterCall&);
    const char* parameters = "";  // "*": the filter looks at the arguments itself
    size_t required = 0;
};
std::span<const Filter> textFilters();
std::span<const Filter> listFilters();

}  // namespace assay::data::jinja
