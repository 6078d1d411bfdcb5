#include "chat/filters.h"
#include "chat/parser.h"

#include <map>

namespace assay::data::jinja {
namespace {

const std::map<std::string_view, int>& filterIds() {
    static const std::map<std::string_view, int> ids = [] {
        std::map<std::string_view, int> all;
        int id = 0;
        for (const auto table : {textFilters(), listFilters()})
            for (const Filter& f : table) all[f.name] = id++;
        return all;
    }();
    return ids;
}

}  // namespace

int filterId(std::string_view name) {
    const auto found = filterIds().find(name);
    return found == filterIds().end() ? -1 : found->second;
}

Value Interpreter::applyFilter(int id, const Value& value, const Arguments& arguments) {
    const auto first = textFilters(), second = listFilters();
    const auto at = static_cast<size_t>(id);
    const Filter& f = at < first.size() ? first[at] : second[at - first.size()];
    r.step();
    static const Arguments none;
    const bool free = f.parameters[0] == '*';
    const Bound bound(f.name, free ? "" : f.parameters, f.required, free ? none : arguments);
    return f.run({*this, r, value, bound, arguments});
}

}  // namespace assay::data::jinja
