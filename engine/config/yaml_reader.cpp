// YAML → Node over yaml-cpp's events. yaml-cpp's own nodes accept duplicate keys, resolve aliases and read 010 as 8; the
// events show all of that, and stop a hostile document before it grows.

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <sstream>
#include <unordered_set>

#include "node.h"

namespace assay::config {
namespace {

struct Stop {};  // thrown through yaml-cpp, which is exception-safe; the problem is already recorded

class Lines {
public:
    explicit Lines(std::string_view text) : text_(text) {
        starts_.push_back(0);
        for (size_t i = 0; i < text.size(); ++i)
            if (text[i] == '\n') starts_.push_back(i + 1);
    }
    // yaml-cpp counts bytes from zero; people count characters from one.
    Mark mark(const YAML::Mark& at) const {
        if (at.line < 0 || static_cast<size_t>(at.line) >= starts_.size()) return {1, 1};
        const size_t begin = starts_[static_cast<size_t>(at.line)];
        const size_t end = std::min(begin + static_cast<size_t>(std::max(at.column, 0)), text_.size());
        // Events come mostly in order: go on counting from the last place, or a line of 1 MiB would cost its square.
        if (cacheLine_ != at.line || cacheEnd_ > end) {
            cacheLine_ = at.line;
            cacheEnd_ = begin;
            cacheColumn_ = 1;
        }
        for (; cacheEnd_ < end; ++cacheEnd_)
            if ((static_cast<unsigned char>(text_[cacheEnd_]) & 0xC0) != 0x80) ++cacheColumn_;
        const int column = cacheColumn_;
        return {at.line + 1, column};
    }
    char at(const YAML::Mark& at) const {
        if (at.line < 0 || static_cast<size_t>(at.line) >= starts_.size()) return 0;
        const size_t i = starts_[static_cast<size_t>(at.line)] + static_cast<size_t>(std::max(at.column, 0));
        return i < text_.size() ? text_[i] : 0;
    }
    // yaml-cpp takes the end of the file for the end of a quoted text, so the closing mark is looked for here.
    bool quoteCloses(const YAML::Mark& at) const {
        const char quote = this->at(at);
        if (quote != '"' && quote != '\'') return true;  // a block text
        for (size_t i = starts_[static_cast<size_t>(at.line)] + static_cast<size_t>(at.column) + 1; i < text_.size(); ++i) {
            if (quote == '"' && text_[i] == '\\') ++i;
            else if (text_[i] == quote) {
                if (quote == '"' || i + 1 >= text_.size() || text_[i + 1] != quote) return true;
                ++i;  // '' inside single quotes
            }
        }
        return false;
    }

private:
    std::string_view text_;
    std::vector<size_t> starts_;
    mutable int cacheLine_ = -1, cacheColumn_ = 1;
    mutable size_t cacheEnd_ = 0;
};

class Handler : public YAML::EventHandler {
public:
    Handler(const Lines& lines, const Source* source, Context& context, Node& root)
        : lines_(lines), source_(source), context_(context), root_(root) {}

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (++documents_ > 1) stop(mark, "a second YAML document begins here", "keep one experiment in a file");
    }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { put(mark, Node::Type::kNull, {}); }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
        wrong(mark, "aliases (*name) are not allowed", "write the value out, or quote text that begins with *");
        put(mark, Node::Type::kNull, {});
    }
    void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
        wrong(mark, "anchors (&" + name.substr(0, 40) + ") are not allowed", "write the value out where it is needed, or quote text that begins with &");
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, const std::string& value) override {
        checkTag(mark, tag, tag == "!" && lines_.at(mark) != '!');
        if (tag == "!" && !lines_.quoteCloses(mark)) stop(mark, "a quotation mark that opens here is never closed", "close it");
        put(mark, tag == "?" ? Node::Type::kPlain : Node::Type::kQuoted, value);
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, YAML::EmitterStyle::value) override {
        open(mark, tag, Node::Type::kList);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, YAML::EmitterStyle::value) override {
        open(mark, tag, Node::Type::kMap);
    }
    void OnMapEnd() override { close(); }

    bool empty() const { return documents_ == 0; }
    const Node* innermost() const { return stack_.empty() ? nullptr : stack_.back().node; }
    std::string path() const {
        std::string out;
        for (const Level& level : stack_) {
            std::string part = level.node->isList() ? std::to_string(level.node->items.size()) : level.key;
            if (!part.empty()) out += (out.empty() ? "" : ".") + part;
        }
        return out;
    }

