#pragma once
// What the planner cannot know by itself: models, tokenizers and data on this machine.
#include <assay/plan/plan.h>

#include <map>
#include <memory>

#include "context.h"

namespace assay::cli {

class Facts {
public:
    explicit Facts(const GlobalOptions& options) : options_(options) {}
    Result<plan::ModelFacts> model(const config::Spec& spec);
    plan::DataFacts data(const config::Spec& spec, const plan::ModelFacts& model);

private:
    struct Text {  // of one file
        std::optional<int64_t> bytes;
        double bytesPerToken = 0;
        bool counted = false;  // the ratio was measured on a piece of it
    };
    Result<std::string> modelPath(const std::string& reference) const;
    Result<int64_t> vocabularyOf(const config::Spec& spec);
    const Text& text(const std::string& path, const std::string& tokenizer, int64_t vocabulary);
    std::string tokenizerOf(const config::Spec& spec) const;  // empty: not there before training

    const GlobalOptions& options_;
    std::map<std::string, Text> texts_;
    std::map<std::string, plan::ModelFacts> models_;
};

plan::Machine planMachine(const GlobalOptions& options, int64_t threads);

}  // namespace assay::cli
