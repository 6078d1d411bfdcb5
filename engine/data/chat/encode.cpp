// Rendered conversations to ids and loss masks.
#include <assay/data/chat.h>

#include <algorithm>

namespace assay::data {
namespace {

bool isAssistant(const Json& message) {
    if (!message.is_object()) return false;
    const auto role = message.find("role");
    return role != message.end() && role->is_string() && chatRole(role->get_ref<const std::string&>()) == "assistant";
}

// Whether the message has anything that a template could write.
bool saysSomething(const Json& message) {
    for (const char* key : {"content", "tool_calls"}) {
        const auto value = message.find(key);
        if (value == message.end() || value->is_null()) continue;
        if (value->is_string() ? value->get_ref<const std::string&>().find_first_not_of(" \t\r\n") != std::string::npos : !value->empty()) return true;
    }
    return false;
}

// What one message of the assistant became (or one generation block): the stretch of the text that is learned.
struct Answer {
    int32_t message;
    uint32_t begin, end;
    uint32_t dataEnd;   // its last data ends here
    uint32_t followed;  // what the template wrote behind that ends here, at the next data
    uint32_t turnEnd;   // of this, what belongs to the same turn
    bool ended = false; // by a token that is learned
};

class Labeller {
public:
    Labeller(const Tokenizer& tokenizer, const ChatTemplate& chatTemplate, const Json& messages, const ChatEncodeOptions& options)
        : tokenizer_(tokenizer), template_(chatTemplate), messages_(messages), options_(options) {}

    // `offsets`: of `out.ids`, from `first` on (a BOS put in front has none).
    Result<void> label(const RenderedChat& chat, const std::vector<std::pair<uint32_t, uint32_t>>& offsets, size_t first, ChatEncoding& out) const {
        out.lossMask.assign(out.ids.size(), options_.loss == ChatLoss::kAll ? 1 : 0);
        const bool blocks = std::any_of(chat.spans.begin(), chat.spans.end(), [](const ChatSpan& s) { return s.generation; });
        std::vector<Answer> answers = blocks ? fromBlocks(chat) : fromTurns(chat);
        if (answers.empty() && options_.loss != ChatLoss::kAll) {
            if (std::any_of(messages_.begin(), messages_.end(), [](const Json& m) { return isAssistant(m) && saysSomething(m); }))
                return fail(ErrorCode::kInvalidFile, template_.name() + " writes nothing of what the assistant says",
                            "choose a template that holds the assistant's turns (data.template), or learn from everything (loss_on: all)");
            out.warnings.push_back("The conversation has no answer of the assistant, so that nothing is learned from it.");
        }
        if (!blocks) tellLeftOut(answers, out);
        if (options_.loss == ChatLoss::kCompletion && !answers.empty()) answers.erase(answers.begin(), answers.end() - 1);
        out.answers = static_cast<int32_t>(answers.size());
        size_t token = 0;
        for (Answer& a : answers) {
            endTurn(a, blocks, chat.text, offsets, first, out);
            if (options_.loss == ChatLoss::kAll) continue;
            while (token < offsets.size() && std::max(offsets[token].second, offsets[token].first + 1) <= a.begin) ++token;
            for (size_t t = token; t < offsets.size() && offsets[t].first < a.end; ++t) out.lossMask[first + t] = 1;
        }
        if (!answers.empty() && !options_.generationPrompt) endConversation(answers.back(), out);
        return {};
    }

private:
    std::vector<Answer> fromBlocks(const RenderedChat& chat) const {
        std::vector<Answer> out;
        for (const ChatSpan& s : chat.spans) {
            if (s.generation) {
                if (out.empty() || out.back().end != s.begin) out.push_back({-1, s.begin, s.end, s.begin, s.end, s.end});
                Answer& a = out.back();
                a.end = a.followed = a.turnEnd = s.end;
                if (s.data) a.dataEnd = s.end;
            } else if (!out.empty() && !s.data && out.back().followed == s.begin) {
                out.back().followed = s.end;
            }
        }
        return out;
    }

