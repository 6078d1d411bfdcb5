// Tests: what stands after `is`.
#include <algorithm>
#include <iterator>

#include "chat/interpreter.h"
#include "chat/parser.h"
#include "chat/py_text.h"

namespace assay::data::jinja {
namespace {

struct TestCall {
    Runtime& r;
    const Value& v;
    const Bound& a;
};
using T = const TestCall&;

// As str.islower and str.isupper: at least one cased character and none of the other case.
bool oneCase(T t, bool upper) {
    const std::string_view s = t.r.toStr(t.v)->view();
    bool any = false;
    for (size_t at = 0; at < s.size(); at += characterBytes(s, at)) {
        const char32_t c = characterAt(s, at);
        if (isTitle(c) || (upper ? isLower(c) : isUpper(c))) return false;
        any |= upper ? isUpper(c) : isLower(c);
    }
    return any;
}
int64_t remainder(T t, int64_t by) {
    if (t.v.isUndefined()) raiseUndefined(t.v);
    if (!t.v.isInteger()) raise(std::string("a whole number is wanted, not a value of type '") + typeName(t.v) + "'");
    if (by == 0) raise("division by zero");
    if (by == -1) return 0;
    const int64_t m = t.v.asInteger() % by;
    return m != 0 && (m < 0) != (by < 0) ? m + by : m;
}
bool same(const Value& a, const Value& b) {
    if (a.kind != b.kind) return false;
    switch (a.kind) {
        case Kind::kNone: return true;
        case Kind::kBool: return a.boolean == b.boolean;
        case Kind::kInt: return a.integer == b.integer && a.integer >= -5 && a.integer <= 256;  // those that Python keeps one of
        default: return a.string == b.string;
    }
}

struct Test {
    std::string_view name;
    bool (*run)(T);
    const char* parameters = "";
};
constexpr Test kTests[] = {
    {"defined", [](T t) { return !t.v.isUndefined(); }},
    {"undefined", [](T t) { return t.v.isUndefined(); }},
    {"none", [](T t) { return t.v.isNone(); }},
    {"string", [](T t) { return t.v.isString(); }},
    {"mapping", [](T t) { return t.v.kind == Kind::kDict; }},
    {"sequence", [](T t) { return t.v.isUndefined() || t.v.isString() || t.v.isSeq() || t.v.kind == Kind::kDict || t.v.kind == Kind::kRange; }},
    {"iterable", [](T t) { return t.v.isUndefined() || t.v.isString() || t.v.isSeq() || t.v.kind == Kind::kDict || t.v.kind == Kind::kRange || t.v.kind == Kind::kView ||
                                  t.v.kind == Kind::kIterator || t.v.kind == Kind::kLoop; }},
    {"number", [](T t) { return t.v.isNumber(); }},
    {"integer", [](T t) { return t.v.kind == Kind::kInt; }},
    {"float", [](T t) { return t.v.kind == Kind::kFloat; }},
    {"boolean", [](T t) { return t.v.kind == Kind::kBool; }},
    {"true", [](T t) { return t.v.kind == Kind::kBool && t.v.boolean; }},
    {"false", [](T t) { return t.v.kind == Kind::kBool && !t.v.boolean; }},
    {"callable", [](T t) { return t.v.isUndefined() || t.v.kind == Kind::kMacro || t.v.kind == Kind::kMethod || t.v.kind == Kind::kGlobal || t.v.kind == Kind::kLoop || t.v.kind == Kind::kJoiner; }},
    {"escaped", [](T t) { return t.v.isString() && t.v.string->markup; }},
    {"lower", [](T t) { return oneCase(t, false); }},
    {"upper", [](T t) { return oneCase(t, true); }},
    {"odd", [](T t) { return remainder(t, 2) == 1; }},
    {"even", [](T t) { return remainder(t, 2) == 0; }},
    {"divisibleby", [](T t) { return remainder(t, t.a.integer(0, 1)) == 0; }, "num"},
    {"sameas", [](T t) { return same(t.v, t.a[0]); }, "other"},
    {"in", [](T t) { return t.r.contains(t.a[0], t.v); }, "seq"},
    {"filter", [](T t) { return t.v.isString() && filterId(t.v.text()) >= 0; }},
    {"test", [](T t) { return t.v.isString() && testId(t.v.text()) >= 0; }},
    {"==", [](T t) { return t.r.equal(t.v, t.a[0]); }, "b"},
    {"eq", [](T t) { return t.r.equal(t.v, t.a[0]); }, "b"},
    {"equalto", [](T t) { return t.r.equal(t.v, t.a[0]); }, "b"},
    {"!=", [](T t) { return !t.r.equal(t.v, t.a[0]); }, "b"},
    {"ne", [](T t) { return !t.r.equal(t.v, t.a[0]); }, "b"},
    {">", [](T t) { return t.r.compare(t.v, t.a[0], ">") == 1; }, "b"},
    {"gt", [](T t) { return t.r.compare(t.v, t.a[0], ">") == 1; }, "b"},
    {"greaterthan", [](T t) { return t.r.compare(t.v, t.a[0], ">") == 1; }, "b"},
    {">=", [](T t) { const int c = t.r.compare(t.v, t.a[0], ">="); return c == 1 || c == 0; }, "b"},
    {"ge", [](T t) { const int c = t.r.compare(t.v, t.a[0], ">="); return c == 1 || c == 0; }, "b"},
    {"<", [](T t) { return t.r.compare(t.v, t.a[0], "<") == -1; }, "b"},
    {"lt", [](T t) { return t.r.compare(t.v, t.a[0], "<") == -1; }, "b"},
    {"lessthan", [](T t) { return t.r.compare(t.v, t.a[0], "<") == -1; }, "b"},
    {"<=", [](T t) { const int c = t.r.compare(t.v, t.a[0], "<="); return c == -1 || c == 0; }, "b"},
    {"le", [](T t) { const int c = t.r.compare(t.v, t.a[0], "<="); return c == -1 || c == 0; }, "b"},
};

}  // namespace

int testId(std::string_view name) {
    const auto* found = std::find_if(std::begin(kTests), std::end(kTests), [&](const Test& t) { return t.name == name; });
    return found == std::end(kTests) ? -1 : static_cast<int>(found - std::begin(kTests));
}

bool Interpreter::applyTest(int id, const Value& value, const Arguments& arguments) {
    const Test& t = kTests[id];
    r.step();
    const Bound bound(t.name, t.parameters, t.parameters[0] ? 1 : 0, arguments);
    return t.run({r, value, bound});
}

}  // namespace assay::data::jinja
