#include "interrupt.h"

#include <signal.h>

#include <atomic>

namespace assay::cli {
namespace {
std::atomic<int> interrupts{0};
static_assert(std::atomic<int>::is_always_lock_free);
void countOne(int) { interrupts.fetch_add(1, std::memory_order_relaxed); }
void install(int number, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    ::sigaction(number, &action, nullptr);
}
}  // namespace

InterruptGuard::InterruptGuard(bool termToo) : termToo_(termToo) {
    interrupts = 0;
    install(SIGINT, countOne);
    if (termToo_) install(SIGTERM, countOne);
}
InterruptGuard::~InterruptGuard() {
    install(SIGINT, SIG_DFL);
    if (termToo_) install(SIGTERM, SIG_DFL);
}
int InterruptGuard::count() const { return interrupts.load(std::memory_order_relaxed); }

}  // namespace assay::cli
