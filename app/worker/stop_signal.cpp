#include "stop_signal.h"

#include <pthread.h>
#include <signal.h>

namespace assay::worker {

StopSignal::StopSignal() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGUSR2);  // wakes the waiter at the end
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    waiter_ = std::jthread([this, set] {
        int signal = 0;
        while (sigwait(&set, &signal) == 0 && signal != SIGUSR2) source_.request_stop();
    });
}

StopSignal::~StopSignal() { pthread_kill(waiter_.native_handle(), SIGUSR2); }

}  // namespace assay::worker
