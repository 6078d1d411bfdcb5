#include "span_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <unordered_set>

namespace assay::config {
namespace {

struct Stop {};  // thrown through yaml-cpp, which is exception-safe; the problem is already recorded

bool space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Reader : public YAML::EventHandler {
public:
    Reader(std::string_view text, SpanTree& tree, Context& context) : text_(text), tree_(tree), context_(context) {}

    Mark place(size_t offset) const {
        const size_t line = tree_.lineOf(offset);
        int column = 1;
        for (size_t i = tree_.lines[line]; i < offset && i < text_.size(); ++i) column += (static_cast<unsigned char>(text_[i]) & 0xC0) != 0x80;
        return {static_cast<int>(line) + 1, column};
    }
    size_t offset(const YAML::Mark& at) const {
        if (at.line < 0 || static_cast<size_t>(at.line) >= tree_.lines.size()) return text_.size();
        return std::min(tree_.lines[static_cast<size_t>(at.line)] + static_cast<size_t>(std::max(at.column, 0)), text_.size());
    }
    [[noreturn]] void stop(size_t at, std::string message, std::string hint) {
        context_.problem(place(at), nullptr, path(), std::move(message), std::move(hint));
        throw Stop{};
    }
    std::string path() const {
        std::string out;
        for (const Level& level : stack_) {
            const std::string part = level.node->isList() ? std::to_string(level.node->items.size()) : level.node->entries.empty() ? "" : level.node->entries.back().key;
            if (!part.empty()) out += (out.empty() ? "" : ".") + part;
        }
        return out;
    }
    size_t innermost() const { return stack_.empty() ? 0 : stack_.back().node->begin; }

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (++documents_ > 1) stop(offset(mark), "a second YAML document begins here", "keep one experiment in a file");
    }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
        size_t begin = offset(mark), length = 0;
        for (const char* word : {"null", "Null", "NULL", "~"})
            if (begin >= cursor_ && text_.substr(begin).starts_with(word)) length = std::string_view(word).size();
        if (atKey()) stop(begin, "a key is missing before ':'", "write a name, or quote the key");
        if (!length) begin = cursor_;
        SpanNode& node = slot();
        node.begin = begin;
        finish(node, begin + length);
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
        stop(offset(mark), "aliases (*name) are not allowed", "write the value out, or quote text that begins with *");
    }
    void OnAnchor(const YAML::Mark& mark, const std::string&) override {
        stop(offset(mark), "anchors (&name) are not allowed", "write the value out where it is needed, or quote text that begins with &");
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, const std::string& value) override {
        const size_t begin = offset(mark);
        const char first = begin < text_.size() ? text_[begin] : 0;
        if (first == '!' || (!tag.empty() && tag != "?" && tag != "!")) stop(begin, "tags (!name) are not allowed", "remove the tag, or quote text that begins with !");
        count(begin);
        bool known = true;
        size_t end = begin;
        if (tag == "?") end = plainEnd(begin, value, known);
        else if (first == '"' || first == '\'') end = quoteEnd(begin);
        else end = blockEnd(begin, value);
        if (atKey()) return takeKey(begin, end, value, known);
        SpanNode& node = slot();
        node.type = tag == "?" ? Node::Type::kPlain : Node::Type::kQuoted;
        node.text = value;
        node.begin = begin;
        node.opaque = !known;
        finish(node, end);
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, YAML::EmitterStyle::value style) override {
        open(mark, tag, Node::Type::kList, style);
    }
    void OnSequenceEnd() override { close(']'); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, YAML::EmitterStyle::value style) override {
        open(mark, tag, Node::Type::kMap, style);
    }
    void OnMapEnd() override { close('}'); }

private:
    struct Level {
        SpanNode* node;
        bool haveKey = false;
        std::unordered_set<std::string> keys;
    };

    bool atKey() const { return !stack_.empty() && stack_.back().node->isMap() && !stack_.back().haveKey; }
    void count(size_t at) {
        if (++nodes_ > 2'000'000) stop(at, "the file holds too many values", "split it");
    }
    SpanNode& slot() {
        SpanNode* node = &tree_.root;
        bool flow = false;
        if (!stack_.empty()) {
            Level& level = stack_.back();
            flow = level.node->flow;
            if (level.node->isList()) {
                node = &level.node->items.emplace_back();
            } else {
                level.haveKey = false;
                node = &level.node->entries.back().value;
            }
        } else {
            tree_.empty = false;
        }
        node->flow = flow;
        return *node;
    }
    void finish(SpanNode& node, size_t end) {
        node.end = end;
        cursor_ = std::max(cursor_, end);
        if (stack_.empty() && node.type == Node::Type::kNull && node.begin == node.end) tree_.empty = true;
    }
    void takeKey(size_t begin, size_t end, const std::string& key, bool known) {
        Level& level = stack_.back();
        if (!known) stop(begin, "the key cannot be read", "write it on one line");
        if (!level.keys.insert(key).second) stop(begin, "duplicate key", "keep one");
        level.haveKey = true;
        SpanEntry entry{key, begin, end, 0, {}};
        size_t at = end;
        while (at < text_.size() && space(text_[at])) ++at;
        if (at < text_.size() && text_[at] == ':') entry.colon = at + 1;
        cursor_ = std::max(cursor_, std::max(end, entry.colon));
        level.node->entries.push_back(std::move(entry));
    }
    void open(const YAML::Mark& mark, const std::string& tag, Node::Type type, YAML::EmitterStyle::value style) {
        const size_t begin = offset(mark);
        count(begin);
        if (!tag.empty() && tag != "?" && tag != "!") stop(begin, "tags (!name) are not allowed", "remove the tag, or quote text that begins with !");
        if (atKey()) stop(begin, "a key must be a word, not a list or a map", "close every [ and {, or quote text that begins with one");
        if (stack_.size() >= static_cast<size_t>(kMaxDepth)) stop(begin, "nested deeper than " + std::to_string(kMaxDepth) + " levels", "no setting lies that deep");
        SpanNode& node = slot();
        node.type = type;
        node.begin = begin;
        node.flow = node.flow || style == YAML::EmitterStyle::Flow;
        if (node.flow) {
            node.opaque = begin >= text_.size() || text_[begin] != (type == Node::Type::kMap ? '{' : '[');
            if (!node.opaque) cursor_ = std::max(cursor_, begin + 1);
        }
        stack_.push_back({&node, false, {}});
    }
    void close(char bracket) {
        SpanNode& node = *stack_.back().node;
        stack_.pop_back();
        size_t end = std::max(cursor_, node.begin);
        if (node.flow && !node.opaque) {
            while (end < text_.size() && text_[end] != bracket) {
                if (text_[end] == '#')
                    while (end < text_.size() && text_[end] != '\n' && text_[end] != '\r') ++end;
                else if (space(text_[end]) || text_[end] == ',') ++end;
                else break;
            }
            if (end < text_.size() && text_[end] == bracket) ++end;
            else node.opaque = true;
        }
        finish(node, end);
    }

