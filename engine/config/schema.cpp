#include <assay/config/spec_text.h>

#include <limits>
#include <map>

#include "node.h"
#include "schema_table.h"

namespace assay::config {
namespace {

struct Table {
    std::vector<KeyInfo> rows;
    std::map<std::string_view, size_t> places;
    Table() {
        for (auto part : {headRows(), trainRows(), measureRows()}) rows.insert(rows.end(), part.begin(), part.end());
        for (size_t i = 0; i < rows.size(); ++i) places.emplace(rows[i].key, i);
    }
};
const Table& table() {
    static const Table kTable;
    return kTable;
}

std::string withoutIndices(std::string_view path) {
    std::string out;
    for (size_t begin = 0;;) {
        const size_t dot = path.find('.', begin);
        const std::string_view part = path.substr(begin, dot == std::string_view::npos ? path.size() - begin : dot - begin);
        if (part.empty() || part.find_first_not_of("0123456789") != std::string_view::npos) out += (out.empty() ? "" : ".") + std::string(part);
        if (dot == std::string_view::npos) return out;
        begin = dot + 1;
    }
}

// Drops the keys of a map whose values are the defaults; maps that the schema calls plain groups go when they are empty.
void prune(Json& map, const std::string& prefix) {
    Json kept = Json::object();
    for (auto& [key, value] : map.items()) {
        const std::string path = prefix.empty() ? key : prefix + "." + key;
        const KeyInfo* info = keyInfo(path);
        if (value.is_object() && info && info->type != KeyType::kMap) {
            prune(value, path);
            if (value.empty() && info->type == KeyType::kGroup && info->starter.empty()) continue;
        } else if (info && !info->fallback.empty() && path != "assay" && value == *jsonFromYaml(info->fallback)) {
            continue;
        }
        kept[key] = std::move(value);
    }
    map = std::move(kept);
}

}  // namespace

std::vector<std::string> KeyInfo::choiceList() const {
    std::vector<std::string> out;
    for (size_t begin = 0; begin < choices.size();) {
        const size_t bar = std::min(choices.find('|', begin), choices.size());
        out.emplace_back(choices.substr(begin, bar - begin));
        begin = bar + 1;
    }
    return out;
}

std::span<const KeyInfo> schema() { return table().rows; }

const KeyInfo* keyInfo(std::string_view path) {
    const auto& places = table().places;
    auto found = places.find(path);
    if (found == places.end()) {
        const std::string plain = withoutIndices(path);
        found = places.find(plain);
        if (found == places.end()) return nullptr;
    }
    return &table().rows[found->second];
}

int keyRank(std::string_view path) {
    const KeyInfo* info = keyInfo(path);
    return info ? static_cast<int>(info - table().rows.data()) : std::numeric_limits<int>::max();
}

std::string keyHint(std::string_view path) {
    const KeyInfo* info = keyInfo(path);
    if (!info) return {};
    std::string out;
    if (!info->typical.empty()) out = "usually " + std::string(info->typical) + (info->unit.empty() ? "" : " " + std::string(info->unit));
    if (!info->fallback.empty()) out += (out.empty() ? "" : "; ") + ("default " + std::string(info->fallback));
    return out;
}

Json compactSpec(const Json& resolved) {
    auto meant = specFromJson(resolved);
    Json out = resolved;
    if (!out.is_object()) return out;
    prune(out, "");
    auto spec = specFromJson(out);
    return meant && spec && *meant == *spec ? out : resolved;
}

}  // namespace assay::config
