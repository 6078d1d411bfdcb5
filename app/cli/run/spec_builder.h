#pragma once
// Small specs that commands make from their arguments.
#include <assay/config/spec.h>

#include <string>

namespace assay::cli {

// "eval SmolLM2-135M-Instruct.Q4_1": the last part of the model's path.
std::string jobName(const std::string& what, const std::string& model);
config::Spec modelSpec(config::Kind kind, const std::string& what, const std::string& model);

struct JobOptions {  // options that every command with a worker has
    int64_t threads = 0;
    std::string device = "auto";
};

}  // namespace assay::cli

namespace CLI {
class App;
}
namespace assay::cli {
void addJobOptions(CLI::App* app, JobOptions& options);
void applyJobOptions(const JobOptions& options, config::Spec& spec);
}  // namespace assay::cli
