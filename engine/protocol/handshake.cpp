#include "assay/protocol/handshake.h"

#include <algorithm>

namespace assay::protocol {
namespace {

Result<int> level(const Json& object, std::string_view key) {
    ASSAY_TRY(int64_t value, jsonInteger(object, key));
    if (value < 1 || value > 1'000'000) return fail(ErrorCode::kInvalidFile, std::string(key) + " " + std::to_string(value) + " is not in 1..1000000");
    return static_cast<int>(value);
}

Result<void> mustBeObject(const Json& json, std::string_view what) {
    if (json.is_object()) return {};
    return fail(ErrorCode::kInvalidFile, std::string(what) + " is not a JSON object");
}

}  // namespace

Json helloToJson(const Hello& hello) {
    return {{"product", hello.product},       {"version", hello.version},
            {"api_level", hello.apiLevel},    {"api_compat_level", hello.apiCompatLevel},
            {"engine_id", hello.engineId},    {"store_epoch", hello.storeEpoch},
            {"auth", hello.auth},             {"features", hello.features}};
}

Result<Hello> helloFromJson(const Json& params) {
    ASSAY_TRY_VOID(mustBeObject(params, "hello"));
    Hello hello;
    ASSAY_TRY(hello.product, jsonString(params, "product"));
    ASSAY_TRY(hello.version, jsonString(params, "version"));
    ASSAY_TRY(hello.apiLevel, level(params, "api_level"));
    ASSAY_TRY(hello.apiCompatLevel, level(params, "api_compat_level"));
    ASSAY_TRY(hello.engineId, jsonString(params, "engine_id"));
    ASSAY_TRY(hello.storeEpoch, jsonString(params, "store_epoch"));
    hello.auth = jsonStringOr(params, "auth", "token");
    if (auto features = params.find("features"); features != params.end() && features->is_array())
        for (const Json& feature : *features)
            if (feature.is_string()) hello.features.push_back(feature.get<std::string>());
    if (hello.product != kProduct) return fail(ErrorCode::kVersionMismatch, "the other side is \"" + hello.product + "\", not an Assay engine");
    return hello;
}

Json attachToJson(const Attach& attach) {
    return {{"client", attach.client}, {"version", attach.version}, {"api_level", attach.apiLevel}};
}

Result<Attach> attachFromJson(const Json& params) {
    ASSAY_TRY_VOID(mustBeObject(params, "attach"));
    Attach attach;
    ASSAY_TRY(attach.client, jsonString(params, "client"));
    ASSAY_TRY(attach.version, jsonString(params, "version"));
    ASSAY_TRY(attach.apiLevel, level(params, "api_level"));
    return attach;
}

Json attachedToJson(const Attached& attached) { return {{"negotiated_level", attached.negotiatedLevel}, {"session", attached.session}}; }

Result<Attached> attachedFromJson(const Json& params) {
    ASSAY_TRY_VOID(mustBeObject(params, "attached"));
    Attached attached;
    ASSAY_TRY(attached.negotiatedLevel, level(params, "negotiated_level"));
    ASSAY_TRY(attached.session, jsonString(params, "session"));
    return attached;
}

Result<int> negotiate(int serverLevel, int serverCompatLevel, int clientLevel) {
    if (clientLevel < serverCompatLevel)
        return fail(ErrorCode::kVersionMismatch,
                    "the client speaks protocol level " + std::to_string(clientLevel) + ", the engine needs at least " + std::to_string(serverCompatLevel),
                    "update the client");
    return std::min(serverLevel, clientLevel);
}

Json endpointToJson(const Endpoint& endpoint) {
    return {{"url", endpoint.url},         {"token", endpoint.token},        {"pid", endpoint.pid},
            {"start_ticks", endpoint.startTicks}, {"version", endpoint.version}, {"engine_id", endpoint.engineId},
            {"store_epoch", endpoint.storeEpoch}};
}

Result<Endpoint> endpointFromJson(const Json& json) {
    ASSAY_TRY_VOID(mustBeObject(json, kEndpointFile));
    Endpoint endpoint;
    ASSAY_TRY(endpoint.url, jsonString(json, "url"));
    ASSAY_TRY(endpoint.token, jsonString(json, "token"));
    ASSAY_TRY(int64_t pid, jsonInteger(json, "pid"));
    if (pid < 1 || pid > 1 << 22) return fail(ErrorCode::kInvalidFile, "pid " + std::to_string(pid) + " is out of range");
    endpoint.pid = static_cast<int>(pid);
    ASSAY_TRY(int64_t ticks, jsonInteger(json, "start_ticks"));
    endpoint.startTicks = static_cast<uint64_t>(ticks);
    endpoint.version = jsonStringOr(json, "version", "");
    endpoint.engineId = jsonStringOr(json, "engine_id", "");
    endpoint.storeEpoch = jsonStringOr(json, "store_epoch", "");
    return endpoint;
}

bool sameSecret(std::string_view a, std::string_view b) {
    unsigned difference = a.size() != b.size();
    for (size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b.empty() ? 0 : b[i % b.size()]);
    return difference == 0;
}

}  // namespace assay::protocol
