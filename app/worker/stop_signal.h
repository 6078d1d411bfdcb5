#pragma once
#include <stop_token>
#include <thread>

namespace assay::worker {

// Turns SIGTERM and SIGINT into a stop request. Make it before any other thread: the signals are blocked in all of them
// and a thread of its own waits for them. Further signals change nothing; SIGKILL ends at once.
class StopSignal {
public:
    StopSignal();
    ~StopSignal();
    std::stop_token token() const { return source_.get_token(); }

private:
    std::stop_source source_;
    std::jthread waiter_;
};

}  // namespace assay::worker