    std::vector<Answer> fromTurns(const RenderedChat& chat) const {
        std::vector<Answer> out;
        const auto& spans = chat.spans;
        const auto ofAssistant = [&](const ChatSpan& s) {
            return s.message >= 0 && static_cast<size_t>(s.message) < messages_.size() && isAssistant(messages_[static_cast<size_t>(s.message)]);
        };
        for (size_t i = 0; i < spans.size(); ++i) {
            if (!spans[i].data || !ofAssistant(spans[i])) continue;
            const int32_t message = spans[i].message;
            Answer a{message, begin(chat, i), spans[i].end, 0, 0, 0};
            size_t last = i;
            for (size_t k = i + 1; k < spans.size() && (!spans[k].data || spans[k].message == message); ++k)
                if (spans[k].data) last = k;
            a.end = a.dataEnd = a.followed = a.turnEnd = spans[last].end;
            for (size_t k = last + 1; k < spans.size() && !spans[k].data; ++k) {
                a.followed = spans[k].end;
                if (spans[k].message == message && a.turnEnd == spans[k].begin) a.turnEnd = spans[k].end;
            }
            out.push_back(a);
            i = last;
        }
        return out;
    }

    // Where an answer whose first data is span `i` begins: after the generation prompt when its turn opens with that.
    uint32_t begin(const RenderedChat& chat, size_t i) const {
        const auto& spans = chat.spans;
        const std::string& prompt = template_.generationPrompt();
        size_t k = i;
        while (k > 0 && !spans[k - 1].data && spans[k - 1].message == spans[i].message) --k;
        const std::string_view turn = std::string_view(chat.text).substr(spans[k].begin, spans[i].begin - spans[k].begin);
        return k < i && !prompt.empty() && turn.starts_with(prompt) ? spans[k].begin + static_cast<uint32_t>(prompt.size()) : spans[i].begin;
    }

    // Puts the end of an answer behind its end-of-turn token. A block ends where the template says.
    void endTurn(Answer& a, bool block, const std::string& text, const std::vector<std::pair<uint32_t, uint32_t>>& offsets, size_t first, ChatEncoding& out) const {
        auto t = static_cast<size_t>(std::partition_point(offsets.begin(), offsets.end(), [&](const auto& o) { return o.first < a.dataEnd; }) - offsets.begin());
        for (; t < offsets.size() && offsets[t].second <= a.followed; ++t) {
            const int32_t id = out.ids[first + t];
            if (id == tokenizer_.bosId() || !tokenizer_.isControl(id)) continue;
            a.ended = true;
            if (!block) a.end = offsets[t].second;
            else if (offsets[t].first >= a.end && !told_) {
                told_ = true;
                out.warnings.push_back("The end-of-turn token stands outside of the template's generation block, so that a model would not learn to stop.");
            }
            return;
        }
        if (block) return;
        a.end = a.turnEnd;
        while (a.end > a.dataEnd && std::string_view(" \t\r\n").find(text[a.end - 1]) != std::string_view::npos) --a.end;
    }

    void tellLeftOut(const std::vector<Answer>& answers, ChatEncoding& out) const {
        for (size_t m = 0; m < messages_.size(); ++m)
            if (isAssistant(messages_[m]) && saysSomething(messages_[m]) &&
                std::none_of(answers.begin(), answers.end(), [&](const Answer& a) { return a.message == static_cast<int32_t>(m); })) {
                out.warnings.push_back("The template leaves out what the assistant says in some message, so that it is not learned.");
                return;
            }
    }

    // The last answer gets the tokenizer's EOS when nothing ends it.
    void endConversation(const Answer& last, ChatEncoding& out) const {
        if (last.ended) return;
        if (!options_.terminate) {
            out.warnings.push_back("No control token ends the last answer, so that a model may not learn to stop.");
        } else if (tokenizer_.eosId() >= 0) {
            out.ids.push_back(tokenizer_.eosId());
            out.lossMask.push_back(1);
        } else {
            out.warnings.push_back("No token ends the last answer and the tokenizer has none, so that a model would not learn to stop.");
        }
    }

