#include "assay/store/filter.h"

#include "assay/core/clock.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace assay::store {
namespace {

constexpr std::string_view kColumnNames[] = {"id",     "name",  "kind",       "status",     "reason",   "parent",          "role",
                                             "group",  "tag",   "tags",       "created_at", "started_at", "ended_at", "running_seconds", "attempt"};

Json* noJson() { return nullptr; }

// The value at a dotted path, or at the end of exactly one path that ends with it.
void findBySuffix(const Json& object, std::string_view suffix, std::string path, int depth, const Json*& found, int& hits) {
    if (!object.is_object() || depth > 16) return;
    for (const auto& [key, value] : object.items()) {
        std::string here = path.empty() ? key : path + "." + key;
        if (here == suffix || (here.size() > suffix.size() && here.ends_with(suffix) && here[here.size() - suffix.size() - 1] == '.')) {
            // An exact path wins over every suffix.
            if (here == suffix) hits = -1000;
            if (hits <= 0 || here == suffix) found = &value;
            ++hits;
        }
        findBySuffix(value, suffix, here, depth + 1, found, hits);
    }
}

bool asNumber(const Json& value, double& out) {
    if (value.is_number()) {
        out = value.get<double>();
        return true;
    }
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        if (text == "nan" || text == "inf" || text == "-inf") {
            out = numberFromJson(value);
            return true;
        }
    }
    return false;
}

std::string asText(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_null()) return "null";
    return dumpJson(value);
}

}  // namespace

bool isColumn(std::string_view key) { return std::find(std::begin(kColumnNames), std::end(kColumnNames), key) != std::end(kColumnNames); }

Json runValue(const RunRow& row, std::string_view key) {
    if (key == "id") return row.id;
    if (key == "name") return row.name;
    if (key == "kind") return row.kind;
    if (key == "status") return statusName(row.status);
    if (key == "reason") return row.reason;
    if (key == "parent") return row.parent;
    if (key == "role") return row.role;
    if (key == "group") return row.group;
    if (key == "tag" || key == "tags") return row.tags;
    if (key == "created_at") return isoTime(row.createdAt);
    if (key == "started_at") return row.startedAt > 0 ? Json(isoTime(row.startedAt)) : Json();
    if (key == "ended_at") return row.endedAt > 0 ? Json(isoTime(row.endedAt)) : Json();
    if (key == "running_seconds") return row.runningSeconds;
    if (key == "attempt") return row.attempt;
    const std::string name(key);
    if (row.summary.is_object() && row.summary.contains(name)) return row.summary[name];
    if (row.latest.is_object() && row.latest.contains(name)) return row.latest[name];
    if (row.spec) {
        const Json* found = noJson();
        int hits = 0;
        findBySuffix(*row.spec, key, "", 0, found, hits);
        if (found && (hits == 1 || hits < 0)) return *found;
    }
    return {};
}

struct Filter::Node {
    enum class Kind { kAnd, kOr, kNot, kCompare } kind = Kind::kCompare;
    std::unique_ptr<Node> left, right;
    std::string key, op, text;
    bool isNumber = false, isNull = false;
    double number = 0;

    static bool ordered(const std::string& op, int order) {
        if (op == "=") return order == 0;
        if (op == "!=") return order != 0;
        if (op == "<") return order < 0;
        if (op == "<=") return order <= 0;
        if (op == ">") return order > 0;
        return order >= 0;
    }
    bool compareOne(const Json& value) const {
        if (isNull) return (value.is_null() || (value.is_string() && value.get_ref<const std::string&>().empty())) == (op == "=");
        if (value.is_null()) return op == "!=";  // an absent value is smaller or greater than nothing
        if (op == "~") {
            auto lower = [](std::string s) {
                std::transform(s.begin(), s.end(), s.begin(), [](unsigned char c) { return static_cast<char>(c < 128 ? std::tolower(c) : c); });
                return s;
            };
            return lower(asText(value)).find(lower(text)) != std::string::npos;
        }
        double left = 0;
        if (isNumber && asNumber(value, left)) {
            if (std::isnan(left) || std::isnan(number)) return op == "!=" ? !(std::isnan(left) && std::isnan(number)) : op == "=" && std::isnan(left) && std::isnan(number);
            return ordered(op, left < number ? -1 : left > number ? 1 : 0);
        }
        return ordered(op, asText(value).compare(text));
    }
    bool matches(const RunRow& row) const {
        switch (kind) {
            case Kind::kAnd: return left->matches(row) && right->matches(row);
            case Kind::kOr: return left->matches(row) || right->matches(row);
            case Kind::kNot: return !left->matches(row);
            case Kind::kCompare: break;
        }
        const Json value = runValue(row, key);
        if (!value.is_array()) return compareOne(value);
        // A list has a value when one of its members has it; `!=`: when none has.
        if (op == "!=") return std::all_of(value.begin(), value.end(), [&](const Json& v) { return compareOne(v); });
        return std::any_of(value.begin(), value.end(), [&](const Json& v) { return compareOne(v); });
    }
    bool needsSpec() const {
        if (kind == Kind::kCompare) return !isColumn(key);
        return left->needsSpec() || (right && right->needsSpec());
    }
};

