#pragma once
// Texts that the model under training writes, always taking the likeliest token. Weights, gradients, random numbers and
// dropout masks of the training are left as they are.

#include <ATen/core/Tensor.h>
#include <assay/config/spec.h>
#include <assay/data/tokenizer.h>
#include <assay/nn/model.h>

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace assay::train {

struct Sample {
    std::string prompt, text;  // the text after the prompt, valid UTF-8
};

class Sampler {
public:
    // kInvalidFile for a prompt that does not fit the model's context, or that the tokenizer cannot read.
    static Result<std::unique_ptr<Sampler>> create(const config::SampleSpec& spec, const std::string& tokenizerPath, const model::ModelConfig& config);
    // `head` [V, D]. Every token is a forward pass over the whole text so far. A stop request ends it early.
    Result<std::vector<Sample>> write(nn::Model& model, const at::Tensor& head, const config::PrecisionSpec& precision, std::stop_token stop) const;

private:
    config::SampleSpec spec_;
    data::TokenizerPtr tokenizer_;
    std::vector<std::vector<int32_t>> prompts_;
    std::vector<int32_t> ends_;  // ids that end a text
    int64_t context_ = 0;
};

}  // namespace assay::train
