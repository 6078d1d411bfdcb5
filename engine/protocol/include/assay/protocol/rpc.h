#pragma once
// JSON-RPC 2.0 envelopes. Batches are not part of our protocol; ids are strings or integers.

#include <assay/core/json.h>

#include <string>
#include <string_view>

namespace assay::protocol {

struct RpcMessage {
    enum class Kind { kRequest, kNotification, kResponse, kErrorResponse } kind = Kind::kRequest;
    Json id;             // null for notifications (and for error answers to unreadable requests)
    std::string method;  // request, notification
    Json params = Json::object();  // always an object
    Json result;         // kResponse
    Error error;         // kErrorResponse
};

// What could not be read, and the id to answer to (null when none was readable).
struct RpcParseError {
    int number = 0;  // JSON-RPC number, one of the constants below
    Json id;
    Error error;
};
inline constexpr int kRpcParseError = -32700, kRpcInvalidRequest = -32600, kRpcMethodNotFound = -32601,
                     kRpcInvalidParams = -32602, kRpcInternal = -32603, kRpcServerError = -32000;

tl::expected<RpcMessage, RpcParseError> parseMessage(std::string_view text);

std::string requestText(const Json& id, std::string_view method, const Json& params);
std::string notificationText(std::string_view method, const Json& params);
std::string responseText(const Json& id, const Json& result);
std::string errorText(const Json& id, const Error& error);
std::string errorText(const RpcParseError& error);

}  // namespace assay::protocol
