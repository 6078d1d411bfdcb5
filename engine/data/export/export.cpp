#include <assay/core/durable.h>
#include <assay/data/export.h>

#include <unistd.h>

#include <filesystem>

#include "export/export_job.h"
#include "prepare/output_folder.h"

namespace assay::data {
namespace {
namespace fs = std::filesystem;

struct Exporter {
    const char* name;
    ExportFormat format;
    Result<void> (*run)(ExportJob&);
    int64_t bytesPerToken;  // about, before it is packed
};
constexpr Exporter kExporters[] = {
    {"arrow", ExportFormat::kArrow, exportArrow, 12},
    {"parquet", ExportFormat::kParquet, exportParquet, 3},
    {"hf", ExportFormat::kHf, exportHf, 12},
    {"megatron", ExportFormat::kMegatron, exportMegatron, 2},
    {"nanogpt", ExportFormat::kNanoGpt, exportNanoGpt, 2},
};

// The tokenizer that the ids belong to, in a folder of its own, so that a program that loads all files of a kind takes none of it.
Result<void> exportTokenizer(const PreparedFolder& data, const std::string& folder, ExportReport& report) {
    ASSAY_TRY_VOID(makeFolders(folder + "/tokenizer"));
    for (const char* name : {"tokenizer.json", "tokenizer_config.json"}) {
        auto bytes = readFile(data.folder() + "/" + name);
        if (!bytes && bytes.error().code == ErrorCode::kNotFound) continue;
        if (!bytes) return fail(std::move(bytes).error());
        ASSAY_TRY_VOID(writeFileDurably(folder + "/tokenizer/" + name, *bytes));
        report.files.push_back(std::string("tokenizer/") + name);
    }
    return {};
}

}  // namespace

Result<ExportFormat> exportFormatOf(const std::string& name) {
    std::string names;
    for (const Exporter& exporter : kExporters) {
        if (name == exporter.name) return exporter.format;
        names += (names.empty() ? "" : ", ") + std::string(exporter.name);
    }
    return fail(ErrorCode::kBadUsage, "there is no export format \"" + name + "\"", "formats are " + names);
}

Result<ExportReport> exportPrepared(const std::string& folder, const ExportOptions& options) {
    const Exporter* exporter = nullptr;
    for (const Exporter& one : kExporters)
        if (one.format == options.format) exporter = &one;
    ASSAY_CHECK(exporter, "every format has an exporter");
    ASSAY_TRY(const auto data, PreparedFolder::openFolder(folder));
    ASSAY_TRY(const std::string out, newOutputFolder(options.out));
    const int64_t tokens = data->tokens(false) + data->tokens(true);
    ASSAY_TRY_VOID(requireFreeSpace(fs::path(out).parent_path().string(), static_cast<uint64_t>(tokens * exporter->bytesPerToken)));

    ExportReport report;
    report.path = out;
    report.tokens = tokens;
    const StagedFolder staged(out + ".exporting-" + std::to_string(::getpid()));
    ASSAY_TRY_VOID(removeTree(staged.path()));
    ASSAY_TRY_VOID(makeFolders(staged.path()));
    ProgressMeter meter(options.progress, "export", "tokens", static_cast<double>(tokens));
    ExportJob job{*data, staged.path(), report, meter, 0, options.stop};
    ASSAY_TRY_VOID(exporter->run(job));
    meter.finish();
    ASSAY_TRY_VOID(exportTokenizer(*data, staged.path(), report));
    for (const auto& [name, rows] : report.splits) report.rows += rows;
    std::error_code ec;
    for (const std::string& file : report.files) {
        const auto size = fs::file_size(staged.path() + "/" + file, ec);
        if (!ec) report.bytes += static_cast<int64_t>(size);
    }
    ASSAY_TRY_VOID(commitOutput(staged, out));
    return report;
}

Json reportToJson(const ExportReport& report) {
    Json splits = Json::object();
    for (const auto& [name, rows] : report.splits) splits[name] = rows;
    return Json{{"path", report.path}, {"rows", report.rows}, {"splits", splits}, {"tokens", report.tokens}, {"bytes", report.bytes}, {"files", report.files}, {"warnings", report.warnings}};
}

}  // namespace assay::data
