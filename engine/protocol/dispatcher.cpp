#include "assay/protocol/dispatcher.h"

namespace assay::protocol {

void Dispatcher::add(std::string name, Cost cost, Handler handler) {
    ASSAY_CHECK(!methods_.contains(name), "method " + name + " is registered twice");
    methods_.emplace(std::move(name), Method{cost, std::move(handler)});
}

const Dispatcher::Method* Dispatcher::find(std::string_view name) const {
    auto it = methods_.find(name);
    return it == methods_.end() ? nullptr : &it->second;
}

std::vector<std::string> Dispatcher::names() const {
    std::vector<std::string> out;
    out.reserve(methods_.size());
    for (const auto& [name, method] : methods_) out.push_back(name);
    return out;
}

Result<Json> Dispatcher::call(const std::string& name, const Json& params, uint64_t session) const {
    const Method* method = find(name);
    if (!method) return fail(unknownMethod(name));
    return method->handler(params, session);
}

Error unknownMethod(std::string_view name) {
    return Error(ErrorCode::kNotFound, "the engine has no method \"" + std::string(name.substr(0, 100)) + "\"", "the engine may be older than the client");
}

}  // namespace assay::protocol
