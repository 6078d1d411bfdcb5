#include <assay/core/paths.h>
#include <assay/data/chat.h>

#include "command.h"
#include "registry.h"
#include "text/format.h"

namespace assay::cli {
namespace {

struct Options {
    std::string tokenizer, messages, chatTemplate = "auto", loss = "assistant";
    bool generationPrompt = false;
};

Result<int> render(Context& context, const Options& options) {
    ASSAY_TRY(const std::string path, resolveAsset(options.tokenizer));
    ASSAY_TRY(const data::TokenizerPtr tokenizer, data::loadTokenizer(path));
    ASSAY_TRY(const std::string file, resolveAsset(options.messages));
    ASSAY_TRY(const Json conversation, readJsonFile(file));
    const bool tools = conversation.is_object() && conversation.contains("tools") && !conversation["tools"].empty();
    ASSAY_TRY(const data::ChatTemplatePtr chatTemplate, data::chatTemplateFor(*tokenizer, options.chatTemplate, tools));
    data::ChatEncodeOptions how;
    how.generationPrompt = options.generationPrompt;
    how.loss = options.loss == "all" ? data::ChatLoss::kAll : options.loss == "completion" ? data::ChatLoss::kCompletion : data::ChatLoss::kAssistant;
    auto encoded = data::encodeChat(*tokenizer, *chatTemplate, conversation, how);
    if (!encoded) return fail(std::move(encoded).error().with(options.messages));
    // A prompt has no answer yet, which is no fault of it.
    if (!options.generationPrompt)
        for (const std::string& warning : encoded->warnings) context.note(warning);
    const Json result{{"text", encoded->text}, {"ids", encoded->ids}, {"loss_mask", encoded->lossMask}, {"warnings", encoded->warnings}};
    context.out.result(result, [&] { return safeText(encoded->text, true) + "\n"; });
    return 0;
}

}  // namespace

void addChatRender(Commands& commands) {
    auto o = std::make_shared<Options>();
    CLI::App* app = commands.add("chat render", "a conversation as the model sees it: text, ids, what is learned", [o](Context& c) { return render(c, *o); });
    app->add_option("--tokenizer", o->tokenizer, "folder, tokenizer.json, .gguf, asset:NAME/FILE or bytes")->required();
    app->add_option("--messages", o->messages, "JSON file: an array of messages, or an object with messages and further variables of the template")->required();
    app->add_flag("--generation-prompt", o->generationPrompt, "with the header of the answer to come");
    app->add_option("--template", o->chatTemplate, "auto (the tokenizer's own), the name of one of its templates, chatml, llama2, alpaca, vicuna, plain, or a .jinja file");
    app->add_option("--loss", o->loss, "what loss_mask marks: assistant (default), completion (the last answer) or all")->check(CLI::IsMember({"assistant", "completion", "all"}));
}

}  // namespace assay::cli