    const Tokenizer& tokenizer_;
    const ChatTemplate& template_;
    const Json& messages_;
    const ChatEncodeOptions& options_;
    mutable bool told_ = false;
};

Result<Json> variablesOf(const Tokenizer& tokenizer, const Json& conversation, bool generationPrompt) {
    Json variables;
    if (conversation.is_array()) variables["messages"] = conversation;
    else variables = conversation;
    const auto messages = variables.is_object() ? variables.find("messages") : variables.end();
    if (!variables.is_object() || messages == variables.end() || !messages->is_array())
        return fail(ErrorCode::kInvalidFile, "a conversation is an array of messages, or an object that holds them as \"messages\"");
    size_t number = 0;
    for (const Json& message : *messages) {
        ++number;
        const auto role = message.is_object() ? message.find("role") : message.end();
        if (!message.is_object() || role == message.end() || !role->is_string())
            return fail(ErrorCode::kInvalidFile, "message " + std::to_string(number) + " has no text \"role\"", "a message is an object like {\"role\": \"user\", \"content\": \"…\"}");
    }
    const auto give = [&](const std::string& name, const std::string& text) {
        if (!text.empty() && !variables.contains(name)) variables[name] = text;
    };
    for (const NamedText& token : tokenizer.namedTokens()) give(token.name, token.text);
    if (tokenizer.bosId() >= 0) give("bos_token", tokenizer.tokenText(tokenizer.bosId()));
    if (tokenizer.eosId() >= 0) give("eos_token", tokenizer.tokenText(tokenizer.eosId()));
    if (generationPrompt || !variables.contains("add_generation_prompt")) variables["add_generation_prompt"] = generationPrompt;
    return variables;
}

}  // namespace

Result<ChatEncoding> encodeChat(const Tokenizer& tokenizer, const ChatTemplate& chatTemplate, const Json& conversation, const ChatEncodeOptions& options) {
    ASSAY_TRY(const Json variables, variablesOf(tokenizer, conversation, options.generationPrompt));
    ASSAY_TRY(RenderedChat chat, chatTemplate.render(variables, options.render));
    // Control tokens are looked for only where the template wrote.
    std::vector<std::pair<uint32_t, uint32_t>> plain;
    for (const ChatSpan& s : chat.spans) {
        if (!s.data || options.parseSpecial) continue;
        if (!plain.empty() && plain.back().second == s.begin) plain.back().second = s.end;
        else plain.emplace_back(s.begin, s.end);
    }
    Encoding encoding;
    EncodeOptions how;
    how.parseSpecial = true;
    how.offsets = true;
    how.plain = plain;
    ASSAY_TRY_VOID(tryEncode(tokenizer, chat.text, how, encoding));
    ChatEncoding out;
    out.ids = std::move(encoding.ids);
    size_t first = 0;
    if (const int32_t bos = tokenizer.bosId(); bos >= 0 && tokenizer.addsBos() && (out.ids.empty() || out.ids.front() != bos)) {
        out.ids.insert(out.ids.begin(), bos);
        first = 1;
    }
    ASSAY_TRY_VOID(Labeller(tokenizer, chatTemplate, variables["messages"], options).label(chat, encoding.offsets, first, out));
    out.text = std::move(chat.text);
    return out;
}

int32_t endOfTurnId(const Tokenizer& tokenizer, const ChatTemplate& chatTemplate) {
    const Json messages = Json::array({Json{{"role", "user"}, {"content", "a"}}, Json{{"role", "assistant"}, {"content", "b"}}});
    const auto encoded = encodeChat(tokenizer, chatTemplate, messages);
    if (!encoded) return -1;
    for (size_t i = encoded->ids.size(); i-- > 0;)
        if (encoded->lossMask[i]) return tokenizer.isControl(encoded->ids[i]) ? encoded->ids[i] : -1;
    return -1;
}

}  // namespace assay::data
