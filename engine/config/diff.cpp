#include <assay/config/config.h>

#include <algorithm>
#include <unordered_map>

namespace assay::config {
namespace {

using Flat = std::vector<std::pair<std::string, const Json*>>;

// Maps are opened; a list is one value unless it holds maps (a mixture of data sources).
void flatten(const Json& value, const std::string& key, Flat& out) {
    const bool opened = (value.is_object() && !value.empty()) ||
                        (value.is_array() && std::any_of(value.begin(), value.end(), [](const Json& item) { return item.is_object(); }));
    if (!opened) {
        out.emplace_back(key, &value);
        return;
    }
    for (const auto& [name, item] : value.items()) flatten(item, key.empty() ? name : key + "." + name, out);
}

}  // namespace

std::vector<Difference> diffSpecs(const Json& left, const Json& right) {
    Flat a, b;
    flatten(left, "", a);
    flatten(right, "", b);
    std::unordered_map<std::string_view, const Json*> inLeft, inRight;
    for (const auto& [key, value] : a) inLeft.emplace(key, value);
    for (const auto& [key, value] : b) inRight.emplace(key, value);
    std::vector<Difference> out;
    for (const auto& [key, value] : a) {
        auto it = inRight.find(key);
        if (it == inRight.end()) out.push_back({key, *value, nullptr});
        else if (*it->second != *value) out.push_back({key, *value, *it->second});
    }
    for (const auto& [key, value] : b)
        if (!inLeft.count(key)) out.push_back({key, nullptr, *value});
    return out;
}

}  // namespace assay::config
