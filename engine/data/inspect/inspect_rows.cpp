#include <assay/core/paths.h>
#include <assay/data/prepare.h>

#include <algorithm>

#include "inspect/data_file.h"

namespace assay::data {
namespace {

constexpr size_t kSampleRows = 5, kCellBytes = 500, kLines = 8;

struct Counts {
    int64_t usable = 0;
    std::vector<RowProblemCount> problems;

    void add(const DataRow& row) {
        usable += row.usable;
        if (row.reason.empty()) return;
        for (RowProblemCount& p : problems)
            if (p.reason == row.reason) {
                ++p.count;
                if (row.line > 0 && p.lines.size() < kLines) p.lines.push_back(row.line);
                return;
            }
        problems.push_back({row.reason, row.hint, row.row, row.line, 1, {}});
        if (row.line > 0) problems.back().lines.push_back(row.line);  // tables have none
    }
};

// The first bytes of a cell, cut between characters.
std::string shortCell(const std::string& text) {
    if (text.size() <= kCellBytes) return text;
    size_t end = kCellBytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    return text.substr(0, end) + "…";
}

}  // namespace

Result<Json> inspectRows(const std::vector<DataFilePtr>& files, const std::stop_token& stop) {
    if (files.empty()) return fail(ErrorCode::kBadUsage, "no file to inspect", "name one or more data files");
    std::string format;
    int64_t rows = 0, usable = 0, bytes = 0;
    Json columns = Json::array(), problems = Json::array(), sample = Json::array(), mapping = Json::object();
    for (const DataFilePtr& file : files) {
        format = format.empty() || format == file->format() ? file->format() : "mixed";
        bytes += file->bytes();
        if (file->format() != "text")
            for (const std::string& column : file->columns())
                if (columns.size() < 256 && std::find(columns.begin(), columns.end(), Json(column)) == columns.end()) columns.push_back(column);
        Counts counts;
        ASSAY_TRY_VOID(file->visit(1, false, [&](const DataRow& row) {
            ++rows;
            counts.add(row);
            return true;
        }, stop));
        usable += counts.usable;
        for (const RowProblemCount& p : counts.problems) {
            Json problem{{"row", p.row}, {"line", p.line > 0 ? Json(p.line) : Json()}, {"reason", p.reason}, {"count", p.count}, {"hint", p.hint}, {"lines", p.lines}};
            if (files.size() > 1) problem["file"] = file->path();
            problems.push_back(std::move(problem));
        }
    }
    Json shapes = Json::object(), details = Json::object();
    for (const auto& [shape, count] : files[0]->shapes()) shapes[shape] = count;
    for (const auto& [key, value] : files[0]->details()) details[key] = value;
    for (const auto& [role, column] : files[0]->mapping()) mapping[role] = column;
    ASSAY_TRY_VOID(files[0]->visit(1, true, [&](const DataRow& row) {
        Json cells = Json::object();
        for (const auto& [name, text] : row.cells) cells[name] = shortCell(text);
        sample.push_back(std::move(cells));
        return sample.size() < kSampleRows;
    }, stop));
    return Json{{"format", format}, {"rows", rows}, {"usable", usable}, {"columns", columns}, {"problems", problems}, {"bytes", bytes},
                {"shape", files[0]->shape()}, {"shapes", shapes}, {"details", details}, {"mapping", mapping}, {"mapping_reason", files[0]->mappingReason()}, {"sample", sample}};
}

Result<Json> inspectFiles(const std::vector<std::string>& paths) {
    if (paths.empty()) return fail(ErrorCode::kBadUsage, "no file to inspect", "name one or more data files");
    std::vector<DataFilePtr> files;
    for (const std::string& path : paths) {
        config::DataSource source;
        source.path = path;
        ASSAY_TRY(DataFilePtr file, DataFile::open(source, config::Document::kLine, ""));
        files.push_back(std::move(file));
    }
    return inspectRows(files);
}

}  // namespace assay::data
