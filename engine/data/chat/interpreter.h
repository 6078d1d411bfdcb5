#pragma once
// Runs a tree. One interpreter is one rendering.
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "chat/loop.h"
#include "chat/runtime.h"
#include "chat/tree.h"

namespace assay::data::jinja {

// Variables of a scope; what is not here is looked for in the scopes around it, then in the template's variables.
struct Frame {
    struct Slot {
        NameId name;
        Value value;
    };
    Frame* parent = nullptr;
    Slot* slots = nullptr;
    uint32_t size = 0, capacity = 0;
    bool kept = false;  // a macro refers to it
};

struct Arguments {
    std::vector<Value> places;
    std::vector<std::pair<std::string_view, Value>> names;
};

// Arguments put in the order of their parameters ("width first blank"); raises for what does not fit.
class Bound {
public:
    Bound(std::string_view what, std::string_view parameters, size_t required, const Arguments& given);
    bool has(size_t i) const { return given_ >> i & 1; }
    const Value& operator[](size_t i) const { return values_[i]; }
    bool flag(size_t i, bool fallback) const { return has(i) ? truth(values_[i]) : fallback; }
    int64_t integer(size_t i, int64_t fallback) const;
    const Str* text(size_t i, Runtime& runtime, std::string_view fallback) const;  // str(value)

private:
    Value values_[8];
    uint32_t given_ = 0;
    std::string_view what_;
};

class Interpreter {
public:
    Interpreter(const Tree& tree, Runtime& runtime) : tree_(tree), r(runtime), context_(tree.names.size()), known_(tree.names.size()) {}
    void define(NameId name, const Value& value) {
        context_[name] = value;
        known_[name] = 1;
    }
    void run(Writer& out);
    int line() const { return line_; }

    // For filters, tests and methods
    Value attribute(const Value& of, const Str* name, int method);
    Value item(const Value& of, const Value& index);
    // "a.b.0", 3; a part that is not there is `fallback`, when one is given.
    Value path(const Value& of, const Value& attribute, const Value* fallback = nullptr);
    Value call(const Value& callee, const Arguments& arguments);
    Value applyFilter(int id, const Value& value, const Arguments& arguments);
    bool applyTest(int id, const Value& value, const Arguments& arguments);
    Value binary(Op op, const Value& a, const Value& b);
    // A copy that lives as long as the rendering, for iterators that come back to it.
    Arguments* keep(const Arguments& arguments) {
        kept_.push_back(std::make_unique<Arguments>(arguments));
        return kept_.back().get();
    }
    Value slice(const Value& of, const Value& start, const Value& stop, const Value& step);

private:
    enum class Flow : uint8_t { kNext, kBreak, kContinue };
    friend class Nested;

    Flow exec(const Body& body, Frame& frame);
    Flow execIf(const IfNode& node, Frame& frame);
    void execFor(const ForNode& node, Frame& frame, const Value& items, int64_t depth);
    Flow execBlock(const BlockNode& node, Frame& frame);
    void execCall(const CallNode& node, Frame& frame);
    void print(const Value& v);
    void emit(const Str& s, Tag extra = 0) { out_->emit(s, turn_, extra); checkOutput(); }
    void checkOutput() { r.checkSize(out_->size()); }
    template <class F>
    const Str* captured(F body);  // what it prints

    Value* lookup(NameId name, Frame& frame);
    void store(Frame& frame, NameId name, const Value& value);
    void assign(const Target& target, const Value& value, Frame& frame, Frame& to);

    Value eval(const Expr& e, Frame& frame);
    Value evalName(const Expr& e, Frame& frame);
    Value evalItems(const Expr& e, Frame& frame);
    Value evalCompare(const Expr& e, Frame& frame);
    Value evalConcat(const Expr& e, Frame& frame);
    Value evalCall(const Expr& e, Frame& frame, const Value* caller = nullptr);
    Value evalFilter(const Expr& e, Frame& frame, const Value* value = nullptr);
    Value evalTest(const Expr& e, Frame& frame);
    Value evalUnary(const Expr& e, Frame& frame);
    void evalArguments(const Expr& e, Frame& frame, Arguments& out);
    Value makeMacro(const MacroNode& node, Frame& frame);
    Value callMacro(const Macro& macro, const Arguments& arguments);
    Value callGlobal(uint32_t id, const Arguments& arguments);

    const Tree& tree_;
    Runtime& r;
    std::vector<Value> context_;
    std::vector<char> known_;
    Frame root_;
    Writer* out_ = nullptr;
    Tag turn_ = 0;
    std::vector<std::unique_ptr<Arguments>> kept_;
    int line_ = 0, depth_ = 0, calls_ = 0, loops_ = 0;
};

template <class F>
const Str* Interpreter::captured(F body) {
    Writer mine;
    Writer* const outer = out_;
    struct Back {
        Writer*& slot;
        Writer* outer;
        ~Back() { slot = outer; }
    } back{out_, outer};
    out_ = &mine;
    body();
    return r.str(mine);
}

// Methods of strings, dicts, lists, loops.
int methodId(std::string_view name);              // -1: none has one of this name
bool hasMethod(const Value& v, int id);
bool isUnsafe(const Value& v, std::string_view name);  // would change a list or dict
Value callMethod(Interpreter& in, Runtime& r, const Method& method, const Arguments& arguments);

int globalId(std::string_view name);              // -1: none
void formatPercent(Runtime& r, const Str& format, const Value& arguments, Writer& out);
void formatBraces(Interpreter& in, Runtime& r, const Str& format, const Arguments& arguments, Writer& out);
Value toInteger(Runtime& r, const Value& v, int base, bool& ok);  // int(v)
Value toReal(const Value& v, bool& ok);                           // float(v)
const Str* joinMarkup(Runtime& r, const Str& a, const Str& b);     // of which one is markup

}  // namespace assay::data::jinja
