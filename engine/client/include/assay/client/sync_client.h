#pragma once
// Straight-line use of an engine, for command line programs and tests: a RemoteEngineClient on a thread of its own, and
// functions that wait. One thread uses a SyncClient; none of its functions runs an event loop on that thread.

#include <assay/client/remote_client.h>

#include <memory>
#include <optional>

namespace assay::client {

class SyncClient {
public:
    // Connects and finishes the handshake, or says why not (kUnreachable, kVersionMismatch, kUnauthorized).
    static Result<std::unique_ptr<SyncClient>> connect(EndpointSource source, RemoteOptions options = {});
    ~SyncClient();

    // While the link is lost the call fails with kUnreachable.
    Result<Json> call(std::string_view method, Json params, double timeoutSeconds = 30);
    // For requests that may be sent twice (reads, and those with an idempotency key): when the link drops, waits for it
    // to come back and asks again, for at most `patienceSeconds`.
    Result<Json> callAgain(std::string_view method, Json params, double patienceSeconds = 60, double timeoutSeconds = 30);

    void subscribe(Subscription subscription);
    // The next batch, acknowledged by taking it; nothing when none came in time. An error ends the subscription
    // (kGone) or says that the link was given up for good.
    Result<std::optional<EventBatch>> nextBatch(double timeoutSeconds);

    bool live() const;
    EngineIdentity identity() const;

private:
    struct Shared;
    explicit SyncClient(std::unique_ptr<Shared> shared);
    std::unique_ptr<Shared> shared_;
};

}  // namespace assay::client