Filter::Filter() = default;
Filter::Filter(Filter&&) noexcept = default;
Filter& Filter::operator=(Filter&&) noexcept = default;
Filter::~Filter() = default;
bool Filter::matches(const RunRow& row) const { return !root_ || root_->matches(row); }
bool Filter::needsSpec() const { return root_ && root_->needsSpec(); }

class FilterParser {
public:
    using Node = Filter::Node;
    using NodeResult = Result<std::unique_ptr<Node>>;
    explicit FilterParser(std::string_view text) : text_(text) {}

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
    NodeResult comparison() {
        auto node = std::make_unique<Node>();
        const std::string_view key = peekWord();
        if (key.empty() || key == "and" || key == "or") return wrong("a key");
        at_ += key.size();
        node->key = key;
        skip();
        for (std::string_view op : {"!=", "<=", ">=", "==", "=", "<", ">", "~"}) {
            if (text_.substr(at_).starts_with(op)) {
                at_ += op.size();
                node->op = op == "==" ? "=" : op;
                break;
            }
        }
        if (node->op.empty()) return wrong("one of = != < <= > >= ~");
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
            return node;
        }
        const std::string_view word = peekWord();
        if (word.empty()) return wrong("a value");
        at_ += word.size();
        node->text = word;
        node->isNull = word == "null" && (node->op == "=" || node->op == "!=");
        const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
        auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), node->number);
        node->isNumber = error == std::errc() && end == digits.data() + digits.size();
        return node;
    }

    std::string_view text_;
    size_t at_ = 0;
};

Result<Filter> Filter::parse(std::string_view text) {
    if (text.size() > 10'000) return fail(ErrorCode::kBadUsage, "filter: longer than 10,000 characters");
    Filter filter;
    if (text.find_first_not_of(" \t\n") == std::string_view::npos) return filter;
    ASSAY_TRY(filter.root_, FilterParser(text).all());
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

void sortRuns(std::vector<RunRow>& rows, const SortKey& key) {
    if (key.key.empty()) {
        if (key.descending) std::reverse(rows.begin(), rows.end());
        return;
    }
    std::vector<std::pair<Json, size_t>> order;
    order.reserve(rows.size());
    for (size_t i = 0; i < rows.size(); ++i) order.emplace_back(runValue(rows[i], key.key), i);
    // Numbers before text, NaN behind all numbers, rows without a value last in both directions.
    auto rank = [](const Json& value) {
        double number = 0;
        if (asNumber(value, number)) return std::isnan(number) ? 1 : 0;
        return value.is_null() ? 3 : 2;
    };
    std::stable_sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
        const int left = rank(a.first), right = rank(b.first);
        if (left == 3 || right == 3 || left != right) return left < right;
        if (left == 0) {
            double x = 0, y = 0;
            asNumber(a.first, x);
            asNumber(b.first, y);
            return key.descending ? y < x : x < y;
        }
        if (left == 1) return false;
        return key.descending ? asText(b.first) < asText(a.first) : asText(a.first) < asText(b.first);
    });
    std::vector<RunRow> sorted;
    sorted.reserve(rows.size());
    for (const auto& [value, index] : order) sorted.push_back(std::move(rows[index]));
    rows = std::move(sorted);
}

}  // namespace assay::store
