// assay-engine: the daemon of one store.
#include <CLI/CLI.hpp>
#include <QCoreApplication>
#include <QSocketNotifier>
#include <assay/core/log.h>
#include <assay/core/paths.h>
#include <assay/runtime/runtime.h>
#include <assay/server/server.h>
#include <assay/store/store.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace {

struct Options {
    std::string store = assay::defaultStore();
    int port = 0, maxActive = 1;
    double idleExit = 0;
};

int failed(const assay::Error& error) {
    assay::logError("engine", error.text());
    return assay::exitCodeOf(error.code);
}

int serve(QCoreApplication& app, const Options& options) {
    auto store = assay::store::Store::open(options.store);
    if (!store) return failed(store.error());
    assay::runtime::RuntimeOptions runtimeOptions;
    runtimeOptions.maxActive = options.maxActive;
    if (const char* restarts = std::getenv("ASSAY_RESTARTS"); restarts && std::atoi(restarts) >= 0) runtimeOptions.restarts = std::atoi(restarts);
    auto runtime = assay::runtime::Runtime::start(**store, assay::runtime::makeLocalLauncher(assay::workerProgram()), runtimeOptions);
    if (!runtime) return failed(runtime.error());
    assay::server::ServerOptions serverOptions;
    serverOptions.port = options.port;
    serverOptions.idleExitSeconds = options.idleExit;
    serverOptions.version = ASSAY_VERSION;
    auto server = assay::server::Server::start(**store, **runtime, serverOptions);
    if (!server) return failed(server.error());
    (*server)->onShutdown = [&app] { app.quit(); };

    // SIGTERM, SIGINT and SIGHUP were blocked before any thread began; they are read like a file. Workers go on.
    sigset_t signals;
    sigemptyset(&signals);
    for (int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, number);
    const int fd = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    QSocketNotifier notifier(fd, QSocketNotifier::Read);
    QObject::connect(&notifier, &QSocketNotifier::activated, &app, [&app, fd] {
        signalfd_siginfo info;
        while (::read(fd, &info, sizeof info) == sizeof info) assay::logInfo("engine", "asked to end by signal " + std::to_string(info.ssi_signo));
        app.quit();
    });
    // Without the token: output may end in a log. Clients read it from engine.json.
    std::printf("READY %s\n", (*server)->readyText().c_str());
    std::fflush(stdout);
    const int code = app.exec();
    ::close(fd);
    assay::logInfo("engine", "ending; active workers go on");
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App cli("Daemon of an Assay store: queue, workers, history, clients");
    cli.set_version_flag("--version", ASSAY_VERSION);
    cli.add_option("--store", options.store, "folder of the store")->capture_default_str();
    cli.add_option("--port", options.port, "TCP port on 127.0.0.1; 0: any free one")->check(CLI::Range(0, 65535));
    cli.add_option("--idle-exit", options.idleExit, "leave after so many seconds without clients when nothing runs; 0: never")->check([](const std::string& text) {
        char* end = nullptr;
        const double seconds = std::strtod(text.c_str(), &end);
        const bool good = !text.empty() && *end == '\0' && std::isfinite(seconds) && seconds >= 0;
        return good ? std::string() : "\"" + text + "\" is not a number of seconds; write 0 for never, or more";
    });
    cli.add_option("--max-active", options.maxActive, "workers at once")->check(CLI::Range(1, 1024));
    try {
        cli.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return cli.exit(e) == 0 ? 0 : 2;
    }
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);  // workers inherit it: a file over the limit of its size is an error of its writer
    sigset_t signals;
    sigemptyset(&signals);
    for (int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, number);
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    options.store = assay::absolutePath("", options.store);
    if (options.store.empty() || options.store[0] != '/') {
        char folder[4096];
        options.store = std::string(::getcwd(folder, sizeof folder) ? folder : ".") + "/" + options.store;
    }
    QCoreApplication app(argc, argv);
    return serve(app, options);
}
