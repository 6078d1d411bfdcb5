// Expressions.
#include <algorithm>
#include <bit>

#include "chat/interpreter.h"
#include "chat/py_text.h"

namespace assay::data::jinja {

Bound::Bound(std::string_view what, std::string_view parameters, size_t required, const Arguments& given) : what_(what) {
    std::string_view names[8];
    size_t count = 0;
    for (std::string_view rest = parameters; !rest.empty() && count < 8;) {
        const size_t space = std::min(rest.find(' '), rest.size());
        names[count++] = rest.substr(0, space);
        rest.remove_prefix(std::min(space + 1, rest.size()));
    }
    const std::string shown(what);
    if (given.places.size() > count) raise("'" + shown + "' takes at most " + std::to_string(count) + " arguments, " + std::to_string(given.places.size()) + " are given");
    for (size_t i = 0; i < given.places.size(); ++i) {
        values_[i] = given.places[i];
        given_ |= 1u << i;
    }
    for (const auto& [name, value] : given.names) {
        const auto* found = std::find(names, names + count, name);
        if (found == names + count) raise("'" + shown + "' has no parameter '" + std::string(name) + "'");
        const auto i = static_cast<size_t>(found - names);
        if (has(i)) raise("'" + shown + "' is given its parameter '" + std::string(name) + "' twice");
        values_[i] = value;
        given_ |= 1u << i;
    }
    for (size_t i = 0; i < required; ++i)
        if (!has(i)) raise("'" + shown + "' is called without its parameter '" + std::string(names[i]) + "'");
}

int64_t Bound::integer(size_t i, int64_t fallback) const {
    if (!has(i)) return fallback;
    if (!values_[i].isInteger()) raise("'" + std::string(what_) + "' wants a whole number, not a value of type '" + typeName(values_[i]) + "'");
    return values_[i].asInteger();
}
const Str* Bound::text(size_t i, Runtime& runtime, std::string_view fallback) const { return has(i) ? runtime.toStr(values_[i]) : runtime.view(fallback); }

Value Interpreter::eval(const Expr& e, Frame& frame) {
    r.step();
    switch (e.op) {
        case Op::kConst: return e.constant;
        case Op::kName: return evalName(e, frame);
        default: break;
    }
    if (++depth_ > 1500) raise("expressions and tags lie too deep in one another");
    struct Back {
        int& depth;
        ~Back() { --depth; }
    } back{depth_};
    switch (e.op) {
        case Op::kAttribute: return attribute(eval(*e.kids[0], frame), e.text, e.builtin);
        case Op::kItem: {
            if (const Expr& index = *e.kids[1]; index.op == Op::kSlice) {
                const Value of = eval(*e.kids[0], frame);
                Value parts[3] = {Value::none(), Value::none(), Value::none()};
                for (size_t i = 0; i < 3; ++i)
                    if (index.kids[i]) parts[i] = eval(*index.kids[i], frame);
                return slice(of, parts[0], parts[1], parts[2]);
            }
            const Value of = eval(*e.kids[0], frame);
            return item(of, eval(*e.kids[1], frame));
        }
        case Op::kCall: return evalCall(e, frame);
        case Op::kFilter: return evalFilter(e, frame);
        case Op::kTest: return evalTest(e, frame);
        case Op::kCompare: return evalCompare(e, frame);
        case Op::kAnd: {
            const Value a = eval(*e.kids[0], frame);
            return truth(a) ? eval(*e.kids[1], frame) : a;
        }
        case Op::kOr: {
            const Value a = eval(*e.kids[0], frame);
            return truth(a) ? a : eval(*e.kids[1], frame);
        }
        case Op::kConditional:
            if (truth(eval(*e.kids[0], frame))) return eval(*e.kids[1], frame);
            if (e.kids[2]) return eval(*e.kids[2], frame);
            return r.missing("a condition without else was false and its value is used");
        case Op::kConcat: return evalConcat(e, frame);
        case Op::kNot:
        case Op::kNegative:
        case Op::kPositive: return evalUnary(e, frame);
        case Op::kList:
        case Op::kTuple:
        case Op::kDict: return evalItems(e, frame);
        case Op::kSlice: raise("a slice stands where it cannot");
        default: {
            const Value a = eval(*e.kids[0], frame);
            return binary(e.op, a, eval(*e.kids[1], frame));
        }
    }
}

Value Interpreter::evalName(const Expr& e, Frame& frame) {
    if (const Value* v = lookup(e.name, frame)) return *v;
    return r.undefined(Undefined::Why::kName, e.text);
}

Value Interpreter::evalItems(const Expr& e, Frame& frame) {
    if (e.op == Op::kDict) {
        std::vector<Dict::Entry> entries;
        for (size_t i = 0; i + 1 < e.kids.size(); i += 2) {
            const Value key = eval(*e.kids[i], frame);
            r.set(entries, key, eval(*e.kids[i + 1], frame));
        }
        return r.dict(entries);
    }
    std::vector<Value> items;
    items.reserve(e.kids.size());
    for (const Expr* kid : e.kids) items.push_back(eval(*kid, frame));
    return e.op == Op::kList ? r.list(items) : r.tuple(items);
}

Value Interpreter::evalUnary(const Expr& e, Frame& frame) {
    const Value v = eval(*e.kids[0], frame);
    if (e.op == Op::kNot) return Value::of(!truth(v));
    if (v.isUndefined()) raiseUndefined(v);
    if (!v.isNumber()) raise(std::string("a value of type '") + typeName(v) + "' has no sign");
    if (v.kind == Kind::kFloat) return Value::of(e.op == Op::kNegative ? -v.real : v.real);
    if (e.op == Op::kPositive) return Value::of(v.asInteger());
    if (v.asInteger() == INT64_MIN) raise("a number is beyond 64 bits");
    return Value::of(-v.asInteger());
}

Value Interpreter::evalCompare(const Expr& e, Frame& frame) {
    Value a = eval(*e.kids[0], frame);
    bool result = true;
    for (size_t i = 0; i < e.comparisons.size() && result; ++i) {
        const Value b = eval(*e.kids[i + 1], frame);
        switch (e.comparisons[i]) {
            case Op::kEqual: result = r.equal(a, b); break;
            case Op::kNotEqual: result = !r.equal(a, b); break;
            case Op::kLess: result = r.compare(a, b, "<") == -1; break;
            case Op::kLessEqual: {
                const int c = r.compare(a, b, "<=");
                result = c == -1 || c == 0;
                break;
            }
            case Op::kGreater: result = r.compare(a, b, ">") == 1; break;
            case Op::kGreaterEqual: {
                const int c = r.compare(a, b, ">=");
                result = c == 1 || c == 0;
                break;
            }
            case Op::kIn: result = r.contains(b, a); break;
            default: result = !r.contains(b, a); break;
        }
        a = b;
    }
    return Value::of(result);
}

Value Interpreter::evalConcat(const Expr& e, Frame& frame) {
    Writer w;
    for (const Expr* kid : e.kids) {
        const Value v = eval(*kid, frame);
        r.write(v, w);
        r.checkSize(w.size());
    }
    return Value::of(r.str(w));
}

void Interpreter::evalArguments(const Expr& e, Frame& frame, Arguments& out) {
    using How = Expr::Argument::How;
    for (const auto& a : e.arguments) {
        const Value v = eval(*a.value, frame);
        switch (a.how) {
            case How::kPlace: out.places.push_back(v); break;
            case How::kName:
                for (const auto& [name, unused] : out.names)
                    if (name == a.name->view()) raise("the argument '" + std::string(name) + "' is given twice");
                out.names.emplace_back(a.name->view(), v);
                break;
            case How::kStar: {
                const auto items = r.items(v);
                out.places.insert(out.places.end(), items.begin(), items.end());
                break;
            }
            case How::kStarStar: {
                if (v.kind != Kind::kDict) raise("after ** stands no mapping");
                for (uint32_t i = 0; i < v.dict->size; ++i) {
                    const auto& entry = v.dict->entries[i];
                    if (!entry.key.isString()) raise("names of arguments are strings");
                    out.names.emplace_back(entry.key.text(), entry.value);
                }
                break;
            }
        }
    }
}

Value Interpreter::evalCall(const Expr& e, Frame& frame, const Value* caller) {
    const Value callee = eval(*e.kids[0], frame);
    Arguments arguments;
    evalArguments(e, frame, arguments);
    if (caller) arguments.names.emplace_back("caller", *caller);
    line_ = e.line;
    return call(callee, arguments);
}

Value Interpreter::call(const Value& callee, const Arguments& arguments) {
    r.step();
    switch (callee.kind) {
        case Kind::kMacro: return callMacro(*callee.macro, arguments);
        case Kind::kMethod: return callMethod(*this, r, *callee.method, arguments);
        case Kind::kGlobal: return callGlobal(callee.global, arguments);
        case Kind::kLoop: {
            const Loop& loop = *callee.loop;
            if (!loop.node) raise("a loop that is called must be marked 'recursive'");
            const Bound a("loop", "iterable", 1, arguments);
            if (++calls_ > r.options.limits.depth) raise("recursive loops lie more than " + std::to_string(r.options.limits.depth) + " deep");
            const Str* const text = captured([&] { execFor(*loop.node, *loop.frame, a[0], loop.depth0 + 1); });
            --calls_;
            return Value::of(text);
        }
        case Kind::kJoiner: {
            const Bound a("joiner", "", 0, arguments);
            const bool used = callee.joiner->used;
            callee.joiner->used = true;
            return used ? Value::of(callee.joiner->separator) : Value::of(r.view(""));
        }
        case Kind::kUndefined: raiseUndefined(callee);
        default: raise(std::string("a value of type '") + typeName(callee) + "' cannot be called");
    }
}

Value Interpreter::evalFilter(const Expr& e, Frame& frame, const Value* value) {
    const Value v = e.kids[0] ? (e.kids[0]->op == Op::kFilter && value ? evalFilter(*e.kids[0], frame, value) : eval(*e.kids[0], frame)) : *value;
    Arguments arguments;
    if (!e.arguments.empty()) evalArguments(e, frame, arguments);
    line_ = e.line;
    if (e.builtin < 0) raise("there is no filter '" + std::string(e.text->view()) + "'");
    return applyFilter(e.builtin, v, arguments);
}

Value Interpreter::evalTest(const Expr& e, Frame& frame) {
    const Value v = eval(*e.kids[0], frame);
    Arguments arguments;
    if (!e.arguments.empty()) evalArguments(e, frame, arguments);
    line_ = e.line;
    if (e.builtin < 0) raise("there is no test '" + std::string(e.text->view()) + "'");
    return Value::of(applyTest(e.builtin, v, arguments));
}

void checkNames(const Tree& tree) {
    struct Walk {
        int depth = 0;
        void expr(const Expr* e, bool soft) {
            if (!e) return;
            if (++depth > 600) throw TemplateError{"an expression has too many parts in one another", e->line};
            soft |= e->op == Op::kConditional;
            if (e->builtin < 0 && !soft && (e->op == Op::kFilter || e->op == Op::kTest))
                throw TemplateError{std::string("there is no ") + (e->op == Op::kFilter ? "filter '" : "test '") + std::string(e->text->view()) + "'", e->line};
            for (const Expr* kid : e->kids) expr(kid, soft);
            for (const auto& a : e->arguments) expr(a.value, soft);
            --depth;
        }
        void macro(const MacroNode& m) {
            for (const auto& p : m.parameters) expr(p.fallback, false);
            body(m.body, false);
        }
        void body(const Body& statements, bool soft) {
            for (const Stmt* s : statements) switch (s->does) {
                    case Does::kPrint: expr(static_cast<const PrintNode*>(s)->value, soft); break;
                    case Does::kFor: {
                        const auto& n = *static_cast<const ForNode*>(s);
                        expr(n.items, soft);
                        expr(n.test, false);
                        body(n.body, false);
                        body(n.otherwise, false);
                        break;
                    }
                    case Does::kIf: {
                        const auto& n = *static_cast<const IfNode*>(s);
                        for (const auto& [test, b] : n.branches) {
                            expr(test, true);
                            body(b, true);
                        }
                        body(n.otherwise, true);
                        break;
                    }
                    case Does::kSet: expr(static_cast<const SetNode*>(s)->value, soft); break;
                    case Does::kSetBlock:
                        expr(static_cast<const SetNode*>(s)->value, false);
                        body(static_cast<const SetNode*>(s)->body, false);
                        break;
                    case Does::kMacro: macro(*static_cast<const MacroNode*>(s)); break;
                    case Does::kCall:
                        macro(*static_cast<const CallNode*>(s)->caller);
                        expr(static_cast<const CallNode*>(s)->call, soft);
                        break;
                    case Does::kFilter:
                    case Does::kWith:
                    case Does::kScope:
                    case Does::kGeneration: {
                        const auto& n = *static_cast<const BlockNode*>(s);
                        expr(n.filter, false);
                        for (const auto& [target, value] : n.values) expr(value, false);
                        body(n.body, false);
                        break;
                    }
                    default: break;
                }
        }
    };
    Walk().body(tree.body, false);
}

}  // namespace assay::data::jinja
