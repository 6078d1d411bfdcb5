// The event stream of a session. The store is the queue: a session holds a cursor and at most a few batches in flight,
// so a reader that stands still costs no memory.
#include "session.h"

#include "assay/core/clock.h"
#include "assay/protocol/version.h"

namespace assay::server {
namespace {

constexpr size_t kBatchEvents = 2000;
constexpr size_t kReadBytes = size_t{256} << 10;
constexpr double kBatchInterval = 0.1;  // at most ten batches a second

Result<int> topicBits(const std::vector<std::string>& names) {
    if (names.empty()) return store::kAllTopics;
    int bits = 0;
    for (const auto& name : names) {
        if (name == "state") bits |= static_cast<int>(store::Topic::kState);
        else if (name == "metrics") bits |= static_cast<int>(store::Topic::kMetrics);
        else if (name == "logs") bits |= static_cast<int>(store::Topic::kLogs);
        else if (name == "progress") bits |= static_cast<int>(store::Topic::kProgress);
        else return fail(ErrorCode::kBadUsage, "parameter \"topics\": there is no topic \"" + name.substr(0, 60) + "\"", "topics are state, metrics, logs, progress");
    }
    return bits;
}

}  // namespace

Result<Json> Session::subscribe(const Json& params) {
    ASSAY_TRY(auto topics, textsParam(params, "topics"));
    ASSAY_TRY(int bits, topicBits(topics));
    ASSAY_TRY(auto runs, textsParam(params, "runs"));
    std::set<std::string> wanted;
    int64_t last = 0, cursor = 0;
    ASSAY_TRY_VOID(shared_.store.read([&](store::Reader& reader) -> Result<void> {
        ASSAY_TRY(last, reader.lastSeq());
        ASSAY_TRY(cursor, numberParamOr(params, "after_seq", 0, std::numeric_limits<int64_t>::max(), last));
        ASSAY_TRY(auto probe, reader.events(cursor, 1, 1));  // kGone is answered here, not later
        // A run stands for everything below it.
        std::vector<std::string> open;
        for (const auto& reference : runs) {
            auto id = reader.resolveRun(reference);
            open.push_back(id ? *id : reference);
        }
        for (size_t at = 0; at < open.size(); ++at) {
            if (!wanted.insert(open[at]).second) continue;
            ASSAY_TRY(auto children, reader.children(open[at]));
            for (const auto& child : children) open.push_back(child.id);
        }
        return {};
    }));
    subscribed_ = true;
    cursor_ = cursor;
    topics_ = bits;
    runs_ = std::move(wanted);
    unacknowledged_.clear();
    lastAck_ = monotonicSeconds();
    lastBatch_ = 0;
    // The answer goes out first.
    pumpTimer_.start(0);
    if (shared_.store.trouble()) QMetaObject::invokeMethod(this, [this] { troubleChanged(); }, Qt::QueuedConnection);
    return Json{{"as_of_seq", last}};
}

// Not an event: what cannot be stored cannot have a number.
void Session::troubleChanged() {
    if (!subscribed_ || closing_ || !(topics_ & static_cast<int>(store::Topic::kState))) return;
    send(protocol::notificationText("engine.trouble", {{"trouble", troubleJson(shared_.store)}}));
}

void Session::storeChanged() {
    if (subscribed_ && !closing_ && !pumpTimer_.isActive()) pump();
}

void Session::pump() {
    while (subscribed_ && !closing_) {
        size_t bytes = 0;
        for (const Batch& batch : unacknowledged_) bytes += batch.bytes;
        if (unacknowledged_.size() >= static_cast<size_t>(protocol::kBatchCredits) || bytes >= protocol::kBatchBytes ||
            socket_->bytesToWrite() > static_cast<qint64>(protocol::kBatchBytes))
            return;
        const double wait = lastBatch_ + kBatchInterval - monotonicSeconds();
        if (wait > 0) {
            if (!pumpTimer_.isActive()) pumpTimer_.start(static_cast<int>(wait * 1000) + 1);
            return;
        }
        if (!sendBatch()) return;
    }
}

bool Session::sendBatch() {
    std::vector<store::EventRow> events;
    auto read = shared_.store.read([&](store::Reader& reader) -> Result<void> {
        ASSAY_TRY(events, reader.events(cursor_, kBatchEvents, kReadBytes));
        return {};
    });
    if (!read) {
        close(protocol::kCloseSlowConsumer, read.error().message);  // only kGone can come here: the reader fell too far behind
        return false;
    }
    if (events.empty()) return false;
    std::string body;
    const int64_t from = cursor_ + 1;
    for (const auto& event : events) {
        cursor_ = event.seq;
        if (!(topics_ & static_cast<int>(store::topicOf(event.type)))) continue;
        if (!runs_.empty() && !runs_.contains(event.run)) continue;
        body += body.empty() ? "" : ",";
        body += event.json;
    }
    if (body.empty()) return true;
    std::string text = "{\"jsonrpc\":\"2.0\",\"method\":\"events.batch\",\"params\":{\"from_seq\":" + std::to_string(from) +
                       ",\"to_seq\":" + std::to_string(cursor_) + ",\"events\":[" + body + "]}}";
    if (unacknowledged_.empty()) lastAck_ = monotonicSeconds();  // the clock of a reader runs while it owes an ack
    unacknowledged_.push_back({cursor_, text.size()});
    lastBatch_ = monotonicSeconds();
    send(text);
    return true;
}

}  // namespace assay::server
