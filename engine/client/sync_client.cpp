#include "assay/client/sync_client.h"

#include <assay/core/clock.h>

#include <QThread>
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>

namespace assay::client {
namespace {
std::chrono::duration<double> seconds(double value) { return std::chrono::duration<double>(std::max(0.0, value)); }
}  // namespace

struct SyncClient::Shared {
    QThread thread;
    RemoteEngineClient* client = nullptr;  // lives on `thread`

    std::mutex mutex;
    std::condition_variable changed;
    LinkState state = LinkState::kConnecting;  // below: under the mutex
    EngineIdentity identity;
    std::optional<Error> reason;
    std::deque<EventBatch> batches;  // bounded by the credits: a batch is acknowledged when it is taken
    std::optional<Error> streamError;

    void onThread(std::function<void()> work) { QMetaObject::invokeMethod(client, std::move(work), Qt::QueuedConnection); }
};

SyncClient::SyncClient(std::unique_ptr<Shared> shared) : shared_(std::move(shared)) {}

SyncClient::~SyncClient() {
    RemoteEngineClient* const client = shared_->client;
    QMetaObject::invokeMethod(client, [client] { delete client; }, Qt::BlockingQueuedConnection);
    shared_->thread.quit();
    shared_->thread.wait();
}

Result<std::unique_ptr<SyncClient>> SyncClient::connect(EndpointSource source, RemoteOptions options) {
    auto owned = std::make_unique<Shared>();
    Shared* const shared = owned.get();
    shared->thread.start();
    shared->client = new RemoteEngineClient(std::move(source), std::move(options));
    shared->client->moveToThread(&shared->thread);
    std::unique_ptr<SyncClient> client(new SyncClient(std::move(owned)));
    shared->onThread([shared] {
        shared->client->setStateHandler([shared](LinkState state, const std::optional<Error>& reason) {
            std::lock_guard lock(shared->mutex);
            shared->state = state;
            shared->reason = reason;
            shared->identity = shared->client->identity();
            shared->changed.notify_all();
        });
        shared->client->open();
    });
    std::unique_lock lock(shared->mutex);
    shared->changed.wait(lock, [&] { return shared->state == LinkState::kLive || shared->state == LinkState::kClosed; });
    if (shared->state == LinkState::kLive) return client;
    Error error = shared->reason.value_or(Error(ErrorCode::kUnreachable, "the engine cannot be reached"));
    lock.unlock();
    return fail(std::move(error));
}

Result<Json> SyncClient::call(std::string_view method, Json params, double timeoutSeconds) {
    Shared* const shared = shared_.get();
    struct Answer {
        std::optional<Result<Json>> value;  // under the mutex of Shared
    };
    auto answer = std::make_shared<Answer>();
    shared->onThread([shared, answer, method = std::string(method), params = std::move(params), timeoutSeconds]() mutable {
        shared->client->call(method, std::move(params), [shared, answer](Result<Json> reply) {
            std::lock_guard lock(shared->mutex);
            answer->value = std::move(reply);
            shared->changed.notify_all();
        }, timeoutSeconds);
    });
    std::unique_lock lock(shared->mutex);
    shared->changed.wait(lock, [&] { return answer->value.has_value(); });
    return std::move(*answer->value);
}

Result<Json> SyncClient::callAgain(std::string_view method, Json params, double patienceSeconds, double timeoutSeconds) {
    const double deadline = monotonicSeconds() + patienceSeconds;
    for (;;) {
        Result<Json> reply = call(method, params, timeoutSeconds);
        if (reply || reply.error().code != ErrorCode::kUnreachable) return reply;
        std::unique_lock lock(shared_->mutex);
        shared_->changed.wait_for(lock, seconds(deadline - monotonicSeconds()),
                                  [&] { return shared_->state == LinkState::kLive || shared_->state == LinkState::kClosed; });
        if (shared_->state == LinkState::kClosed) return fail(shared_->reason.value_or(reply.error()));
        if (monotonicSeconds() >= deadline) return reply;
    }
}

void SyncClient::subscribe(Subscription subscription) {
    Shared* const shared = shared_.get();
    {
        std::lock_guard lock(shared->mutex);
        shared->batches.clear();
        shared->streamError.reset();
    }
    shared->onThread([shared, subscription = std::move(subscription)]() mutable {
        shared->client->subscribe(std::move(subscription), [shared](Result<EventBatch> batch) {
            std::lock_guard lock(shared->mutex);
            if (batch) shared->batches.push_back(std::move(*batch));
            else shared->streamError = std::move(batch).error();
            shared->changed.notify_all();
        });
    });
}

Result<std::optional<EventBatch>> SyncClient::nextBatch(double timeoutSeconds) {
    Shared* const shared = shared_.get();
    std::unique_lock lock(shared->mutex);
    shared->changed.wait_for(lock, seconds(timeoutSeconds), [&] {
        return !shared->batches.empty() || shared->streamError || shared->state == LinkState::kClosed;
    });
    if (!shared->batches.empty()) {
        EventBatch batch = std::move(shared->batches.front());
        shared->batches.pop_front();
        lock.unlock();
        shared->onThread([shared, seq = batch.toSeq] { shared->client->acknowledge(seq); });
        return batch;
    }
    if (shared->streamError) return fail(*shared->streamError);
    if (shared->state == LinkState::kClosed)
        return fail(shared->reason.value_or(Error(ErrorCode::kUnreachable, "the connection to the engine is closed")));
    return std::optional<EventBatch>();
}

bool SyncClient::live() const {
    std::lock_guard lock(shared_->mutex);
    return shared_->state == LinkState::kLive;
}

EngineIdentity SyncClient::identity() const {
    std::lock_guard lock(shared_->mutex);
    return shared_->identity;
}

}  // namespace assay::client
