#pragma once
// Methods of values: a table of the strings' ones (methods_text.cpp) and of the others (methods.cpp).
#include <span>
#include <string_view>

#include "chat/interpreter.h"

namespace assay::data::jinja {

struct MethodCall {
    Interpreter& in;
    Runtime& r;
    const Value& self;
    const Arguments& raw;

    const Str& s() const { return *self.string; }
    std::string_view text() const { return self.text(); }
    Bound bind(std::string_view name, std::string_view parameters, size_t required = 0) const { return Bound(name, parameters, required, raw); }
};

enum On : uint8_t { kText = 1, kMap = 2, kRow = 4, kTupleRow = 8, kTurns = 16, kCycle = 32 };
struct MethodEntry {
    std::string_view name;
    uint8_t on;
    Value (*run)(const MethodCall&);  // null: would change the object, which the sandbox forbids
};

std::span<const MethodEntry> textMethods();
Value countText(const MethodCall& m);  // of two kinds of values that have methods of these names
Value indexText(const MethodCall& m);

}  // namespace assay::data::jinja
