#pragma once
#include <string>
#include <vector>

namespace assay::cli {

// Aligned text: a header, columns two spaces apart, numbers to the right.
class Table {
public:
    enum class Align { kLeft, kRight };
    struct Column {
        std::string title;
        Align align = Align::kLeft;
    };
    explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
    void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
    bool empty() const { return rows_.empty(); }
    // `width` > 0: the widest left-aligned columns are cut until a line fits.
    std::string text(int width = 0) const;

private:
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

// "key  value" lines with the keys aligned.
std::string keyValues(const std::vector<std::pair<std::string, std::string>>& rows);

}  // namespace assay::cli
