// Megatron and nanoGPT: ids one after the other.
#include "export/export_job.h"
#include "export/file_sink.h"
#include "export/megatron.h"
#include "export/unpack_row.h"

namespace assay::data {
namespace {

constexpr int64_t kNanoGptVocab = 65'536;  // ids are 16-bit numbers

// What both formats cannot say.
void warnOfLosses(ExportJob& job, const DocumentWalk& walk) {
    int64_t tokens = 0, loss = 0;
    for (const char* part : {"train", "eval"})
        if (const auto found = job.data.manifest().find(part); found != job.data.manifest().end() && found->is_object()) {
            tokens += jsonIntegerOr(*found, "tokens", 0);
            loss += jsonIntegerOr(*found, "loss_tokens", 0);
        }
    bool masked = false;
    for (const bool evaluation : {false, true})
        for (int64_t s = 0; s < job.data.sequences(evaluation) && !masked; ++s) masked = job.data.row(evaluation, s).shard->masked();
    if (masked)
        job.report.warnings.push_back("the data has a loss mask (" + std::to_string(loss) + " of " + std::to_string(tokens) +
                                      " tokens are learned), which this format cannot hold: whoever trains on it learns every token");
    if (!walk.ordered()) job.report.warnings.push_back("rows packed with best_fit keep no order of pieces: a document that was cut counts as several");
}

template <class Each>
Result<int64_t> walkPart(ExportJob& job, const DocumentWalk& walk, bool evaluation, Each&& each) {
    int64_t documents = 0;
    ASSAY_TRY_VOID(walk.each(evaluation, [&](std::span<const int32_t> ids, bool begins) -> Result<void> {
        documents += begins;
        ASSAY_TRY_VOID(job.step(ids.size()));
        return each(ids, begins);
    }));
    return documents;
}

}  // namespace

Result<void> exportMegatron(ExportJob& job) {
    const DocumentWalk walk(job.data);
    warnOfLosses(job, walk);
    for (const bool evaluation : {false, true}) {
        if (evaluation && job.data.sequences(true) == 0) continue;
        const std::string name = evaluation ? "validation" : "train";
        ASSAY_TRY(MegatronWriter writer, MegatronWriter::create(job.folder + "/" + name, job.data.vocabSize()));
        ASSAY_TRY(const int64_t documents, walkPart(job, walk, evaluation, [&](std::span<const int32_t> ids, bool begins) { return writer.add(ids, begins); }));
        ASSAY_TRY_VOID(writer.finish());
        job.report.files.insert(job.report.files.end(), {name + ".bin", name + ".idx"});
        job.report.splits.emplace_back(name, documents);
    }
    return {};
}

Result<void> exportNanoGpt(ExportJob& job) {
    if (job.data.vocabSize() > kNanoGptVocab)
        return fail(ErrorCode::kUnsupported, "nanoGPT's files hold 16-bit ids, and this vocabulary has " + std::to_string(job.data.vocabSize()) + " of them", "export to megatron, arrow, parquet or hf");
    const DocumentWalk walk(job.data);
    warnOfLosses(job, walk);
    std::vector<uint16_t> narrow;
    for (const bool evaluation : {false, true}) {
        if (evaluation && job.data.sequences(true) == 0) continue;
        const std::string name = evaluation ? "val.bin" : "train.bin";
        ASSAY_TRY(FileSink file, FileSink::create(job.folder + "/" + name));
        ASSAY_TRY(const int64_t documents, walkPart(job, walk, evaluation, [&](std::span<const int32_t> ids, bool) {
            narrow.assign(ids.begin(), ids.end());
            return file.write(std::span<const uint16_t>(narrow));
        }));
        ASSAY_TRY_VOID(file.finish());
        job.report.files.push_back(name);
        job.report.splits.emplace_back(evaluation ? "validation" : "train", documents);
    }
    return {};
}

}  // namespace assay::data
