// Statements.
#include <assay/core/error.h>

#include "chat/interpreter.h"

namespace assay::data::jinja {
namespace {
constexpr int kMaxEvaluations = 1500;  // expressions and tags in one another, through macros too
}

class Nested {
public:
    explicit Nested(Interpreter& in) : in_(in) {
        if (++in_.depth_ > kMaxEvaluations) raise("expressions and tags lie too deep in one another");
    }
    ~Nested() { --in_.depth_; }

private:
    Interpreter& in_;
};

void Interpreter::run(Writer& out) {
    out_ = &out;
    exec(tree_.body, root_);
}

void Interpreter::print(const Value& v) {
    if (v.isString()) return emit(*v.string);
    if (v.isUndefined()) return;
    Writer w;
    r.write(v, w);
    emit(*r.str(w));
}

Interpreter::Flow Interpreter::exec(const Body& body, Frame& frame) {
    const Nested nested(*this);
    for (const Stmt* s : body) {
        r.step();
        line_ = s->line;
        switch (s->does) {
            case Does::kText: emit(*static_cast<const TextNode*>(s)->text); break;
            case Does::kPrint: print(eval(*static_cast<const PrintNode*>(s)->value, frame)); break;
            case Does::kIf:
                if (const Flow flow = execIf(*static_cast<const IfNode*>(s), frame); flow != Flow::kNext) return flow;
                break;
            case Does::kFor: {
                const auto& node = *static_cast<const ForNode*>(s);
                const Value items = eval(*node.items, frame);
                if (node.recursive) emit(*captured([&] { execFor(node, frame, items, 0); }));
                else execFor(node, frame, items, 0);
                break;
            }
            case Does::kSet: {
                const auto& node = *static_cast<const SetNode*>(s);
                const Value value = eval(*node.value, frame);
                // A message that is taken by its number: what follows in this turn of the loop is about it.
                if (value.message && turn_ == 0 && loops_ > 0 && node.target.kind == Target::Kind::kName) turn_ = value.message;
                assign(node.target, value, frame, frame);
                break;
            }
            case Does::kSetBlock: {
                const auto& node = *static_cast<const SetNode*>(s);
                Frame inner{.parent = &frame};
                Frame* const scope = r.arena.make(inner);
                Value value = Value::of(captured([&] { exec(node.body, *scope); }));
                if (node.value) value = evalFilter(*node.value, *scope, &value);
                assign(node.target, value, frame, frame);
                break;
            }
            case Does::kMacro: {
                const auto& node = *static_cast<const MacroNode*>(s);
                store(frame, node.nameId, makeMacro(node, frame));
                break;
            }
            case Does::kCall: execCall(*static_cast<const CallNode*>(s), frame); break;
            case Does::kFilter:
            case Does::kWith:
            case Does::kScope:
            case Does::kGeneration:
                if (const Flow flow = execBlock(*static_cast<const BlockNode*>(s), frame); flow != Flow::kNext) return flow;
                break;
            case Does::kBreak: return Flow::kBreak;
            case Does::kContinue: return Flow::kContinue;
        }
    }
    return Flow::kNext;
}

Interpreter::Flow Interpreter::execIf(const IfNode& node, Frame& frame) {
    for (const auto& [test, body] : node.branches)
        if (truth(eval(*test, frame))) return exec(body, frame);
    return exec(node.otherwise, frame);
}

Interpreter::Flow Interpreter::execBlock(const BlockNode& node, Frame& frame) {
    Frame* const scope = r.arena.make(Frame{.parent = node.does == Does::kScope ? &root_ : &frame});
    switch (node.does) {
        case Does::kFilter: {
            Flow flow = Flow::kNext;
            const Value text = Value::of(captured([&] { flow = exec(node.body, *scope); }));
            print(evalFilter(*node.filter, *scope, &text));
            return flow;
        }
        case Does::kWith:
            for (const auto& [target, value] : node.values) assign(target, eval(*value, frame), frame, *scope);
            return exec(node.body, *scope);
        case Does::kGeneration: {
            const Str* const text = captured([&] { exec(node.body, *scope); });
            emit(*text, kGeneration);
            return Flow::kNext;
        }
        default: return exec(node.body, *scope);
    }
}

void Interpreter::execFor(const ForNode& node, Frame& frame, const Value& items, int64_t depth) {
    Iterator* source = r.iterate(items);
    // `for x in items if test`: the test sees the loop's variable but not `loop`.
    if (node.test) {
        Frame* const scope = r.arena.make(Frame{.parent = &frame});
        source = r.iterator([this, source, scope, &node](Value& out) {
                      while (source->next(out)) {
                          r.step();
                          scope->size = 0;
                          assign(node.target, out, *scope, *scope);
                          if (truth(eval(*node.test, *scope))) return true;
                      }
                      return false;
                  }).iterator;
    }
    Loop* const loop = r.arena.make(Loop{});
    loop->runtime = &r;
    loop->iterable = items;
    loop->sized = !node.test && r.hasLength(items);
    loop->iterator = source;
    loop->depth0 = depth;
    if (node.recursive) loop->node = &node;
    loop->frame = &frame;
    Value loopValue = Value::of(Kind::kLoop);
    loopValue.loop = loop;
    static constexpr std::string_view kLoop = "loop";
    const int64_t loopName = node.usesLoop ? tree_.find(kLoop) : -1;

    const Tag turn = turn_;
    ++loops_;
    bool whole = false;  // a turn went to its end
    Frame* scope = nullptr;
    while (loop->next()) {
        r.step();
        if (!scope || scope->kept) scope = r.arena.make(Frame{.parent = &frame});
        scope->size = 0;
        turn_ = loop->current.message ? loop->current.message : turn;
        if (loopName >= 0) store(*scope, static_cast<NameId>(loopName), loopValue);
        line_ = node.line;
        assign(node.target, loop->current, *scope, *scope);
        const Flow flow = exec(node.body, *scope);
        if (flow == Flow::kBreak) break;
        if (flow == Flow::kNext) whole = true;
    }
    --loops_;
    turn_ = turn;
    if (!whole && !node.otherwise.empty()) exec(node.otherwise, *r.arena.make(Frame{.parent = &frame}));
}

void Interpreter::execCall(const CallNode& node, Frame& frame) {
    const Value caller = makeMacro(*node.caller, frame);
    print(evalCall(*node.call, frame, &caller));
}

void Interpreter::store(Frame& frame, NameId name, const Value& value) {
    for (uint32_t i = 0; i < frame.size; ++i)
        if (frame.slots[i].name == name) {
            frame.slots[i].value = value;
            return;
        }
    if (frame.size == frame.capacity) {
        const uint32_t capacity = frame.capacity ? frame.capacity * 2 : 4;
        auto* slots = r.arena.array<Frame::Slot>(capacity);
        for (uint32_t i = 0; i < frame.size; ++i) new (slots + i) Frame::Slot(frame.slots[i]);
        frame.slots = slots;
        frame.capacity = capacity;
    }
    new (frame.slots + frame.size++) Frame::Slot{name, value};
}

void Interpreter::assign(const Target& target, const Value& value, Frame& frame, Frame& to) {
    switch (target.kind) {
        case Target::Kind::kName: return store(to, target.name, value);
        case Target::Kind::kNamespace: {
            Value* const space = lookup(target.name, frame);
            if (!space || space->kind != Kind::kNamespace) raise("an attribute is set on '" + std::string(tree_.names[target.name]->view()) + "', which is no namespace");
            Namespace& n = *space->space;
            for (uint32_t i = 0; i < n.size; ++i)
                if (n.entries[i].key.isString() && n.entries[i].key.text() == target.attribute->view()) {
                    n.entries[i].value = value;
                    return;
                }
            if (n.size == n.capacity) {
                const uint32_t capacity = n.capacity ? n.capacity * 2 : 4;
                auto* entries = r.arena.array<Dict::Entry>(capacity);
                for (uint32_t i = 0; i < n.size; ++i) new (entries + i) Dict::Entry(n.entries[i]);
                n.entries = entries;
                n.capacity = capacity;
            }
            new (n.entries + n.size++) Dict::Entry{Value::of(target.attribute), value};
            return;
        }
        case Target::Kind::kTuple: {
            Iterator* const it = r.iterate(value);
            for (const Target& part : target.parts) {
                Value x;
                if (!it->next(x)) raise("there are fewer values than the " + std::to_string(target.parts.size()) + " names that they are given to");
                assign(part, x, frame, to);
            }
            if (Value x; it->next(x)) raise("there are more values than the " + std::to_string(target.parts.size()) + " names that they are given to");
        }
    }
}

Value* Interpreter::lookup(NameId name, Frame& frame) {
    for (Frame* f = &frame; f; f = f->parent)
        for (uint32_t i = 0; i < f->size; ++i)
            if (f->slots[i].name == name) return &f->slots[i].value;
    if (known_[name] == 0) {
        const int id = globalId(tree_.names[name]->view());
        known_[name] = id >= 0 ? 1 : 2;
        if (id >= 0) {
            context_[name] = Value::of(Kind::kGlobal);
            context_[name].global = static_cast<uint32_t>(id);
        }
    }
    return known_[name] == 1 ? &context_[name] : nullptr;
}

Value Interpreter::makeMacro(const MacroNode& node, Frame& frame) {
    for (Frame* f = &frame; f && !f->kept; f = f->parent) f->kept = true;
    Value v = Value::of(Kind::kMacro);
    v.macro = r.arena.make(Macro{&node, &frame, node.name ? node.name->view() : std::string_view()});
    return v;
}

Value Interpreter::callMacro(const Macro& macro, const Arguments& given) {
    const MacroNode& node = *macro.node;
    if (++calls_ > r.options.limits.depth) raise("macros call one another more than " + std::to_string(r.options.limits.depth) + " deep");
    Frame* const scope = r.arena.make(Frame{.parent = macro.frame});
    const std::string name(macro.name);
    std::vector<bool> used(given.names.size(), false);
    std::vector<const Value*> values(node.parameters.size(), nullptr);
    for (size_t i = 0; i < node.parameters.size(); ++i) {
        if (i < given.places.size()) {
            values[i] = &given.places[i];
            continue;
        }
        for (size_t k = 0; k < given.names.size(); ++k)
            if (given.names[k].first == node.parameters[i].name->view()) {
                values[i] = &given.names[k].second;
                used[k] = true;
            }
    }
    const auto special = [&](std::string_view word, const Value& value) {
        if (const int64_t id = tree_.find(word); id >= 0) store(*scope, static_cast<NameId>(id), value);
    };
    std::vector<Dict::Entry> kwargs;
    Value caller = r.undefined(Undefined::Why::kMessage, r.view("this macro was not called by a call block"));
    for (size_t k = 0; k < given.names.size(); ++k) {
        if (used[k]) continue;
        if (given.names[k].first == "caller" && node.usesCaller) caller = given.names[k].second;
        else if (node.usesKwargs) kwargs.push_back({r.text(given.names[k].first), given.names[k].second});
        else raise("the macro '" + name + "' has no parameter '" + std::string(given.names[k].first) + "'");
    }
    if (given.places.size() > node.parameters.size() && !node.usesVarargs)
        raise("the macro '" + name + "' takes at most " + std::to_string(node.parameters.size()) + " arguments, " + std::to_string(given.places.size()) + " are given");
    if (node.usesCaller) special("caller", caller);
    if (node.usesKwargs) special("kwargs", r.dict(kwargs));
    if (node.usesVarargs)
        special("varargs", r.tuple(given.places.size() > node.parameters.size()
                                       ? std::vector<Value>(given.places.begin() + static_cast<std::ptrdiff_t>(node.parameters.size()), given.places.end())
                                       : std::vector<Value>()));
    const int line = line_, loops = loops_;
    loops_ = 0;
    const Str* const text = captured([&] {
        for (size_t i = 0; i < node.parameters.size(); ++i) {
            const auto& p = node.parameters[i];
            Value v;
            if (values[i]) v = *values[i];
            else if (p.fallback) v = eval(*p.fallback, *scope);
            else v = r.undefined(Undefined::Why::kName, p.name);
            store(*scope, p.id, v);
        }
        exec(node.body, *scope);
    });
    line_ = line;
    loops_ = loops;
    --calls_;
    return Value::of(text);
}

}  // namespace assay::data::jinja
