// str() and repr() of values, json.dumps.
#include <charconv>
#include <cmath>

#include <algorithm>

#include "chat/loop.h"
#include "chat/py_text.h"
#include "chat/runtime.h"
#include "chat/tree.h"

namespace assay::data::jinja {
namespace {

constexpr int kPrintDepth = 200;

void appendHex(std::string& out, const char* format, unsigned value) {
    char text[16];
    std::snprintf(text, sizeof text, format, value);
    out += text;
}

void reprText(const Str& s, Writer& out) {
    const std::string_view text = s.view();
    const bool doubled = text.find('\'') != text.npos && text.find('"') == text.npos;
    const char quote = doubled ? '"' : '\'';
    out.add(std::string_view(&quote, 1), 0);
    size_t plain = 0;  // what is copied as it is begins here
    std::string escaped;
    for (size_t at = 0; at < text.size();) {
        const size_t n = characterBytes(text, at);
        const char32_t c = characterAt(text, at);
        escaped.clear();
        if (c == '\\' || c == static_cast<char32_t>(quote)) escaped = {'\\', static_cast<char>(c)};
        else if (c == '\n') escaped = "\\n";
        else if (c == '\r') escaped = "\\r";
        else if (c == '\t') escaped = "\\t";
        else if (!isPrintable(c)) appendHex(escaped, c < 0x100 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
        if (!escaped.empty()) {
            out.add(s, plain, at);
            out.add(escaped, tagAt(s, at));
            plain = at + n;
        }
        at += n;
    }
    out.add(s, plain, text.size());
    out.add(std::string_view(&quote, 1), 0);
}

void jsonText(const Str& s, bool asciiOnly, Writer& out) {
    out.add("\"", 0);
    const std::string_view text = s.view();
    size_t plain = 0;
    std::string escaped;
    for (size_t at = 0; at < text.size();) {
        const size_t n = characterBytes(text, at);
        const auto byte = static_cast<unsigned char>(text[at]);
        escaped.clear();
        switch (byte) {
            case '"': escaped = "\\\""; break;
            case '\\': escaped = "\\\\"; break;
            case '\n': escaped = "\\n"; break;
            case '\r': escaped = "\\r"; break;
            case '\t': escaped = "\\t"; break;
            case '\f': escaped = "\\f"; break;
            case '\b': escaped = "\\b"; break;
            default:
                if (byte < 0x20) appendHex(escaped, "\\u%04x", byte);
                else if (asciiOnly && byte >= 0x80) {
                    const char32_t c = characterAt(text, at);
                    if (c >= 0x10000) {
                        appendHex(escaped, "\\u%04x", 0xD800 + ((c - 0x10000) >> 10));
                        appendHex(escaped, "\\u%04x", 0xDC00 + ((c - 0x10000) & 0x3FF));
                    } else {
                        appendHex(escaped, "\\u%04x", c);
                    }
                }
        }
        if (!escaped.empty()) {
            out.add(s, plain, at);
            out.add(escaped, tagAt(s, at));
            plain = at + n;
        }
        at += n;
    }
    out.add(s, plain, text.size());
    out.add("\"", 0);
}

std::string jsonNumberText(double v) { return std::isnan(v) ? "NaN" : std::isinf(v) ? (v > 0 ? "Infinity" : "-Infinity") : realText(v); }

}  // namespace

std::string realText(double v) {
    if (std::isnan(v)) return "nan";
    if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, v, std::chars_format::scientific).ptr;
    const std::string_view text(buffer, static_cast<size_t>(end - buffer));
    const size_t e = text.find('e');
    std::string sign, digits;
    for (const char c : text.substr(0, e)) {
        if (c == '-') sign = "-";
        else if (c != '.') digits += c;
    }
    int exponent = 0;
    std::from_chars(text.data() + e + (text[e + 1] == '+' ? 2 : 1), text.data() + text.size(), exponent);
    if (exponent < -4 || exponent >= 16) {
        std::string out = sign + digits.substr(0, 1);
        if (digits.size() > 1) out += "." + digits.substr(1);
        char tail[16];
        std::snprintf(tail, sizeof tail, "e%c%02d", exponent < 0 ? '-' : '+', std::abs(exponent));
        return out + tail;
    }
    if (exponent < 0) return sign + "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + digits;
    const auto whole = static_cast<size_t>(exponent) + 1;
    if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0') + ".0";
    return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

void Runtime::repr(const Value& v, Writer& out, int depth) {
    step();
    if (depth > kPrintDepth) raise("a value that is printed lies too deep in others");
    checkSize(out.size());
    const auto commas = [&](const Seq& s) {
        for (uint32_t i = 0; i < s.size; ++i) {
            if (i) out.add(", ", 0);
            repr(s.items[i], out, depth + 1);
        }
    };
    switch (v.kind) {
        case Kind::kUndefined: return out.add("Undefined", 0);
        case Kind::kNone: return out.add("None", 0);
        case Kind::kBool: return out.add(v.boolean ? "True" : "False", 0);
        case Kind::kInt: return out.add(std::to_string(v.integer), 0);
        case Kind::kFloat: return out.add(realText(v.real), 0);
        case Kind::kString:
            spend(v.string->size);
            if (v.string->markup) out.add("Markup(", 0);
            reprText(*v.string, out);
            if (v.string->markup) out.add(")", 0);
            return;
        case Kind::kList:
            out.add("[", 0);
            commas(*v.seq);
            return out.add("]", 0);
        case Kind::kTuple:
            out.add("(", 0);
            commas(*v.seq);
            return out.add(v.seq->size == 1 ? ",)" : ")", 0);
        case Kind::kDict:
        case Kind::kNamespace: {
            const bool space = v.kind == Kind::kNamespace;
            const Dict d = space ? Dict{v.space->entries, v.space->size, 1} : *v.dict;
            out.add(space ? "<Namespace {" : "{", 0);
            for (uint32_t i = 0; i < d.size; ++i) {
                if (i) out.add(", ", 0);
                repr(d.entries[i].key, out, depth + 1);
                out.add(": ", 0);
                repr(d.entries[i].value, out, depth + 1);
            }
            return out.add(space ? "}>" : "}", 0);
        }
        case Kind::kRange:
            out.add("range(" + std::to_string(v.range->start) + ", " + std::to_string(v.range->stop), 0);
            if (v.range->step != 1) out.add(", " + std::to_string(v.range->step), 0);
            return out.add(")", 0);
        case Kind::kView: {
            out.add(typeName(v), 0);
            out.add("(", 0);
            repr(list(items(v)), out, depth + 1);
            return out.add(")", 0);
        }
        case Kind::kMacro: return out.add("<Macro " + (v.macro->name.empty() ? std::string("anonymous") : "'" + std::string(v.macro->name) + "'") + ">", 0);
        case Kind::kLoop: return out.add("<LoopContext " + std::to_string(v.loop->index0 + 1) + "/" + std::to_string(v.loop->length()) + ">", 0);
        default: raise(std::string("a value of type '") + typeName(v) + "' is printed");  // Python would write an address
    }
}

void Runtime::write(const Value& v, Writer& out) {
    if (v.isString()) out.add(*v.string);
    else if (!v.isUndefined()) repr(v, out);
}

const Str* Runtime::toStr(const Value& v) {
    if (v.isString()) return v.string;
    Writer w;
    write(v, w);
    return str(w);
}

void Runtime::json(const Value& v, const JsonStyle& style, Writer& out, int depth) {
    step();
    if (depth > kPrintDepth) raise("a value for tojson lies too deep in others");
    checkSize(out.size());
    const auto newLine = [&](int level) {
        if (!style.pretty) return;
        out.add("\n", 0);
        for (int i = 0; i < level; ++i) out.add(style.indent, 0);
    };
    switch (v.kind) {
        case Kind::kNone: return out.add("null", 0);
        case Kind::kBool: return out.add(v.boolean ? "true" : "false", 0);
        case Kind::kInt: return out.add(std::to_string(v.integer), 0);
        case Kind::kFloat: return out.add(jsonNumberText(v.real), 0);
        case Kind::kString: spend(v.string->size); return jsonText(*v.string, style.asciiOnly, out);
        case Kind::kList:
        case Kind::kTuple: {
            if (v.seq->size == 0) return out.add("[]", 0);
            out.add("[", 0);
            for (uint32_t i = 0; i < v.seq->size; ++i) {
                if (i) out.add(style.item, 0);
                newLine(depth + 1);
                json(v.seq->items[i], style, out, depth + 1);
            }
            newLine(depth);
            return out.add("]", 0);
        }
        case Kind::kDict: {
            if (v.dict->size == 0) return out.add("{}", 0);
            std::vector<Dict::Entry> entries(v.dict->entries, v.dict->entries + v.dict->size);
            if (style.sortKeys) std::stable_sort(entries.begin(), entries.end(), [&](const auto& a, const auto& b) { return compare(a.key, b.key, "<") < 0; });
            out.add("{", 0);
            for (size_t i = 0; i < entries.size(); ++i) {
                if (i) out.add(style.item, 0);
                newLine(depth + 1);
                const Value& key = entries[i].key;
                if (key.isString()) {
                    jsonText(*key.string, style.asciiOnly, out);
                } else if (key.kind == Kind::kInt || key.kind == Kind::kFloat || key.kind == Kind::kBool || key.isNone()) {
                    out.add("\"", 0);
                    json(key, style, out, depth + 1);
                    out.add("\"", 0);
                } else {
                    raise(std::string("a key of type '") + typeName(key) + "' cannot be written as JSON");
                }
                out.add(style.key, 0);
                json(entries[i].value, style, out, depth + 1);
            }
            newLine(depth);
            return out.add("}", 0);
        }
        case Kind::kUndefined: raise("tojson: " + undefinedMessage(v));
        default: raise(std::string("a value of type '") + typeName(v) + "' cannot be written as JSON");
    }
}

namespace {
// Roles that everybody uses hold no text of anybody.
bool commonRole(std::string_view s) {
    static constexpr std::string_view kRoles[] = {"assistant", "user", "system", "tool", "developer", "function", "model", "ipython", "observation", "tool_response", "tool_call"};
    return std::find(std::begin(kRoles), std::end(kRoles), s) != std::end(kRoles);
}
}  // namespace

Value Runtime::fromJson(const Json& j, Tag tag, int depth) {
    if (depth > 200) raise("the conversation's values lie too deep in one another");
    step();
    switch (j.type()) {
        case Json::value_t::null:
        case Json::value_t::discarded: return Value::none();
        case Json::value_t::boolean: return Value::of(j.get<bool>());
        case Json::value_t::number_integer: return Value::of(j.get<int64_t>());
        case Json::value_t::number_unsigned: {
            const auto v = j.get<uint64_t>();
            if (v > static_cast<uint64_t>(INT64_MAX)) raise("the number " + std::to_string(v) + " is beyond 64 bits");
            return Value::of(static_cast<int64_t>(v));
        }
        case Json::value_t::number_float: return Value::of(j.get<double>());
        case Json::value_t::string: {
            const auto& s = j.get_ref<const std::string&>();
            if (s.size() > options.limits.outputBytes) checkSize(s.size());
            if (invalidText(s)) return text(validText(s), tag);
            return Value::of(view(s, tag));
        }
        case Json::value_t::binary: raise("a conversation holds binary data");
        case Json::value_t::array: {
            std::vector<Value> items;
            items.reserve(j.size());
            for (const Json& item : j) items.push_back(fromJson(item, tag, depth + 1));
            return list(items);
        }
        case Json::value_t::object: {
            std::vector<Dict::Entry> entries;
            entries.reserve(j.size());
            for (const auto& [key, value] : j.items()) entries.push_back({Value::of(invalidText(key) ? str(validText(key), tag) : view(key, tag)), fromJson(value, tag, depth + 1)});
            return dict(entries);
        }
    }
    return Value::none();
}

Value Runtime::messages(const Json& j) {
    if (!j.is_array()) return fromJson(j, kData);
    std::vector<Value> items;
    items.reserve(j.size());
    if (j.size() >= kMessageBits) raise("the conversation has too many messages");
    for (const Json& message : j) {
        const auto number = static_cast<uint32_t>(items.size() + 1);
        Value v = fromJson(message, kData | number);
        if (v.kind == Kind::kDict) {
            v.message = number;
            for (uint32_t i = 0; i < v.dict->size; ++i) {
                auto& entry = const_cast<Dict::Entry&>(v.dict->entries[i]);
                if (entry.key.text() == "role" && entry.value.isString() && commonRole(entry.value.text())) entry.value = Value::of(view(entry.value.text(), 0));
            }
        }
        items.push_back(v);
    }
    return list(items);
}

}  // namespace assay::data::jinja
