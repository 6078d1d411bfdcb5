#pragma once
// What every operation of a rendering shares: its arena, its limits, and the making of values.
#include <assay/core/json.h>
#include <assay/data/chat.h>

#include <initializer_list>
#include <memory>
#include <type_traits>
#include <vector>

#include "chat/value.h"

namespace assay::data::jinja {

// A template's own error or a limit; caught where the template is called.
struct TemplateError {
    std::string message;
    int line = 0;  // 0: where the interpreter is
};
[[noreturn]] void raise(std::string message);

// Collects text with its writers.
class Writer {
public:
    void add(std::string_view text, Tag tag) {
        if (text.empty()) return;
        text_ += text;
        mark(tag);
    }
    void add(const Str& s) { add(s, 0, s.size); }
    void add(const Str& s, size_t begin, size_t end);  // bytes
    // As it goes to the output: what the template wrote belongs to the turn, `extra` is put on all.
    void emit(const Str& s, Tag turn, Tag extra = 0);
    // A text made from bytes that `tag` wrote.
    size_t size() const { return text_.size(); }
    bool empty() const { return text_.empty(); }
    std::string& text() { return text_; }
    const std::vector<Run>& runs() const { return runs_; }
    void clear() { text_.clear(), runs_.clear(); }

private:
    void mark(Tag tag) {
        const auto end = static_cast<uint32_t>(text_.size());
        if (!runs_.empty() && runs_.back().tag == tag) runs_.back().end = end;
        else runs_.push_back({end, tag});
    }
    std::string text_;
    std::vector<Run> runs_;
};
Tag tagAt(const Str& s, size_t byte);
// The one writer of a string for operations that make new bytes out of old ones (case, padding): data when any byte is.
Tag tagOfAll(const Str& s);

class Arena {
public:
    explicit Arena(size_t budget);
    ~Arena();
    Arena(const Arena&) = delete;
    void* take(size_t bytes);  // raises when the budget is spent
    template <class T>
    T* make(const T& value) {
        static_assert(std::is_trivially_destructible_v<T>);
        return new (take(sizeof(T))) T(value);
    }
    template <class T>
    T* array(size_t n) {
        static_assert(std::is_trivially_destructible_v<T>);
        return static_cast<T*>(take(n * sizeof(T)));
    }

private:
    std::vector<std::unique_ptr<char[]>> blocks_;
    char *at_ = nullptr, *end_ = nullptr;
    size_t left_;
};

class Runtime {
public:
    explicit Runtime(const RenderOptions& options) : options(options), arena(options.limits.memoryBytes), fuel(options.limits.steps) {}

    void step(int64_t n = 1) {
        if ((fuel -= n) < 0) outOfSteps();
    }
    void spend(size_t bytes) { step(static_cast<int64_t>(bytes / 32) + 1); }
    void checkSize(size_t bytes) const;  // of a string to be made

    const Str* str(std::string_view text, Tag tag = 0);  // copies
    const Str* view(std::string_view text, Tag tag = 0); // text outlives the rendering
    const Str* str(const Writer& writer);
    const Str* slice(const Str& s, size_t begin, size_t end);
    const Str* concat(const Str& a, const Str& b);
    Value text(std::string_view t, Tag tag = 0) { return Value::of(str(t, tag)); }
    Value list(const std::vector<Value>& items) { return seq(Kind::kList, items); }
    Value tuple(const std::vector<Value>& items) { return seq(Kind::kTuple, items); }
    Value pair(const Value& a, const Value& b);
    Value dict(std::vector<Dict::Entry>& entries);  // unique keys
    Value undefined(Undefined::Why why, const Str* name, const char* type = "");
    Value missing(const char* message) { return undefined(Undefined::Why::kMessage, view(message)); }
    template <class F>
    Value iterator(F next) {
        struct Made final : Iterator {
            explicit Made(F f) : f(f) {}
            bool next(Value& out) override { return f(out); }
            F f;
        };
        static_assert(std::is_trivially_copyable_v<F>);
        Value v = Value::of(Kind::kIterator);
        v.iterator = new (arena.take(sizeof(Made))) Made(next);
        return v;
    }

    // Walks what Python could: lists, strings, dicts … Raises for other types.
    Iterator* iterate(const Value& v);
    std::vector<Value> items(const Value& v);
    int64_t length(const Value& v);  // raises when it has none
    bool hasLength(const Value& v) const;

    bool equal(const Value& a, const Value& b, int depth = 0);
    int compare(const Value& a, const Value& b, const char* op, int depth = 0);  // <0, 0, >0; raises for types without order
    bool contains(const Value& container, const Value& item);
    const Value* find(const Dict& d, const Value& key);
    const Value* find(const Dict& d, std::string_view key);
    void checkKey(const Value& key) const;  // hashable
    void set(std::vector<Dict::Entry>& entries, const Value& key, const Value& value);

    // str() and repr()
    void write(const Value& v, Writer& out);
    void repr(const Value& v, Writer& out, int depth = 0);
    const Str* toStr(const Value& v);  // str(v)
    // JSON of Python's json.dumps
    struct JsonStyle {
        bool asciiOnly = false, sortKeys = false, pretty = false;
        std::string indent, item = ", ", key = ": ";
    };
    void json(const Value& v, const JsonStyle& style, Writer& out, int depth = 0);

    Value fromJson(const Json& j, Tag tag, int depth = 0);
    Value messages(const Json& j);  // each message knows its index

    const RenderOptions& options;
    Arena arena;
    int64_t fuel;

private:
    [[noreturn]] void outOfSteps() const;
    Value seq(Kind kind, const std::vector<Value>& items);
};

// Raises for what undefined values do not allow: everything but printing, iterating and truth.
[[noreturn]] void raiseUndefined(const Value& v);
std::string undefinedMessage(const Value& v);
std::string realText(double v);  // Python's repr of a float

}  // namespace assay::data::jinja
