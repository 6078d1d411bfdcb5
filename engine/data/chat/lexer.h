#pragma once
// Template source to tokens, with trim_blocks and lstrip_blocks.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::data::jinja {

enum class TokenKind : uint8_t { kText, kVariableBegin, kVariableEnd, kBlockBegin, kBlockEnd, kName, kString, kInteger, kFloat, kOperator, kEnd };

struct Token {
    TokenKind kind = TokenKind::kEnd;
    int line = 1;
    std::string text;  // kText, kName, kString (its value), kOperator
    int64_t integer = 0;
    double real = 0;
};

// Raises TemplateError with the line. The source is valid UTF-8.
std::vector<Token> lex(std::string_view source);

}  // namespace assay::data::jinja
