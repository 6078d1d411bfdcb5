#include "families/shape_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace assay::model {
namespace {
tl::unexpected<Error> bad(std::string message) { return fail(ErrorCode::kInvalidFile, "model configuration: " + std::move(message)); }
tl::unexpected<Error> wrongType(std::string_view key, const char* expected) {
    return fail(ErrorCode::kInvalidFile, fmt::format("config.json: \"{}\" must be {}", key, expected));
}
}  // namespace

Result<void> checkShape(const ModelConfig& c) {
    struct Bound {
        const char* name;
        int64_t value, limit;
    };
    const Bound bounds[] = {
        {"number of layers", c.layers, 1 << 12},  {"hidden size", c.hidden, 1 << 20},         {"number of heads", c.heads, 1 << 14},
        {"number of key/value heads", c.kvHeads, 1 << 14}, {"head dimension", c.headDim, 1 << 14}, {"feed-forward size", c.ffn, 1 << 23},
        {"vocabulary size", c.vocab, 1 << 25},    {"context length", c.context, int64_t{1} << 31},
    };
    for (const Bound& b : bounds) {
        if (b.value <= 0) return bad(fmt::format("{} is {}, it must be positive", b.name, b.value));
        if (b.value > b.limit) return bad(fmt::format("{} is {}, more than the {} that Assay accepts", b.name, b.value, b.limit));
    }
    if (c.heads % c.kvHeads != 0)
        return bad(fmt::format("{} heads cannot be shared by {} key/value heads", c.heads, c.kvHeads));
    if (!(c.normEps > 0) || !(c.normEps < 1)) return bad(fmt::format("norm epsilon {} is not between 0 and 1", c.normEps));
    if (!(c.dropout >= 0) || !(c.dropout < 1)) return bad(fmt::format("dropout {} is not in [0, 1)", c.dropout));
    if (c.bosId < -1 || c.bosId >= c.vocab) return bad(fmt::format("BOS id {} is outside the vocabulary of {}", c.bosId, c.vocab));
    for (int64_t id : c.eosIds)
        if (id < 0 || id >= c.vocab) return bad(fmt::format("EOS id {} is outside the vocabulary of {}", id, c.vocab));
    return {};
}

bool hfHas(const Json& config, std::string_view key) {
    auto it = config.find(key);
    return it != config.end() && !it->is_null();
}

Result<int64_t> hfInteger(const Json& config, std::string_view key) {
    if (!hfHas(config, key)) return fail(ErrorCode::kInvalidFile, fmt::format("config.json: \"{}\" is missing", key));
    auto value = jsonInteger(config, key);
    if (!value) return wrongType(key, "an integer");
    return *value;
}
Result<int64_t> hfInteger(const Json& config, std::string_view key, int64_t fallback) {
    if (!hfHas(config, key)) return fallback;
    return hfInteger(config, key);
}
Result<double> hfDouble(const Json& config, std::string_view key, double fallback) {
    if (!hfHas(config, key)) return fallback;
    auto value = jsonDouble(config, key);
    if (!value || !std::isfinite(*value)) return wrongType(key, "a finite number");
    return *value;
}
Result<bool> hfBool(const Json& config, std::string_view key, bool fallback) {
    if (!hfHas(config, key)) return fallback;
    auto value = jsonBool(config, key);
    if (!value) return wrongType(key, "true or false");
    return *value;
}
Result<std::string> hfString(const Json& config, std::string_view key, std::string_view fallback) {
    if (!hfHas(config, key)) return std::string(fallback);
    auto value = jsonString(config, key);
    if (!value) return wrongType(key, "a string");
    return *value;
}

Result<void> hfEosIds(const Json& config, std::vector<int64_t>& ids) {
    if (!hfHas(config, "eos_token_id")) return {};
    const Json& value = *config.find("eos_token_id");
    const Json list = value.is_array() ? value : Json::array({value});
    if (list.size() > 1024) return wrongType("eos_token_id", "at most 1024 ids");
    for (const Json& id : list) {
        if (!id.is_number_integer()) return wrongType("eos_token_id", "an id or a list of ids");
        const auto n = id.get<int64_t>();
        if (n >= 0 && std::find(ids.begin(), ids.end(), n) == ids.end()) ids.push_back(n);
    }
    return {};
}

Json hfEosJson(const std::vector<int64_t>& ids) {
    if (ids.empty()) return nullptr;
    if (ids.size() == 1) return ids[0];
    return ids;
}

}  // namespace assay::model
