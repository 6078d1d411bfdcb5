#pragma once
// Token ids that another program prepared, made a prepared folder: the ids stay as they are, rows are packed anew.
#include <assay/data/export.h>

namespace assay::data {

struct ImportIdsOptions {
    std::string path;             // megatron: PREFIX.idx, or PREFIX; nanogpt: a .bin; else what data.train.path takes
    std::string eval;             // the held-out part, of the same format; empty: none
    ExportFormat format = ExportFormat::kMegatron;
    std::string column = "input_ids";  // of tables
    std::string tokenizer;        // that the ids were made with
    int64_t sequenceLength = 256;
    config::OverLength overLength = config::OverLength::kSplit;
    config::Packing packing = config::Packing::kConcat;
    std::string out;              // a folder that is absent or empty; whole or absent afterwards
    ProgressSink progress;
    std::stop_token stop;
};
// Documents: Megatron's; of nanoGPT what an end-of-text token ends; of tables a row, or each of its seq_lengths. Labels of tables
// (as transformers count them) become the mask of what is learned. kInvalidFile when an id is none of the tokenizer.
Result<PrepareReport> importIds(const ImportIdsOptions& options);

// The format by what lies at the path; kBadUsage when that does not tell.
Result<ExportFormat> importFormatOf(const std::string& path);

}  // namespace assay::data
