#pragma once
// What the kinds share: spec, model, tokenizer and text of a job.

#include <assay/config/config.h>
#include <assay/data/tokenizer.h>
#include <assay/infer/accuracy.h>
#include <assay/model/model_file.h>
#include <assay/protocol/worker_context.h>

namespace assay::infer {

struct JobModel {
    std::string path;
    std::shared_ptr<const model::ModelFile> file;
    std::string tokenizerPath;  // the model's, else the prepared data's
    std::string basePrecision;  // "fp32", "dequantized Q4_1", "int8" for a quantized folder
    bool quantized = false;
};

Result<config::Spec> specOf(const protocol::WorkerContext& context);
int threadsOf(const config::Spec& spec);
// inputs.model (a train run's folder or a model folder), else model.from.
Result<JobModel> modelOf(const config::Spec& spec);
Result<JobModel> openJobModel(const std::string& reference, const config::Spec& spec);
Result<data::TokenizerPtr> tokenizerOf(const JobModel& model);
// accuracy.perplexity.path, else the held-out documents of inputs.prepared; empty when there is neither.
Result<std::string> textPathOf(const config::Spec& spec);
Result<Windows> windowsOf(const config::Spec& spec, const JobModel& model);  // kBadUsage when there is no text
// Name of the set-up that the model itself is: "fp32", "dequantized Q4_1".
std::string setupName(const JobModel& model);
void phase(protocol::WorkerContext& context, std::string_view name);
Json summaryValues(const Json& accuracy, const std::string& prefix = "eval/");

}  // namespace assay::infer