private:
    struct Level {
        Node* node;
        bool haveKey = false;
        bool drop = false;  // the value belongs to a refused key
        std::string key;
        Mark keyMark;
        std::unordered_set<std::string> keys;
    };

    void wrong(const YAML::Mark& mark, std::string message, std::string hint) {
        context_.problem(lines_.mark(mark), source_, path(), std::move(message), std::move(hint));
    }
    [[noreturn]] void stop(const YAML::Mark& mark, std::string message, std::string hint) {
        wrong(mark, std::move(message), std::move(hint));
        throw Stop{};
    }
    void checkTag(const YAML::Mark& mark, const std::string& tag, bool quoted) {
        if (tag.empty() || tag == "?" || quoted) return;
        wrong(mark, "tags (!name) are not allowed", "remove the tag, or quote text that begins with !");
    }
    bool atKey() const { return !stack_.empty() && stack_.back().node->isMap() && !stack_.back().haveKey; }

    // The place where the next node goes; a node under a refused key goes to the waste.
    Node* slot() {
        if (stack_.empty()) return &root_;
        Level& level = stack_.back();
        if (level.node->isList()) {
            level.node->items.emplace_back();
            return &level.node->items.back();
        }
        level.haveKey = false;
        if (level.drop) {
            waste_.emplace_back();
            return &waste_.back();
        }
        level.node->entries.push_back({level.key, level.keyMark, {}});
        return &level.node->entries.back().value;
    }
    void count(const YAML::Mark& mark) {
        if (++nodes_ > kMaxNodes) stop(mark, "the file holds more than " + std::to_string(kMaxNodes) + " values", "split it");
    }
    void takeKey(const YAML::Mark& mark, const std::string& key) {
        Level& level = stack_.back();
        level.haveKey = true;
        level.key = key;
        level.keyMark = lines_.mark(mark);
        level.drop = false;
        if (!level.keys.insert(key).second) {
            level.drop = true;
            const Entry* first = level.node->find(key);
            wrong(mark, "duplicate key", first ? "it is set already in line " + std::to_string(first->mark.line) + "; keep one" : "keep one");
        }
    }
    void put(const YAML::Mark& mark, Node::Type type, const std::string& text) {
        count(mark);
        if (atKey()) {
            if (type == Node::Type::kNull) stop(mark, "a key is missing before ':'", "write a name, or quote the key");
            return takeKey(mark, text);
        }
        Mark at = lines_.mark(mark);
        if (type == Node::Type::kNull && !stack_.empty() && stack_.back().node->isMap()) at = stack_.back().keyMark;
        Node* node = slot();
        node->type = type;
        node->mark = at;
        node->source = source_;
        node->text = text;
    }
    void open(const YAML::Mark& mark, const std::string& tag, Node::Type type) {
        count(mark);
        checkTag(mark, tag, false);
        if (atKey()) stop(mark, "a key must be a word, not a list or a map", "close every [ and {, or quote text that begins with one");
        if (stack_.size() >= static_cast<size_t>(kMaxDepth))
            stop(mark, "nested deeper than " + std::to_string(kMaxDepth) + " levels", "no setting lies that deep");
        Node* node = slot();
        node->type = type;
        node->mark = lines_.mark(mark);
        node->source = source_;
        stack_.push_back({node, false, false, {}, {}, {}});
    }
    void close() {
        if (!stack_.empty()) stack_.pop_back();
    }

    const Lines& lines_;
    const Source* source_;
    Context& context_;
    Node& root_;
    std::deque<Node> waste_;  // values of refused keys
    std::vector<Level> stack_;
    size_t nodes_ = 0;
    int documents_ = 0;
};

}  // namespace

std::string yamlHint(const std::string& message) {
    if (message.find("map value") != std::string::npos || message.find("end of map") != std::string::npos)
        return "check the indentation; quote text that contains ': '";
    if (message.find("flow") != std::string::npos) return "close every [ and {";
    if (message.find("EOF in scalar") != std::string::npos) return "close the quotation mark";
    if (message.find("tab") != std::string::npos) return "use spaces";
    return "check the indentation, brackets and quotation marks around this place";
}

bool readYaml(std::string_view text, const Source* source, Context& context, Node& root) {
    std::string clean;
    if (!checkText(text, source, context, clean)) return false;
    Lines lines(clean);
    Handler handler(lines, source, context, root);
    try {
        std::istringstream stream(clean);
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(handler)) {
        }
    } catch (const Stop&) {
        return false;
    } catch (const YAML::Exception& e) {
        Mark mark = lines.mark(e.mark);
        const bool unclosed = e.msg.find("flow not found") != std::string::npos;
        if (unclosed && handler.innermost()) mark = handler.innermost()->mark;
        std::string message = unclosed ? "a bracket that opens here is never closed" : "not valid YAML: " + e.msg;
        context.problem(mark, source, handler.path(), std::move(message), yamlHint(e.msg));
        return false;
    } catch (const std::exception& e) {
        context.problem({1, 1}, source, "", std::string("not valid YAML: ") + e.what());
        return false;
    }
    if (handler.empty() || root.type == Node::Type::kNull) {
        context.problem({1, 1}, source, "", "the file is empty", "begin with `assay: 1` and `kind:`; experiments/ holds complete examples");
        return false;
    }
    return true;
}

}  // namespace assay::config
