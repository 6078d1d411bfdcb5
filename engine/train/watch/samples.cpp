#include "assay/train/samples.h"

#include <assay/torch.h>

#include <algorithm>

#include "assay/train/autocast.h"

namespace assay::train {

Result<std::unique_ptr<Sampler>> Sampler::create(const config::SampleSpec& spec, const std::string& tokenizerPath, const model::ModelConfig& config) {
    auto sampler = std::make_unique<Sampler>();
    sampler->spec_ = spec;
    sampler->context_ = config.context;
    ASSAY_TRY(sampler->tokenizer_, data::loadTokenizer(tokenizerPath));
    for (const int64_t id : config.eosIds) sampler->ends_.push_back(static_cast<int32_t>(id));
    if (const int32_t eos = sampler->tokenizer_->eosId(); eos >= 0) sampler->ends_.push_back(eos);
    data::EncodeOptions encode;
    encode.addSpecial = true;
    for (const std::string& prompt : spec.prompts) {
        data::Encoding ids;
        const std::string key = "train.sample.prompts", named = key + ": \"" + prompt.substr(0, 60) + "\" ";
        if (auto done = data::tryEncode(*sampler->tokenizer_, prompt, encode, ids); !done) return fail(std::move(done).error().with(key));
        if (ids.ids.empty()) return fail(ErrorCode::kInvalidFile, named + "has no token", "give a text to go on from");
        if (static_cast<int64_t>(ids.ids.size()) >= config.context)
            return fail(ErrorCode::kInvalidFile, named + "has " + std::to_string(ids.ids.size()) + " tokens, and the model's context is " + std::to_string(config.context), "give a shorter text");
        if (const int32_t largest = *std::max_element(ids.ids.begin(), ids.ids.end()); largest >= config.vocab)
            return fail(ErrorCode::kInvalidFile, named + "has token " + std::to_string(largest) + ", the model knows 0 to " + std::to_string(config.vocab - 1), "prepare the data with the model's own tokenizer");
        sampler->prompts_.push_back(std::move(ids.ids));
    }
    return sampler;
}

Result<std::vector<Sample>> Sampler::write(nn::Model& model, const at::Tensor& head, const config::PrecisionSpec& precision, std::stop_token stop) const {
    at::NoGradGuard noGrad;
    model.setTraining(false);
    const auto narrow = autocastType(precision);
    std::vector<Sample> out;
    for (size_t p = 0; p < prompts_.size(); ++p) {
        std::vector<int64_t> ids(prompts_[p].begin(), prompts_[p].end());
        data::StreamDecoder decoder(tokenizer_);
        std::string text;
        for (int64_t n = 0; n < spec_.maxTokens && static_cast<int64_t>(ids.size()) < context_; ++n) {
            if (stop.stop_requested()) return out;
            nn::Inputs inputs;
            inputs.ids = at::from_blob(ids.data(), {1, static_cast<int64_t>(ids.size())}, at::kLong).clone().to(head.device());
            at::Tensor last;
            {
                std::optional<AutocastGuard> region;
                if (narrow) region.emplace(*narrow, head.device().type());
                last = model.hidden(inputs).slice(0, -1);  // [1, D]
            }
            const at::Tensor logits = at::linear(last.to(head.scalar_type()), head.detach());
            const int64_t next = logits.argmax(-1).item<int64_t>();
            if (std::find(ends_.begin(), ends_.end(), static_cast<int32_t>(next)) != ends_.end()) break;
            ids.push_back(next);
            // Rows of a padded vocabulary stand for no token.
            if (next < tokenizer_->vocabSize()) text += decoder.push(static_cast<int32_t>(next));
        }
        out.push_back({spec_.prompts[p], text + decoder.finish()});
    }
    return out;
}

}  // namespace assay::train
