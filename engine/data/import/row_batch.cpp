#include "import/row_reader.h"

namespace assay::data {
namespace {
constexpr size_t kCopyBlock = size_t{64} << 10;
}

void RowBatch::begin(const RowMark& mark) {
    mark_ = mark;
    columns_ = std::make_shared<const std::vector<std::string>>();
    rows_.clear();
    cells_.clear();
    faults_.clear();
    owned_.clear();
    copies_.clear();
    bytes_ = 0;
}

void RowBatch::own(std::shared_ptr<const void> what, size_t bytes) {
    owned_.push_back(std::move(what));
    bytes_ += bytes;
}

std::string_view RowBatch::copy(std::string_view text) {
    if (copies_.empty() || copies_.back().capacity() - copies_.back().size() < text.size()) {
        copies_.emplace_back();
        copies_.back().reserve(std::max(kCopyBlock, text.size()));
        bytes_ += copies_.back().capacity();
    }
    std::string& block = copies_.back();
    const size_t at = block.size();
    block.append(text);
    return std::string_view(block).substr(at);
}

void RowBatch::addRow(int64_t number, int64_t line) { rows_.push_back({number, line, cells_.size(), 0, -1}); }

void RowBatch::addCell(Cell cell) {
    cells_.push_back(cell);
    ++rows_.back().cells;
}

void RowBatch::setCell(size_t column, Cell cell) {
    Row& row = rows_.back();
    while (row.cells <= column) addCell({});
    cells_[row.firstCell + column] = cell;
}

void RowBatch::addFault(int64_t number, int64_t line, std::string reason, std::string hint) {
    addRow(number, line);
    failLast(std::move(reason), std::move(hint));
}

void RowBatch::failLast(std::string reason, std::string hint) {
    Row& row = rows_.back();
    cells_.resize(row.firstCell);
    row.cells = 0;
    row.fault = static_cast<int32_t>(faults_.size());
    faults_.push_back({std::move(reason), std::move(hint)});
}

void RowBatch::moveRows(int64_t before, const std::string& file) {
    mark_.row += before;
    for (Row& row : rows_) row.number += before;
    for (Fault& fault : faults_) fault.hint += (fault.hint.empty() ? "in " : "; in ") + file;
}

Result<void> RowReader::seek(const RowMark&) { return fail(ErrorCode::kInternal, "this reader cannot seek"); }

}  // namespace assay::data
