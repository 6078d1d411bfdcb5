#include <assay/config/schema.h>
#include <assay/config/spec_text.h>

#include <algorithm>
#include <charconv>

#include "span_tree.h"

namespace assay::config {
namespace {

std::vector<std::string> partsOf(std::string_view path) {
    const size_t whole = wholeKeyFrom(path);
    std::vector<std::string> parts;
    for (size_t begin = 0;;) {
        const size_t dot = begin >= whole ? std::string_view::npos : path.find('.', begin);
        parts.emplace_back(path.substr(begin, dot == std::string_view::npos ? path.size() - begin : dot - begin));
        if (dot == std::string_view::npos) return parts;
        begin = dot + 1;
    }
}

std::string join(const std::vector<std::string>& parts, size_t count) {
    std::string out;
    for (size_t i = 0; i < count; ++i) out += (i ? "." : "") + parts[i];
    return out;
}

// {rest[from]: {rest[from + 1]: … value}}
Json nested(const std::vector<std::string>& parts, size_t from, Json value) {
    for (size_t i = parts.size(); i > from; --i) value = Json{{parts[i - 1], std::move(value)}};
    return value;
}

const SpanNode* itemAt(const SpanNode& list, const std::string& part) {
    size_t index = 0;
    const auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), index);
    return code == std::errc() && end == part.data() + part.size() && index < list.items.size() ? &list.items[index] : nullptr;
}

bool same(const SpanNode& a, const SpanNode& b) {
    if (a.type != b.type || a.text != b.text || a.items.size() != b.items.size() || a.entries.size() != b.entries.size()) return false;
    for (size_t i = 0; i < a.items.size(); ++i)
        if (!same(a.items[i], b.items[i])) return false;
    for (size_t i = 0; i < a.entries.size(); ++i)
        if (a.entries[i].key != b.entries[i].key || !same(a.entries[i].value, b.entries[i].value)) return false;
    return true;
}

// Nothing differs but what lies at the path.
bool sameBut(const SpanNode& a, const SpanNode& b, const std::vector<std::string>& parts, size_t depth) {
    if (depth == parts.size()) return true;
    if (a.isList() && b.isList() && a.items.size() == b.items.size()) {
        for (size_t i = 0; i < a.items.size(); ++i)
            if (parts[depth] == std::to_string(i) ? !sameBut(a.items[i], b.items[i], parts, depth + 1) : !same(a.items[i], b.items[i])) return false;
        return true;
    }
    // A value that had no keys (or lost them all) became a map on the way.
    if (!a.isMap() || !b.isMap()) return a.type != Node::Type::kList && b.type != Node::Type::kList;
    const SpanNode *left = nullptr, *right = nullptr;
    size_t i = 0, j = 0;
    while (i < a.entries.size() || j < b.entries.size()) {
        if (i < a.entries.size() && a.entries[i].key == parts[depth]) {
            left = &a.entries[i++].value;
        } else if (j < b.entries.size() && b.entries[j].key == parts[depth]) {
            right = &b.entries[j++].value;
        } else if (i < a.entries.size() && j < b.entries.size() && a.entries[i].key == b.entries[j].key && same(a.entries[i].value, b.entries[j].value)) {
            ++i;
            ++j;
        } else {
            return false;
        }
    }
    return !left || !right || sameBut(*left, *right, parts, depth + 1);
}

}  // namespace

struct SpecText::Private {
    std::string text;
    SpanTree tree;

