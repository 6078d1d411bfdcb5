#include "text/table.h"

#include <algorithm>

#include "text/format.h"

namespace assay::cli {
namespace {

constexpr int kLeastColumn = 6;  // a cut column still shows this much

std::string padded(const std::string& cell, int width, Table::Align align) {
    const std::string text = cutToWidth(cell, width);
    const std::string space(static_cast<size_t>(std::max(0, width - displayWidth(text))), ' ');
    return align == Table::Align::kLeft ? text + space : space + text;
}

}  // namespace

std::string Table::text(int width) const {
    std::vector<int> widths;
    for (size_t c = 0; c < columns_.size(); ++c) {
        int needed = displayWidth(columns_[c].title);
        for (const auto& row : rows_)
            if (c < row.size()) needed = std::max(needed, displayWidth(row[c]));
        widths.push_back(needed);
    }
    const auto total = [&] {
        int sum = 0;
        for (int w : widths) sum += w + 2;
        return sum - 2;
    };
    while (width > 0 && total() > width) {
        int widest = -1;
        for (size_t c = 0; c < widths.size(); ++c)
            if (columns_[c].align == Align::kLeft && widths[c] > kLeastColumn && (widest < 0 || widths[c] > widths[static_cast<size_t>(widest)]))
                widest = static_cast<int>(c);
        if (widest < 0) break;
        --widths[static_cast<size_t>(widest)];
    }
    std::string out;
    const auto line = [&](const auto& cellOf) {
        std::string text;
        for (size_t c = 0; c < columns_.size(); ++c) text += (c ? "  " : "") + padded(cellOf(c), widths[c], columns_[c].align);
        text.erase(text.find_last_not_of(' ') + 1);
        out += text + "\n";
    };
    line([&](size_t c) { return columns_[c].title; });
    for (const auto& row : rows_) line([&](size_t c) { return c < row.size() ? row[c] : std::string(); });
    return out;
}

std::string keyValues(const std::vector<std::pair<std::string, std::string>>& rows) {
    int width = 0;
    for (const auto& [key, value] : rows) width = std::max(width, displayWidth(key));
    std::string out;
    for (const auto& [key, value] : rows) out += padded(key, width, Table::Align::kLeft) + "  " + value + "\n";
    return out;
}

}  // namespace assay::cli
