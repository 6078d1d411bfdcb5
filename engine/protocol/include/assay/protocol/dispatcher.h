#pragma once
// Method table: a name, what it is called with, and the function that answers. Knows no sockets; one thread registers,
// any thread calls.

#include <assay/protocol/rpc.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace assay::protocol {

// Session-independent methods get the session's number to tell clients apart in logs and subscriptions.
using Handler = std::function<Result<Json>(const Json& params, uint64_t session)>;

enum class Cost { kQuick, kSlow };  // kSlow: reads or writes much; the server calls it off the socket thread

class Dispatcher {
public:
    void add(std::string name, Cost cost, Handler handler);  // a name that is taken is a defect
    struct Method {
        Cost cost = Cost::kQuick;
        Handler handler;
    };
    const Method* find(std::string_view name) const;
    std::vector<std::string> names() const;  // sorted
    // Calls the method; unknown names are kNotFound with the names that exist.
    Result<Json> call(const std::string& name, const Json& params, uint64_t session) const;

private:
    std::map<std::string, Method, std::less<>> methods_;
};

Error unknownMethod(std::string_view name);

}  // namespace assay::protocol
