#include "assay/core/json.h"

#include <cmath>
#include <iterator>
#include <limits>
#include <unordered_set>

#include "assay/core/durable.h"

namespace assay {
namespace {

// Builds the document while refusing depth and duplicate keys, so that hostile text is refused before it
// costs memory.
class Builder : public nlohmann::json_sax<Json> {
public:
    Builder(int maxDepth, const size_t& consumed) : maxDepth_(maxDepth), consumed_(consumed) {}
    Json root;
    std::string error;
    size_t errorAt = 0;

    bool null() override { return put(nullptr); }
    bool boolean(bool v) override { return put(v); }
    bool number_integer(number_integer_t v) override { return put(v); }
    bool number_unsigned(number_unsigned_t v) override { return put(v); }
    bool number_float(number_float_t v, const string_t& text) override {
        if (!std::isfinite(v)) return stop("number " + text + " is out of range");
        return put(v);
    }
    bool string(string_t& v) override { return put(std::move(v)); }
    bool binary(binary_t&) override { return stop("binary value"); }
    bool start_object(size_t) override { return open(Json::object()); }
    bool start_array(size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        if (!keys_.back().insert(name).second) return stop("duplicate key \"" + name + "\"");
        // The set above knows the names, so the object appends without the linear search of its own
        // insertion.
        auto& members = stack_.back()->get_ref<Json::object_t&>();
        members.emplace_back(name, nullptr);
        slot_ = &members.back().second;
        return true;
    }
    bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception& e) override {
        if (error.empty()) {
            error = e.what();
            // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error …": keep the
            // last part
            if (auto bracket = error.find("] "); bracket != std::string::npos)
                error = error.substr(bracket + 2);
            if (auto colon = error.find(": "); error.starts_with("parse error") && colon != std::string::npos)
                error = error.substr(colon + 2);
            errorAt = position;
        }
        return false;
    }

private:
    bool stop(std::string why) {
        error = std::move(why);
        errorAt = consumed_;
        return false;
    }
    template <class V>
    bool put(V&& value) {
        if (stack_.empty()) {
            root = std::forward<V>(value);
        } else if (stack_.back()->is_array()) {
            stack_.back()->push_back(std::forward<V>(value));
        } else {
            *slot_ = std::forward<V>(value);
        }
        return true;
    }
    bool open(Json container) {
        if (static_cast<int>(stack_.size()) >= maxDepth_) return stop("nested deeper than allowed");
        Json* place;
        if (stack_.empty()) {
            root = std::move(container);
            place = &root;
        } else if (stack_.back()->is_array()) {
            stack_.back()->push_back(std::move(container));
            place = &stack_.back()->back();
        } else {
            *slot_ = std::move(container);
            place = slot_;
        }
        stack_.push_back(place);
        keys_.emplace_back();
        return true;
    }
    bool close() {
        stack_.pop_back();
        keys_.pop_back();
        return true;
    }

    int maxDepth_;
    const size_t& consumed_;
    std::vector<Json*> stack_;
    std::vector<std::unordered_set<std::string>> keys_;
    Json* slot_ = nullptr;
};

// Tells how far the parser has read, for errors that the parser itself does not know of.
struct CountingIterator {
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    const char* at = nullptr;
    size_t* consumed = nullptr;

