#include <assay/infer/generate.h>
#include <assay/infer/kinds.h>

#include "kinds/job_parts.h"

#include <assay/core/clock.h>
#include <assay/data/chat.h>

#include <fmt/format.h>

namespace assay::infer {

using protocol::Outcome;

namespace {

// What a token adds behind `last`: some tokenizers drop the space of a text's first token. Parts of a character: as the vocabulary writes it.
std::string pieceAfter(const data::Tokenizer& tokenizer, int32_t last, int32_t id) {
    const int32_t alone[] = {id}, before[] = {last}, both[] = {last, id};
    const std::string head = tokenizer.decode(before), pair = tokenizer.decode(both);
    std::string piece = last >= 0 && pair.starts_with(head) ? pair.substr(head.size()) : tokenizer.decode(alone);
    return piece.empty() || piece.find("\xEF\xBF\xBD") != std::string::npos ? tokenizer.tokenText(id) : piece;
}

}  // namespace

Result<Outcome> runGenerate(protocol::WorkerContext& context) {
    ASSAY_TRY(const auto spec, specOf(context));
    if (!spec.generate) return fail(ErrorCode::kBadUsage, "the spec has no generate section", "Add `generate: {prompt: …}`.");
    const auto& wanted = *spec.generate;
    phase(context, "loading");
    ASSAY_TRY(const auto source, modelOf(spec));
    ASSAY_TRY(const auto tokenizer, tokenizerOf(source));
    data::Encoding prompt;
    int32_t turnEnd = -1;
    if (wanted.chat) {
        ASSAY_TRY(const auto chatTemplate, data::chatTemplateFor(*tokenizer));
        data::ChatEncodeOptions chat;
        chat.generationPrompt = true;
        chat.parseSpecial = wanted.parseSpecial;
        chat.loss = data::ChatLoss::kAll;
        ASSAY_TRY(auto rendered, data::encodeChat(*tokenizer, *chatTemplate, Json::array({Json{{"role", "user"}, {"content", wanted.prompt}}}), chat));
        prompt.ids = std::move(rendered.ids);
        turnEnd = data::endOfTurnId(*tokenizer, *chatTemplate);
    } else {
        data::EncodeOptions encode;
        encode.addSpecial = true;
        encode.parseSpecial = wanted.parseSpecial;
        ASSAY_TRY_VOID(data::tryEncode(*tokenizer, wanted.prompt, encode, prompt));
    }
    const auto& config = source.file->config();
    if (int64_t(prompt.ids.size()) > config.context)
        return fail(ErrorCode::kBadUsage,
                    fmt::format("the prompt has {} tokens, the model's context is {}", prompt.ids.size(), config.context),
                    "Shorten the prompt.");

    ThreadPool pool(threadsOf(spec));
    LoadOptions load;
    load.progress = context.progress;
    load.stop = context.stop;
    load.scheme = "native";
    ASSAY_TRY(const auto model, InferenceModel::load(*source.file, load, pool));
    SessionOptions session;
    session.capacity = std::min<int64_t>(config.context, int64_t(prompt.ids.size()) + wanted.maxTokens);
    ASSAY_TRY(const auto running, Session::create(model, session, pool));

    phase(context, "generating");
    data::StreamDecoder decoder(tokenizer);
    ProgressMeter meter(context.progress, "generating", "tokens", double(wanted.maxTokens));
    std::string pending;
    double last = monotonicSeconds();
    const double began = last;
    double first = 0;  // seconds from here to the first token: the prompt is read in that time
    int64_t produced = 0;
    const auto emit = [&](bool all) {
        const double now = monotonicSeconds();
        if (pending.empty() || (!all && now - last < 0.1)) return;
        context.events.record("sample", {{"step", produced}, {"prompt", wanted.prompt}, {"text", pending}});
        pending.clear();
        last = now;
    };
    GenerateOptions options;
    options.maxTokens = wanted.maxTokens;
    options.temperature = wanted.temperature;
    options.seed = spec.seed;
    options.ignoreEos = wanted.ignoreEos;
    options.eosIds = config.eosIds;
    if (tokenizer->eosId() >= 0) options.eosIds.push_back(tokenizer->eosId());
    if (turnEnd >= 0) options.eosIds.push_back(turnEnd);
    options.top = wanted.top;
    options.stop = context.stop;
    options.onToken = [&](int32_t id) {
        if (produced == 0) first = monotonicSeconds() - began;
        pending += decoder.push(id);
        meter.update(double(++produced));
        emit(false);
    };
    ASSAY_TRY(const auto generated, generate(*running, prompt.ids, options));
    const double seconds = monotonicSeconds() - began;
    pending += decoder.finish();
    emit(true);
    meter.finish();
    if (generated.stopReason == "cancelled") return Outcome::kCancelled;

    // A final EOS ends the text and is not part of it.
    std::span<const int32_t> shown(generated.ids);
    if (generated.stopReason == "eos") shown = shown.first(shown.size() - 1);
    Json top = Json::array(), pieces = Json::array();
    for (const auto& [id, logit] : generated.top) {
        top.push_back({id, jsonNumber(logit)});
        pieces.push_back(pieceAfter(*tokenizer, prompt.ids.empty() ? -1 : prompt.ids.back(), id));
    }
    context.events.record("summary", {{"values", {{"generate/tokens", int64_t(generated.ids.size())}}}});
    context.events.record("result", {{"data",
                                      {{"prompt_ids", prompt.ids},
                                       {"ids", generated.ids},
                                       {"text", tokenizer->decode(shown)},
                                       {"top", top},
                                       {"top_texts", pieces},
                                       {"first_token_seconds", first},
                                       {"seconds", seconds},
                                       {"stop_reason", generated.stopReason}}}});
    return Outcome::kDone;
}

}  // namespace assay::infer