    const SpanNode* node(const std::vector<std::string>& parts, const SpanEntry** entry) const {
        const SpanNode* at = &tree.root;
        if (entry) *entry = nullptr;
        for (const std::string& part : parts) {
            const SpanEntry* next = at->isMap() ? at->find(part) : nullptr;
            at = next ? &next->value : at->isList() ? itemAt(*at, part) : nullptr;
            if (!at) return nullptr;
            if (entry) *entry = next;
        }
        return at;
    }
    TextSpan span(size_t begin, size_t end) const {
        const size_t line = tree.lineOf(begin);
        int column = 1;
        for (size_t i = tree.lines[line]; i < begin; ++i) column += (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80;
        return {begin, end, static_cast<int>(line) + 1, column};
    }
    size_t lineBegin(size_t at) const { return tree.lines[tree.lineOf(at)]; }
    size_t lineEnd(size_t at) const {
        const size_t found = text.find_first_of("\r\n", at);
        return found == std::string::npos ? text.size() : found;
    }
    size_t nextLine(size_t at) const {
        const size_t line = tree.lineOf(at) + 1;
        return line < tree.lines.size() ? tree.lines[line] : text.size();
    }
    bool blank(size_t begin, size_t end) const {
        return std::all_of(text.begin() + static_cast<long>(begin), text.begin() + static_cast<long>(end), [](char c) { return c == ' '; });
    }
    const char* eol() const {
        const size_t at = text.find_first_of("\r\n");
        return at == std::string::npos || text[at] == '\n' ? "\n" : at + 1 < text.size() && text[at + 1] == '\n' ? "\r\n" : "\r";
    }
    std::string lines(std::string block) const {
        const std::string end = eol();
        if (end == "\n") return block;
        std::string out;
        for (char c : block) out += c == '\n' ? end : std::string(1, c);
        return out;
    }
    int column(size_t at) const { return static_cast<int>(at - lineBegin(at)); }
    int step() const {
        for (const SpanEntry& entry : tree.root.entries)
            if (entry.value.isMap() && !entry.value.flow && !entry.value.entries.empty())
                if (const int wide = column(entry.value.begin) - column(entry.begin); wide > 0) return wide;
        return 2;
    }
    std::string with(size_t begin, size_t end, std::string_view by) const {
        std::string out;
        out.reserve(text.size() + by.size());
        return out.append(text, 0, begin).append(by).append(text, end, std::string::npos);
    }

    std::string replaced(const SpanNode& node, const SpanEntry* entry, const Json& value, const std::string& raw) const {
        const std::string written = raw.empty() ? inlineYaml(value, node.flow) : raw;
        if (node.type == Node::Type::kNull && node.begin == node.end && entry)
            return entry->colon ? with(entry->colon, entry->colon, " " + written) : with(entry->end, entry->end, ": " + written);
        const bool block = (node.isMap() || node.isList()) && !node.flow;
        if (!block) {
            // `key:value` would be one word; a value that comes on the next line stays there.
            return with(node.begin, node.end, (entry && entry->colon == node.begin ? " " : "") + written);
        }
        if (value.is_structured() && !value.empty() && value.is_object() == node.isMap()) {
            const int indent = column(node.begin);
            return with(node.begin, node.end, lines(blockYaml(value, indent)).substr(static_cast<size_t>(indent)));
        }
        if (!entry || tree.lineOf(entry->colon) == tree.lineOf(node.begin)) return with(node.begin, node.end, written);
        std::string out = with(lineEnd(entry->colon), node.end, "");
        return out.insert(entry->colon, " " + written);
    }

    // After which entry the key belongs by the order of the schema; null: before all of them.
    const SpanEntry* before(const SpanNode& map, const std::string& prefix, const std::string& key) const {
        const int rank = keyRank(prefix.empty() ? key : prefix + "." + key);
        const SpanEntry* best = nullptr;
        int bestRank = -1;
        for (const SpanEntry& entry : map.entries) {
            const int other = keyRank(prefix.empty() ? entry.key : prefix + "." + entry.key);
            if (other <= rank && other >= bestRank) {
                best = &entry;
                bestRank = other;
            }
        }
        return best;
    }

    std::string inserted(const SpanNode& map, const std::string& prefix, const std::string& key, const Json& value, const std::string& raw) const {
        const SpanEntry* after = before(map, prefix, key);
        const std::string head = yamlKey(key) + ":";
        if (map.flow) {
            const std::string item = head + " " + (raw.empty() ? inlineYaml(value, true) : raw);
            if (map.entries.empty()) return with(map.begin + 1, map.begin + 1, item);
            if (!after) return with(map.entries[0].begin, map.entries[0].begin, item + ", ");
            return with(after->last(), after->last(), ", " + item);
        }
        const int indent = map.entries.empty() ? 0 : column(map.entries[0].begin);
        bool block = prefix.empty() && value.is_object() && !value.empty();
        if (value.is_object() && !value.empty())
            for (const SpanEntry& entry : map.entries) block = block || (entry.value.isMap() && !entry.value.flow);
        const std::string end = eol();
        const std::string space(static_cast<size_t>(indent), ' ');
        const std::string line = head + (block ? end + lines(blockYaml(value, indent + step())) : " " + (raw.empty() ? inlineYaml(value, false) : raw));
        if (!after) {
            const size_t at = map.entries[0].begin;
            return blank(lineBegin(at), at) ? with(lineBegin(at), lineBegin(at), space + line + end) : with(at, at, line + end + space);
        }
        const size_t at = lineEnd(after->last());
        return with(at, at, end + (block && prefix.empty() && spaced() ? end : "") + space + line);
    }
    // Whether sections of the file stand apart by empty lines.
    bool spaced() const {
        for (size_t i = 1; i < tree.root.entries.size(); ++i) {
            const SpanEntry& previous = tree.root.entries[i - 1];
            if (!previous.value.isMap() || previous.value.flow) continue;
            size_t breaks = 0;
            for (size_t at = previous.last(); at < tree.root.entries[i].begin; ++at) breaks += text[at] == '\n';
            if (breaks > 1) return true;
        }
        return false;
    }

    std::string removed(const SpanNode& map, const SpanEntry* holder, const SpanEntry& entry) const {
        const size_t index = static_cast<size_t>(&entry - map.entries.data());
        if (map.flow) {
            const size_t previous = index > 0 ? map.entries[index - 1].last() : 0;
            const bool remark = index > 0 && text.substr(previous, entry.begin - previous).find('#') != std::string::npos;  // of the entry before
            if (index > 0 && !remark) return with(previous, entry.last(), "");
            if (index + 1 < map.entries.size()) return with(entry.begin, map.entries[index + 1].begin, "");
            if (remark) return with(entry.begin, entry.last(), "");
            return with(map.begin + 1, map.end - 1, "");
        }
        if (map.entries.size() == 1 && holder) return replaced(map, holder, Json::object(), "");
        if (map.entries.size() == 1 && &map != &tree.root) return with(map.begin, map.end, "{}");
        const size_t begin = lineBegin(entry.begin);
        if (blank(begin, entry.begin)) return with(begin, nextLine(std::max(entry.last(), entry.begin)), "");
        return with(entry.begin, index + 1 < map.entries.size() ? map.entries[index + 1].begin : lineEnd(entry.last()), "");
    }
};

SpecText::SpecText(std::string text) : d_(std::make_unique<Private>()) {
    d_->tree = readSpans(text, kMaxTextBytes);
    d_->text = std::move(text);
    if (d_->tree.problems.empty() && !d_->tree.empty && !d_->tree.root.isMap())
        d_->tree.problems.push_back({1, 1, "", "an experiment file is a map of settings", "begin with `assay: 1`, one `key: value` a line"});
}
SpecText::SpecText(const SpecText& other) : d_(std::make_unique<Private>(*other.d_)) {}
SpecText& SpecText::operator=(const SpecText& other) {
    if (this != &other) *d_ = *other.d_;
    return *this;
}
SpecText::SpecText(SpecText&&) noexcept = default;
SpecText& SpecText::operator=(SpecText&&) noexcept = default;
SpecText::~SpecText() = default;

const std::string& SpecText::text() const { return d_->text; }
const std::vector<Problem>& SpecText::problems() const { return d_->tree.problems; }

std::optional<SpecValue> SpecText::find(std::string_view path) const {
    const SpanEntry* entry = nullptr;
    const SpanNode* node = path.empty() ? nullptr : d_->node(partsOf(path), &entry);
    if (!node) return {};
    SpecValue value{jsonOf(*node), d_->text.substr(node->begin, node->end - node->begin), d_->span(node->begin, node->end), {}};
    if (entry) value.key = d_->span(entry->begin, entry->end);
    return value;
}

bool SpecText::has(std::string_view path) const { return !path.empty() && d_->node(partsOf(path), nullptr); }

std::string SpecText::pathAt(size_t offset) const {
    std::string path;
    const SpanNode* node = &d_->tree.root;
    auto inside = [&](size_t begin, size_t end) { return begin <= offset && offset <= std::max(end, d_->lineEnd(end)); };
    while (node) {
        const SpanNode* next = nullptr;
        std::string part;
        if (node->isMap()) {
            auto after = std::upper_bound(node->entries.begin(), node->entries.end(), offset, [](size_t at, const SpanEntry& e) { return at < e.begin; });
            if (after != node->entries.begin() && inside((after - 1)->begin, (after - 1)->last())) {
                next = &(after - 1)->value;
                part = (after - 1)->key;
            }
        } else if (node->isList()) {
            auto after = std::upper_bound(node->items.begin(), node->items.end(), offset, [](size_t at, const SpanNode& n) { return at < n.begin; });
            if (after != node->items.begin() && inside((after - 1)->begin, (after - 1)->end)) {
                next = &*(after - 1);
                part = std::to_string(after - 1 - node->items.begin());
            }
        }
        if (!next) break;
        path += (path.empty() ? "" : ".") + part;
        node = next;
    }
    return path;
}

std::string SpecText::pathAtLine(int line) const {
    if (line < 1 || static_cast<size_t>(line) > d_->tree.lines.size()) return {};
    size_t at = d_->tree.lines[static_cast<size_t>(line) - 1];
    while (at < d_->text.size() && (d_->text[at] == ' ' || d_->text[at] == '-')) ++at;
    return pathAt(at);
}

Result<void> SpecText::replaceBy(std::string text, const std::vector<std::string>& parts, const Json* value) {
    SpecText next(std::move(text));
    auto refuse = [&] {
        return fail(ErrorCode::kUnsupported, "this setting is written in a way that cannot be changed by itself", "change it in the text");
    };
    if (!next.editable() || !sameBut(d_->tree.root, next.d_->tree.root, parts, 0)) return refuse();
    const SpanNode* node = next.d_->node(parts, nullptr);
    if (value ? !node || jsonOf(*node) != *value : node != nullptr) return refuse();
    d_ = std::move(next.d_);
    return {};
}

Result<void> SpecText::write(std::string_view path, const Json& value, const std::string& raw) {
    if (!editable()) return fail(ErrorCode::kInvalidFile, "the text is not valid YAML", "correct it first");
    const std::vector<std::string> parts = partsOf(path);
    for (const std::string& part : parts)
        if (part.empty()) return fail(ErrorCode::kBadUsage, "\"" + std::string(path) + "\" is not a key");
    const Private& d = *d_;
    if (d.tree.empty) {
        const char* end = d.eol();
        std::string text = d.text;
        if (!text.empty() && text.back() != '\n' && text.back() != '\r') text += end;
        const Json whole = nested(parts, 0, value);
        text += !raw.empty() && parts.size() == 1 ? yamlKey(parts[0]) + ": " + raw : d.lines(blockYaml(whole, 0));
        return replaceBy(text + end, parts, &value);
    }
    const SpanNode* node = &d.tree.root;
    const SpanEntry* entry = nullptr;
    size_t depth = 0;
    for (; depth < parts.size(); ++depth) {
        const SpanEntry* found = node->isMap() ? node->find(parts[depth]) : nullptr;
        const SpanNode* item = node->isList() ? itemAt(*node, parts[depth]) : nullptr;
        if (node->isList() && !item) return fail(ErrorCode::kNotFound, "names a list member that does not exist", "list members are counted from 0");
        if (!found && !item) break;
        entry = found;
        node = found ? &found->value : item;
    }
    if (node->opaque) return fail(ErrorCode::kUnsupported, "this setting is written in a way that cannot be changed by itself", "change it in the text");
    if (depth == parts.size()) return replaceBy(d.replaced(*node, entry, value, raw), parts, &value);
    if (node->isMap()) {
        const bool last = depth + 1 == parts.size();
        return replaceBy(d.inserted(*node, join(parts, depth), parts[depth], nested(parts, depth + 1, value), last ? raw : ""), parts, &value);
    }
    // A word that stands for a map: `optimizer: lion` is {name: lion}.
    Json whole = Json::object();
    const KeyInfo* info = keyInfo(join(parts, depth));
    if (info && !info->shorthand.empty() && info->shorthand != parts[depth] && (node->type == Node::Type::kPlain || node->type == Node::Type::kQuoted))
        whole[std::string(info->shorthand)] = jsonOf(*node);
    whole[parts[depth]] = nested(parts, depth + 1, value);
    return replaceBy(d.replaced(*node, entry, whole, ""), parts, &value);
}

Result<void> SpecText::set(std::string_view path, const Json& value) { return write(path, value, ""); }

Result<Json> jsonFromYaml(std::string_view yaml) {
    const SpanTree tree = readSpans(yaml, kMaxBytes);
    if (!tree.problems.empty()) return fail(ErrorCode::kInvalidFile, tree.problems[0].message, tree.problems[0].hint);
    return jsonOf(tree.root);
}

Result<void> SpecText::setYaml(std::string_view path, std::string_view yaml) {
    const SpanTree tree = readSpans(yaml, kMaxBytes);
    if (!tree.problems.empty()) return fail(ErrorCode::kInvalidFile, tree.problems[0].message, tree.problems[0].hint);
    if (tree.empty) return fail(ErrorCode::kBadUsage, "there is no value", "remove the key to go back to the default");
    const bool number = tree.root.type == Node::Type::kPlain &&
                        (classifyPlain(tree.root.text) == Plain::kInteger || classifyPlain(tree.root.text) == Plain::kFloat);
    return write(path, jsonOf(tree.root), number ? tree.root.text : "");
}

Result<void> SpecText::remove(std::string_view path) {
    if (!editable()) return fail(ErrorCode::kInvalidFile, "the text is not valid YAML", "correct it first");
    const std::vector<std::string> parts = partsOf(path);
    const SpanEntry* entry = nullptr;
    const SpanNode* node = d_->node(parts, &entry);
    if (!node) return {};
    if (!entry) return fail(ErrorCode::kUnsupported, "a list member cannot be removed by itself", "set the whole list");
    const SpanEntry* holder = nullptr;
    const SpanNode* map = parts.size() == 1 ? &d_->tree.root : d_->node({parts.begin(), parts.end() - 1}, &holder);
    if (map->opaque || node->opaque) return fail(ErrorCode::kUnsupported, "this setting is written in a way that cannot be changed by itself", "change it in the text");
    return replaceBy(d_->removed(*map, holder, *entry), parts, nullptr);
}

}  // namespace assay::config
