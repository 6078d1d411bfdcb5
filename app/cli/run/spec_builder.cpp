#include "run/spec_builder.h"
#include "text/numbers.h"

#include <CLI/CLI.hpp>

namespace assay::cli {

std::string jobName(const std::string& what, const std::string& model) {
    std::string name = model;
    while (name.size() > 1 && name.ends_with('/')) name.pop_back();
    if (const size_t slash = name.rfind('/'); slash != std::string::npos && !name.starts_with("run:")) name.erase(0, slash + 1);
    if (name.ends_with(".gguf")) name.erase(name.size() - 5);
    return what + " " + name;
}

config::Spec modelSpec(config::Kind kind, const std::string& what, const std::string& model) {
    config::Spec spec;
    spec.kind = kind;
    spec.name = jobName(what, model);
    spec.model.emplace().from = model;
    return spec;
}

void addJobOptions(CLI::App* app, JobOptions& options) {
    app->add_option("--threads", options.threads, "CPU threads (default: the physical cores)")->check(wholeNumber(1, 4096));
    app->add_option("--device", options.device, "auto, cpu or cuda")->check(CLI::IsMember({"auto", "cpu", "cuda"}));
}

void applyJobOptions(const JobOptions& options, config::Spec& spec) {
    spec.threads = options.threads;
    spec.device = options.device;
}

}  // namespace assay::cli
