#pragma once
// A parsed template.
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "chat/value.h"

namespace assay::data::jinja {

using NameId = uint32_t;

enum class Op : uint8_t {
    kConst, kName, kList, kTuple, kDict, kAttribute, kItem, kSlice, kCall, kFilter, kTest, kNot, kNegative, kPositive, kAnd, kOr,
    kAdd, kSubtract, kMultiply, kDivide, kFloorDivide, kModulo, kPower, kConcat, kCompare, kConditional,
    kEqual, kNotEqual, kLess, kLessEqual, kGreater, kGreaterEqual, kIn, kNotIn,  // of kCompare
};

struct Expr {
    struct Argument {
        enum class How : uint8_t { kPlace, kName, kStar, kStarStar } how = How::kPlace;
        const Str* name = nullptr;
        NameId nameId = 0;
        Expr* value = nullptr;
    };
    Op op = Op::kConst;
    int line = 0;
    Value constant;
    NameId name = 0;
    const Str* text = nullptr;      // name of a variable, an attribute, a filter, a test
    int builtin = -1;               // which filter, test or method; -1: none of that name
    std::vector<Expr*> kids;        // null: left out (slices, the value of a filter block)
    std::vector<Op> comparisons;    // kCompare: one fewer than kids
    std::vector<Argument> arguments;
};

struct Target {
    enum class Kind : uint8_t { kName, kNamespace, kTuple } kind = Kind::kName;
    NameId name = 0;
    const Str* attribute = nullptr;  // kNamespace
    std::vector<Target> parts;
    int line = 0;
};

struct Stmt;
using Body = std::vector<Stmt*>;
enum class Does : uint8_t { kText, kPrint, kFor, kIf, kSet, kSetBlock, kMacro, kCall, kFilter, kWith, kScope, kBreak, kContinue, kGeneration };

struct Stmt {
    Stmt(Does does, int line) : does(does), line(line) {}
    virtual ~Stmt() = default;
    Does does;
    int line;
};
struct TextNode : Stmt {
    using Stmt::Stmt;
    const Str* text = nullptr;
};
struct PrintNode : Stmt {
    using Stmt::Stmt;
    Expr* value = nullptr;
};
struct ForNode : Stmt {
    using Stmt::Stmt;
    Target target;
    Expr *items = nullptr, *test = nullptr;
    bool recursive = false, usesLoop = false;
    Body body, otherwise;
};
struct IfNode : Stmt {
    using Stmt::Stmt;
    std::vector<std::pair<Expr*, Body>> branches;
    Body otherwise;
};
struct SetNode : Stmt {
    using Stmt::Stmt;
    Target target;
    Expr* value = nullptr;  // kSetBlock: a filter over the body, or null
    Body body;
};
struct MacroNode : Stmt {
    using Stmt::Stmt;
    const Str* name = nullptr;  // null: the body of a call block
    NameId nameId = 0;
    struct Parameter {
        const Str* name;
        NameId id;
        Expr* fallback;
    };
    std::vector<Parameter> parameters;
    bool usesCaller = false, usesVarargs = false, usesKwargs = false, namesCaller = false;
    Body body;
};
struct CallNode : Stmt {
    using Stmt::Stmt;
    MacroNode* caller = nullptr;
    Expr* call = nullptr;
};
struct BlockNode : Stmt {  // kFilter, kWith, kScope, kGeneration
    using Stmt::Stmt;
    Expr* filter = nullptr;
    std::vector<std::pair<Target, Expr*>> values;
    Body body;
};

struct Frame;
struct Macro {
    const MacroNode* node;
    Frame* frame;
    std::string_view name;
};

class Tree {
public:
    Body body;
    bool hasGeneration = false;
    std::vector<const Str*> names;  // by NameId

    NameId id(std::string_view name) {
        const auto [at, fresh] = ids_.try_emplace(std::string(name), static_cast<NameId>(names.size()));
        if (fresh) names.push_back(text(name));
        return at->second;
    }
    int64_t find(std::string_view name) const {
        const auto at = ids_.find(name);
        return at == ids_.end() ? -1 : static_cast<int64_t>(at->second);
    }
    const Str* text(std::string_view text) {
        texts_.emplace_back(text);
        Str s;
        s.data = texts_.back().data();
        s.size = static_cast<uint32_t>(texts_.back().size());
        strs_.push_back(s);
        return &strs_.back();
    }
    Expr* expr(Op op, int line) {
        exprs_.emplace_back();
        exprs_.back().op = op;
        exprs_.back().line = line;
        return &exprs_.back();
    }
    template <class Node>
    Node* stmt(Does does, int line) {
        auto node = std::make_unique<Node>(does, line);
        Node* raw = node.get();
        stmts_.push_back(std::move(node));
        return raw;
    }

private:
    std::map<std::string, NameId, std::less<>> ids_;
    std::deque<std::string> texts_;
    std::deque<Str> strs_;
    std::deque<Expr> exprs_;
    std::vector<std::unique_ptr<Stmt>> stmts_;
};

}  // namespace assay::data::jinja
