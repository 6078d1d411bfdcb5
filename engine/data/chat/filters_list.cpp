// Filters over lists, mappings and what else can be walked.
#include <algorithm>

#include "chat/filters.h"
#include "chat/parser.h"
#include "chat/py_text.h"

namespace assay::data::jinja {
namespace {
using C = const FilterCall&;

Value folded(Runtime& r, const Value& v) { return v.isString() ? r.text(lowerText(v.text())) : v; }
Value keyOf(C c, const Value& v, const Value* attribute, bool caseSensitive, const Value* fallback = nullptr) {
    Value key = v;
    if (attribute && !attribute->isNone()) key = c.in.path(v, *attribute, fallback);
    return caseSensitive ? key : folded(c.r, key);
}

Value length(C c) { return Value::of(c.r.length(c.value)); }
Value list(C c) { return c.r.list(c.r.items(c.value)); }

Value first(C c) {
    Value v;
    return c.r.iterate(c.value)->next(v) ? v : c.r.missing("there is no first item");
}
Value last(C c) {
    if (c.value.kind == Kind::kIterator || (!c.r.hasLength(c.value) && c.value.kind != Kind::kUndefined)) {
        if (c.value.kind != Kind::kView) raise(std::string("a value of type '") + typeName(c.value) + "' has no last item");
    }
    const auto items = c.r.items(c.value);
    return items.empty() ? c.r.missing("there is no last item") : items.back();
}

Value join(C c) {
    const Str* const separator = c.a.text(0, c.r, "");
    Writer w;
    bool any = false;
    Iterator* const it = c.r.iterate(c.value);
    for (Value v; it->next(v);) {
        c.r.step();
        if (any) w.add(*separator);
        any = true;
        c.r.write(c.a.has(1) && !c.a[1].isNone() ? c.in.path(v, c.a[1]) : v, w);
        c.r.checkSize(w.size());
    }
    return Value::of(c.r.str(w));
}

Value items(C c) {
    if (c.value.isUndefined()) return c.r.iterator([](Value&) { return false; });
    if (c.value.kind != Kind::kDict)  // found out when it is walked over
        return c.r.iterator([type = typeName(c.value)](Value&) -> bool { raise(std::string("'items' wants a mapping, not a value of type '") + type + "'"); });
    Value v = Value::of(Kind::kIterator);
    Value view = Value::of(Kind::kView);
    view.view = c.r.arena.make(View{View::What::kItems, c.value.dict});
    v.iterator = c.r.iterate(view);
    return v;
}

void sortBy(C c, std::vector<std::pair<Value, Value>>& keyed, bool reverse) {
    const auto less = [&](const auto& a, const auto& b) { return c.r.compare(a.first, b.first, "<") == -1; };
    if (reverse) {  // stable in the other direction too
        std::reverse(keyed.begin(), keyed.end());
        std::stable_sort(keyed.begin(), keyed.end(), less);
        std::reverse(keyed.begin(), keyed.end());
    } else {
        std::stable_sort(keyed.begin(), keyed.end(), less);
    }
}
Value valuesOf(C c, const std::vector<std::pair<Value, Value>>& keyed) {
    std::vector<Value> out;
    for (const auto& [key, value] : keyed) out.push_back(value);
    return c.r.list(out);
}

Value dictSort(C c) {
    if (c.value.isUndefined()) raiseUndefined(c.value);
    if (c.value.kind != Kind::kDict) raise(std::string("'dictsort' wants a mapping, not a value of type '") + typeName(c.value) + "'");
    const std::string by(c.a.text(1, c.r, "key")->view());
    if (by != "key" && by != "value") raise("'dictsort' sorts by key or value, not by '" + by + "'");
    std::vector<std::pair<Value, Value>> keyed;
    for (uint32_t i = 0; i < c.value.dict->size; ++i) {
        const auto& e = c.value.dict->entries[i];
        keyed.emplace_back(keyOf(c, by == "key" ? e.key : e.value, nullptr, c.a.flag(0, false)), c.r.pair(e.key, e.value));
    }
    sortBy(c, keyed, c.a.flag(2, false));
    return valuesOf(c, keyed);
}

Value sort(C c) {
    std::vector<std::pair<Value, Value>> keyed;
    const bool several = c.a.has(2) && c.a[2].isString() && c.a[2].text().find(',') != std::string_view::npos;
    for (const Value& v : c.r.items(c.value)) {
        if (several) {
            std::vector<Value> keys;
            for (std::string_view rest = c.a[2].text();;) {
                const size_t comma = std::min(rest.find(','), rest.size());
                const Value part = c.r.text(rest.substr(0, comma));
                keys.push_back(keyOf(c, v, &part, c.a.flag(1, false)));
                if (comma == rest.size()) break;
                rest.remove_prefix(comma + 1);
            }
            keyed.emplace_back(c.r.list(keys), v);
        } else {
            keyed.emplace_back(keyOf(c, v, c.a.has(2) ? &c.a[2] : nullptr, c.a.flag(1, false)), v);
        }
    }
    sortBy(c, keyed, c.a.flag(0, false));
    return valuesOf(c, keyed);
}

Value extreme(C c, bool largest) {
    bool any = false;
    Value best, bestKey;
    Iterator* const it = c.r.iterate(c.value);
    for (Value v; it->next(v);) {
        const Value key = keyOf(c, v, c.a.has(1) ? &c.a[1] : nullptr, c.a.flag(0, false));
        if (!any || (largest ? c.r.compare(key, bestKey, ">") == 1 : c.r.compare(key, bestKey, "<") == -1)) {
            best = v;
            bestKey = key;
        }
        any = true;
    }
    return any ? best : c.r.missing("there is no item to choose from");
}
Value maximum(C c) { return extreme(c, true); }
Value minimum(C c) { return extreme(c, false); }

Value unique(C c) {
    std::vector<Dict::Entry> seen;
    std::vector<Value> out;
    for (const Value& v : c.r.items(c.value)) {
        const Value key = keyOf(c, v, c.a.has(1) ? &c.a[1] : nullptr, c.a.flag(0, false));
        const size_t before = seen.size();
        c.r.set(seen, key, Value::none());
        if (seen.size() > before) out.push_back(v);
    }
    Value it = Value::of(Kind::kIterator);
    it.iterator = c.r.iterate(c.r.list(out));
    return it;
}

Value sum(C c) {
    Value total = c.a.has(1) ? c.a[1] : Value::of(int64_t{0});
    if (total.isString()) raise("'sum' adds no strings; use join");
    for (const Value& v : c.r.items(c.value)) total = c.in.binary(Op::kAdd, total, c.a.has(0) && !c.a[0].isNone() ? c.in.path(v, c.a[0]) : v);
    return total;
}

Value reverse(C c) {
    if (c.value.isString()) return c.in.slice(c.value, Value::none(), Value::none(), Value::of(int64_t{-1}));
    auto items = c.r.items(c.value);
    std::reverse(items.begin(), items.end());
    const Value out = c.r.list(items);
    if (c.value.kind == Kind::kIterator) return out;
    Value it = Value::of(Kind::kIterator);
    it.iterator = c.r.iterate(out);
    return it;
}

Value batch(C c) {
    const int64_t size = c.a.integer(0, 1);
    std::vector<Value> rows, row;
    for (const Value& v : c.r.items(c.value)) {
        if (static_cast<int64_t>(row.size()) == size) {
            rows.push_back(c.r.list(row));
            row.clear();
        }
        row.push_back(v);
    }
    if (!row.empty()) {
        if (c.a.has(1) && !c.a[1].isNone()) {
            if (size > 1'000'000) raise("'batch' is asked for rows of " + std::to_string(size));
            c.r.step(size);
            while (static_cast<int64_t>(row.size()) < size) row.push_back(c.a[1]);
        }
        rows.push_back(c.r.list(row));
    }
    Value it = Value::of(Kind::kIterator);
    it.iterator = c.r.iterate(c.r.list(rows));
    return it;
}

Value slices(C c) {
    const auto items = c.r.items(c.value);
    const int64_t n = c.a.integer(0, 1), size = static_cast<int64_t>(items.size());
    if (n == 0) raise("division by zero");
    std::vector<Value> rows;
    int64_t at = 0;
    c.r.step(std::max<int64_t>(n, 0));
    for (int64_t i = 0; i < n; ++i) {
        const int64_t end = at + size / n + (i < size % n ? 1 : 0);
        std::vector<Value> row(items.begin() + at, items.begin() + end);
        if (c.a.has(1) && !c.a[1].isNone() && i >= size % n) row.push_back(c.a[1]);
        rows.push_back(c.r.list(row));
        at = end;
    }
    Value it = Value::of(Kind::kIterator);
    it.iterator = c.r.iterate(c.r.list(rows));
    return it;
}

Value groupBy(C c) {
    const bool caseSensitive = c.a.flag(2, false);
    const Value* fallback = c.a.has(1) ? &c.a[1] : nullptr;
    std::vector<std::pair<Value, Value>> keyed;
    for (const Value& v : c.r.items(c.value)) keyed.emplace_back(keyOf(c, v, &c.a[0], caseSensitive, fallback), v);
    sortBy(c, keyed, false);
    std::vector<Value> groups;
    for (size_t i = 0; i < keyed.size();) {
        std::vector<Value> group;
        const Value key = caseSensitive ? keyed[i].first : keyOf(c, keyed[i].second, &c.a[0], true, fallback);
        size_t end = i;
        for (; end < keyed.size() && c.r.equal(keyed[end].first, keyed[i].first); ++end) group.push_back(keyed[end].second);
        Value pair = c.r.pair(key, c.r.list(group));
        pair.global = 1;  // its parts have names
        groups.push_back(pair);
        i = end;
    }
    return c.r.list(groups);
}

Value attr(C c) {
    const Str* const name = c.a.text(0, c.r, "");
    const int method = methodId(name->view());
    if (c.value.kind == Kind::kDict && !(method >= 0 && hasMethod(c.value, method))) return c.r.undefined(Undefined::Why::kAttribute, name, "dict");
    return c.in.attribute(c.value, name, method);
}

Value fallbackTo(C c) {
    const bool missing = c.value.isUndefined() || (c.a.flag(1, false) && !truth(c.value));
    if (!missing) return c.value;
    return c.a.has(0) ? c.a[0] : Value::of(c.r.view(""));
}

// map('filter', …), map(attribute='a', default=…)
Value map(C c) {
    struct Work {
        Interpreter* in;
        Iterator* source;
        const Arguments* arguments;
        const Value *attribute, *fallback;
        int filter;
    };
    Arguments& a = *c.in.keep(c.raw);
    Work work{&c.in, nullptr, &a, nullptr, nullptr, -1};
    if (a.places.empty()) {
        for (const auto& [name, value] : a.names) {
            if (name == "attribute") work.attribute = &value;
            else if (name == "default") work.fallback = &value;
            else raise("'map' has no parameter '" + std::string(name) + "'");
        }
        if (!work.attribute) raise("'map' wants the name of a filter, or attribute=");
    } else {
        if (!a.places[0].isString()) raise("'map' wants the name of a filter");
        const std::string name(a.places[0].text());
        a.places.erase(a.places.begin());
        work.filter = filterId(name);
        if (work.filter < 0) raise("there is no filter '" + name + "'");
    }
    if (!truth(c.value)) return c.r.iterator([](Value&) { return false; });
    work.source = c.r.iterate(c.value);
    return c.r.iterator([work, r = &c.r](Value& out) {
        Value v;
        if (!work.source->next(v)) return false;
        r->step();
        if (work.filter >= 0) {
            out = work.in->applyFilter(work.filter, v, *work.arguments);
        } else {
            out = work.in->path(v, *work.attribute, work.fallback);
        }
        return true;
    });
}

Value choose(C c, bool wanted, bool byAttribute) {
    struct Work {
        Interpreter* in;
        Iterator* source;
        const Arguments* arguments;
        Value attribute;
        int test;
        bool wanted, byAttribute;
    };
    Arguments& a = *c.in.keep(c.raw);
    Work work{&c.in, nullptr, &a, Value(), -1, wanted, byAttribute};
    if (byAttribute) {
        if (a.places.empty()) raise("the name of an attribute is missing");
        work.attribute = a.places[0];
        a.places.erase(a.places.begin());
    }
    if (!a.places.empty()) {
        if (!a.places[0].isString()) raise("the name of a test is a string");
        const std::string name(a.places[0].text());
        a.places.erase(a.places.begin());
        work.test = testId(name);
        if (work.test < 0) raise("there is no test '" + name + "'");
    }
    if (!truth(c.value)) return c.r.iterator([](Value&) { return false; });
    work.source = c.r.iterate(c.value);
    return c.r.iterator([work, r = &c.r](Value& out) {
        while (work.source->next(out)) {
            r->step();
            const Value v = work.byAttribute ? work.in->path(out, work.attribute) : out;
            if ((work.test < 0 ? truth(v) : work.in->applyTest(work.test, v, *work.arguments)) == work.wanted) return true;
        }
        return false;
    });
}
Value select(C c) { return choose(c, true, false); }
Value reject(C c) { return choose(c, false, false); }
Value selectAttr(C c) { return choose(c, true, true); }
Value rejectAttr(C c) { return choose(c, false, true); }

constexpr Filter kListFilters[] = {
    {"length", length},
    {"count", length},
    {"list", list},
    {"first", first},
    {"last", last},
    {"join", join, "d attribute"},
    {"items", items},
    {"dictsort", dictSort, "case_sensitive by reverse"},
    {"sort", sort, "reverse case_sensitive attribute"},
    {"max", maximum, "case_sensitive attribute"},
    {"min", minimum, "case_sensitive attribute"},
    {"unique", unique, "case_sensitive attribute"},
    {"sum", sum, "attribute start"},
    {"reverse", reverse},
    {"batch", batch, "linecount fill_with", 1},
    {"slice", slices, "slices fill_with", 1},
    {"groupby", groupBy, "attribute default case_sensitive", 1},
    {"attr", attr, "name", 1},
    {"default", fallbackTo, "default_value boolean"},
    {"d", fallbackTo, "default_value boolean"},
    {"map", map, "*"},
    {"select", select, "*"},
    {"reject", reject, "*"},
    {"selectattr", selectAttr, "*"},
    {"rejectattr", rejectAttr, "*"},
};

}  // namespace

std::span<const Filter> listFilters() { return kListFilters; }

}  // namespace assay::data::jinja
