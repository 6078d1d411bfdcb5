#include "table_file.h"

#include <arrow/util/utf8.h>

#include <algorithm>
#include <deque>

#include "cells.h"
#include "checked.h"
#include "status.h"

namespace assay::data {
namespace {

constexpr size_t kBlock = size_t{256} << 10;
constexpr int64_t kMaxIndices = kMaxColumnarMemory / 8;

// What the cells of a batch point to: Arrow's buffers, and texts that were made.
struct Owner {
    std::vector<std::shared_ptr<arrow::RecordBatch>> batches;
    std::deque<std::string> blocks;

    std::string_view copy(std::string_view text) {
        if (blocks.empty() || blocks.back().capacity() - blocks.back().size() < text.size()) {
            blocks.emplace_back();
            blocks.back().reserve(std::max(kBlock, text.size()));
        }
        std::string& block = blocks.back();
        const size_t at = block.size();
        block.append(text);  // within its capacity: nothing moves
        return std::string_view(block).substr(at);
    }
};

std::string shownName(const std::string& name, int place) {
    const bool text = arrow::util::ValidateUTF8(reinterpret_cast<const uint8_t*>(name.data()), static_cast<int64_t>(name.size()));
    return text && !name.empty() ? name : "#" + std::to_string(place + 1);
}

}  // namespace

Result<std::unique_ptr<ColumnarFile>> TableFile::open(const ColumnarSource& source) {
    if (source.files.empty()) return fail(ErrorCode::kBadUsage, "no data file is named");
    auto out = std::make_unique<TableFile>(source);
    ASSAY_TRY_VOID(out->openAll());
    return std::unique_ptr<ColumnarFile>(std::move(out));
}

Result<std::unique_ptr<BatchSource>> TableFile::openOne(size_t file) const {
    const std::string& path = source_.files[file];
    return source_.format == ColumnarFormat::kParquet ? openParquet(path) : openIpc(path, !source_.indices.empty());
}

Result<void> TableFile::openAll() {
    open_.resize(source_.indices.empty() ? 1 : source_.files.size());
    for (size_t f = 0; f < source_.files.size(); ++f) {
        ASSAY_TRY(auto one, openOne(f));
        if (f == 0) ASSAY_TRY_VOID(chooseColumns(one->schema()));
        ASSAY_TRY(const auto places, placesIn(one->schema(), source_.files[f]));
        ASSAY_TRY_VOID(one->project(places));
        if (one->rows() > INT64_MAX - begin_.back()) return fail(ErrorCode::kInvalidFile, source_.files[f] + " says that it has more rows than can be counted");
        begin_.push_back(begin_.back() + one->rows());
        open_[open_.size() == 1 ? 0 : f] = std::move(one);
        opened_ = f;
    }
    return source_.indices.empty() ? Result<void>() : readIndices();
}

Result<void> TableFile::chooseColumns(const arrow::Schema& schema) {
    const auto& project = source_.project;
    for (int i = 0; i < schema.num_fields(); ++i) {
        const std::string name = shownName(schema.field(i)->name(), i);
        if (!project.empty() && std::find(project.begin(), project.end(), name) == project.end()) continue;
        if (columns_.size() >= source_.maxColumns) {
            ++leftOut_;
            continue;
        }
        columns_.push_back({name, schema.field(i)->type()->ToString()});
        wanted_.push_back(schema.field(i)->name());
    }
    // None of the wanted ones: the rows are still counted, by the first column.
    if (columns_.empty()) {
        columns_.push_back({shownName(schema.field(0)->name(), 0), schema.field(0)->type()->ToString()});
        wanted_.push_back(schema.field(0)->name());
    }
    return {};
}

Result<std::vector<int>> TableFile::placesIn(const arrow::Schema& schema, const std::string& path) const {
    std::vector<int> places;
    int at = 0;
    for (const std::string& name : wanted_) {  // in the order of the first file; equal names one after the other
        int found = -1;
        for (int i = 0; i < schema.num_fields() && found < 0; ++i) {
            const int place = (at + i) % schema.num_fields();
            if (schema.field(place)->name() == name && std::find(places.begin(), places.end(), place) == places.end()) found = place;
        }
        if (found < 0)
            return fail(ErrorCode::kInvalidFile, path + " has no column \"" + shownName(name, 0) + "\", which " + source_.files[0] + " has", "files of one dataset must have the same columns");
        if (!places.empty() && found < places.back())
            return fail(ErrorCode::kInvalidFile, path + " has its columns in another order than " + source_.files[0], "write the files of one dataset with the same columns");
        places.push_back(found);
        at = found + 1;
    }
    return places;
}

Result<void> TableFile::readIndices() {
    std::vector<int64_t> all;
    for (const std::string& path : source_.indices) {
        ColumnarSource one;
        one.format = ColumnarFormat::kArrow;
        ASSAY_TRY(auto source, openIpc(path, false));
        if (source->schema().num_fields() != 1) return fail(ErrorCode::kInvalidFile, path + " is no indices mapping: it must have one column");
        if (source->rows() > kMaxIndices - static_cast<int64_t>(all.size())) return fail(ErrorCode::kUnsupported, path + " maps too many rows", "save the dataset again after flatten_indices()");
        for (int64_t row = 0; row < source->rows();) {
            ASSAY_TRY(const auto part, source->at(row));
            const auto& column = *part.batch->column(0);
            for (int64_t i = 0; i < column.length(); ++i) {
                int64_t value = -1;
                if (column.type_id() == arrow::Type::UINT64 && column.IsValid(i)) value = static_cast<int64_t>(static_cast<const arrow::UInt64Array&>(column).Value(i));
                if (column.type_id() == arrow::Type::INT64 && column.IsValid(i)) value = static_cast<const arrow::Int64Array&>(column).Value(i);
                if (value < 0 || value >= begin_.back())
                    return fail(ErrorCode::kInvalidFile, path + ": entry " + std::to_string(row + i) + " is no row of the dataset", "save the dataset again");
                all.push_back(value);
            }
            row += column.length();
        }
    }
    indices_ = std::move(all);
    return {};
}

Result<BatchSource*> TableFile::sourceOf(size_t file) {
    auto& slot = open_[open_.size() == 1 ? 0 : file];
    if (open_.size() == 1 && opened_ != file) slot.reset();
    if (!slot) {
        ASSAY_TRY(auto one, openOne(file));
        if (one->rows() != begin_[file + 1] - begin_[file]) return fail(ErrorCode::kIo, source_.files[file] + " changed while it was read", "read it again when nothing writes to it");
        ASSAY_TRY(const auto places, placesIn(one->schema(), source_.files[file]));
        ASSAY_TRY_VOID(one->project(places));
        slot = std::move(one);
        opened_ = file;
    }
    return slot.get();
}

Result<TableFile::Place> TableFile::place(int64_t row) {
    if (indices_) row = (*indices_)[static_cast<size_t>(row)];
    const auto file = static_cast<size_t>(std::upper_bound(begin_.begin(), begin_.end(), row) - begin_.begin()) - 1;
    const int64_t inside = row - begin_[file];
    if (partFile_ != file || inside < part_.first || inside >= part_.first + part_.batch->num_rows()) {
        partFile_ = SIZE_MAX;
        part_ = {};
        ASSAY_TRY(BatchSource * source, sourceOf(file));
        ASSAY_TRY(part_, source->at(inside));
        if (part_.batch->num_columns() != static_cast<int>(columns_.size()))
            return fail(ErrorCode::kInternal, source_.files[file] + ": a batch has " + std::to_string(part_.batch->num_columns()) + " columns");
        partFile_ = file;
    }
    return Place{part_.batch, inside - part_.first, file};
}

Result<void> TableFile::seek(int64_t row) {
    if (row < 0 || row > rows()) return fail(ErrorCode::kNotFound, "there is no row " + std::to_string(row + 1) + " in " + source_.files[0]);
    position_ = row;
    return {};
}

Result<bool> TableFile::next(ColumnarBatch& out, size_t maxRows, size_t maxBytes) {
    const std::string& path = source_.files[partFile_ < source_.files.size() ? partFile_ : 0];
    return guarded(path, [&]() -> Result<bool> {
        out = {};
        out.first = position_;
        auto owner = std::make_shared<Owner>();
        std::string made;
        while (out.rows < std::max<size_t>(maxRows, 1) && position_ < rows() && (out.rows == 0 || out.bytes < maxBytes)) {
            ASSAY_TRY(const Place at, place(position_));
            if (owner->batches.empty() || owner->batches.back() != at.batch) {
                if (!owner->batches.empty() && !indices_) break;  // the next call begins with it
                owner->batches.push_back(at.batch);
            }
            for (size_t c = 0; c < columns_.size(); ++c) {
                const arrow::Array& column = *at.batch->column(static_cast<int>(c));
                ColumnarCell cell;
                ColumnarFault fault = ColumnarFault::kNone;
                if (stringCell(column, at.row, cell)) {
                    if (cell.text.size() > kMaxColumnarCell) fault = ColumnarFault::kTooLong;
                } else {
                    made.clear();
                    fault = appendJson(column, at.row, kMaxColumnarCell, made);
                    if (fault == ColumnarFault::kNone) cell = {ColumnarCell::Kind::kJson, owner->copy(made)};
                }
                if (fault != ColumnarFault::kNone) {
                    out.faults.push_back({out.rows, c, fault});
                    cell = {};
                }
                out.bytes += cell.text.size();
                out.cells.push_back(cell);
            }
            ++out.rows;
            ++position_;
        }
        out.owner = std::move(owner);
        return out.rows > 0;
    });
}

Result<bool> TableFile::nextIntegers(std::vector<std::vector<int64_t>>& values) {
    const std::string& path = source_.files[partFile_ < source_.files.size() ? partFile_ : 0];
    return guarded(path, [&]() -> Result<bool> {
        if (position_ >= rows()) return false;
        ASSAY_TRY(const Place at, place(position_));
        values.resize(columns_.size());
        for (size_t c = 0; c < columns_.size(); ++c)
            if (!appendIntegers(*at.batch->column(static_cast<int>(c)), at.row, values[c]))
                return fail(ErrorCode::kInvalidFile, source_.files[at.file] + ": row " + std::to_string(position_ + 1) + " of column \"" + columns_[c].name + "\" (" + columns_[c].type + ") is no list of whole numbers",
                            "name a column of token ids");
        ++position_;
        return true;
    });
}

}  // namespace assay::data
