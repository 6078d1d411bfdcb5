#pragma once
// Input files of a pipeline and the key that their content and the declared pipeline make together.
#include <assay/config/spec.h>
#include <assay/data/prepare.h>
#include <sys/stat.h>

#include "prepare/encode.h"

namespace assay::data {

struct InputFile {
    std::string role, path, sha256;
    std::vector<std::string> files;  // whose bytes make the data
    std::string identity;            // of the files when they were hashed
    int64_t bytes = 0;
    OpenedSource source;
};
struct PipelineInputs {
    std::vector<InputFile> train;
    std::optional<InputFile> eval;
    int evalOfTrain = -1;  // index of the training source that is the same file; -1: none
    TokenizerPtr tokenizer;  // null when it is to be trained
    std::vector<RowEncoder> encoders;  // of the training sources, then of the evaluation file; none without a tokenizer
};

Result<PipelineInputs> openInputs(const config::DataSpec& spec, const PrepareOptions& options);
Result<void> openEncoders(const config::DataSpec& spec, const TokenizerPtr& tokenizer, PipelineInputs& inputs);
bool unchanged(const InputFile& file);  // since it was hashed
Json declaredPipeline(const config::DataSpec& spec, const PipelineInputs& inputs);  // without paths: a moved project keeps its key
std::string pipelineKey(const Json& pipeline);

std::string fileIdentity(const struct stat& st);  // device, inode, size and times
int pipelineVersion();

// SHA-256 of a file. Remembers it in `indexPath` under the file's identity (device, inode, size, times), so that an
// unchanged file is not read again; an empty `indexPath`: it remembers nothing.
Result<std::string> hashInput(const std::string& path, const std::string& indexPath, int64_t& bytes);

}  // namespace assay::data
