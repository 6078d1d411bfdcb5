// What Python does with values of any type: truth, equality, order, length, walking, membership.
#include <algorithm>
#include <cmath>

#include "chat/loop.h"
#include "chat/py_text.h"
#include "chat/runtime.h"

namespace assay::data::jinja {
namespace {
constexpr int kCompareDepth = 200;
}

const char* typeName(const Value& v) {
    switch (v.kind) {
        case Kind::kUndefined: return "Undefined";
        case Kind::kNone: return "NoneType";
        case Kind::kBool: return "bool";
        case Kind::kInt: return "int";
        case Kind::kFloat: return "float";
        case Kind::kString: return "str";
        case Kind::kList: return "list";
        case Kind::kTuple: return "tuple";
        case Kind::kDict: return "dict";
        case Kind::kRange: return "range";
        case Kind::kView:
            return v.view->what == View::What::kItems ? "dict_items" : v.view->what == View::What::kKeys ? "dict_keys" : "dict_values";
        case Kind::kNamespace: return "Namespace";
        case Kind::kIterator: return "generator";
        case Kind::kMacro: return "Macro";
        case Kind::kLoop: return "LoopContext";
        case Kind::kMethod:
        case Kind::kGlobal: return "function";
        case Kind::kCycler: return "Cycler";
        case Kind::kJoiner: return "Joiner";
    }
    return "object";
}

bool truth(const Value& v) {
    switch (v.kind) {
        case Kind::kUndefined:
        case Kind::kNone: return false;
        case Kind::kBool: return v.boolean;
        case Kind::kInt: return v.integer != 0;
        case Kind::kFloat: return v.real != 0;
        case Kind::kString: return v.string->size != 0;
        case Kind::kList:
        case Kind::kTuple: return v.seq->size != 0;
        case Kind::kDict: return v.dict->size != 0;
        case Kind::kRange: return v.range->size != 0;
        case Kind::kView: return v.view->dict->size != 0;
        case Kind::kLoop: return v.loop->length() != 0;
        default: return true;
    }
}

std::string undefinedMessage(const Value& v) {
    const Undefined* u = v.undefined;
    if (!u || !u->name) return "an undefined value is used";
    const std::string name(u->name->view());
    switch (u->why) {
        case Undefined::Why::kName: return "'" + name + "' is undefined";
        case Undefined::Why::kAttribute: return "'" + std::string(u->type) + "' has no attribute or element '" + name + "'";
        case Undefined::Why::kUnsafe: return "the attribute '" + name + "' of '" + u->type + "' may not be used in templates: they change nothing";
        case Undefined::Why::kMessage: return name;
    }
    return name;
}
void raiseUndefined(const Value& v) { raise(undefinedMessage(v)); }

bool Runtime::hasLength(const Value& v) const {
    switch (v.kind) {
        case Kind::kUndefined:
        case Kind::kString:
        case Kind::kList:
        case Kind::kTuple:
        case Kind::kDict:
        case Kind::kRange:
        case Kind::kView:
        case Kind::kLoop: return true;
        default: return false;
    }
}

int64_t Runtime::length(const Value& v) {
    switch (v.kind) {
        case Kind::kUndefined: return 0;
        case Kind::kString: spend(v.string->size); return static_cast<int64_t>(countCharacters(v.text()));
        case Kind::kList:
        case Kind::kTuple: return v.seq->size;
        case Kind::kDict: return v.dict->size;
        case Kind::kRange: return v.range->size;
        case Kind::kView: return v.view->dict->size;
        case Kind::kLoop: return v.loop->length();
        default: raise(std::string("a value of type '") + typeName(v) + "' has no length");
    }
}

Iterator* Runtime::iterate(const Value& v) {
    switch (v.kind) {
        case Kind::kUndefined: return iterator([](Value&) { return false; }).iterator;
        case Kind::kIterator: return v.iterator;
        case Kind::kList:
        case Kind::kTuple:
            return iterator([s = v.seq, i = uint32_t{0}](Value& out) mutable {
                       if (i >= s->size) return false;
                       out = s->items[i++];
                       return true;
                   }).iterator;
        case Kind::kString:
            return iterator([this, s = v.string, at = size_t{0}](Value& out) mutable {
                       if (at >= s->size) return false;
                       const size_t n = characterBytes(s->view(), at);
                       out = Value::of(slice(*s, at, at + n));
                       at += n;
                       return true;
                   }).iterator;
        case Kind::kRange:
            return iterator([r = v.range, i = int64_t{0}](Value& out) mutable {
                       if (i >= r->size) return false;
                       out = Value::of(r->at(i++));
                       return true;
                   }).iterator;
        case Kind::kDict:
        case Kind::kView: {
            const bool view = v.kind == Kind::kView;
            const View::What what = view ? v.view->what : View::What::kKeys;
            return iterator([this, d = view ? v.view->dict : v.dict, what, i = uint32_t{0}](Value& out) mutable {
                       if (i >= d->size) return false;
                       const auto& e = d->entries[i++];
                       out = what == View::What::kKeys ? e.key : what == View::What::kValues ? e.value : pair(e.key, e.value);
                       return true;
                   }).iterator;
        }
        default: raise(std::string("a value of type '") + typeName(v) + "' cannot be iterated over");
    }
}

std::vector<Value> Runtime::items(const Value& v) {
    std::vector<Value> out;
    Iterator* const it = iterate(v);
    for (Value x; it->next(x);) {
        step();
        if (out.size() * sizeof(Value) > options.limits.memoryBytes) raise("the template needs more memory than a rendering may take");
        out.push_back(x);
    }
    return out;
}

bool Runtime::equal(const Value& a, const Value& b, int depth) {
    step();
    if (depth > kCompareDepth) raise("values that are compared lie too deep in one another");
    if (a.isNumber() && b.isNumber()) {
        if (a.isInteger() && b.isInteger()) return a.asInteger() == b.asInteger();
        return a.asReal() == b.asReal();
    }
    if (a.kind != b.kind) return false;
    switch (a.kind) {
        case Kind::kUndefined:
        case Kind::kNone: return true;
        case Kind::kString: spend(std::min(a.string->size, b.string->size)); return a.text() == b.text();
        case Kind::kList:
        case Kind::kTuple: {
            if (a.seq == b.seq) return true;
            if (a.seq->size != b.seq->size) return false;
            for (uint32_t i = 0; i < a.seq->size; ++i)
                if (!equal(a.seq->items[i], b.seq->items[i], depth + 1)) return false;
            return true;
        }
        case Kind::kDict: {
            if (a.dict == b.dict) return true;
            if (a.dict->size != b.dict->size) return false;
            for (uint32_t i = 0; i < a.dict->size; ++i) {
                const Value* other = find(*b.dict, a.dict->entries[i].key);
                if (!other || !equal(a.dict->entries[i].value, *other, depth + 1)) return false;
            }
            return true;
        }
        case Kind::kRange:
            return a.range->size == b.range->size && (a.range->size == 0 || (a.range->start == b.range->start && (a.range->size == 1 || a.range->step == b.range->step)));
        case Kind::kGlobal: return a.global == b.global;
        case Kind::kView: return a.view->what != View::What::kValues && a.view->what == b.view->what && equal(Value::of(a.view->dict), Value::of(b.view->dict), depth + 1);
        default: return a.string == b.string;  // the same object
    }
}

int Runtime::compare(const Value& a, const Value& b, const char* op, int depth) {
    step();
    if (depth > kCompareDepth) raise("values that are compared lie too deep in one another");
    if (a.isNumber() && b.isNumber()) {
        if (a.isInteger() && b.isInteger()) return a.asInteger() < b.asInteger() ? -1 : a.asInteger() > b.asInteger();
        const double x = a.asReal(), y = b.asReal();
        return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;  // 2: NaN
    }
    if (a.isUndefined()) raiseUndefined(a);
    if (b.isUndefined()) raiseUndefined(b);
    if (a.isString() && b.isString()) {
        spend(std::min(a.string->size, b.string->size));
        const int c = a.text().compare(b.text());  // the order of UTF-8 is that of code points
        return c < 0 ? -1 : c > 0;
    }
    if (a.isSeq() && a.kind == b.kind) {
        const uint32_t n = std::min(a.seq->size, b.seq->size);
        for (uint32_t i = 0; i < n; ++i)
            if (!equal(a.seq->items[i], b.seq->items[i], depth + 1)) return compare(a.seq->items[i], b.seq->items[i], op, depth + 1);
        return a.seq->size < b.seq->size ? -1 : a.seq->size > b.seq->size;
    }
    raise(std::string("'") + op + "' is not defined between '" + typeName(a) + "' and '" + typeName(b) + "'");
}

void Runtime::checkKey(const Value& key) const {
    if (key.kind == Kind::kList || key.kind == Kind::kDict) raise(std::string("a value of type '") + typeName(key) + "' cannot be a key");
    if (key.kind == Kind::kTuple)
        for (uint32_t i = 0; i < key.seq->size; ++i) checkKey(key.seq->items[i]);
}

const Value* Runtime::find(const Dict& d, std::string_view key) {
    step(d.size / 16 + 1);
    for (uint32_t i = 0; i < d.size; ++i)
        if (d.entries[i].key.isString() && d.entries[i].key.text() == key) return &d.entries[i].value;
    return nullptr;
}
const Value* Runtime::find(const Dict& d, const Value& key) {
    if (key.isString()) return find(d, key.text());
    checkKey(key);
    for (uint32_t i = 0; i < d.size; ++i)
        if (!d.entries[i].key.isString() && equal(d.entries[i].key, key)) return &d.entries[i].value;
    return nullptr;
}

void Runtime::set(std::vector<Dict::Entry>& entries, const Value& key, const Value& value) {
    checkKey(key);
    step(static_cast<int64_t>(entries.size() / 8 + 1));
    for (Dict::Entry& e : entries)
        if (key.isString() ? e.key.isString() && e.key.text() == key.text() : equal(e.key, key)) {
            e.value = value;
            return;
        }
    entries.push_back({key, value});
}

bool Runtime::contains(const Value& container, const Value& item) {
    switch (container.kind) {
        case Kind::kString:
            if (!item.isString()) {
                raise(std::string("'in' looks for a string in a string, not for a value of type '") + typeName(item) + "'");
            }
            spend(container.string->size);
            return container.text().find(item.text()) != std::string_view::npos;
        case Kind::kDict: return find(*container.dict, item) != nullptr;
        case Kind::kView:
            if (container.view->what == View::What::kKeys) return find(*container.view->dict, item) != nullptr;
            break;
        case Kind::kUndefined: return false;
        default: break;
    }
    Iterator* const it = iterate(container);
    for (Value x; it->next(x);)
        if (equal(x, item)) return true;
    return false;
}

}  // namespace assay::data::jinja
