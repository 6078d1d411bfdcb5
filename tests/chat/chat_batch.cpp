// Renders many conversations with many templates for the tests that compare with Jinja2. Each line of the standard input is
// {"template": TEXT} (what follows uses it) or {"variables": {…}, "now": SECONDS?}; each line of the output is
// {"text", "spans": [[begin, end, data, message, generation] …], "prompt"} or {"error"}.
#include <assay/data/chat.h>

#include <iostream>

using namespace assay;

int main() {
    Result<data::ChatTemplatePtr> chatTemplate = fail(ErrorCode::kBadUsage, "no template yet");
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
            std::cout << dumpJson(chatTemplate ? Json{{"prompt", (*chatTemplate)->generationPrompt()}} : Json{{"error", chatTemplate.error().message}}) << std::endl;
            continue;
        }
        if (!chatTemplate) {
            std::cout << dumpJson(Json{{"error", chatTemplate.error().message}}) << std::endl;
            continue;
        }
        data::RenderOptions options;
        if (request->contains("now")) options.now = static_cast<std::time_t>((*request)["now"].get<int64_t>());
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
