#pragma once
// A comparison as a file: HTML for people (self-contained, works offline, prints), CSV for spreadsheets, JSON for
// programs. All three carry the same numbers. Texts from runs are hostile: escaped, shortened, direction-isolated.

#include <assay/report/comparison.h>

namespace assay::report {

struct Series {
    std::string run, runName;  // id and name of the run
    std::string name;          // "train/loss"
    Json points;               // [[step, seconds, tokens, value]…]
};

struct ReportInput {
    std::string title;       // empty: made from the run names
    Comparison comparison;
    std::vector<Json> runs;  // as given to buildComparison
    std::vector<Series> series;
    std::string version, time;  // of Assay and of the report, shown at the end; may be empty
};

std::string htmlReport(const ReportInput& input);
std::string csvReport(const ReportInput& input);
std::string csvText(std::string text);  // one field: quoted where needed, and never a formula in a spreadsheet
Json jsonReport(const ReportInput& input);  // the comparison document + "series" and "runs"

// Whole, for a program that draws a report in another process. kInvalidFile, kVersionMismatch for what was not written so.
Json reportInputToJson(const ReportInput& input);
Result<ReportInput> reportInputFromJson(const Json& json);

struct Written {
    std::string path, sha256;
};
// Format by the ending of the path: .html, .htm, .csv, .json. kUnsupported for .pdf, kBadUsage for others.
Result<Written> writeReport(const std::string& path, const ReportInput& input);

}  // namespace assay::report
