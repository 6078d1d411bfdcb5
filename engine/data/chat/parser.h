#pragma once
// Tokens to a tree. Raises TemplateError with the line.
#include <initializer_list>

#include "chat/lexer.h"
#include "chat/tree.h"

namespace assay::data::jinja {

class Parser {
public:
    Parser(Tree& tree, std::vector<Token> tokens) : tree_(tree), tokens_(std::move(tokens)) {}
    void run();

private:
    class Deeper;
    // Tokens
    const Token& now() const { return tokens_[at_]; }
    const Token& look() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
    Token take() { return at_ + 1 < tokens_.size() ? tokens_[at_++] : tokens_[at_]; }
    bool isOperator(std::string_view text) const { return now().kind == TokenKind::kOperator && now().text == text; }
    bool isName(std::string_view text) const { return now().kind == TokenKind::kName && now().text == text; }
    bool skipOperator(std::string_view text);
    bool skipName(std::string_view text);
    void expectOperator(std::string_view text);
    void expectName(std::string_view text);
    std::string anyName();
    void expectKind(TokenKind kind);
    [[noreturn]] void bad(const std::string& what) const { bad(what, now().line); }
    [[noreturn]] void bad(const std::string& what, int line) const;
    std::string described() const;

    // Statements
    Body statements(std::initializer_list<std::string_view> ends);  // the body of a tag up to one of these, which is taken
    Body subparse(std::initializer_list<std::string_view> ends);
    void statement(Body& out);
    Stmt* parseFor();
    Stmt* parseIf();
    Stmt* parseSet();
    Stmt* parseMacro();
    Stmt* parseCall();
    Stmt* parseWith();
    Stmt* parseFilterBlock();
    Stmt* parseBlock();
    Stmt* parseGeneration();
    void parsePrint(Body& out);
    void signature(MacroNode& macro);
    void macroBody(MacroNode& macro, std::string_view end);
    Target target(bool namespaces, std::string_view end = {});
    Target oneTarget(bool namespaces);

    // Expressions
    Expr* expression(bool conditional = true);
    Expr* tuple(bool conditional = true, std::string_view end = {}, bool parentheses = false);
    Expr* conditionalExpr();
    Expr* orExpr();
    Expr* andExpr();
    Expr* notExpr();
    Expr* compare();
    Expr* sum();
    Expr* concat();
    Expr* product();
    Expr* power();
    Expr* unary(bool filters = true);
    Expr* primary();
    Expr* postfix(Expr* node);
    Expr* filterExpr(Expr* node);
    Expr* subscript(Expr* node);
    Expr* subscribed();
    Expr* call(Expr* node);
    Expr* filter(Expr* node, bool inlineStart = false);
    Expr* test(Expr* node);
    void callArguments(Expr& out);
    Expr* binary(Op op, Expr* a, Expr* b, int line);
    Expr* constant(const Value& v, int line);
    bool tupleEnds(std::string_view end) const;

    Tree& tree_;
    std::vector<Token> tokens_;
    size_t at_ = 0;
    int depth_ = 0;
    // Names that make special variables: seen in the bodies that are being parsed.
    struct Seen {
        bool loop = false, caller = false, varargs = false, kwargs = false;
    };
    Seen seen_;
    int loops_ = 0;
    std::vector<std::string> blocks_;
};

// What Jinja2 finds when it compiles: filters and tests that nobody knows, outside of conditions.
void checkNames(const Tree& tree);
int filterId(std::string_view name);  // -1: unknown
int testId(std::string_view name);

}  // namespace assay::data::jinja
