#include "failing_sync.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace {
std::atomic<int> syncCalls{0}, failingCall{0}, failingError{0};
}

// Linked before the C library's: every file of the product that is part of this program calls this one.
extern "C" int fsync(int fd) {
    const int call = ++syncCalls;
    if (call == failingCall.load()) {
        errno = failingError.load();
        return -1;
    }
    return static_cast<int>(::syscall(SYS_fsync, fd));
}

namespace assay::train::testing {

FailingSync::FailingSync(int call, int error) {
    syncCalls = 0;
    failingError = error;
    failingCall = call;
}
FailingSync::~FailingSync() { failingCall = 0; }
int FailingSync::calls() const { return syncCalls; }

}  // namespace assay::train::testing
