// Renders many conversations with many templates for the tests that compare with Jinja2 and tokenizers. A line of the input:
//   {"template": TEXT}, {"tokenizer": PATH}       what follows uses it → {}
//   {"variables": {…}, "now": SECONDS?}           → {"text", "spans": [[begin, end, data, message, generation] …]}
//   the same with "loss": assistant|completion|all → {"text", "ids", "loss_mask", "warnings"}
//   {"builtin": true}                             → {"builtin": {NAME: SOURCE}}
// and for each {"error"} where it fails.
#include <assay/data/chat.h>

#include <iostream>

using namespace assay;

int main() {
    Result<data::ChatTemplatePtr> chatTemplate = fail(ErrorCode::kBadUsage, "no template yet");
    Result<data::TokenizerPtr> tokenizer = fail(ErrorCode::kBadUsage, "no tokenizer yet");
    for (std::string line; std::getline(std::cin, line);) {
        const auto request = parseJson(line, "request");
        if (!request) {
            std::cout << dumpJson(Json{{"error", "request: " + request.error().text()}}) << std::endl;
            continue;
        }
        if (request->contains("builtin")) {
            Json sources = Json::object();
            for (const auto& t : data::builtinChatTemplates()) sources[std::string(t.name)] = std::string(t.source);
            std::cout << dumpJson(Json{{"builtin", std::move(sources)}}) << std::endl;
            continue;
        }
        if (request->contains("template")) {
            chatTemplate = data::ChatTemplate::compile(jsonStringOr(*request, "template", ""));
            std::cout << dumpJson(chatTemplate ? Json::object() : Json{{"error", chatTemplate.error().message}}) << std::endl;
            continue;
        }
        if (request->contains("tokenizer")) {
            tokenizer = data::loadTokenizer(jsonStringOr(*request, "tokenizer", ""));
            std::cout << dumpJson(tokenizer ? Json::object() : Json{{"error", tokenizer.error().message}}) << std::endl;
            continue;
        }
        if (!chatTemplate) {
            std::cout << dumpJson(Json{{"error", chatTemplate.error().message}}) << std::endl;
            continue;
        }
        data::RenderOptions options;
        if (request->contains("now")) options.now = static_cast<std::time_t>((*request)["now"].get<int64_t>());
        if (const std::string loss = jsonStringOr(*request, "loss", ""); !loss.empty()) {
            data::ChatEncodeOptions how;
            how.render = options;
            how.loss = loss == "all" ? data::ChatLoss::kAll : loss == "completion" ? data::ChatLoss::kCompletion : data::ChatLoss::kAssistant;
            how.generationPrompt = jsonBoolOr((*request)["variables"], "add_generation_prompt", false);
            const auto encoded = tokenizer ? data::encodeChat(**tokenizer, **chatTemplate, (*request)["variables"], how) : Result<data::ChatEncoding>(fail(tokenizer.error()));
            std::cout << dumpJson(encoded ? Json{{"text", encoded->text}, {"ids", encoded->ids}, {"loss_mask", encoded->lossMask}, {"warnings", encoded->warnings}}
                                          : Json{{"error", encoded.error().message}})
                      << std::endl;
            continue;
        }
        const auto rendered = (*chatTemplate)->render((*request)["variables"], options);
        if (!rendered) {
            std::cout << dumpJson(Json{{"error", rendered.error().message}}) << std::endl;
            continue;
        }
        Json spans = Json::array();
        for (const auto& s : rendered->spans) spans.push_back({s.begin, s.end, s.data, s.message, s.generation});
        std::cout << dumpJson(Json{{"text", rendered->text}, {"spans", std::move(spans)}}) << std::endl;
    }
}
