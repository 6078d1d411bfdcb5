// A small block-style emitter. Text that could be read as anything but itself is double-quoted with JSON's escapes, which
// YAML 1.2 shares; numbers are written as JSON writes them (shortest text that reads back as the same value).

#include <assay/config/spec_text.h>

#include "node.h"

namespace assay::config {
namespace {

bool plainSafe(const std::string& text) {
    if (text.empty() || text.size() > 400) return false;
    auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    if (!letter(text[0]) && text[0] != '/' && text[0] != '_') return false;
    for (char c : text)
        if (!letter(c) && !(c >= '0' && c <= '9') && std::string_view("_-./+:% ").find(c) == std::string_view::npos) return false;
    if (text.back() == ' ' || text.back() == ':' || text.find(": ") != std::string::npos || text.find("  ") != std::string::npos) return false;
    std::string folded;
    for (char c : text.substr(0, 6)) folded += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    for (const char* word : {"true", "false", "yes", "no", "on", "off", "null", "y", "n", "inf", "nan"})
        if (folded == word) return false;
    return true;
}

std::string quoted(const std::string& text) {
    std::string json = dumpJson(Json(text));  // invalid UTF-8 becomes U+FFFD
    std::string out;
    for (size_t i = 0; i < json.size(); ++i) {
        const unsigned char c = static_cast<unsigned char>(json[i]);
        const unsigned char next = i + 1 < json.size() ? static_cast<unsigned char>(json[i + 1]) : 0;
        const unsigned char third = i + 2 < json.size() ? static_cast<unsigned char>(json[i + 2]) : 0;
        // DEL, C1 controls, the Unicode line ends and the byte order mark do not pass a YAML reader unescaped.
        if (c == 0x7F) {
            out += "\\u007f";
        } else if (c == 0xC2 && next >= 0x80 && next <= 0x9F) {
            constexpr char kHex[] = "0123456789abcdef";
            out += std::string("\\u00") + kHex[next >> 4] + kHex[next & 15];
            ++i;
        } else if (c == 0xE2 && next == 0x80 && (third == 0xA8 || third == 0xA9)) {
            out += third == 0xA8 ? "\\u2028" : "\\u2029";
            i += 2;
        } else if (c == 0xEF && next == 0xBB && third == 0xBF) {
            out += "\\ufeff";
            i += 2;
        } else {
            out += static_cast<char>(c);
        }
    }
    return out;
}

std::string scalar(const Json& value) {
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        return plainSafe(text) ? text : quoted(text);
    }
    if (value.is_object()) return "{}";
    if (value.is_array()) return "[]";
    return dumpJson(value);
}

bool flat(const Json& list) {  // a short list of scalars goes on one line
    size_t width = 0;
    for (const Json& item : list) {
        if (item.is_structured()) return false;
        width += scalar(item).size() + 2;
    }
    return width <= 100;
}

void emit(const Json& value, int indent, std::string& out);

void emitAfterKey(const Json& value, int indent, std::string& out) {
    if (value.is_array() && !value.empty() && flat(value)) {
        out += " [";
        for (size_t i = 0; i < value.size(); ++i) {
            if (i) out += ", ";
            out += value[i].is_string() && value[i].get_ref<const std::string&>().find(':') != std::string::npos
                       ? quoted(value[i].get_ref<const std::string&>())
                       : scalar(value[i]);
        }
        out += "]\n";
    } else if (value.is_structured() && !value.empty()) {
        out += '\n';
        emit(value, indent, out);
    } else {
        out += ' ' + scalar(value) + '\n';
    }
}

void emit(const Json& value, int indent, std::string& out) {
    const std::string space(static_cast<size_t>(indent), ' ');
    if (value.is_object()) {
        for (const auto& [key, item] : value.items()) {
            out += space + yamlKey(key) + ':';
            emitAfterKey(item, indent + 2, out);
        }
        return;
    }
    for (const Json& item : value) {
        out += space + '-';
        emitAfterKey(item, indent + 2, out);
    }
}

std::string flowScalar(const std::string& text) {  // inside brackets a colon may end a word
    return plainSafe(text) && text.find(':') == std::string::npos ? text : quoted(text);
}

void emitFlow(const Json& value, std::string& out) {
    if (value.is_string()) {
        out += flowScalar(value.get_ref<const std::string&>());
    } else if (value.is_object()) {
        out += '{';
        bool first = true;
        for (const auto& [key, item] : value.items()) {
            if (!first) out += ", ";
            first = false;
            out += yamlKey(key) + ": ";
            emitFlow(item, out);
        }
        out += '}';
    } else if (value.is_array()) {
        out += '[';
        for (size_t i = 0; i < value.size(); ++i) {
            if (i) out += ", ";
            emitFlow(value[i], out);
        }
        out += ']';
    } else {
        out += scalar(value);
    }
}

}  // namespace

std::string yamlKey(const std::string& key) {
    return plainSafe(key) && key.size() < 100 && key.find(':') == std::string::npos ? key : quoted(key);
}

std::string blockYaml(const Json& value, int indent) {
    std::string out;
    emit(value, indent, out);
    if (out.ends_with('\n')) out.pop_back();
    return out;
}

std::string inlineYaml(const Json& json, bool insideBrackets) {
    if (json.is_string() && !insideBrackets) return scalar(json);
    std::string out;
    emitFlow(json, out);
    return out;
}

std::string flowYaml(const Json& json) { return inlineYaml(json, true); }

std::string jsonToYaml(const Json& json) {
    std::string out;
    if (json.is_structured() && !json.empty()) emit(json, 0, out);
    else out = scalar(json) + '\n';
    return out;
}

}  // namespace assay::config
