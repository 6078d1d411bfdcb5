#include <assay/data/chat.h>

#include <mutex>

#include "chat/interpreter.h"
#include "chat/lexer.h"
#include "chat/parser.h"
#include "chat/py_text.h"

namespace assay::data::jinja {
namespace {

// The tokens that a tokenizer names write what the template could have written itself.
bool isTokenName(std::string_view name) {
    for (const std::string_view known : {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"})
        if (name == known) return true;
    return false;
}

class CompiledTemplate final : public ChatTemplate {
public:
    CompiledTemplate(std::string source, std::string name) : source_(std::move(source)), name_(std::move(name)) {}

    Result<void> build() {
        if (source_.size() > kMaxSourceBytes)
            return fail(ErrorCode::kInvalidFile, name_ + " has " + std::to_string(source_.size()) + " bytes; templates end at " + std::to_string(kMaxSourceBytes));
        if (invalidText(source_)) return fail(ErrorCode::kInvalidFile, name_ + " is not UTF-8", "save the template as UTF-8");
        try {
            Parser(tree_, lex(source_)).run();
        } catch (const TemplateError& e) {
            return fail(ErrorCode::kInvalidFile, where(e.line) + e.message, "mend the template, or choose another one");
        }
        return {};
    }

    Result<RenderedChat> render(const Json& variables, const RenderOptions& options) const override {
        if (!variables.is_object()) return fail(ErrorCode::kBadUsage, "the variables of " + name_ + " must be an object with messages");
        Writer out;
        int line = 0;
        try {
            Runtime runtime(options);
            Interpreter interpreter(tree_, runtime);
            try {
                for (const auto& [key, value] : variables.items()) {
                    const int64_t id = tree_.find(key);
                    if (id < 0) continue;  // the template never asks for it
                    interpreter.define(static_cast<NameId>(id), key == "messages" ? runtime.messages(value) : runtime.fromJson(value, isTokenName(key) ? 0 : kData));
                }
                interpreter.run(out);
            } catch (const TemplateError&) {
                line = interpreter.line();
                throw;
            }
        } catch (const TemplateError& e) {
            return fail(ErrorCode::kInvalidFile, where(e.line ? e.line : line) + e.message, "correct the conversation, or choose another template");
        } catch (const std::bad_alloc&) {
            return fail(ErrorCode::kOutOfMemory, "not enough memory to render " + name_);
        }
        RenderedChat rendered;
        rendered.spans.reserve(out.runs().size());
        uint32_t begin = 0;
        for (const Run& run : out.runs()) {
            rendered.spans.push_back({begin, run.end, (run.tag & kData) != 0, static_cast<int32_t>(run.tag & kMessageBits) - 1, (run.tag & kGeneration) != 0});
            begin = run.end;
        }
        rendered.text = std::move(out.text());
        return rendered;
    }

    const std::string& source() const override { return source_; }
    const std::string& name() const override { return name_; }
    bool hasGenerationBlocks() const override { return tree_.hasGeneration; }

    const std::string& generationPrompt() const override {
        std::call_once(promptOnce_, [this] {
            Json variables{{"messages", Json::array({Json{{"role", "user"}, {"content", "a"}}})}, {"bos_token", ""}, {"eos_token", ""}, {"add_generation_prompt", false}};
            const auto without = render(variables, {});
            variables["add_generation_prompt"] = true;
            const auto with = render(variables, {});
            if (without && with && with->text.starts_with(without->text)) prompt_ = with->text.substr(without->text.size());
        });
        return prompt_;
    }

private:
    std::string where(int line) const { return line > 0 ? name_ + ", line " + std::to_string(line) + ": " : name_ + ": "; }

    std::string source_, name_;
    Tree tree_;
    mutable std::once_flag promptOnce_;
    mutable std::string prompt_;
};

}  // namespace

Result<ChatTemplatePtr> compileTemplate(std::string source, std::string name) {
    auto made = std::make_shared<CompiledTemplate>(std::move(source), std::move(name));
    ASSAY_TRY_VOID(made->build());
    return made;
}

}  // namespace assay::data::jinja

namespace assay::data {

Result<ChatTemplatePtr> ChatTemplate::compile(std::string source, std::string name) { return jinja::compileTemplate(std::move(source), std::move(name)); }

}  // namespace assay::data
