#include <assay/presenters/tool_question.h>

#include <utility>

namespace assay::presenters {

ToolQuestion::ToolQuestion(EngineSession& session, QObject* parent) : QObject(parent), session_(session) {
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, &ToolQuestion::send);
}

ToolQuestion::~ToolQuestion() = default;   // the session cancels what a dead context asked

void ToolQuestion::ask(const QString& tool, Json params, EngineSession::Reply reply, int afterMs) {
    drop();
    tool_ = tool;
    params_ = std::move(params);
    reply_ = std::move(reply);
    asking_ = true;
    if (afterMs > 0) timer_.start(afterMs);
    else send();
}

void ToolQuestion::send() {
    const uint64_t mine = generation_;
    handle_ = session_.tool(tool_, std::move(params_), this, [this, mine](Result<Json> answer) {
        if (mine != generation_) return;
        handle_ = 0;
        asking_ = false;
        const EngineSession::Reply reply = std::exchange(reply_, nullptr);   // it may ask anew
        reply(std::move(answer));
    });
}

void ToolQuestion::drop() {
    timer_.stop();
    ++generation_;
    if (handle_) session_.cancel(handle_);
    handle_ = 0;
    asking_ = false;
    reply_ = nullptr;
}

}  // namespace assay::presenters
