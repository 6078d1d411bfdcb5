#include "api.h"

namespace assay::server {
namespace {

tl::unexpected<Error> wrong(std::string_view key, std::string_view expected) {
    return fail(ErrorCode::kBadUsage, "parameter \"" + std::string(key) + "\": expected " + std::string(expected), "see engine/protocol/PROTOCOL.md");
}

const Json* find(const Json& params, std::string_view key) {
    auto it = params.find(std::string(key));
    return it == params.end() || it->is_null() ? nullptr : &*it;
}

}  // namespace

Result<std::string> textParam(const Json& params, std::string_view key) {
    const Json* value = find(params, key);
    if (!value || !value->is_string()) return wrong(key, "a text");
    return value->get<std::string>();
}

Result<std::string> textParamOr(const Json& params, std::string_view key, std::string_view fallback) {
    if (!find(params, key)) return std::string(fallback);
    return textParam(params, key);
}

Result<int64_t> numberParam(const Json& params, std::string_view key, int64_t low, int64_t high) {
    const Json* value = find(params, key);
    const std::string expected = "a whole number from " + std::to_string(low) + " to " + std::to_string(high);
    if (!value || !value->is_number_integer()) return wrong(key, expected);
    if (value->is_number_unsigned() && value->get<uint64_t>() > static_cast<uint64_t>(high < 0 ? 0 : high)) return wrong(key, expected);
    const auto number = value->get<int64_t>();
    if (number < low || number > high) return wrong(key, expected);
    return number;
}

Result<int64_t> numberParamOr(const Json& params, std::string_view key, int64_t low, int64_t high, int64_t fallback) {
    if (!find(params, key)) return fallback;
    return numberParam(params, key, low, high);
}

Result<bool> flagParamOr(const Json& params, std::string_view key, bool fallback) {
    const Json* value = find(params, key);
    if (!value) return fallback;
    if (!value->is_boolean()) return wrong(key, "true or false");
    return value->get<bool>();
}

Result<std::vector<std::string>> textsParam(const Json& params, std::string_view key) {
    std::vector<std::string> out;
    const Json* value = find(params, key);
    if (!value) return out;
    if (!value->is_array() || value->size() > 100'000) return wrong(key, "a list of texts");
    for (const Json& item : *value) {
        if (!item.is_string()) return wrong(key, "a list of texts");
        out.push_back(item.get<std::string>());
    }
    return out;
}

Result<std::string> runParam(store::Store& store, const Json& params) {
    auto given = textParam(params, "run");
    if (!given) return fail(std::move(given).error());
    const std::string reference = given->starts_with("run:") ? given->substr(4) : *given;
    std::string id;
    ASSAY_TRY_VOID(store.read([&](store::Reader& reader) -> Result<void> {
        ASSAY_TRY(id, reader.resolveRun(reference));
        return {};
    }));
    return id;
}

}  // namespace assay::server
