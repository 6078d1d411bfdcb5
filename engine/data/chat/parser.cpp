// The statements of the template language.
#include "chat/parser.h"

#include <algorithm>

#include "chat/runtime.h"

namespace assay::data::jinja {

namespace {
constexpr int kMaxNesting = 200;
}

class Parser::Deeper {
public:
    explicit Deeper(Parser& parser) : parser_(parser) {
        if (++parser_.depth_ > kMaxNesting) parser_.bad("tags lie in one another more than " + std::to_string(kMaxNesting) + " deep");
    }
    ~Deeper() { --parser_.depth_; }

private:
    Parser& parser_;
};

void Parser::bad(const std::string& what, int line) const { throw TemplateError{what, line}; }

std::string Parser::described() const {
    switch (now().kind) {
        case TokenKind::kEnd: return "the end of the template";
        case TokenKind::kBlockEnd: return "the end of the tag";
        case TokenKind::kVariableEnd: return "the end of the print tag";
        case TokenKind::kText: return "text";
        case TokenKind::kInteger:
        case TokenKind::kFloat: return "a number";
        case TokenKind::kString: return "a string";
        default: return "'" + now().text + "'";
    }
}

bool Parser::skipOperator(std::string_view text) {
    if (!isOperator(text)) return false;
    take();
    return true;
}
bool Parser::skipName(std::string_view text) {
    if (!isName(text)) return false;
    take();
    return true;
}
void Parser::expectOperator(std::string_view text) {
    if (!skipOperator(text)) bad("'" + std::string(text) + "' is expected, not " + described());
}
void Parser::expectName(std::string_view text) {
    if (!skipName(text)) bad("'" + std::string(text) + "' is expected, not " + described());
}
std::string Parser::anyName() {
    if (now().kind != TokenKind::kName) bad("a name is expected, not " + described());
    return take().text;
}
void Parser::expectKind(TokenKind kind) {
    if (now().kind != kind) bad(std::string(kind == TokenKind::kBlockEnd ? "the end of the tag (%})" : "the end of the print tag (}})") + " is expected, not " + described());
    take();
}

void Parser::run() {
    tree_.body = subparse({});
    checkNames(tree_);
}

Body Parser::subparse(std::initializer_list<std::string_view> ends) {
    Body body;
    while (now().kind != TokenKind::kEnd) {
        const int line = now().line;
        if (now().kind == TokenKind::kText) {
            auto* node = tree_.stmt<TextNode>(Does::kText, line);
            node->text = tree_.text(take().text);
            body.push_back(node);
        } else if (now().kind == TokenKind::kVariableBegin) {
            take();
            auto* node = tree_.stmt<PrintNode>(Does::kPrint, line);
            node->value = tuple();
            body.push_back(node);
            expectKind(TokenKind::kVariableEnd);
        } else {
            take();  // the beginning of a block tag
            if (now().kind == TokenKind::kName && std::find(ends.begin(), ends.end(), now().text) != ends.end()) return body;
            statement(body);
            expectKind(TokenKind::kBlockEnd);
        }
    }
    if (ends.size() > 0) {
        std::string wanted;
        for (const auto end : ends) wanted += (wanted.empty() ? "" : ", ") + std::string(end);
        bad("the template ends where one of these tags is expected: " + wanted);
    }
    return body;
}

Body Parser::statements(std::initializer_list<std::string_view> ends) {
    const Deeper deeper(*this);
    skipOperator(":");
    expectKind(TokenKind::kBlockEnd);
    return subparse(ends);
}

void Parser::statement(Body& out) {
    if (now().kind != TokenKind::kName) bad("the name of a tag is expected, not " + described());
    const std::string tag = now().text;
    const int line = now().line;
    if (tag == "for") return out.push_back(parseFor());
    if (tag == "if") return out.push_back(parseIf());
    if (tag == "set") return out.push_back(parseSet());
    if (tag == "macro") return out.push_back(parseMacro());
    if (tag == "call") return out.push_back(parseCall());
    if (tag == "with") return out.push_back(parseWith());
    if (tag == "filter") return out.push_back(parseFilterBlock());
    if (tag == "block") return out.push_back(parseBlock());
    if (tag == "generation") return out.push_back(parseGeneration());
    if (tag == "print") return parsePrint(out);
    if (tag == "break" || tag == "continue") {
        if (loops_ == 0) bad("'" + tag + "' stands outside of a loop");
        take();
        return out.push_back(tree_.stmt<Stmt>(tag == "break" ? Does::kBreak : Does::kContinue, line));
    }
    if (tag == "include" || tag == "import" || tag == "from" || tag == "extends") bad("a chat template cannot load other templates ('" + tag + "')");
    if (tag == "autoescape") bad("the tag 'autoescape' is not supported");
    bad("there is no tag '" + tag + "' here");
}

Stmt* Parser::parseFor() {
    auto* node = tree_.stmt<ForNode>(Does::kFor, take().line);
    node->target = target(false, "in");
    expectName("in");
    node->items = tuple(false, "recursive");
    if (skipName("if")) node->test = expression();
    node->recursive = skipName("recursive");
    const bool outside = seen_.loop;
    seen_.loop = false;
    ++loops_;
    node->body = statements({"endfor", "else"});
    --loops_;
    node->usesLoop = seen_.loop || node->recursive;
    seen_.loop |= outside;
    if (take().text == "else") {
        node->otherwise = statements({"endfor"});
        take();
    }
    return node;
}

Stmt* Parser::parseIf() {
    auto* node = tree_.stmt<IfNode>(Does::kIf, now().line);
    while (true) {
        take();
        Expr* const test = tuple(false);
        node->branches.emplace_back(test, statements({"elif", "else", "endif"}));
        if (isName("elif")) continue;
        if (take().text == "else") {
            node->otherwise = statements({"endif"});
            take();
        }
        return node;
    }
}

Stmt* Parser::parseSet() {
    const int line = take().line;
    Target to = target(true);
    if (skipOperator("=")) {
        auto* node = tree_.stmt<SetNode>(Does::kSet, line);
        node->target = std::move(to);
        node->value = tuple();
        return node;
    }
    auto* node = tree_.stmt<SetNode>(Does::kSetBlock, line);
    node->target = std::move(to);
    node->value = filter(nullptr);
    node->body = statements({"endset"});
    take();
    return node;
}

void Parser::signature(MacroNode& macro) {
    expectOperator("(");
    bool fallbacks = false;
    while (!isOperator(")")) {
        if (!macro.parameters.empty()) expectOperator(",");
        const std::string name = anyName();
        MacroNode::Parameter parameter{tree_.text(name), tree_.id(name), nullptr};
        if (skipOperator("=")) {
            parameter.fallback = expression();
            fallbacks = true;
        } else if (fallbacks) {
            bad("a parameter without a default follows one with a default");
        }
        macro.namesCaller |= name == "caller";
        macro.parameters.push_back(parameter);
    }
    take();
}

void Parser::macroBody(MacroNode& macro, std::string_view end) {
    const Seen outside = seen_;
    seen_ = {};
    const int loops = loops_;
    loops_ = 0;
    macro.body = statements({end});
    take();
    loops_ = loops;
    const auto named = [&](std::string_view name) {
        return std::any_of(macro.parameters.begin(), macro.parameters.end(), [&](const auto& p) { return p.name->view() == name; });
    };
    macro.usesCaller = seen_.caller && !named("caller");
    macro.usesVarargs = seen_.varargs && !named("varargs");
    macro.usesKwargs = seen_.kwargs && !named("kwargs");
    seen_ = {seen_.loop || outside.loop, seen_.caller || outside.caller, seen_.varargs || outside.varargs, seen_.kwargs || outside.kwargs};
}

Stmt* Parser::parseMacro() {
    auto* node = tree_.stmt<MacroNode>(Does::kMacro, take().line);
    const std::string name = anyName();
    node->name = tree_.text(name);
    node->nameId = tree_.id(name);
    signature(*node);
    macroBody(*node, "endmacro");
    return node;
}

Stmt* Parser::parseCall() {
    auto* node = tree_.stmt<CallNode>(Does::kCall, take().line);
    node->caller = tree_.stmt<MacroNode>(Does::kMacro, node->line);
    if (isOperator("(")) signature(*node->caller);
    node->call = expression();
    if (node->call->op != Op::kCall) bad("a call block calls a macro: {% call name(…) %}", node->line);
    macroBody(*node->caller, "endcall");
    return node;
}

Stmt* Parser::parseWith() {
    auto* node = tree_.stmt<BlockNode>(Does::kWith, take().line);
    while (now().kind != TokenKind::kBlockEnd) {
        if (!node->values.empty()) expectOperator(",");
        Target to = target(false);
        expectOperator("=");
        node->values.emplace_back(std::move(to), expression());
    }
    node->body = statements({"endwith"});
    take();
    return node;
}

Stmt* Parser::parseFilterBlock() {
    auto* node = tree_.stmt<BlockNode>(Does::kFilter, take().line);
    node->filter = filter(nullptr, true);
    node->body = statements({"endfilter"});
    take();
    return node;
}

Stmt* Parser::parseBlock() {
    auto* node = tree_.stmt<BlockNode>(Does::kScope, take().line);
    const std::string name = anyName();
    if (std::find(blocks_.begin(), blocks_.end(), name) != blocks_.end()) bad("the block '" + name + "' is defined twice");
    blocks_.push_back(name);
    skipName("scoped");
    if (isName("required")) bad("required blocks belong to templates that others extend");
    const int loops = loops_;
    loops_ = 0;
    node->body = statements({"endblock"});
    loops_ = loops;
    take();
    skipName(name);
    return node;
}

Stmt* Parser::parseGeneration() {
    auto* node = tree_.stmt<BlockNode>(Does::kGeneration, take().line);
    const int loops = loops_;
    loops_ = 0;
    node->body = statements({"endgeneration"});
    loops_ = loops;
    take();
    tree_.hasGeneration = true;
    return node;
}

void Parser::parsePrint(Body& out) {
    take();
    bool first = true;
    while (now().kind != TokenKind::kBlockEnd) {
        if (!first) expectOperator(",");
        first = false;
        auto* node = tree_.stmt<PrintNode>(Does::kPrint, now().line);
        node->value = expression();
        out.push_back(node);
    }
}

Target Parser::oneTarget(bool namespaces) {
    Target t;
    t.line = now().line;
    if (skipOperator("(")) {
        t = target(namespaces, ")");
        expectOperator(")");
        return t;
    }
    const std::string name = anyName();
    for (const char* word : {"true", "false", "none", "True", "False", "None"})
        if (name == word) bad("nothing can be assigned to '" + name + "'", t.line);
    if (name == "loop" && !namespaces) bad("nothing can be assigned to 'loop' by a for loop", t.line);
    t.name = tree_.id(name);
    if (namespaces && skipOperator(".")) {
        t.kind = Target::Kind::kNamespace;
        t.attribute = tree_.text(anyName());
    }
    return t;
}

Target Parser::target(bool namespaces, std::string_view end) {
    Target first = oneTarget(namespaces);
    if (!isOperator(",")) return first;
    Target out;
    out.kind = Target::Kind::kTuple;
    out.line = first.line;
    out.parts.push_back(std::move(first));
    while (skipOperator(",")) {
        if (now().kind == TokenKind::kBlockEnd || isOperator("=") || (!end.empty() && (isName(end) || isOperator(end)))) break;
        out.parts.push_back(oneTarget(namespaces));
    }
    return out;
}

Expr* Parser::expression(bool conditional) {
    const Deeper deeper(*this);
    return conditional ? conditionalExpr() : orExpr();
}

}  // namespace assay::data::jinja
