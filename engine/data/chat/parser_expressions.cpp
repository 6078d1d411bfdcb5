// The expressions of the template language, from the weakest operator to the strongest.
#include <algorithm>

#include "chat/interpreter.h"
#include "chat/parser.h"
#include "chat/runtime.h"

namespace assay::data::jinja {

Expr* Parser::constant(const Value& v, int line) {
    Expr* e = tree_.expr(Op::kConst, line);
    e->constant = v;
    return e;
}
Expr* Parser::binary(Op op, Expr* a, Expr* b, int line) {
    Expr* e = tree_.expr(op, line);
    e->kids = {a, b};
    return e;
}

bool Parser::tupleEnds(std::string_view end) const {
    return now().kind == TokenKind::kVariableEnd || now().kind == TokenKind::kBlockEnd || isOperator(")") || (!end.empty() && isName(end));
}

Expr* Parser::tuple(bool conditional, std::string_view end, bool parentheses) {
    const int line = now().line;
    std::vector<Expr*> items;
    bool isTuple = false;
    while (true) {
        if (!items.empty()) expectOperator(",");
        if (tupleEnds(end)) break;
        items.push_back(expression(conditional));
        if (!isOperator(",")) break;
        isTuple = true;
    }
    if (!isTuple) {
        if (!items.empty()) return items[0];
        if (!parentheses) bad("an expression is expected, not " + described());
    }
    Expr* e = tree_.expr(Op::kTuple, line);
    e->kids = std::move(items);
    return e;
}

Expr* Parser::conditionalExpr() {
    const int line = now().line;
    Expr* e = orExpr();
    int chained = 0;
    while (skipName("if")) {
        if (++chained > 100) bad("an expression has too many conditions");
        Expr* const test = orExpr();
        Expr* const otherwise = skipName("else") ? expression() : nullptr;
        Expr* c = tree_.expr(Op::kConditional, line);
        c->kids = {test, e, otherwise};
        e = c;
    }
    return e;
}

Expr* Parser::orExpr() {
    Expr* e = andExpr();
    while (isName("or")) {
        const int line = take().line;
        e = binary(Op::kOr, e, andExpr(), line);
    }
    return e;
}
Expr* Parser::andExpr() {
    Expr* e = notExpr();
    while (isName("and")) {
        const int line = take().line;
        e = binary(Op::kAnd, e, notExpr(), line);
    }
    return e;
}
Expr* Parser::notExpr() {
    int nots = 0;
    const int line = now().line;
    while (isName("not")) {
        take();
        ++nots;
    }
    if (nots == 0) return compare();
    Expr* e = compare();
    for (nots = nots > 2 ? 2 - nots % 2 : nots; nots > 0; --nots) {  // pairs of them say the same again
        Expr* n = tree_.expr(Op::kNot, line);
        n->kids = {e};
        e = n;
    }
    return e;
}

Expr* Parser::compare() {
    const int line = now().line;
    Expr* const first = sum();
    Expr* e = nullptr;
    const auto add = [&](Op op) {
        if (!e) {
            e = tree_.expr(Op::kCompare, line);
            e->kids.push_back(first);
        }
        e->comparisons.push_back(op);
        e->kids.push_back(sum());
    };
    static constexpr std::pair<std::string_view, Op> kOperators[] = {{"==", Op::kEqual}, {"!=", Op::kNotEqual}, {"<", Op::kLess},
                                                                     {"<=", Op::kLessEqual}, {">", Op::kGreater}, {">=", Op::kGreaterEqual}};
    while (true) {
        if (now().kind == TokenKind::kOperator) {
            const auto* found = std::find_if(std::begin(kOperators), std::end(kOperators), [&](const auto& o) { return o.first == now().text; });
            if (found == std::end(kOperators)) break;
            take();
            add(found->second);
        } else if (skipName("in")) {
            add(Op::kIn);
        } else if (isName("not") && look().kind == TokenKind::kName && look().text == "in") {
            take();
            take();
            add(Op::kNotIn);
        } else {
            break;
        }
    }
    return e ? e : first;
}

Expr* Parser::sum() {
    Expr* e = concat();
    while (isOperator("+") || isOperator("-")) {
        const Token t = take();
        e = binary(t.text == "+" ? Op::kAdd : Op::kSubtract, e, concat(), t.line);
    }
    return e;
}

Expr* Parser::concat() {
    const int line = now().line;
    Expr* const first = product();
    if (!isOperator("~")) return first;
    Expr* e = tree_.expr(Op::kConcat, line);
    e->kids.push_back(first);
    while (skipOperator("~")) e->kids.push_back(product());
    return e;
}

Expr* Parser::product() {
    Expr* e = power();
    while (isOperator("*") || isOperator("/") || isOperator("//") || isOperator("%")) {
        const Token t = take();
        const Op op = t.text == "*" ? Op::kMultiply : t.text == "/" ? Op::kDivide : t.text == "//" ? Op::kFloorDivide : Op::kModulo;
        e = binary(op, e, power(), t.line);
    }
    return e;
}

Expr* Parser::power() {
    Expr* e = unary();
    while (isOperator("**")) {
        const int line = take().line;
        e = binary(Op::kPower, e, unary(), line);
    }
    return e;
}

Expr* Parser::unary(bool filters) {
    Expr* e = nullptr;
    if (isOperator("-") || isOperator("+")) {
        const Token t = take();
        if (++depth_ > 200) bad("an expression lies too deep");
        e = tree_.expr(t.text == "-" ? Op::kNegative : Op::kPositive, t.line);
        e->kids = {unary(false)};
        --depth_;
    } else {
        e = primary();
    }
    e = postfix(e);
    return filters ? filterExpr(e) : e;
}

Expr* Parser::primary() {
    const Token t = now();
    switch (t.kind) {
        case TokenKind::kName: {
            take();
            if (t.text == "true" || t.text == "True") return constant(Value::of(true), t.line);
            if (t.text == "false" || t.text == "False") return constant(Value::of(false), t.line);
            if (t.text == "none" || t.text == "None") return constant(Value::none(), t.line);
            seen_.loop |= t.text == "loop";
            seen_.caller |= t.text == "caller";
            seen_.varargs |= t.text == "varargs";
            seen_.kwargs |= t.text == "kwargs";
            Expr* e = tree_.expr(Op::kName, t.line);
            e->name = tree_.id(t.text);
            e->text = tree_.names[e->name];
            return e;
        }
        case TokenKind::kString: {
            std::string text;
            while (now().kind == TokenKind::kString) text += take().text;
            return constant(Value::of(tree_.text(text)), t.line);
        }
        case TokenKind::kInteger: take(); return constant(Value::of(t.integer), t.line);
        case TokenKind::kFloat: take(); return constant(Value::of(t.real), t.line);
        default: break;
    }
    if (skipOperator("(")) {
        Expr* e = tuple(true, {}, true);
        expectOperator(")");
        return e;
    }
    if (skipOperator("[")) {
        Expr* e = tree_.expr(Op::kList, t.line);
        while (!isOperator("]")) {
            if (!e->kids.empty()) expectOperator(",");
            if (isOperator("]")) break;
            e->kids.push_back(expression());
        }
        take();
        return e;
    }
    if (skipOperator("{")) {
        Expr* e = tree_.expr(Op::kDict, t.line);
        while (!isOperator("}")) {
            if (!e->kids.empty()) expectOperator(",");
            if (isOperator("}")) break;
            e->kids.push_back(expression());
            expectOperator(":");
            e->kids.push_back(expression());
        }
        take();
        return e;
    }
    bad(described() + " is not expected here");
}

Expr* Parser::postfix(Expr* node) {
    while (true) {
        if (isOperator(".") || isOperator("[")) node = subscript(node);
        else if (isOperator("(")) node = call(node);
        else return node;
    }
}

Expr* Parser::filterExpr(Expr* node) {
    while (true) {
        if (isOperator("|")) node = filter(node);
        else if (isName("is")) node = test(node);
        else if (isOperator("(")) node = call(node);
        else return node;
    }
}

Expr* Parser::subscript(Expr* node) {
    const Token t = take();
    if (t.text == ".") {
        const Token attribute = take();
        if (attribute.kind == TokenKind::kName) {
            Expr* e = tree_.expr(Op::kAttribute, t.line);
            e->text = tree_.text(attribute.text);
            e->builtin = methodId(attribute.text);
            e->kids = {node};
            return e;
        }
        if (attribute.kind != TokenKind::kInteger) bad("a name or a number is expected after '.'", attribute.line);
        return binary(Op::kItem, node, constant(Value::of(attribute.integer), attribute.line), t.line);
    }
    std::vector<Expr*> items;
    while (!isOperator("]")) {
        if (!items.empty()) expectOperator(",");
        items.push_back(subscribed());
    }
    take();
    if (items.size() == 1) return binary(Op::kItem, node, items[0], t.line);
    Expr* index = tree_.expr(Op::kTuple, t.line);
    index->kids = std::move(items);
    return binary(Op::kItem, node, index, t.line);
}

Expr* Parser::subscribed() {
    const int line = now().line;
    Expr *first = nullptr, *second = nullptr, *third = nullptr;
    if (!isOperator(":")) {
        first = expression();
        if (!isOperator(":")) return first;
    }
    take();
    const auto ends = [&] { return isOperator("]") || isOperator(","); };
    if (!isOperator(":") && !ends()) second = expression();
    if (skipOperator(":") && !ends()) third = expression();
    Expr* e = tree_.expr(Op::kSlice, line);
    e->kids = {first, second, third};
    return e;
}

void Parser::callArguments(Expr& out) {
    using How = Expr::Argument::How;
    const int line = now().line;
    expectOperator("(");
    bool comma = false, named = false, star = false, doubleStar = false;
    while (!isOperator(")")) {
        if (comma) {
            expectOperator(",");
            if (isOperator(")")) break;
        }
        comma = true;
        Expr::Argument a;
        if (isOperator("*")) {
            if (star || doubleStar) bad("the arguments of a call are in the wrong order", line);
            take();
            star = true;
            a.how = How::kStar;
        } else if (isOperator("**")) {
            if (doubleStar) bad("the arguments of a call are in the wrong order", line);
            take();
            doubleStar = true;
            a.how = How::kStarStar;
        } else if (now().kind == TokenKind::kName && look().kind == TokenKind::kOperator && look().text == "=") {
            if (doubleStar) bad("the arguments of a call are in the wrong order", line);
            const std::string name = take().text;
            take();
            a.how = How::kName;
            a.name = tree_.text(name);
            a.nameId = tree_.id(name);
            named = true;
        } else if (star || doubleStar || named) {
            bad("the arguments of a call are in the wrong order", line);
        }
        a.value = expression();
        out.arguments.push_back(a);
    }
    take();
}

Expr* Parser::call(Expr* node) {
    Expr* e = tree_.expr(Op::kCall, now().line);
    e->kids = {node};
    callArguments(*e);
    return e;
}

Expr* Parser::filter(Expr* node, bool inlineStart) {
    while (isOperator("|") || inlineStart) {
        if (!inlineStart) take();
        inlineStart = false;
        const int line = now().line;
        std::string name = anyName();
        while (skipOperator(".")) name += "." + anyName();
        Expr* e = tree_.expr(Op::kFilter, line);
        e->text = tree_.text(name);
        e->builtin = filterId(name);
        e->kids = {node};
        if (isOperator("(")) callArguments(*e);
        node = e;
    }
    return node;
}

Expr* Parser::test(Expr* node) {
    const int line = take().line;
    const bool negated = skipName("not");
    std::string name = anyName();
    while (skipOperator(".")) name += "." + anyName();
    Expr* e = tree_.expr(Op::kTest, line);
    e->text = tree_.text(name);
    e->builtin = testId(name);
    e->kids = {node};
    const TokenKind kind = now().kind;
    if (isOperator("(")) {
        callArguments(*e);
    } else if ((kind == TokenKind::kName && !isName("else") && !isName("or") && !isName("and")) || kind == TokenKind::kString || kind == TokenKind::kInteger ||
               kind == TokenKind::kFloat || isOperator("[") || isOperator("{")) {
        if (isName("is")) bad("tests with 'is' cannot follow one another");
        Expr::Argument a;
        a.value = postfix(primary());
        e->arguments.push_back(a);
    }
    if (!negated) return e;
    Expr* n = tree_.expr(Op::kNot, line);
    n->kids = {e};
    return n;
}

}  // namespace assay::data::jinja
