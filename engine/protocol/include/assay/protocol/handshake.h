#pragma once
// The three messages that open a connection. Frozen: they never change, so that any two versions can tell each other
// what they are. All are JSON-RPC notifications.

#include <assay/core/json.h>
#include <assay/protocol/version.h>

#include <string>
#include <vector>

namespace assay::protocol {

struct Hello {  // server → client
    std::string product = std::string(kProduct);
    std::string version;  // of the program
    int apiLevel = kApiLevel, apiCompatLevel = kApiCompatLevel;
    std::string engineId, storeEpoch;
    std::string auth = "token";
    std::vector<std::string> features;
};
struct Attach {  // client → server
    std::string client, version;
    int apiLevel = kApiLevel;
};
struct Attached {  // server → client
    int negotiatedLevel = kApiLevel;
    std::string session;
};

Json helloToJson(const Hello& hello);  // the params objects
Result<Hello> helloFromJson(const Json& params);
Json attachToJson(const Attach& attach);
Result<Attach> attachFromJson(const Json& params);
Json attachedToJson(const Attached& attached);
Result<Attached> attachedFromJson(const Json& params);

// The level both sides speak, or kVersionMismatch naming both numbers and which side to update.
Result<int> negotiate(int serverLevel, int serverCompatLevel, int clientLevel);

// <store>/engine.json, mode 0600: how clients of the same user find the engine.
struct Endpoint {
    std::string url, token;
    int pid = 0;
    uint64_t startTicks = 0;
    std::string version, engineId, storeEpoch;
};
inline constexpr std::string_view kEndpointFile = "engine.json";
Json endpointToJson(const Endpoint& endpoint);
Result<Endpoint> endpointFromJson(const Json& json);
bool sameSecret(std::string_view a, std::string_view b);  // comparison time depends on the lengths only

}  // namespace assay::protocol
