// Which template a conversation is rendered with, and the names of roles.
#include <assay/core/durable.h>
#include <assay/core/paths.h>
#include <assay/data/chat.h>

#include <algorithm>

namespace assay::data {
namespace {

std::string builtinNames() {
    std::string names;
    for (const auto& t : builtinChatTemplates()) names += (names.empty() ? "" : ", ") + std::string(t.name);
    return names;
}

}  // namespace

Result<ChatTemplatePtr> chatTemplateFor(const Tokenizer& tokenizer, const std::string& wanted, bool tools) {
    const auto named = tokenizer.chatTemplates();
    const auto find = [&](std::string_view name) {
        return std::find_if(named.begin(), named.end(), [&](const NamedText& t) { return t.name == name; });
    };
    if (wanted.empty() || wanted == "auto") {
        if (tools)
            if (const auto t = find("tool_use"); t != named.end()) return ChatTemplate::compile(t->text, "chat template tool_use");
        if (!tokenizer.chatTemplate().empty()) return ChatTemplate::compile(tokenizer.chatTemplate());
        std::string others;
        for (const NamedText& t : named) others += (others.empty() ? "" : ", ") + t.name;
        return fail(ErrorCode::kNotFound, "the tokenizer has no chat template" + (others.empty() ? std::string() : " named default, but " + others),
                    "name one (data.template, --template): a file that ends in .jinja, or one of the built-in ones: " + builtinNames());
    }
    if (wanted.ends_with(".jinja")) {
        ASSAY_TRY(const std::string path, resolveAsset(wanted));
        ASSAY_TRY(std::string source, readFile(path, ChatTemplate::kMaxSourceBytes + 1));
        return ChatTemplate::compile(std::move(source), path);
    }
    if (const auto t = find(wanted); t != named.end()) return ChatTemplate::compile(t->text, "chat template " + wanted);
    if (wanted == "default" && !tokenizer.chatTemplate().empty()) return ChatTemplate::compile(tokenizer.chatTemplate());
    for (const auto& t : builtinChatTemplates())
        if (t.name == wanted) return ChatTemplate::compile(std::string(t.source), "chat template " + wanted);
    std::string known = "auto, " + builtinNames();
    for (const NamedText& t : named) known += ", " + t.name;
    return fail(ErrorCode::kNotFound, "there is no chat template named " + wanted, "there are: " + known + "; or give a file that ends in .jinja");
}

std::string_view chatRole(std::string_view name) {
    static constexpr std::pair<std::string_view, std::string_view> kRoles[] = {
        {"system", "system"}, {"developer", "developer"}, {"user", "user"}, {"human", "user"}, {"prompter", "user"}, {"assistant", "assistant"},
        {"gpt", "assistant"}, {"model", "assistant"}, {"bot", "assistant"}, {"chatgpt", "assistant"}, {"bing", "assistant"}, {"bard", "assistant"},
        {"function_call", "assistant"}, {"tool", "tool"}, {"function", "tool"}, {"observation", "tool"}, {"ipython", "tool"}, {"tool_response", "tool"},
    };
    for (const auto& [known, role] : kRoles)
        if (known == name) return role;
    return {};
}

}  // namespace assay::data
