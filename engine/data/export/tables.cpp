// Arrow, Parquet and Hugging Face: one row a sequence.
#include <assay/core/durable.h>

#include <array>

#include "columnar/columnar.h"
#include "export/export_job.h"
#include "export/unpack_row.h"

namespace assay::data {
namespace {

constexpr int64_t kSavedShardTokens = int64_t{1} << 25;  // of a saved dataset: about 400 MB
const std::vector<std::string> kExportColumns{"input_ids", "labels", "position_ids", "seq_lengths", "next_ids"};

class TableExport {
public:
    TableExport(ExportJob& job, const ColumnarPlugin& plugin, ColumnarFormat format) : job_(job), plugin_(plugin), format_(format) {}

    // Sequences [first, last) of a part into one file.
    Result<void> file(const std::string& name, bool evaluation, int64_t first, int64_t last) {
        ASSAY_TRY(auto writer, plugin_.create(job_.folder + "/" + name, format_, kExportColumns));
        for (int64_t s = first; s < last; ++s) {
            unpackRow(job_.data, evaluation, s, row_);
            const std::array<std::span<const int32_t>, 5> cells{row_.ids, row_.labels, row_.positions, row_.lengths, row_.next};
            ASSAY_TRY_VOID(writer->add(cells));
            ASSAY_TRY_VOID(job_.step(row_.ids.size()));
        }
        ASSAY_TRY_VOID(writer->finish());
        job_.report.files.push_back(name);
        return {};
    }

private:
    ExportJob& job_;
    const ColumnarPlugin& plugin_;
    ColumnarFormat format_;
    UnpackedRow row_;
};

constexpr std::pair<bool, const char*> kExportParts[] = {{false, "train"}, {true, "validation"}};

Result<void> plainTables(ExportJob& job, ColumnarFormat format, const char* extension) {
    ASSAY_TRY(const ColumnarPlugin* plugin, columnarPlugin());
    TableExport tables(job, *plugin, format);
    for (const auto& [evaluation, name] : kExportParts) {
        const int64_t rows = job.data.sequences(evaluation);
        if (evaluation && rows == 0) continue;
        ASSAY_TRY_VOID(tables.file(std::string(name) + extension, evaluation, 0, rows));
        job.report.splits.emplace_back(name, rows);
    }
    return {};
}

Result<void> writeJson(ExportJob& job, const std::string& name, const Json& content) {
    job.report.files.push_back(name);
    return writeFileDurably(job.folder + "/" + name, dumpJson(content, 2));
}

Result<void> savedDataset(ExportJob& job, TableExport& tables, const std::string& prefix, bool evaluation, const char* split) {
    const int64_t rows = job.data.sequences(evaluation), perShard = std::max<int64_t>(kSavedShardTokens / job.data.sequenceLength(), 1);
    const int64_t shards = std::max<int64_t>((rows + perShard - 1) / perShard, 1);
    Json files = Json::array(), features = Json::object();
    for (int64_t i = 0; i < shards; ++i) {
        char name[64];
        std::snprintf(name, sizeof name, "data-%05lld-of-%05lld.arrow", static_cast<long long>(i), static_cast<long long>(shards));
        ASSAY_TRY_VOID(tables.file(prefix + name, evaluation, i * perShard, std::min(rows, (i + 1) * perShard)));
        files.push_back(Json{{"filename", name}});
    }
    for (const std::string& column : kExportColumns) features[column] = Json{{"feature", Json{{"dtype", "int32"}, {"_type", "Value"}}}, {"_type", "List"}};
    const std::string key = jsonStringOr(job.data.manifest(), "key", "");
    ASSAY_TRY_VOID(writeJson(job, prefix + "state.json",
                        Json{{"_data_files", files},
                             {"_fingerprint", key.size() >= 16 ? key.substr(0, 15) + (evaluation ? "1" : "0") : std::string(16, '0')},
                             {"_format_columns", nullptr},
                             {"_format_kwargs", Json::object()},
                             {"_format_type", nullptr},
                             {"_output_all_columns", false},
                             {"_split", split}}));
    return writeJson(job, prefix + "dataset_info.json", Json{{"citation", ""}, {"description", ""}, {"features", features}, {"homepage", ""}, {"license", ""}});
}

}  // namespace

Result<void> exportArrow(ExportJob& job) { return plainTables(job, ColumnarFormat::kArrow, ".arrow"); }
Result<void> exportParquet(ExportJob& job) { return plainTables(job, ColumnarFormat::kParquet, ".parquet"); }

Result<void> exportHf(ExportJob& job) {
    ASSAY_TRY(const ColumnarPlugin* plugin, columnarPlugin());
    TableExport tables(job, *plugin, ColumnarFormat::kArrowStream);
    const bool two = job.data.sequences(true) > 0;
    for (const auto& [evaluation, name] : kExportParts) {
        if (evaluation && !two) continue;
        const std::string prefix = two ? std::string(name) + "/" : std::string();
        if (two) ASSAY_TRY_VOID(makeFolders(job.folder + "/" + name));
        ASSAY_TRY_VOID(savedDataset(job, tables, prefix, evaluation, name));
        job.report.splits.emplace_back(name, job.data.sequences(evaluation));
    }
    return two ? writeJson(job, "dataset_dict.json", Json{{"splits", Json::array({"train", "validation"})}}) : Result<void>();
}

}  // namespace assay::data
