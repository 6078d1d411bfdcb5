// Methods of mappings, lists, loops and cyclers, and how a method is found.
#include <algorithm>
#include <iterator>

#include "chat/methods.h"

namespace assay::data::jinja {
namespace {
using M = const MethodCall&;

Value view(M m, View::What what) {
    m.bind("the method", "");
    Value v = Value::of(Kind::kView);
    v.view = m.r.arena.make(View{what, m.self.dict});
    return v;
}
Value getKey(M m) {
    const Bound a = m.bind("get", "key default", 1);
    if (const Value* v = m.r.find(*m.self.dict, a[0])) return *v;
    return a.has(1) ? a[1] : Value::none();
}
Value countItem(M m) {
    const Bound a = m.bind("count", "value", 1);
    int64_t n = 0;
    for (uint32_t i = 0; i < m.self.seq->size; ++i) n += m.r.equal(m.self.seq->items[i], a[0]);
    return Value::of(n);
}
Value indexOf(M m) {
    const Bound a = m.bind("index", "value start stop", 1);
    const int64_t n = m.self.seq->size;
    const auto place = [&](size_t i, int64_t fallback) {
        const int64_t v = a.integer(i, fallback);
        return v < 0 ? std::max<int64_t>(v + n, 0) : v;
    };
    for (int64_t i = place(1, 0); i < std::min(place(2, n), n); ++i)
        if (m.r.equal(m.self.seq->items[i], a[0])) return Value::of(i);
    raise("'index' does not find the value");
}
Value cycle(M m) {
    if (m.raw.places.empty()) raise("'cycle' is called without values");
    return m.raw.places[static_cast<size_t>(m.self.loop->index0) % m.raw.places.size()];
}
Value changed(M m) {
    const Value now = m.r.tuple(m.raw.places);
    Loop& loop = *m.self.loop;
    if (loop.hasChanged && m.r.equal(loop.changed, now)) return Value::of(false);
    loop.hasChanged = true;
    loop.changed = now;
    return Value::of(true);
}
Value nextItem(M m) {
    Cycler& c = *m.self.cycler;
    const Value v = c.items->items[c.at];
    c.at = (c.at + 1) % c.items->size;
    return v;
}

constexpr MethodEntry kMethods[] = {
    {"items", kMap, [](M m) { return view(m, View::What::kItems); }},
    {"keys", kMap, [](M m) { return view(m, View::What::kKeys); }},
    {"values", kMap, [](M m) { return view(m, View::What::kValues); }},
    {"get", kMap, getKey},
    {"copy", kMap | kRow, [](M m) { return m.self; }},
    {"count", kText | kRow | kTupleRow, [](M m) { return m.self.isString() ? countText(m) : countItem(m); }},
    {"index", kText | kRow | kTupleRow, [](M m) { return m.self.isString() ? indexText(m) : indexOf(m); }},
    {"cycle", kTurns, cycle},
    {"changed", kTurns, changed},
    {"next", kCycle, nextItem},
    // What would change a list or a mapping exists, and may not be called.
    {"append", kRow, nullptr},
    {"extend", kRow, nullptr},
    {"insert", kRow, nullptr},
    {"remove", kRow, nullptr},
    {"sort", kRow, nullptr},
    {"reverse", kRow, nullptr},
    {"clear", kRow | kMap, nullptr},
    {"pop", kRow | kMap, nullptr},
    {"popitem", kMap, nullptr},
    {"setdefault", kMap, nullptr},
    {"update", kMap, nullptr},
};

uint8_t maskOf(const Value& v) {
    switch (v.kind) {
        case Kind::kString: return kText;
        case Kind::kDict: return kMap;
        case Kind::kList: return kRow;
        case Kind::kTuple: return kTupleRow;
        case Kind::kLoop: return kTurns;
        case Kind::kCycler: return kCycle;
        default: return 0;
    }
}

const MethodEntry& entryOf(int id) {
    const auto texts = textMethods();
    const auto at = static_cast<size_t>(id);
    return at < texts.size() ? texts[at] : kMethods[at - texts.size()];
}

}  // namespace

int methodId(std::string_view name) {
    const auto texts = textMethods();
    for (size_t i = 0; i < texts.size(); ++i)
        if (texts[i].name == name) return static_cast<int>(i);
    for (size_t i = 0; i < std::size(kMethods); ++i)
        if (kMethods[i].name == name) return static_cast<int>(texts.size() + i);
    return -1;
}
bool hasMethod(const Value& v, int id) { return entryOf(id).on & maskOf(v); }
bool isUnsafe(const Value&, std::string_view name) {
    const int id = methodId(name);
    return id >= 0 && !entryOf(id).run;
}
Value callMethod(Interpreter& in, Runtime& r, const Method& method, const Arguments& arguments) {
    r.step();
    return entryOf(method.id).run({in, r, method.self, arguments});
}

}  // namespace assay::data::jinja
