#pragma once
// Values of the template language: Python's, as far as templates see them. All lie in the arena of one rendering (constants
// in the compiled template), nothing is ever freed one by one, and all but namespaces, loops and iterators is immutable, as
// in Jinja2's immutable sandbox. Strings know who wrote each of their bytes.
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace assay::data::jinja {

// Who wrote a byte: see ChatSpan. The low bits are the index of a message plus one.
using Tag = uint32_t;
inline constexpr Tag kData = 1u << 31, kGeneration = 1u << 30, kMessageBits = (1u << 24) - 1;

struct Run {
    uint32_t end;  // in the string; runs are ascending
    Tag tag;
};
struct Str {
    const char* data = "";
    uint32_t size = 0;
    uint32_t runs = 0;  // 0: all bytes have `tag`
    const Run* run = nullptr;
    Tag tag = 0;
    bool markup = false;  // what `safe` and `escape` make; joined with plain strings it escapes these

    std::string_view view() const { return {data, size}; }
};

enum class Kind : uint8_t {
    kUndefined, kNone, kBool, kInt, kFloat, kString, kList, kTuple, kDict, kRange, kView, kNamespace, kIterator, kMacro, kLoop, kMethod, kGlobal, kCycler, kJoiner,
};

struct Seq;
struct Dict;
struct Range;
struct View;
struct Namespace;
struct Iterator;
struct Macro;
struct Loop;
struct Method;
struct Cycler;
struct Joiner;
struct Undefined;

struct Value {
    Kind kind = Kind::kUndefined;
    uint32_t global = 0;      // kGlobal: which
    uint32_t message = 0;     // kDict: the message it is, plus one
    union {
        bool boolean;
        int64_t integer;
        double real;
        const Str* string;
        const Seq* seq;       // list, tuple
        const Dict* dict;
        const Range* range;
        const View* view;
        Namespace* space;
        Iterator* iterator;
        const Macro* macro;
        Loop* loop;
        const Method* method;
        Cycler* cycler;
        Joiner* joiner;
        const Undefined* undefined;  // may be null
    };

    Value() : undefined(nullptr) {}
    static Value none() { return of(Kind::kNone); }
    static Value of(bool v) { Value x = of(Kind::kBool); x.boolean = v; return x; }
    static Value of(int64_t v) { Value x = of(Kind::kInt); x.integer = v; return x; }
    static Value of(double v) { Value x = of(Kind::kFloat); x.real = v; return x; }
    static Value of(const Str* v) { Value x = of(Kind::kString); x.string = v; return x; }
    static Value of(const Dict* v) { Value x = of(Kind::kDict); x.dict = v; return x; }
    static Value of(Kind k) { Value x; x.kind = k; return x; }

    bool isString() const { return kind == Kind::kString; }
    bool isUndefined() const { return kind == Kind::kUndefined; }
    bool isNone() const { return kind == Kind::kNone; }
    bool isInteger() const { return kind == Kind::kInt || kind == Kind::kBool; }  // as Python: bools are integers
    bool isNumber() const { return isInteger() || kind == Kind::kFloat; }
    bool isSeq() const { return kind == Kind::kList || kind == Kind::kTuple; }
    int64_t asInteger() const { return kind == Kind::kBool ? int64_t{boolean} : integer; }
    double asReal() const { return kind == Kind::kFloat ? real : static_cast<double>(asInteger()); }
    std::string_view text() const { return string->view(); }
};

struct Undefined {
    enum class Why : uint8_t { kName, kAttribute, kMessage, kUnsafe } why = Why::kName;
    const Str* name = nullptr;       // of the variable or attribute; kMessage: the whole message
    const char* type = "";           // of the object that lacks it
};
struct Seq {
    const Value* items = nullptr;
    uint32_t size = 0;
    uint32_t depth = 1;  // of lists in lists
};
struct Dict {
    struct Entry {
        Value key, value;
    };
    const Entry* entries = nullptr;
    uint32_t size = 0;
    uint32_t depth = 1;
};
struct Range {
    int64_t start, step, size, stop;
    int64_t at(int64_t i) const { return start + i * step; }
};
struct View {  // dict.items(), dict.keys(), dict.values()
    enum class What : uint8_t { kItems, kKeys, kValues } what;
    const Dict* dict;
};
struct Namespace {
    Dict::Entry* entries = nullptr;
    uint32_t size = 0, capacity = 0;
};
struct Iterator {
    virtual bool next(Value& out) = 0;

protected:
    ~Iterator() = default;  // lies in the arena
};
struct Method {
    Value self;
    int id;
};
struct Cycler {
    const Seq* items;
    uint32_t at = 0;
};
struct Joiner {
    const Str* separator;
    bool used = false;
};

const char* typeName(const Value& v);  // Python's
bool truth(const Value& v);

}  // namespace assay::data::jinja
