#pragma once
// Conversations to text and ids. A chat template is a program in the Jinja language; it is run by an interpreter of our
// own that writes what Jinja2 3.1 writes in the environment Hugging Face gives templates (immutable sandbox, trim_blocks,
// lstrip_blocks, loop controls, generation blocks, tojson without HTML escapes, raise_exception, strftime_now), and that
// knows of each byte who wrote it. Loss masks and the place of control tokens come from that, never from looking for markers.
//
// A compiled template is immutable; everything here may be used from any number of threads.

#include <assay/core/json.h>
#include <assay/data/tokenizer.h>

#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::data {

struct ChatLimits {
    size_t outputBytes = size_t{16} << 20;   // of the text, and of any one string on the way
    size_t memoryBytes = size_t{128} << 20;  // all values that one rendering makes
    int64_t steps = 50'000'000;              // work of one rendering; some 50 million a second
    int depth = 100;                         // macros in macros, recursive loops
};

// Who wrote a stretch of the text. Stretches follow one another without gaps.
struct ChatSpan {
    uint32_t begin = 0, end = 0;  // bytes
    // false: the template wrote it. true: it comes from the variables. The names of roles that everybody uses (system,
    // user, assistant, tool …) and the tokenizer's own tokens (bos_token, eos_token …) count as the template's.
    bool data = false;
    // data: the message (index into `messages`) it comes from. Template: the message whose turn of `for message in
    // messages` was running. -1: none.
    int32_t message = -1;
    bool generation = false;  // inside {% generation %}
};

struct RenderedChat {
    std::string text;
    std::vector<ChatSpan> spans;
};

struct RenderOptions {
    ChatLimits limits;
    std::optional<std::time_t> now;  // what strftime_now tells (local time); empty: the clock
};

class ChatTemplate {
public:
    static constexpr size_t kMaxSourceBytes = size_t{1} << 20;
    // kInvalidFile with the line and what is wrong; `name` is what errors call the template.
    static Result<std::shared_ptr<const ChatTemplate>> compile(std::string source, std::string name = "chat template");
    virtual ~ChatTemplate() = default;

    // `variables`: an object with `messages`, and what else the template may ask for (tools, documents,
    // add_generation_prompt, bos_token …). kInvalidFile when the template raises an error or reaches a limit.
    virtual Result<RenderedChat> render(const Json& variables, const RenderOptions& options = {}) const = 0;
    virtual const std::string& source() const = 0;
    virtual const std::string& name() const = 0;
    virtual bool hasGenerationBlocks() const = 0;
    // What the template writes when asked for an answer to one message (add_generation_prompt); empty: nothing or unknown.
    virtual const std::string& generationPrompt() const = 0;
};
using ChatTemplatePtr = std::shared_ptr<const ChatTemplate>;

// The template for `wanted` (data.template):
//   auto      the tokenizer's own: of several the one named tool_use when there are tools, else the one named default
//   NAME      the tokenizer's template of that name, else the built-in one (builtinChatTemplates)
//   PATH      a file that ends in .jinja
// kNotFound when there is none; the message lists what there is.
Result<ChatTemplatePtr> chatTemplateFor(const Tokenizer& tokenizer, const std::string& wanted = "auto", bool tools = false);

struct BuiltinChatTemplate {
    std::string_view name, source;
};
std::span<const BuiltinChatTemplate> builtinChatTemplates();  // chatml, llama2, alpaca, vicuna, plain

// The role that templates know for the names that datasets use (human → user, gpt → assistant …); empty: none.
std::string_view chatRole(std::string_view name);

enum class ChatLoss {
    kAll,         // every token
    kAssistant,   // every answer of the assistant
    kCompletion,  // the last answer only
};

struct ChatEncodeOptions {
    ChatLoss loss = ChatLoss::kAssistant;
    bool generationPrompt = false;  // the header of an answer to come is written at the end; not for training
    // When the last answer has no terminator behind it (see below), the tokenizer's EOS is put there, with loss.
    bool terminate = false;
    bool parseSpecial = false;      // text of control tokens inside messages becomes these tokens too
    RenderOptions render;
};

struct ChatEncoding {
    std::string text;
    std::vector<int32_t> ids;
    std::vector<uint8_t> lossMask;  // one per id: 0 or 1; 1: the model learns to write this token
    int32_t answers = 0;            // answers that hold loss (blocks, with generation blocks)
    // What is worth telling once per data set, each a whole sentence: an answer's text that the template leaves out, no
    // answer at all, no terminator.
    std::vector<std::string> warnings;
};

// `conversation`: an array of messages {role, content, …}, or an object with `messages` and further variables. bos_token,
// eos_token and the tokenizer's other named tokens are given to the template unless the object holds them.
//
// Ids: those of the whole text without what the tokenizer adds around texts (add_special_tokens=False), with control
// tokens only where the template wrote all of their text: the same text inside a message stays plain. A tokenizer that
// puts a BOS in front of texts does so here too, unless the template wrote one: there is exactly one on every path.
//
// Loss mask. With {% generation %} blocks: the tokens of the blocks, as in transformers. Without: of each assistant
// message what the template wrote from its data (content, reasoning, tool calls), what it wrote between these, what it
// wrote before the first of these in that message's turn after the generation prompt (`<tool_call>`, `<think>`; the turn
// is what `for message in messages` writes for it), and behind the last everything up to and including the end-of-turn
// token: the first control token other than BOS before other data. Where no control token follows, the rest of the
// message's turn without trailing whitespace.
// A token that covers bytes of both sides of a border counts as labelled, as in transformers (which leaves out the further
// tokens of a block's last character where one character is several tokens; here all are labelled).
//
// kInvalidFile: there are answers with text and the template wrote none of it (loss other than kAll).
Result<ChatEncoding> encodeChat(const Tokenizer& tokenizer, const ChatTemplate& chatTemplate, const Json& conversation,
                                const ChatEncodeOptions& options = {});

// The control token that ends an answer of the assistant, with which an answer that is generated stops; -1: none.
int32_t endOfTurnId(const Tokenizer& tokenizer, const ChatTemplate& chatTemplate);

}  // namespace assay::data
