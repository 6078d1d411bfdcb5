#include "assay/protocol/rpc.h"

#include "assay/protocol/version.h"

namespace assay::protocol {
namespace {

constexpr int kMaxDepth = 64;

tl::unexpected<RpcParseError> invalid(int number, Json id, std::string message) {
    return tl::unexpected<RpcParseError>({number, std::move(id), Error(ErrorCode::kBadUsage, std::move(message), "see engine/protocol/PROTOCOL.md")});
}

int numberOf(const Error& error) {
    switch (error.code) {
        case ErrorCode::kBadUsage: return kRpcInvalidParams;
        case ErrorCode::kInternal: return kRpcInternal;
        default: return kRpcServerError - static_cast<int>(error.code);
    }
}

std::string errorBody(const Json& id, int number, const Error& error) {
    Json body = {{"jsonrpc", "2.0"}, {"id", id}};
    body["error"] = {{"code", number}, {"message", error.message}, {"data", errorToJson(error)}};
    return dumpJson(body);
}

}  // namespace

tl::expected<RpcMessage, RpcParseError> parseMessage(std::string_view text) {
    JsonLimits limits;
    limits.maxBytes = kMaxMessageBytes;
    limits.maxDepth = kMaxDepth;
    auto parsed = parseJson(text, "message", limits);
    if (!parsed) return invalid(kRpcParseError, nullptr, parsed.error().message);
    const Json& body = *parsed;
    if (body.is_array()) return invalid(kRpcInvalidRequest, nullptr, "batches are not part of the protocol");
    if (!body.is_object()) return invalid(kRpcInvalidRequest, nullptr, "message is not a JSON object");

    RpcMessage message;
    auto id = body.find("id");
    const bool hasId = id != body.end() && !id->is_null();
    if (hasId && !id->is_string() && !id->is_number_integer()) return invalid(kRpcInvalidRequest, nullptr, "\"id\" is neither a string nor an integer");
    if (hasId && id->is_string() && id->get_ref<const std::string&>().size() > 256) return invalid(kRpcInvalidRequest, nullptr, "\"id\" is longer than 256 bytes");
    if (hasId) message.id = *id;
    auto version = body.find("jsonrpc");
    if (version == body.end() || *version != "2.0") return invalid(kRpcInvalidRequest, message.id, "\"jsonrpc\" is not \"2.0\"");

    if (auto method = body.find("method"); method != body.end()) {
        if (body.contains("result") || body.contains("error")) return invalid(kRpcInvalidRequest, message.id, "message is both request and response");
        if (!method->is_string() || method->get_ref<const std::string&>().empty()) return invalid(kRpcInvalidRequest, message.id, "\"method\" is not a name");
        if (id != body.end() && id->is_null()) return invalid(kRpcInvalidRequest, nullptr, "\"id\" is null");
        message.method = method->get<std::string>();
        message.kind = hasId ? RpcMessage::Kind::kRequest : RpcMessage::Kind::kNotification;
        if (auto params = body.find("params"); params != body.end()) {
            if (!params->is_object()) return invalid(kRpcInvalidRequest, message.id, "\"params\" is not an object");
            message.params = *params;
        }
        return message;
    }
    auto result = body.find("result"), error = body.find("error");
    if ((result == body.end()) == (error == body.end())) return invalid(kRpcInvalidRequest, message.id, "message has neither \"method\" nor exactly one of \"result\" and \"error\"");
    if (result != body.end()) {
        if (!hasId) return invalid(kRpcInvalidRequest, nullptr, "response without \"id\"");
        message.kind = RpcMessage::Kind::kResponse;
        message.result = *result;
        return message;
    }
    if (!error->is_object()) return invalid(kRpcInvalidRequest, message.id, "\"error\" is not an object");
    message.kind = RpcMessage::Kind::kErrorResponse;
    if (auto data = error->find("data"); data != error->end() && data->is_object() && data->contains("code")) {
        message.error = errorFromJson(*data);
    } else {
        message.error = Error(ErrorCode::kInternal, jsonStringOr(*error, "message", "error without a message"));
    }
    return message;
}

std::string requestText(const Json& id, std::string_view method, const Json& params) {
    return dumpJson({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}});
}
std::string notificationText(std::string_view method, const Json& params) {
    return dumpJson({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
}
std::string responseText(const Json& id, const Json& result) { return dumpJson({{"jsonrpc", "2.0"}, {"id", id}, {"result", result}}); }
std::string errorText(const Json& id, const Error& error) { return errorBody(id, numberOf(error), error); }
std::string errorText(const RpcParseError& error) { return errorBody(error.id, error.number, error.error); }

}  // namespace assay::protocol
