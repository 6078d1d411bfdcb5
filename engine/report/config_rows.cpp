// What a reader wants to know of set-ups that differ: each difference once, by section, with the set-ups that share it.

#include <assay/report/present.h>

#include <algorithm>
#include <map>

namespace assay::report {
namespace {

constexpr size_t kMostInLine = 12;  // settings of a whole section in one line

// Names and notes of people, and what a row above already says.
bool tellsNothing(const std::string& key) { return key == "name" || key == "assay" || key == "tags" || key == "note" || key == "notes"; }

std::string sectionOf(const std::string& key) { return key.substr(0, key.find('.')); }

using Settings = std::vector<std::pair<std::string, Json>>;  // key, [baseline, here]

// More than one setting, and all of them on the other side only.
bool lacking(const Settings& all, size_t side) {
    return all.size() > 1 && std::all_of(all.begin(), all.end(), [&](const auto& one) { return one.second[side].is_null() && !one.second[1 - side].is_null(); });
}

// "schemes: [int8], group: 32"
std::string inOneLine(const Settings& all, size_t side, const std::string& section) {
    std::string out;
    for (size_t i = 0; i < all.size() && i < kMostInLine; ++i) {
        const std::string& key = all[i].first;
        out += (out.empty() ? "" : ", ") + (key.size() > section.size() ? key.substr(section.size() + 1) : key) + ": " + jsonText(all[i].second[side]);
    }
    return all.size() > kMostInLine ? out + ", and " + std::to_string(all.size() - kMostInLine) + " more" : out;
}

}  // namespace

std::vector<ConfigDifference> configDifferences(const Comparison& c) {
    std::vector<ConfigDifference> rows;
    std::map<std::string, size_t> known;  // the same difference of another set-up
    std::vector<std::string> order;
    for (size_t i = 0; i < c.setups.size(); ++i) {
        std::map<std::string, Settings> sections;
        for (const auto& [key, pair] : c.setups[i].configDiff.items())
            if (!tellsNothing(key) && pair.is_array() && pair.size() == 2) sections[sectionOf(key)].emplace_back(key, pair);
        for (const auto& [section, all] : sections) {
            if (std::find(order.begin(), order.end(), section) == order.end()) order.push_back(section);
            const auto add = [&](const std::string& key, std::string base, std::string here) {
                const std::string mark = key + '\n' + base + '\n' + here;
                const auto [place, fresh] = known.emplace(mark, rows.size());
                if (fresh) rows.push_back({section, key, std::move(base), std::move(here), {}});
                rows[place->second].setups.push_back(i);
            };
            // A section that only one side has is one difference, not as many as it has settings.
            if (lacking(all, 0)) add(section, "—", inOneLine(all, 1, section));
            else if (lacking(all, 1)) add(section, inOneLine(all, 0, section), "—");
            else
                for (const auto& [key, pair] : all) add(key, jsonText(pair[0]), jsonText(pair[1]));
        }
    }
    const auto place = [&](const ConfigDifference& row) { return std::find(order.begin(), order.end(), row.section) - order.begin(); };
    std::stable_sort(rows.begin(), rows.end(), [&](const ConfigDifference& a, const ConfigDifference& b) {
        const auto pa = place(a), pb = place(b);
        return pa != pb ? pa < pb : a.key < b.key;
    });
    return rows;
}

std::string setupNames(const Comparison& c, const ConfigDifference& difference, size_t most) {
    // "all others" says more than a list of them.
    const size_t others = c.setups.empty() ? 0 : c.setups.size() - 1;
    if (others > 2 && difference.setups.size() == others) return "all but the baseline";
    std::string out;
    for (size_t i = 0; i < difference.setups.size() && i < most; ++i) out += (out.empty() ? "" : ", ") + shortName(c.setups[difference.setups[i]], 48);
    return difference.setups.size() > most ? out + " and " + std::to_string(difference.setups.size() - most) + " more" : out;
}

}  // namespace assay::report
