#include "node.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

namespace assay::config {

const Entry* Node::find(std::string_view key) const {
    for (const Entry& entry : entries)
        if (entry.key == key) return &entry;
    return nullptr;
}
Entry* Node::find(std::string_view key) {
    for (Entry& entry : entries)
        if (entry.key == key) return &entry;
    return nullptr;
}

Source* Context::addSource(std::string name, std::string folder) {
    sources_.push_back({std::move(name), std::move(folder)});
    return &sources_.back();
}

void Context::problem(const Mark& mark, const Source* source, const std::string& key, std::string message, std::string hint) {
    if (full()) return;
    Mark place = mark;
    if (source && !source->name.empty()) {
        message += " (" + source->name;
        if (mark.line > 0) message += ", line " + std::to_string(mark.line) + ", column " + std::to_string(mark.column);
        message += ")";
        place = source->name.starts_with("override") ? Mark{} : extendsMark;
    }
    for (const Problem& known : problems_)
        if (known.line == place.line && known.column == place.column && known.key == key && known.message == message) return;
    problems_.push_back({place.line, place.column, key, std::move(message), std::move(hint)});
}

void Context::remember(const std::string& key, const Mark& mark, const Source* source) { places_[key] = {mark, source}; }

void Context::problemAt(const std::string& key, std::string message, std::string hint) {
    for (std::string path = key;;) {
        if (auto it = places_.find(path); it != places_.end())
            return problem(it->second.mark, it->second.source, key, std::move(message), std::move(hint));
        if (path.empty()) break;
        const size_t dot = path.rfind('.');
        path = dot == std::string::npos ? "" : path.substr(0, dot);
    }
    problem({}, nullptr, key, std::move(message), std::move(hint));
}

std::vector<Problem> Context::sorted() const {
    std::vector<Problem> out = problems_;
    std::stable_sort(out.begin(), out.end(), [](const Problem& a, const Problem& b) {
        if ((a.line == 0) != (b.line == 0)) return b.line == 0;
        return a.line != b.line ? a.line < b.line : a.column < b.column;
    });
    return out;
}

Plain classifyPlain(std::string_view text) {
    if (text == "true" || text == "false") return Plain::kBool;
    std::string_view rest = text;
    if (!rest.empty() && (rest[0] == '-' || rest[0] == '+')) rest.remove_prefix(1);
    if (rest == ".inf" || rest == ".Inf" || rest == ".INF" || text == ".nan" || text == ".NaN" || text == ".NAN")
        return Plain::kNonFinite;
    auto digit = [](char c) { return c >= '0' && c <= '9'; };
    if (rest.size() > 2 && rest[0] == '0' && (rest[1] == 'x' || rest[1] == 'o' || rest[1] == 'b')) {
        const std::string_view digits = rest.substr(2);
        const char* allowed = rest[1] == 'x' ? "0123456789abcdefABCDEF" : rest[1] == 'o' ? "01234567" : "01";
        return digits.find_first_not_of(allowed) == std::string_view::npos ? Plain::kOtherBase : Plain::kText;
    }
    size_t i = 0;
    while (i < rest.size() && digit(rest[i])) ++i;
    const size_t whole = i;
    size_t fraction = 0;
    bool point = false;
    if (i < rest.size() && rest[i] == '.') {
        point = true;
        for (++i; i < rest.size() && digit(rest[i]); ++i) ++fraction;
    }
    if (whole + fraction == 0) return Plain::kText;
    bool exponent = false;
    if (i < rest.size() && (rest[i] == 'e' || rest[i] == 'E')) {
        exponent = true;
        ++i;
        if (i < rest.size() && (rest[i] == '-' || rest[i] == '+')) ++i;
        const size_t start = i;
        while (i < rest.size() && digit(rest[i])) ++i;
        if (i == start) return Plain::kText;
    }
    if (i != rest.size()) return Plain::kText;
    if (whole > 1 && rest[0] == '0') return Plain::kLeadingZero;
    return point || exponent ? Plain::kFloat : Plain::kInteger;
}

Result<double> parseNumber(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code == std::errc::result_out_of_range) return fail(ErrorCode::kInvalidFile, "is beyond the range of a 64-bit float");
    if (code != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return fail(ErrorCode::kInvalidFile, "is not a number");
    return value;
}

Node nodeFromJson(const Json& json, const Source* source) {
    Node node;
    node.source = source;
    switch (json.type()) {
        case Json::value_t::object:
            node.type = Node::Type::kMap;
            for (const auto& [key, value] : json.items()) node.entries.push_back({key, {}, nodeFromJson(value, source)});
            break;
        case Json::value_t::array:
            node.type = Node::Type::kList;
            for (const Json& item : json) node.items.push_back(nodeFromJson(item, source));
            break;
        case Json::value_t::string:
            node.type = Node::Type::kQuoted;
            node.text = json.get_ref<const std::string&>();
            break;
        case Json::value_t::null: break;
        default:
            node.type = Node::Type::kPlain;
            node.text = json.dump();
    }
    return node;
}

Json jsonFromNode(const Node& node, const std::string& key, Context& context) {
    switch (node.type) {
        case Node::Type::kNull: return nullptr;
        case Node::Type::kQuoted: return node.text;
        case Node::Type::kList: {
            Json list = Json::array();
            for (size_t i = 0; i < node.items.size(); ++i)
                list.push_back(jsonFromNode(node.items[i], key + "." + std::to_string(i), context));
            return list;
        }
        case Node::Type::kMap: {
            Json map = Json::object();
            for (const Entry& entry : node.entries) map[entry.key] = jsonFromNode(entry.value, key + "." + entry.key, context);
            return map;
        }
        case Node::Type::kPlain: break;
    }
    auto wrong = [&](std::string message, std::string hint) {
        context.problem(node.mark, node.source, key, std::move(message), std::move(hint));
        return Json(node.text);
    };
    switch (classifyPlain(node.text)) {
        case Plain::kText: return node.text;
        case Plain::kBool: return node.text == "true";
        case Plain::kNonFinite: return wrong("must be finite, not " + node.text, "write a number, or quote it if text is meant");
        case Plain::kLeadingZero: return wrong(node.text + " has a leading zero", "drop the zero, or quote it if text is meant");
        case Plain::kOtherBase: return wrong(node.text + " is not decimal", "write the decimal number, or quote it if text is meant");
        case Plain::kInteger: {
            std::string_view digits = node.text;
            if (digits.starts_with('+')) digits.remove_prefix(1);
            int64_t value = 0;
            auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
            if (code == std::errc() && end == digits.data() + digits.size()) return value;
            uint64_t large = 0;
            auto [end2, code2] = std::from_chars(digits.data(), digits.data() + digits.size(), large);
            if (code2 == std::errc() && end2 == digits.data() + digits.size()) return large;
            return wrong(node.text + " does not fit 64 bits", "quote it if text is meant");
        }
        case Plain::kFloat: break;
    }
    auto number = parseNumber(node.text);
    if (!number) return wrong(node.text + " " + number.error().message, "quote it if text is meant");
    return *number;
}

}  // namespace assay::config
