#include <assay/client/local_engine.h>
#include <assay/core/clock.h>
#include <assay/core/process.h>
#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "command.h"
#include "registry.h"
#include "text/format.h"
#include "text/numbers.h"
#include "text/table.h"

namespace assay::cli {
namespace {

Json stopped(const Context& context) {
    return {{"state", "stopped"}, {"url", nullptr}, {"pid", nullptr}, {"version", nullptr},
            {"store", context.engineIsLocal() ? Json(context.options.store) : Json()}, {"runs_active", 0}};
}

std::string forPeople(const Json& status) {
    return keyValues({{"engine", formatValue(status["state"])},
                      {"url", formatValue(status["url"])},
                      {"process", status["pid"].is_number() ? std::to_string(status["pid"].get<int64_t>()) : "-"},
                      {"version", formatValue(status["version"])},
                      {"store", formatValue(status["store"])},
                      {"active runs", formatValue(status["runs_active"])}});
}

Result<Json> statusOf(client::SyncClient& engine) {
    ASSAY_TRY(const Json info, engine.callAgain("engine.info", Json::object()));
    const auto value = [&](const char* key) { return info.contains(key) ? info[key] : Json(); };
    return Json{{"state", "running"},         {"url", value("url")},     {"pid", value("pid")},
                {"version", value("version")}, {"store", value("store")}, {"runs_active", value("runs_active")}};
}

bool noEngine(const Error& error) { return error.code == ErrorCode::kNotFound || error.code == ErrorCode::kUnreachable; }

// Looks without starting: nothing when the store of this machine has no engine.
Result<std::unique_ptr<client::SyncClient>> existing(Context& context) {
    if (context.engineIsLocal()) {
        const std::string store = context.options.store;
        auto endpoint = client::readEndpoint(store);
        if (!endpoint && noEngine(endpoint.error())) return std::unique_ptr<client::SyncClient>();
        if (!endpoint) return fail(endpoint.error());
        return client::SyncClient::connect([store] { return client::readEndpoint(store); }, context.remoteOptions());
    }
    return client::SyncClient::connect(context.endpointSource(), context.remoteOptions());
}

Result<int> start(Context& context, int idleExit) {
    if (context.engineIsLocal()) {
        ASSAY_TRY_VOID(client::ensureLocalEngine({.store = context.options.store, .idleExitSeconds = idleExit}));
    }
    ASSAY_TRY(client::SyncClient* engine, context.engine());
    ASSAY_TRY(const Json status, statusOf(*engine));
    context.out.result(status, [&] { return forPeople(status); });
    return 0;
}

Result<int> status(Context& context) {
    ASSAY_TRY(const std::unique_ptr<client::SyncClient> engine, existing(context));
    Json document = stopped(context);
    if (engine) {
        ASSAY_TRY(document, statusOf(*engine));
    }
    context.out.result(document, [&] { return forPeople(document); });
    return 0;
}

Result<int> stop(Context& context) {
    ASSAY_TRY(std::unique_ptr<client::SyncClient> engine, existing(context));
    if (engine) {
        const auto endpoint = client::readEndpoint(context.options.store);
        ASSAY_TRY_VOID(engine->call("engine.shutdown", Json::object()));
        engine.reset();
        const double deadline = monotonicSeconds() + 30;
        while (context.engineIsLocal() && endpoint && isAlive({endpoint->pid, endpoint->startTicks, -1})) {
            if (monotonicSeconds() > deadline)
                return fail(ErrorCode::kBusy, fmt::format("the engine (process {}) is still there after 30 s", endpoint->pid), "see " + context.options.store + "/engine.log");
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }
    const Json document = stopped(context);
    context.out.result(document, std::string("engine stopped; runs that were active go on"));
    return 0;
}

Result<int> token(Context& context) {
    if (!context.engineIsLocal())
        return fail(ErrorCode::kBadUsage, "the token is shown on the engine's own machine only", "run assay engine token there");
    ASSAY_TRY(const client::Endpoint endpoint, client::readEndpoint(context.options.store));
    ASSAY_TRY(const std::unique_ptr<client::SyncClient> engine, existing(context));
    Json document = stopped(context);
    if (engine) {
        ASSAY_TRY(document, statusOf(*engine));
    }
    document["token"] = endpoint.token;
    context.out.result(document, endpoint.token);
    return 0;
}

}  // namespace

void addEngineStart(Commands& commands) {
    auto idle = std::make_shared<int>(0);
    CLI::App* app = commands.add("engine start", "start the store's engine; it stays until it is stopped", [idle](Context& c) { return start(c, *idle); });
    app->add_option("--idle-exit", *idle, "leave so many seconds after the last client when nothing runs")->check(wholeNumber(1, 1000000));
}
void addEngineStop(Commands& commands) { commands.add("engine stop", "stop the engine; active runs go on", stop); }
void addEngineStatus(Commands& commands) { commands.add("engine status", "whether an engine runs on the store", status); }
void addEngineToken(Commands& commands) { commands.add("engine token", "what ASSAY_TOKEN has to be for --engine ws://…", token); }

}  // namespace assay::cli
