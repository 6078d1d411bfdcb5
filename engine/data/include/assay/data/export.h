#pragma once
// A prepared folder in the formats of other programs, and ids that other programs prepared as a prepared folder
// (export/README.md says what each file holds).

#include <assay/core/progress.h>
#include <assay/data/prepare.h>

#include <stop_token>
#include <string>

namespace assay::data {

enum class ExportFormat { kArrow, kParquet, kHf, kMegatron, kNanoGpt };
Result<ExportFormat> exportFormatOf(const std::string& name);  // arrow, parquet, hf, megatron, nanogpt

struct ExportOptions {
    ExportFormat format = ExportFormat::kHf;
    std::string out;          // a folder that is absent or empty; whole or absent afterwards
    ProgressSink progress;
    std::stop_token stop;
};
struct ExportReport {
    std::string path;
    int64_t rows = 0;         // sequences; Megatron: documents; nanoGPT: documents, whose ends its files do not mark
    int64_t tokens = 0;
    int64_t bytes = 0;
    std::vector<std::pair<std::string, int64_t>> splits;  // name → rows
    std::vector<std::string> files;                       // relative to path
    std::vector<std::string> warnings;                    // what the format cannot hold
};
// kUnsupported when the format cannot hold the ids; kDiskFull leaves nothing behind.
Result<ExportReport> exportPrepared(const std::string& folder, const ExportOptions& options);
Json reportToJson(const ExportReport& report);

}  // namespace assay::data