    reference operator*() const { return *at; }
    CountingIterator& operator++() {
        ++at;
        ++*consumed;
        return *this;
    }
    CountingIterator operator++(int) {
        CountingIterator before = *this;
        ++*this;
        return before;
    }
    bool operator==(const CountingIterator& other) const { return at == other.at; }
};

std::string place(std::string_view text, size_t at) {
    size_t line = 1, column = 1;
    for (size_t i = 0; i < at && i < text.size(); ++i) {
        if (text[i] == '\n') {
            ++line;
            column = 1;
        } else {
            ++column;
        }
    }
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

const Json* find(const Json& object, std::string_view key) {
    if (!object.is_object()) return nullptr;
    auto it = object.find(key);
    return it == object.end() ? nullptr : &*it;
}

tl::unexpected<Error> wrong(std::string_view key, const char* type) {
    return fail(ErrorCode::kBadUsage, "\"" + std::string(key) + "\" must be " + type);
}

}  // namespace

Result<Json> parseJson(std::string_view text, std::string_view what, const JsonLimits& limits) {
    if (text.size() > limits.maxBytes)
        return fail(ErrorCode::kInvalidFile,
                    std::string(what) + " is larger than " + std::to_string(limits.maxBytes) + " bytes");
    size_t consumed = 0;
    Builder builder(limits.maxDepth, consumed);
    // nlohmann recurses in no place for SAX parsing, so depth is bounded by the builder alone.
    if (!Json::sax_parse(CountingIterator{text.data(), &consumed},
                         CountingIterator{text.data() + text.size(), &consumed}, &builder)) {
        std::string where = builder.errorAt ? place(text, builder.errorAt - 1) + ": " : "";
        return fail(ErrorCode::kInvalidFile, std::string(what) + ": " + where + builder.error,
                    "correct the JSON text");
    }
    return std::move(builder.root);
}

Result<Json> readJsonFile(const std::string& path, const JsonLimits& limits) {
    ASSAY_TRY(std::string text, readFile(path, limits.maxBytes));
    return parseJson(text, path, limits);
}

std::string dumpJson(const Json& value, int indent) {
    return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json jsonNumber(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return value;
}

double numberFromJson(const Json& value) {
    if (value.is_number()) return value.get<double>();
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        if (text == "inf") return std::numeric_limits<double>::infinity();
        if (text == "-inf") return -std::numeric_limits<double>::infinity();
    }
    return std::numeric_limits<double>::quiet_NaN();
}

Result<std::string> jsonString(const Json& object, std::string_view key) {
    const Json* v = find(object, key);
    if (!v || !v->is_string()) return wrong(key, "a string");
    return v->get<std::string>();
}
Result<int64_t> jsonInteger(const Json& object, std::string_view key) {
    const Json* v = find(object, key);
    if (!v || !v->is_number_integer()) return wrong(key, "an integer");
    if (v->is_number_unsigned() &&
        v->get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
        return wrong(key, "an integer below 2^63");
    return v->get<int64_t>();
}
Result<double> jsonDouble(const Json& object, std::string_view key) {
    const Json* v = find(object, key);
    if (!v || !v->is_number()) return wrong(key, "a number");
    return v->get<double>();
}
Result<bool> jsonBool(const Json& object, std::string_view key) {
    const Json* v = find(object, key);
    if (!v || !v->is_boolean()) return wrong(key, "true or false");
    return v->get<bool>();
}
std::string jsonStringOr(const Json& object, std::string_view key, std::string_view fallback) {
    auto r = jsonString(object, key);
    return r ? *r : std::string(fallback);
}
int64_t jsonIntegerOr(const Json& object, std::string_view key, int64_t fallback) {
    auto r = jsonInteger(object, key);
    return r ? *r : fallback;
}
double jsonDoubleOr(const Json& object, std::string_view key, double fallback) {
    auto r = jsonDouble(object, key);
    return r ? *r : fallback;
}
bool jsonBoolOr(const Json& object, std::string_view key, bool fallback) {
    auto r = jsonBool(object, key);
    return r ? *r : fallback;
}

Json errorToJson(const Error& error) {
    return Json{{"code", errorCodeName(error.code)},
                {"message", error.message},
                {"hint", error.hint},
                {"context", error.context}};
}

Error errorFromJson(const Json& value) {
    Error error(errorCodeFromName(jsonStringOr(value, "code", "internal")),
                jsonStringOr(value, "message", ""), jsonStringOr(value, "hint", ""));
    if (const Json* context = find(value, "context"); context && context->is_array())
        for (const Json& item : *context)
            if (item.is_string()) error.context.push_back(item.get<std::string>());
    return error;
}

}  // namespace assay
