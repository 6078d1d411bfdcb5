// Kind prepare: dataset → tokenized, packed cache folder, and a pointer to it in the run folder.
#include "assay/train/kinds.h"

#include <filesystem>

#include <assay/config/config.h>
#include <assay/core/durable.h>
#include <assay/data/prepare.h>

#include "job_parts.h"

namespace assay::train {
namespace fs = std::filesystem;

Result<protocol::Outcome> runPrepare(protocol::WorkerContext& context) {
    ASSAY_TRY(config::Spec spec, config::specFromJson(context.job.spec));
    if (!spec.data) return fail(ErrorCode::kInvalidFile, "data: a run of kind prepare needs this section");
    context.events.record("phase", {{"name", "preparing"}});
    ASSAY_TRY(auto prepared, prepareData(spec, context));
    if (!prepared) return protocol::Outcome::kCancelled;
    const data::PrepareReport& report = *prepared;

    const std::string artifacts = context.job.runFolder + "/artifacts";
    ASSAY_TRY_VOID(makeFolders(artifacts));
    ASSAY_TRY_VOID(writeFileDurably(artifacts + "/data.json", dumpJson(Json{{"path", report.path}}, 2) + "\n"));
    int64_t bytes = 0;
    std::error_code ec;
    for (fs::recursive_directory_iterator it(report.path, ec), end; !ec && it != end; it.increment(ec))
        if (it->is_regular_file(ec)) bytes += static_cast<int64_t>(it->file_size(ec));
    context.events.record("artifact", {{"name", "data"}, {"kind", "data"}, {"path", report.path}, {"bytes", bytes}});

    int64_t dropped = 0;
    for (const auto& [reason, rows] : report.dropped) dropped += rows;
    Json values = {{"data/documents", report.documents}, {"data/tokens", report.tokens}, {"data/loss_tokens", report.lossTokens},
                   {"data/dropped", dropped}, {"data/padding_fraction", jsonNumber(report.paddingFraction)},
                   {"data/seconds", jsonNumber(report.seconds)}, {"data/mb_per_s", jsonNumber(report.mbPerS)},
                   {"data/eval_documents", report.evalDocuments}, {"data/eval_tokens", report.evalTokens}, {"data/eval_bytes", report.evalBytes}};
    if (report.bigramNll) values["data/bigram_nll"] = jsonNumber(*report.bigramNll);
    context.events.record("summary", {{"values", values}});
    context.events.record("result", {{"data", data::reportToJson(report)}});
    return protocol::Outcome::kDone;
}

}  // namespace assay::train
