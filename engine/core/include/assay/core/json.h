#pragma once
// The one front door for JSON documents (configuration-sized; event files and JSONL use simdjson). Limits come before
// allocation, duplicate keys are errors, and non-finite numbers are the strings "nan", "inf", "-inf" (CONTRACT.md).

#include <assay/core/error.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace assay {

using Json = nlohmann::ordered_json;  // keys keep their order: output is stable and readable

struct JsonLimits {
    size_t maxBytes = size_t{64} << 20;
    int maxDepth = 128;
};

// Strict RFC 8259: UTF-8, no duplicate keys, no trailing text. Errors name `what` with line and column.
Result<Json> parseJson(std::string_view text, std::string_view what, const JsonLimits& limits = {});
Result<Json> readJsonFile(const std::string& path, const JsonLimits& limits = {});

// Compact (indent < 0) or pretty text. Invalid UTF-8 in strings is replaced by U+FFFD rather than thrown at.
std::string dumpJson(const Json& value, int indent = -1);

Json jsonNumber(double value);  // finite: number; else "nan", "inf", "-inf"
double numberFromJson(const Json& value);  // inverse; null and anything else: NaN

// Typed access that never throws: error names key and expected type.
Result<std::string> jsonString(const Json& object, std::string_view key);
Result<int64_t> jsonInteger(const Json& object, std::string_view key);
Result<double> jsonDouble(const Json& object, std::string_view key);
Result<bool> jsonBool(const Json& object, std::string_view key);
// The value or the fallback when the key is absent, null or of another type.
std::string jsonStringOr(const Json& object, std::string_view key, std::string_view fallback);
int64_t jsonIntegerOr(const Json& object, std::string_view key, int64_t fallback);
double jsonDoubleOr(const Json& object, std::string_view key, double fallback);
bool jsonBoolOr(const Json& object, std::string_view key, bool fallback);

Json errorToJson(const Error& error);  // {"code","message","hint","context"}
Error errorFromJson(const Json& value);

}  // namespace assay
