#include "section.h"

#include <fmt/format.h>

#include <charconv>

#include "assay/core/paths.h"

namespace assay::config {
namespace {

std::string shorten(std::string_view text) {
    if (text.size() <= 60) return std::string(text);
    size_t end = 57;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    return std::string(text.substr(0, end)) + "…";
}

std::string list(const Words& words) {
    std::string out;
    for (size_t i = 0; i < words.size(); ++i) out += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    return out;
}

template <class T>
std::string rangeText(const Range<T>& range) {
    const bool low = range.low != std::numeric_limits<T>::lowest(), high = range.high < static_cast<T>(kMost);
    std::string out;
    if (low) out = fmt::format("{} {}", range.openLow ? "greater than" : "at least", range.low);
    if (high) out += fmt::format("{}{} {}", low ? " and " : "", range.openHigh ? "less than" : "at most", range.high);
    return out;
}

template <class T>
bool inside(T value, const Range<T>& range) {
    return (range.openLow ? value > range.low : value >= range.low) && (range.openHigh ? value < range.high : value <= range.high);
}

bool wrong(const Node& node, const std::string& key, Context& context, std::string message, std::string hint = {}) {
    context.problem(node.mark, node.source, key, std::move(message), std::move(hint));
    return false;
}

// The checks that integers and numbers share; false when a problem was recorded.
bool numeric(const Node& node, const std::string& key, Context& context, const char* what) {
    if (!node.isScalar()) return wrong(node, key, context, fmt::format("must be {}, not {}", what, describe(node)));
    const Plain plain = classifyPlain(node.text);
    if (node.type == Node::Type::kQuoted)
        return wrong(node, key, context, fmt::format("must be {}, not a text", what),
                     plain == Plain::kInteger || plain == Plain::kFloat ? "remove the quotation marks" : "");
    switch (plain) {
        case Plain::kInteger:
        case Plain::kFloat: return true;
        case Plain::kLeadingZero:
            return wrong(node, key, context, fmt::format("must be {}; {} has a leading zero", what, node.text),
                         "drop the leading zero (0-prefixed numbers mean different things to different YAML readers)");
        case Plain::kOtherBase: return wrong(node, key, context, fmt::format("must be {} in decimal, not {}", what, node.text));
        case Plain::kNonFinite: return wrong(node, key, context, "must be finite, not " + node.text);
        default: return wrong(node, key, context, fmt::format("must be {}, not {}", what, describe(node)));
    }
}

}  // namespace

std::string describe(const Node& node) {
    switch (node.type) {
        case Node::Type::kNull: return "nothing";
        case Node::Type::kList: return "a list";
        case Node::Type::kMap: return "a map";
        default: return "\"" + shorten(node.text) + "\"";
    }
}

bool readText(const Node& node, const std::string& key, Context& context, std::string& out) {
    if (!node.isScalar()) return wrong(node, key, context, "must be a text, not " + describe(node));
    out = node.text;
    return true;
}

bool readPath(const Node& node, const std::string& key, Context& context, std::string& out) {
    std::string written;
    if (!readText(node, key, context, written)) return false;
    if (written.empty()) return wrong(node, key, context, "must be a path, not an empty text");
    if (written.find('\0') != std::string::npos) return wrong(node, key, context, "a path cannot contain a NUL character");
    if (written.size() > 4096) return wrong(node, key, context, "the path is longer than 4096 bytes");
    out = node.source && !node.source->folder.empty() ? absolutePath(node.source->folder, written) : written;
    return true;
}

bool readInteger(const Node& node, const std::string& key, Context& context, int64_t& out, Range<int64_t> range) {
    if (!numeric(node, key, context, "an integer")) return false;
    const std::string limits = rangeText(range);
    if (classifyPlain(node.text) == Plain::kFloat) {
        auto value = parseNumber(node.text);
        const bool whole = value && *value == static_cast<double>(static_cast<int64_t>(std::min(std::max(*value, -1e15), 1e15)));
        return wrong(node, key, context, "must be an integer, not " + shorten(node.text),
                     whole ? fmt::format("write {}", static_cast<int64_t>(*value)) : "");
    }
    std::string_view digits = node.text;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    int64_t value = 0;
    auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (code != std::errc() || !inside(value, range) || value > kMost || value < -kMost)
        return wrong(node, key, context, fmt::format("{} is out of range", shorten(node.text)), limits.empty() ? "" : "must be " + limits);
    out = value;
    return true;
}

bool readUnsigned(const Node& node, const std::string& key, Context& context, uint64_t& out) {
    if (!numeric(node, key, context, "an integer")) return false;
    std::string_view digits = node.text;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    uint64_t value = 0;
    auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (code != std::errc() || end != digits.data() + digits.size())
        return wrong(node, key, context, fmt::format("{} is not an integer from 0 to 2^64-1", shorten(node.text)));
    out = value;
    return true;
}

bool readNumber(const Node& node, const std::string& key, Context& context, double& out, Range<double> range) {
    if (!numeric(node, key, context, "a number")) return false;
    auto value = parseNumber(node.text);
    if (!value) return wrong(node, key, context, shorten(node.text) + " " + value.error().message);
    if (!inside(*value, range)) return wrong(node, key, context, shorten(node.text) + " is out of range", "must be " + rangeText(range));
    out = *value == 0 ? 0.0 : *value;  // no negative zero
    return true;
}

bool readWord(const Node& node, const std::string& key, Context& context, std::string& out, const Words& words) {
    if (!node.isScalar()) return wrong(node, key, context, fmt::format("must be {}, not {}", list(words), describe(node)));
    for (const std::string& word : words)
        if (word == node.text) {
            out = word;
            return true;
        }
    const std::string hint = didYouMean(node.text, words);
    return wrong(node, key, context, fmt::format("must be {}, not {}", list(words), describe(node)), hint);
}

Section::Section(const Node& node, std::string path, Context& context) : path_(std::move(path)), context_(context) {
    if (node.isMap()) {
        node_ = &node;
    } else {
        finished_ = true;
        wrong(node, path_, context, "must be a map of settings, not " + describe(node), node.isScalar() ? "write `key: value` lines, indented" : "");
    }
}

const Node* Section::take(std::string_view key) {
    known_.emplace_back(key);
    const Entry* entry = node_ ? node_->find(key) : nullptr;
    if (!entry) return nullptr;
    const bool scalar = entry->value.isScalar();
    context_.remember(at(key), scalar ? entry->value.mark : entry->mark, entry->value.source);
    if (entry->value.type != Node::Type::kNull) return &entry->value;
    context_.problem(entry->mark, entry->value.source, at(key), "has no value", "give one, or remove the line to use the default");
    return nullptr;
}

void Section::missing(std::string_view key, std::string why, std::string hint) {
    if (node_) context_.problemAt(at(key), std::move(why), std::move(hint));
}

void Section::finish() {
    if (finished_) return;
    finished_ = true;
    for (const Entry& entry : node_->entries) {
        bool found = false;
        for (const std::string& key : known_) found = found || key == entry.key;
        if (found) continue;
        if (context_.full()) return;
        std::string hint = didYouMean(entry.key, known_);
        if (hint.empty()) hint = known_.empty() ? "remove it" : "known here: " + list(known_);
        context_.problem(entry.mark, entry.value.source, at(shorten(entry.key)), "unknown key", std::move(hint));
    }
}

bool Section::text(std::string_view key, std::string& out) {
    const Node* node = take(key);
    return node && readText(*node, at(key), context_, out);
}
bool Section::path(std::string_view key, std::string& out) {
    const Node* node = take(key);
    return node && readPath(*node, at(key), context_, out);
}
bool Section::word(std::string_view key, std::string& out, const Words& words) {
    const Node* node = take(key);
    return node && readWord(*node, at(key), context_, out, words);
}
bool Section::integer(std::string_view key, int64_t& out, Range<int64_t> range) {
    const Node* node = take(key);
    return node && readInteger(*node, at(key), context_, out, range);
}
bool Section::autoInteger(std::string_view key, int64_t& out, Range<int64_t> range) {
    const Node* node = take(key);
    if (node && node->isScalar() && node->text == "auto") {
        out = 0;
        return true;
    }
    return node && readInteger(*node, at(key), context_, out, range);
}
bool Section::number(std::string_view key, double& out, Range<double> range) {
    const Node* node = take(key);
    return node && readNumber(*node, at(key), context_, out, range);
}
bool Section::boolean(std::string_view key, bool& out) {
    const Node* node = take(key);
    if (!node) return false;
    if (node->type == Node::Type::kPlain && (node->text == "true" || node->text == "false")) {
        out = node->text == "true";
        return true;
    }
    std::string folded;
    for (char c : node->text.substr(0, 8)) folded += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    std::string hint;
    if (folded == "yes" || folded == "on" || folded == "y" || folded == "1" || folded == "true") hint = "write true";
    if (folded == "no" || folded == "off" || folded == "n" || folded == "0" || folded == "false") hint = "write false";
    return wrong(*node, at(key), context_, "must be true or false, not " + describe(*node), hint);
}
bool Section::texts(std::string_view key, std::vector<std::string>& out, bool paths) {
    const Node* node = take(key);
    if (!node) return false;
    out.clear();
    auto one = [&](const Node& item, const std::string& name) {
        std::string value;
        if (!(paths ? readPath(item, name, context_, value) : readText(item, name, context_, value))) return false;
        out.push_back(std::move(value));
        return true;
    };
    if (!node->isList()) return one(*node, at(key));
    bool good = true;
    for (size_t i = 0; i < node->items.size(); ++i) good = one(node->items[i], at(key) + "." + std::to_string(i)) && good;
    return good;
}
bool Section::integers(std::string_view key, std::vector<int64_t>& out, Range<int64_t> range) {
    const Node* node = take(key);
    if (!node) return false;
    out.clear();
    int64_t value = 0;
    if (!node->isList()) {
        if (!readInteger(*node, at(key), context_, value, range)) return false;
        out.push_back(value);
        return true;
    }
    if (node->items.empty()) return wrong(*node, at(key), context_, "the list is empty", "give at least one value");
    bool good = true;
    for (size_t i = 0; i < node->items.size(); ++i) {
        if (readInteger(node->items[i], at(key) + "." + std::to_string(i), context_, value, range)) out.push_back(value);
        else good = false;
    }
    return good;
}

}  // namespace assay::config
