#include "import/messages.h"

#include <assay/data/chat.h>
#include <simdjson.h>

namespace assay::data {
namespace {
namespace dom = simdjson::dom;

constexpr size_t kMessageDepth = 64, kMaxMessages = 100'000;

dom::parser& messageParser() {
    thread_local dom::parser parser(kMaxRowBytes + 1);
    thread_local const bool ready = parser.allocate(1 << 16, kMessageDepth) == simdjson::SUCCESS;
    (void)ready;
    return parser;
}

// Content: a string, null, or a list of parts of which each is text. False: something that is no text.
bool contentText(dom::element content, std::string& out) {
    std::string_view s;
    if (!content.get(s)) {
        out += s;
        return true;
    }
    dom::array parts;
    if (content.get(parts)) return content.is_null();
    for (dom::element part : parts) {
        std::string_view text;
        if (!part.get(text) || !part["text"].get(text)) {
            out += text;
            continue;
        }
        return false;
    }
    return true;
}

bool field(dom::element message, const char* a, const char* b, dom::element& out) { return !message[a].get(out) || !message[b].get(out); }

// Goes through the messages; false from `each` ends it.
template <class Each>
MessageCheck walk(const Cell& cell, Each&& each) {
    MessageCheck bad;
    const auto refuse = [&](const char* reason, std::string hint) {
        bad.reason = reason;
        bad.hint = std::move(hint);
        return bad;
    };
    if (cell.kind == Cell::Kind::kNull || cell.kind == Cell::Kind::kMissing) return refuse("missing_column", "the row has no messages");
    dom::element value;
    dom::array messages;
    if (messageParser().parse(cell.text.data(), cell.text.size(), true).get(value) || value.get(messages))
        return refuse("not_messages", "messages must be a list of objects with role and content");
    size_t count = 0;
    for (dom::element message : messages) {
        const std::string where = "message " + std::to_string(++count);
        if (count > kMaxMessages) return refuse("too_long", "a conversation ends at 100,000 messages");
        dom::object object;
        dom::element role, content;
        if (message.get(object)) return refuse("not_messages", where + " is no object with role and content");
        std::string_view name;
        if (!field(message, "role", "from", role) || role.get(name)) return refuse("not_messages", where + " has no role");
        const bool has = field(message, "content", "value", content);
        dom::element calls;
        const bool called = !message["tool_calls"].get(calls) && !calls.is_null();
        if (!has && !called) return refuse("missing_column", where + " has no content");
        std::string text;
        if (has && !contentText(content, text)) return refuse("not_text", where + " holds something else than text, which this build does not train on");
        if (!each(name, text, called)) break;
    }
    if (count == 0) return refuse("empty", "rows without messages are left out");
    return bad;
}

}  // namespace

MessageCheck checkMessages(const Cell& cell) {
    std::string unknown;
    bool any = false;
    MessageCheck out = walk(cell, [&](std::string_view role, const std::string& text, bool called) {
        if (unknown.empty() && chatRole(role).empty()) unknown = role.substr(0, 100);
        any = any || called || text.find_first_not_of(" \t\r\n") != text.npos;
        return true;
    });
    if (!out.reason.empty()) return out;
    if (!any) return {"empty", "rows without text are left out", ""};
    if (!unknown.empty()) return {"", "the role \"" + unknown + "\" is none that chat templates know; it is given to the template as it is", "unknown_role"};
    return {};
}

std::string messagesText(const Cell& cell) {
    std::string out;
    bool first = true;
    (void)walk(cell, [&](std::string_view, const std::string& text, bool) {
        if (!first) out += '\n';
        first = false;
        out += text;
        return true;
    });
    return out;
}

namespace {

Json parsedOr(std::string_view text, Json otherwise) {
    Json value = Json::parse(text, nullptr, false);
    return value.is_discarded() ? otherwise : value;
}

Json joined(const Json& content) {
    if (!content.is_array()) return content;
    std::string out;
    for (const Json& part : content) out += part.is_string() ? part.get<std::string>() : jsonStringOr(part, "text", "");
    return out;
}

// {"from": "function_call", "value": "{\"name\": …, \"arguments\": …}"} of ShareGPT
bool asToolCalls(const std::string& text, Json& calls) {
    Json parsed = parsedOr(text, nullptr);
    if (parsed.is_object()) parsed = Json::array({parsed});
    if (!parsed.is_array() || parsed.empty()) return false;
    for (const Json& call : parsed) {
        if (!call.is_object() || !call.contains("name")) return false;
        calls.push_back({{"type", "function"}, {"function", {{"name", call["name"]}, {"arguments", call.contains("arguments") ? call["arguments"] : Json::object()}}}});
    }
    return true;
}

void addMessages(std::string_view text, Json& out) {
    const Json list = parsedOr(text, Json::array());
    for (const Json& message : list) {
        Json m = Json::object();
        const std::string name = jsonStringOr(message, message.contains("role") ? "role" : "from", "");
        const std::string_view known = chatRole(name);
        m["role"] = known.empty() ? name : std::string(known);
        const char* key = message.contains("content") ? "content" : "value";
        Json content = message.contains(key) ? joined(message[key]) : Json();
        Json calls = Json::array();
        if (name == "function_call" && content.is_string() && asToolCalls(content.get<std::string>(), calls)) {
            m["content"] = "";
            m["tool_calls"] = std::move(calls);
        } else {
            m["content"] = std::move(content);
        }
        for (const auto& [other, value] : message.items())
            if (other != "role" && other != "from" && other != "content" && other != "value" && !value.is_null()) m[other] = value;
        out.push_back(std::move(m));
    }
}

}  // namespace

Result<Json> conversationOf(const RowParts& parts) {
    Json messages = Json::array();
    const auto say = [&](const char* role, std::string_view text) { messages.push_back({{"role", role}, {"content", std::string(text)}}); };
    const auto isJsonList = [](const Cell& c) { return c.kind == Cell::Kind::kJson && c.text.starts_with('['); };
    if (const std::string_view system = parts.text(Role::kSystem); parts[Role::kSystem].kind == Cell::Kind::kString && !system.empty()) say("system", system);
    switch (parts.shape) {
        case Shape::kMessages: addMessages(parts.text(Role::kMessages), messages); break;
        case Shape::kAlpaca: {
            std::string ask(parts.text(Role::kInstruction));
            if (const std::string_view input = parts.text(Role::kInput); input.find_first_not_of(" \t\r\n") != input.npos) ask += "\n\n" + std::string(input);
            say("user", ask);
            say("assistant", parts.text(Role::kOutput));
            break;
        }
        case Shape::kPrompt:
            if (isJsonList(parts[Role::kPrompt])) {
                addMessages(parts.text(Role::kPrompt), messages);
            } else {
                say("user", parts.text(Role::kPrompt));
            }
            if (isJsonList(parts[Role::kCompletion])) {
                addMessages(parts.text(Role::kCompletion), messages);
            } else {
                say("assistant", parts.text(Role::kCompletion));
            }
            break;
        default: return fail(ErrorCode::kInternal, "a row of another shape is no conversation");
    }
    Json out{{"messages", std::move(messages)}};
    if (const Cell& tools = parts[Role::kTools]; tools.kind == Cell::Kind::kJson || tools.kind == Cell::Kind::kString) {
        Json value = parsedOr(tools.text, nullptr);
        if (value.is_array() && !value.empty()) out["tools"] = std::move(value);
    }
    return out;
}

}  // namespace assay::data
