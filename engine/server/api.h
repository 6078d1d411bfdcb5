#pragma once
// The methods of PROTOCOL.md on top of store and runtime. Knows no sockets.

#include <assay/protocol/dispatcher.h>
#include <assay/runtime/runtime.h>
#include <assay/store/store.h>

#include <functional>
#include <mutex>
#include <string>

namespace assay::server {

// Load of the processors between two looks, whoever looks.
struct CpuWatch {
    std::mutex mutex;
    double at = 0, busy = 0, total = 0, fraction = 0;
};

struct ApiContext {
    store::Store& store;
    runtime::Runtime& runtime;
    std::string url, version;
    double startedAt = 0;  // monotonic
    std::function<void()> shutdown;
    CpuWatch cpu;
    struct {
        std::mutex mutex;
        double at = 0;
        int64_t bytes = 0;
    } storeSize;
    std::function<void(const std::string&)> planRun = {};  // a run was submitted: its prediction is due
};

void addRunMethods(protocol::Dispatcher& table, ApiContext& context);
void addDataMethods(protocol::Dispatcher& table, ApiContext& context);
void addMachineMethods(protocol::Dispatcher& table, ApiContext& context);
Json troubleJson(const store::Store& store);  // null, or {code, message, hint}

// --- parameters: kBadUsage naming the key
Result<std::string> textParam(const Json& params, std::string_view key);
Result<std::string> textParamOr(const Json& params, std::string_view key, std::string_view fallback);
Result<int64_t> numberParam(const Json& params, std::string_view key, int64_t low, int64_t high);
Result<int64_t> numberParamOr(const Json& params, std::string_view key, int64_t low, int64_t high, int64_t fallback);
Result<bool> flagParamOr(const Json& params, std::string_view key, bool fallback);
Result<std::vector<std::string>> textsParam(const Json& params, std::string_view key);  // absent: empty
// The `run` parameter as a full id.
Result<std::string> runParam(store::Store& store, const Json& params);

inline constexpr size_t kMaxAnswerBytes = size_t{3} << 20;  // of lists, so that an envelope always fits a message

}  // namespace assay::server
