#include <fmt/format.h>

#include <cmath>

#include "run/follow.h"
#include "text/format.h"
#include "text/table.h"
#include "text/terminal.h"

namespace assay::cli {
namespace {

// The figures a person looks for first, in this order; at most three are shown.
constexpr std::pair<const char*, const char*> kFigures[] = {
    {"eval/loss", "eval loss"},     {"eval/perplexity", "perplexity"},          {"perplexity", "perplexity"},
    {"train/loss", "train loss"},   {"decode_tokens_per_s", "decode tokens/s"}, {"train/tokens_per_s", "tokens/s"},
    {"tokens", "tokens"},           {"cost/usd", "USD"},
};

std::string figures(const Json& row) {
    auto summary = row.find("summary");
    if (summary == row.end() || !summary->is_object()) return {};
    std::string out;
    int shown = 0;
    for (const auto& [key, title] : kFigures) {
        auto value = summary->find(key);
        if (value == summary->end() || value->is_null() || shown == 3) continue;
        out += fmt::format("{}{} {}", out.empty() ? "" : ", ", title, formatValue(*value));
        ++shown;
    }
    return out;
}

}  // namespace

std::string stageTable(const Json& run) {
    Table table({{"stage"}, {"run"}, {"status"}, {"time", Table::Align::kRight}, {"figures"}});
    const auto add = [&](const Json& row) {
        const double seconds = jsonDoubleOr(row, "running_seconds", std::nan(""));
        table.row({safeText(jsonStringOr(row, "kind", "")), safeText(jsonStringOr(row, "id", "")), safeText(jsonStringOr(row, "status", "")),
                   std::isfinite(seconds) ? formatSeconds(seconds) : "-", figures(row)});
    };
    auto children = run.find("children");
    if (children != run.end() && children->is_array())
        for (const Json& child : *children)
            if (child.is_object()) add(child);
    if (table.empty()) add(run);
    return table.text(tableWidth());
}

}  // namespace assay::cli
