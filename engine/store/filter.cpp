// The text of a filter into its tree; select.cpp looks at runs with it.
#include "filter_node.h"

#include <algorithm>
#include <charconv>

namespace assay::store {

Filter::Filter() = default;
Filter::Filter(Filter&&) noexcept = default;
Filter& Filter::operator=(Filter&&) noexcept = default;
Filter::~Filter() = default;
const std::vector<std::string>& Filter::keys() const { return keys_; }

class FilterParser {
public:
    using Node = Filter::Node;
    using NodeResult = Result<std::unique_ptr<Node>>;
    FilterParser(std::string_view text, std::vector<std::string>& keys) : text_(text), keys_(keys) {}

    NodeResult all() {
        ASSAY_TRY(auto node, either(0));
        skip();
        if (at_ < text_.size()) return wrong("\"and\", \"or\" or the end");
        return node;
    }

private:
    static constexpr int kMaxDepth = 64;

    tl::unexpected<Error> wrong(const std::string& expected) const {
        return fail(ErrorCode::kBadUsage, "filter: expected " + expected + " at character " + std::to_string(at_ + 1) +
                                              (at_ < text_.size() ? " before \"" + std::string(text_.substr(at_, 20)) + "\"" : std::string()),
                    "write for example: lr < 1e-3 and tag = demo and status = done");
    }
    void skip() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
    }
    static bool wordCharacter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '/' || c == '-' || c == '@' ||
               c == ':' || c == '+' || static_cast<unsigned char>(c) >= 0x80;
    }
    std::string_view peekWord() {
        skip();
        size_t end = at_;
        while (end < text_.size() && wordCharacter(text_[end])) ++end;
        return text_.substr(at_, end - at_);
    }
    bool takeWord(std::string_view word) {
        if (peekWord() != word) return false;
        at_ += word.size();
        return true;
    }
    bool takeMark(char mark) {
        skip();
        if (at_ >= text_.size() || text_[at_] != mark) return false;
        ++at_;
        return true;
    }
    static std::unique_ptr<Node> join(Node::Kind kind, std::unique_ptr<Node> left, std::unique_ptr<Node> right) {
        auto node = std::make_unique<Node>();
        node->kind = kind;
        node->left = std::move(left);
        node->right = std::move(right);
        return node;
    }
    NodeResult either(int depth) {
        if (depth > kMaxDepth) return wrong("fewer nested parentheses");
        ASSAY_TRY(auto left, both(depth));
        while (takeWord("or")) {
            ASSAY_TRY(auto right, both(depth));
            left = join(Node::Kind::kOr, std::move(left), std::move(right));
        }
        return left;
    }
    NodeResult both(int depth) {
        ASSAY_TRY(auto left, one(depth));
        while (takeWord("and")) {
            ASSAY_TRY(auto right, one(depth));
            left = join(Node::Kind::kAnd, std::move(left), std::move(right));
        }
        return left;
    }
    NodeResult one(int depth) {
        if (depth > kMaxDepth) return wrong("fewer nested conditions");
        if (takeWord("not")) {
            ASSAY_TRY(auto inner, one(depth + 1));
            return join(Node::Kind::kNot, std::move(inner), nullptr);
        }
        if (takeMark('(')) {
            ASSAY_TRY(auto inner, either(depth + 1));
            if (!takeMark(')')) return wrong("\")\"");
            return inner;
        }
        return comparison();
    }
    // Windows and commands say "stopped" for what the contract calls "cancelled".
    static void sayStatus(Node& node, std::string_view key) {
        if (key == "status" && node.text == "stopped") node.text = "cancelled";
    }
    NodeResult comparison() {
        auto node = std::make_unique<Node>();
        const std::string_view key = peekWord();
        if (key.empty() || key == "and" || key == "or") return wrong("a key");
        at_ += key.size();
        node->key = std::find(keys_.begin(), keys_.end(), key) - keys_.begin();
        if (static_cast<size_t>(node->key) == keys_.size()) keys_.emplace_back(key);
        skip();
        using Op = Node::Op;
        constexpr std::pair<std::string_view, Op> kOps[] = {{"!=", Op::kNotEqual}, {"<=", Op::kAtMost}, {">=", Op::kAtLeast}, {"==", Op::kEqual},
                                                            {"=", Op::kEqual},     {"<", Op::kLess},    {">", Op::kMore},     {"~", Op::kContains}};
        const auto op = std::find_if(std::begin(kOps), std::end(kOps), [&](const auto& each) { return text_.substr(at_).starts_with(each.first); });
        if (op == std::end(kOps)) return wrong("one of = != < <= > >= ~");
        at_ += op->first.size();
        node->op = op->second;
        skip();
        if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) {
            const char quote = text_[at_];
            const size_t begin = at_++;
            while (at_ < text_.size() && text_[at_] != quote) {
                if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
                node->text += text_[at_++];
            }
            if (at_ >= text_.size()) {
                at_ = begin;
                return wrong("a closing quote for the text");
            }
            ++at_;
            sayStatus(*node, key);
            return node;
        }
        const std::string_view word = peekWord();
        if (word.empty()) return wrong("a value");
        at_ += word.size();
        node->text = word;
        sayStatus(*node, key);
        node->isNull = word == "null" && (node->op == Op::kEqual || node->op == Op::kNotEqual);
        const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
        auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), node->number);
        node->isNumber = error == std::errc() && end == digits.data() + digits.size();
        return node;
    }

    std::string_view text_;
    std::vector<std::string>& keys_;
    size_t at_ = 0;
};

Result<Filter> Filter::parse(std::string_view text) {
    if (text.size() > 10'000) return fail(ErrorCode::kBadUsage, "filter: longer than 10,000 characters");
    Filter filter;
    if (text.find_first_not_of(" \t\n") == std::string_view::npos) return filter;
    ASSAY_TRY(filter.root_, FilterParser(text, filter.keys_).all());
    return filter;
}

Result<SortKey> parseSort(std::string_view text) {
    SortKey out;
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    if (text.ends_with(" desc")) {
        out.descending = true;
        text.remove_suffix(5);
    } else if (text.ends_with(" asc")) {
        text.remove_suffix(4);
    }
    if (text.starts_with('-')) {
        out.descending = true;
        text.remove_prefix(1);
    }
    if (text.find(' ') != std::string_view::npos || text.size() > 256)
        return fail(ErrorCode::kBadUsage, "sort: \"" + std::string(text.substr(0, 60)) + "\" is not one key", "write KEY, -KEY or KEY desc");
    out.key = text;
    return out;
}

}  // namespace assay::store