    // What yaml-cpp folded is matched letter by letter: only white space can differ.
    size_t plainEnd(size_t begin, const std::string& value, bool& known) const {
        size_t at = begin;
        for (char c : value) {
            if (space(c)) continue;
            while (at < text_.size() && space(text_[at])) ++at;
            if (at >= text_.size() || text_[at] != c) {
                known = false;
                return begin;
            }
            ++at;
        }
        return at;
    }
    size_t quoteEnd(size_t begin) {
        const char quote = text_[begin];
        for (size_t i = begin + 1; i < text_.size(); ++i) {
            if (quote == '"' && text_[i] == '\\') {
                ++i;
            } else if (text_[i] == quote) {
                if (quote == '"' || i + 1 >= text_.size() || text_[i + 1] != quote) return i + 1;
                ++i;
            }
        }
        stop(begin, "a quotation mark that opens here is never closed", "close it");
    }
    // To the end of the last line that is not empty and indented at least like the first one.
    size_t blockEnd(size_t begin, const std::string& value) const {
        size_t line = tree_.lineOf(begin);
        size_t end = lineEnd(line);
        if (std::all_of(value.begin(), value.end(), space)) return end;
        size_t indent = std::string_view::npos;
        for (++line; line < tree_.lines.size(); ++line) {
            const size_t from = tree_.lines[line], to = lineEnd(line);
            size_t at = from;
            while (at < to && text_[at] == ' ') ++at;
            if (at == to) continue;
            if (indent == std::string_view::npos) indent = at - from;
            if (at - from < indent) break;
            end = to;
        }
        return end;
    }
    size_t lineEnd(size_t line) const {
        size_t end = line + 1 < tree_.lines.size() ? tree_.lines[line + 1] : text_.size();
        while (end > tree_.lines[line] && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
        return end;
    }

    std::string_view text_;
    SpanTree& tree_;
    Context& context_;
    std::vector<Level> stack_;
    size_t cursor_ = 0, nodes_ = 0;
    int documents_ = 0;
};

void findLines(std::string_view text, std::vector<size_t>& lines) {
    lines.push_back(text.starts_with("\xEF\xBB\xBF") ? 3 : 0);
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') ++i;
        if (text[i] == '\n' || text[i] == '\r') lines.push_back(i + 1);
    }
}

Node nodeOf(const SpanNode& from) {
    Node node;
    node.type = from.type;
    node.text = from.text;
    for (const SpanNode& item : from.items) node.items.push_back(nodeOf(item));
    for (const SpanEntry& entry : from.entries) node.entries.push_back({entry.key, {}, nodeOf(entry.value)});
    return node;
}

}  // namespace

const SpanEntry* SpanNode::find(std::string_view key) const {
    for (const SpanEntry& entry : entries)
        if (entry.key == key) return &entry;
    return nullptr;
}

size_t SpanTree::lineOf(size_t offset) const {
    const auto after = std::upper_bound(lines.begin(), lines.end(), offset);
    return after == lines.begin() ? 0 : static_cast<size_t>(after - lines.begin()) - 1;
}

Json jsonOf(const SpanNode& node) {
    Context ignored;
    return jsonFromNode(nodeOf(node), "", ignored);
}

SpanTree readSpans(std::string_view text, size_t maxBytes) {
    SpanTree tree;
    Context context;
    findLines(text, tree.lines);
    std::string clean;
    if (checkText(text, nullptr, context, clean, maxBytes)) {
        Reader reader(text, tree, context);
        try {
            std::istringstream stream(std::move(clean));
            YAML::Parser parser(stream);
            while (parser.HandleNextDocument(reader)) {
            }
        } catch (const Stop&) {
        } catch (const YAML::Exception& e) {
            const bool unclosed = e.msg.find("flow not found") != std::string::npos;
            context.problem(reader.place(unclosed ? reader.innermost() : reader.offset(e.mark)), nullptr, reader.path(),
                            unclosed ? "a bracket that opens here is never closed" : "not valid YAML: " + e.msg, yamlHint(e.msg));
        } catch (const std::exception& e) {
            context.problem({1, 1}, nullptr, "", std::string("not valid YAML: ") + e.what());
        }
    }
    tree.problems = context.sorted();
    if (!tree.problems.empty()) tree.root = {};
    return tree;
}

}  // namespace assay::config
