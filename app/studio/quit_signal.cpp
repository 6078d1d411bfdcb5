#include "quit_signal.h"

#include <QCoreApplication>
#include <QSocketNotifier>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace assay::studio {
namespace {

int pipeEnds[2] = {-1, -1};

// A handler, not a blocked signal: it goes at exec, so ssh and the engine start as from a shell.
void wake(int) {
    const char byte = 0;
    [[maybe_unused]] const ssize_t written = ::write(pipeEnds[1], &byte, 1);
}

}  // namespace

void onQuitSignal(std::function<void()> quit) {
    if (::pipe2(pipeEnds, O_CLOEXEC | O_NONBLOCK) != 0) return;
    auto* notifier = new QSocketNotifier(pipeEnds[0], QSocketNotifier::Read, QCoreApplication::instance());
    QObject::connect(notifier, &QSocketNotifier::activated, notifier, [notifier, quit = std::move(quit)] {
        notifier->setEnabled(false);
        quit();
    });
    for (int number : {SIGTERM, SIGINT, SIGHUP}) std::signal(number, wake);
    std::signal(SIGPIPE, SIG_IGN);
}

}  // namespace assay::studio
