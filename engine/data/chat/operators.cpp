// Arithmetic, attributes, items, slices: as Python.
#include <algorithm>
#include <cmath>

#include "chat/interpreter.h"
#include "chat/py_text.h"

namespace assay::data::jinja {
namespace {

[[noreturn]] void mismatch(const char* op, const Value& a, const Value& b) {
    if (a.isUndefined()) raiseUndefined(a);
    if (b.isUndefined()) raiseUndefined(b);
    raise(std::string("'") + op + "' is not defined between '" + typeName(a) + "' and '" + typeName(b) + "'");
}
[[noreturn]] void overflow() { raise("a number is beyond 64 bits"); }

int64_t floorDivide(int64_t a, int64_t b) {
    if (b == 0) raise("division by zero");
    if (a == INT64_MIN && b == -1) overflow();
    const int64_t q = a / b;
    return q - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

Value power(const Value& a, const Value& b) {
    if (a.isInteger() && b.isInteger() && b.asInteger() >= 0) {
        int64_t result = 1, base = a.asInteger();
        for (int64_t n = b.asInteger(); n > 0; n >>= 1) {
            if ((n & 1) && __builtin_mul_overflow(result, base, &result)) overflow();
            if (n > 1 && __builtin_mul_overflow(base, base, &base)) overflow();
        }
        return Value::of(result);
    }
    const double x = a.asReal(), y = b.asReal();
    if (x == 0 && y < 0) raise("zero cannot be raised to a negative power");
    if (x < 0 && y != std::floor(y)) raise("a negative number is raised to a power that is not whole");
    const double p = std::pow(x, y);
    if (std::isinf(p) && !std::isinf(x) && !std::isinf(y)) raise("a result is too large");
    return Value::of(p);
}

double floorModulo(double a, double b) {
    double m = std::fmod(a, b);
    if (m != 0) {
        if ((b < 0) != (m < 0)) m += b;
    } else {
        m = std::copysign(0.0, b);
    }
    return m;
}
double floorQuotient(double a, double b) {
    double m = std::fmod(a, b), d = (a - m) / b;
    if (m != 0 && (b < 0) != (m < 0)) d -= 1;
    if (d == 0) return std::copysign(0.0, a / b);
    double f = std::floor(d);
    if (d - f > 0.5) f += 1;
    return f;
}

}  // namespace

const Str* joinMarkup(Runtime& r, const Str& a, const Str& b) {
    Writer w;
    for (const Str* s : {&a, &b}) {
        if (s->markup) w.add(*s);
        else if (const std::string escaped = escapeHtml(s->view()); escaped == s->view()) w.add(*s);
        else w.add(escaped, tagOfAll(*s));
    }
    auto* out = const_cast<Str*>(r.str(w));
    out->markup = true;
    return out;
}

Value Interpreter::binary(Op op, const Value& a, const Value& b) {
    const bool whole = a.isInteger() && b.isInteger(), numbers = a.isNumber() && b.isNumber();
    switch (op) {
        case Op::kAdd: {
            if (whole) {
                int64_t sum;
                if (__builtin_add_overflow(a.asInteger(), b.asInteger(), &sum)) overflow();
                return Value::of(sum);
            }
            if (numbers) return Value::of(a.asReal() + b.asReal());
            if (a.isString() && b.isString())
                return Value::of(a.string->markup || b.string->markup ? joinMarkup(r, *a.string, *b.string) : r.concat(*a.string, *b.string));
            if (a.isSeq() && a.kind == b.kind) {
                std::vector<Value> items(a.seq->items, a.seq->items + a.seq->size);
                items.insert(items.end(), b.seq->items, b.seq->items + b.seq->size);
                return a.kind == Kind::kList ? r.list(items) : r.tuple(items);
            }
            mismatch("+", a, b);
        }
        case Op::kSubtract: {
            if (whole) {
                int64_t difference;
                if (__builtin_sub_overflow(a.asInteger(), b.asInteger(), &difference)) overflow();
                return Value::of(difference);
            }
            if (numbers) return Value::of(a.asReal() - b.asReal());
            mismatch("-", a, b);
        }
        case Op::kMultiply: {
            if (whole) {
                int64_t product;
                if (__builtin_mul_overflow(a.asInteger(), b.asInteger(), &product)) overflow();
                return Value::of(product);
            }
            if (numbers) return Value::of(a.asReal() * b.asReal());
            const Value& many = a.isInteger() ? b : a;
            const Value& times = a.isInteger() ? a : b;
            if (!times.isInteger() || !(many.isString() || many.isSeq())) mismatch("*", a, b);
            const auto n = static_cast<size_t>(std::max<int64_t>(times.asInteger(), 0));
            if (many.isString()) {
                if (many.string->size == 0 || n == 0) return Value::of(r.view(""));
                if (n > r.options.limits.outputBytes) r.checkSize(n);
                r.checkSize(n * many.string->size);
                r.spend(n * many.string->size);
                Writer w;
                for (size_t i = 0; i < n; ++i) w.add(*many.string);
                return Value::of(r.str(w));
            }
            if (many.seq->size != 0 && n > r.options.limits.memoryBytes / sizeof(Value) / many.seq->size) raise("the template needs more memory than a rendering may take");
            std::vector<Value> items;
            r.step(static_cast<int64_t>(n * many.seq->size));
            items.reserve(n * many.seq->size);
            for (size_t i = 0; many.seq->size != 0 && i < n; ++i) items.insert(items.end(), many.seq->items, many.seq->items + many.seq->size);
            return many.kind == Kind::kList ? r.list(items) : r.tuple(items);
        }
        case Op::kDivide:
            if (!numbers) mismatch("/", a, b);
            if (b.asReal() == 0) raise("division by zero");
            return Value::of(a.asReal() / b.asReal());
        case Op::kFloorDivide:
            if (whole) return Value::of(floorDivide(a.asInteger(), b.asInteger()));
            if (!numbers) mismatch("//", a, b);
            if (b.asReal() == 0) raise("division by zero");
            return Value::of(floorQuotient(a.asReal(), b.asReal()));
        case Op::kModulo: {
            if (a.isString()) {
                Writer w;
                formatPercent(r, *a.string, b, w);
                return Value::of(r.str(w));
            }
            if (whole) {
                const int64_t x = a.asInteger(), y = b.asInteger();
                if (y == -1) return Value::of(int64_t{0});
                return Value::of(x - floorDivide(x, y) * y);
            }
            if (!numbers) mismatch("%", a, b);
            if (b.asReal() == 0) raise("division by zero");
            return Value::of(floorModulo(a.asReal(), b.asReal()));
        }
        case Op::kPower:
            if (!numbers) mismatch("**", a, b);
            return power(a, b);
        default: raise("an operator is not known");
    }
}

Value Interpreter::attribute(const Value& of, const Str* name, int method) {
    if (of.isUndefined()) raiseUndefined(of);
    const std::string_view text = name->view();
    if (of.kind == Kind::kLoop && !(method >= 0 && hasMethod(of, method))) {
        Loop& loop = *of.loop;
        if (text == "index") return Value::of(loop.index0 + 1);
        if (text == "index0") return Value::of(loop.index0);
        if (text == "first") return Value::of(loop.index0 == 0);
        if (text == "last") return Value::of(!loop.peek());
        if (text == "length") return Value::of(loop.length());
        if (text == "revindex") return Value::of(loop.length() - loop.index0);
        if (text == "revindex0") return Value::of(loop.length() - loop.index0 - 1);
        if (text == "depth") return Value::of(loop.depth0 + 1);
        if (text == "depth0") return Value::of(loop.depth0);
        if (text == "previtem") return loop.index0 == 0 ? r.missing("there is no previous item") : loop.before;
        if (text == "nextitem") return loop.peek() ? loop.after : r.missing("there is no next item");
    }
    if (method >= 0 && hasMethod(of, method)) {
        if (isUnsafe(of, text)) return r.undefined(Undefined::Why::kUnsafe, name, typeName(of));
        Value v = Value::of(Kind::kMethod);
        v.method = r.arena.make(Method{of, method});
        return v;
    }
    switch (of.kind) {
        case Kind::kDict:
            if (const Value* v = r.find(*of.dict, text)) return *v;
            break;
        case Kind::kNamespace:
            if (const Value* v = r.find(Dict{of.space->entries, of.space->size, 1}, text)) return *v;
            break;
        case Kind::kMacro:
            if (text == "name") return of.macro->name.empty() ? Value::none() : Value::of(r.view(of.macro->name));
            break;
        case Kind::kCycler:
            if (text == "current") return of.cycler->items->items[of.cycler->at];
            break;
        case Kind::kTuple:
            // What groupby makes has names for its two parts.
            if (of.seq->size == 2 && of.global == 1 && text == "grouper") return of.seq->items[0];
            if (of.seq->size == 2 && of.global == 1 && text == "list") return of.seq->items[1];
            break;
        default: break;
    }
    return r.undefined(Undefined::Why::kAttribute, name, typeName(of));
}

Value Interpreter::item(const Value& of, const Value& index) {
    const auto at = [&](int64_t size) {
        int64_t i = index.asInteger();
        if (i < 0) i += size;
        return i >= 0 && i < size ? i : int64_t{-1};
    };
    switch (of.kind) {
        case Kind::kUndefined: raiseUndefined(of);
        case Kind::kDict: {
            if (index.kind == Kind::kList || index.kind == Kind::kDict) break;
            if (const Value* v = r.find(*of.dict, index)) return *v;
            break;
        }
        case Kind::kList:
        case Kind::kTuple:
            if (!index.isInteger()) break;
            if (const int64_t i = at(of.seq->size); i >= 0) return of.seq->items[i];
            break;
        case Kind::kRange:
            if (!index.isInteger()) break;
            if (const int64_t i = at(of.range->size); i >= 0) return Value::of(of.range->at(i));
            break;
        case Kind::kString: {
            if (!index.isInteger()) break;
            const int64_t i = index.asInteger();
            const auto length = static_cast<int64_t>(countCharacters(of.text()));
            r.spend(of.string->size);
            if (const int64_t place = i < 0 ? i + length : i; place >= 0 && place < length) {
                const size_t begin = byteOf(of.text(), static_cast<size_t>(place));
                return Value::of(r.slice(*of.string, begin, begin + characterBytes(of.text(), begin)));
            }
            break;
        }
        default: break;
    }
    if (!index.isString()) {
        Writer w;
        if (index.kind == Kind::kInt || index.kind == Kind::kBool) r.repr(index, w);
        else w.add(typeName(index), 0);
        return r.undefined(Undefined::Why::kAttribute, r.str(w), typeName(of));
    }
    if (of.kind == Kind::kDict) {
        const int method = methodId(index.text());
        if (method >= 0 && hasMethod(of, method)) return attribute(of, index.string, method);
        return r.undefined(Undefined::Why::kAttribute, index.string, typeName(of));
    }
    return attribute(of, index.string, methodId(index.text()));
}

Value Interpreter::path(const Value& of, const Value& attribute, const Value* fallback) {
    const auto orElse = [&](const Value& v) { return fallback && !fallback->isNone() && v.isUndefined() ? *fallback : v; };
    if (!attribute.isString()) return orElse(item(of, attribute));
    Value v = of;
    std::string_view rest = attribute.text();
    while (true) {
        const size_t dot = std::min(rest.find('.'), rest.size());
        const std::string_view part = rest.substr(0, dot);
        const bool number = !part.empty() && part.size() < 18 && std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
        v = orElse(item(v, number ? Value::of(static_cast<int64_t>(std::stoll(std::string(part)))) : Value::of(r.str(part))));
        if (dot == rest.size()) return v;
        rest.remove_prefix(dot + 1);
    }
}

Value Interpreter::slice(const Value& of, const Value& start, const Value& stop, const Value& step) {
    if (of.isUndefined()) raiseUndefined(of);
    if (!of.isString() && !of.isSeq() && of.kind != Kind::kRange) return r.undefined(Undefined::Why::kAttribute, r.view("slice"), typeName(of));
    for (const Value* v : {&start, &stop, &step})
        if (!v->isNone() && !v->isInteger()) return r.undefined(Undefined::Why::kAttribute, r.view("slice"), typeName(of));
    const int64_t by = step.isNone() ? 1 : std::max(step.asInteger(), -INT64_MAX);
    if (by == 0) raise("the step of a slice is zero");
    const int64_t n = r.length(of);
    const auto clamp = [&](const Value& v, int64_t fallback) {
        if (v.isNone()) return fallback;
        int64_t i = v.asInteger();
        if (i < 0) {
            i += n;
            if (i < 0) i = by < 0 ? -1 : 0;
        } else if (i >= n) {
            i = by < 0 ? n - 1 : n;
        }
        return i;
    };
    const int64_t from = clamp(start, by < 0 ? n - 1 : 0), to = clamp(stop, by < 0 ? -1 : n);
    const int64_t count = by > 0 ? (to > from ? (to - from - 1) / by + 1 : 0) : (from > to ? (from - to - 1) / -by + 1 : 0);
    if (of.isString()) {
        const std::string_view text = of.text();
        if (by == 1) {
            const size_t begin = byteOf(text, static_cast<size_t>(from));
            return Value::of(r.slice(*of.string, begin, begin + byteOf(text.substr(begin), static_cast<size_t>(count))));
        }
        std::vector<size_t> starts;
        for (size_t at = 0; at < text.size(); at += characterBytes(text, at)) starts.push_back(at);
        Writer w;
        for (int64_t i = 0; i < count; ++i) {
            const size_t begin = starts[static_cast<size_t>(from + i * by)];
            w.add(*of.string, begin, begin + characterBytes(text, begin));
        }
        return Value::of(r.str(w));
    }
    if (of.kind == Kind::kRange) {
        if (std::abs(by) > (int64_t{1} << 20)) raise("the step of a slice is too large");
        Value v = Value::of(Kind::kRange);
        v.range = r.arena.make(Range{of.range->at(from), of.range->step * by, count, of.range->at(from + count * by)});
        return v;
    }
    std::vector<Value> items;
    r.step(count / 4 + 1);
    items.reserve(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) items.push_back(of.seq->items[from + i * by]);
    return of.kind == Kind::kList ? r.list(items) : r.tuple(items);
}

}  // namespace assay::data::jinja
