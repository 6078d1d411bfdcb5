#include "tools.h"

#include "assay/core/clock.h"
#include "assay/core/log.h"
#include "assay/core/paths.h"
#include "assay/core/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

namespace assay::server {
namespace {

constexpr std::string_view kTools[] = {"doctor", "spec_check", "plan", "data_inspect", "data_rows", "data_lengths", "data_view", "datasets_list", "files_list", "models_list", "model_describe", "tokenize"};
constexpr int kAtOnce = 4;
constexpr size_t kMaxResult = size_t{3} << 20;
constexpr size_t kTail = 4000;       // of what it wrote to stderr
constexpr int kLookMilliseconds = 50;  // for a cancellation

// The process and its pipes; gone with this object, whatever happened.
struct Child {
    ProcessHandle process;
    std::string input, output, errors;
    size_t written = 0;
    bool tooLong = false;

    ~Child() {
        closeAll();
        if (process.pid > 0) end(SIGKILL);
    }
    void closeAll() {
        for (int* fd : {&process.stdinFd, &process.stdoutFd, &process.stderrFd}) closeOne(*fd);
    }
    static void closeOne(int& fd) {
        if (fd >= 0) ::close(fd);
        fd = -1;
    }
    // Its whole session: a tool may have started something.
    void end(int signal) {
        ::kill(-process.pid, signal);
        int status = 0;
        while (::waitpid(process.pid, &status, 0) < 0 && errno == EINTR) {
        }
        process.pid = -1;
    }
    void write() {
        const ssize_t n = ::write(process.stdinFd, input.data() + written, input.size() - written);
        if (n > 0) written += static_cast<size_t>(n);
        if (written == input.size() || (n < 0 && errno != EAGAIN && errno != EINTR)) closeOne(process.stdinFd);
    }
    void read(int& fd, std::string& into, size_t most, bool keepEnd) {
        char buffer[65536];
        const ssize_t n = ::read(fd, buffer, sizeof buffer);
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) return closeOne(fd);
        if (n < 0) return;
        into.append(buffer, static_cast<size_t>(n));
        if (into.size() <= most) return;
        if (keepEnd) into.erase(0, into.size() - most);
        else tooLong = true;
    }
};

Error crashed(const std::string& name, const Child& child, std::string how) {
    Error error(ErrorCode::kInternal, "the tool " + name + " " + std::move(how), "try again; if it happens again, report it with what was asked");
    std::string tail = child.errors;
    while (!tail.empty() && (tail.back() == '\n' || tail.back() == ' ')) tail.pop_back();
    if (!tail.empty()) error.context.push_back("it wrote: " + tail);
    return error;
}

Result<Json> answerOf(const std::string& name, Child& child, const ExitStatus& exit) {
    // Its own error comes first: it knows best what went wrong, also when it leaves with another exit code.
    auto document = parseJson(child.output, "answer of the tool " + name);
    if (document && document->is_object() && document->contains("error") && (*document)["error"].is_object()) {
        const Json& given = (*document)["error"];
        if (given.contains("code") && given.contains("message")) return fail(errorFromJson(given));
    }
    if (!exit.exited) return fail(crashed(name, child, "crashed (signal " + std::to_string(exit.signal) + ")"));
    if (exit.code != 0) return fail(crashed(name, child, "ended with exit code " + std::to_string(exit.code) + " and no answer"));
    if (!document) return fail(crashed(name, child, "gave no readable answer: " + document.error().message));
    return document;
}

}  // namespace

std::string defaultToolProgram() {
    if (const char* named = std::getenv("ASSAY_TOOL_PROGRAM"); named && *named) return named;
    return executableFolder() + "/assay";
}

bool isTool(std::string_view name) { return std::find(std::begin(kTools), std::end(kTools), name) != std::end(kTools); }

Error unknownTool(std::string_view name) {
    std::string known;
    for (std::string_view tool : kTools) known += (known.empty() ? "" : ", ") + std::string(tool);
    return {ErrorCode::kNotFound, "there is no tool \"" + std::string(name.substr(0, 60)) + "\"", "tools are " + known};
}

Result<Json> runTool(const ToolOptions& options, const std::string& name, const Json& params, const std::atomic<bool>& cancelled) {
    ProcessSpec spec;
    spec.argv = {options.program, "tool", name, "--store", options.store};
    spec.stdinPipe = spec.outputPipes = spec.dieWithThread = true;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // their shadow memory is larger than any limit
    spec.memoryBytes = options.memoryBytes;
#endif
    auto started = launchProcess(spec);
    if (!started) {
        Error error = started.error();
        error.hint = "the program assay lies beside the engine; install both together";
        return fail(std::move(error));
    }
    Child child;
    child.process = *started;
    child.input = dumpJson(params);
    for (int fd : {child.process.stdinFd, child.process.stdoutFd, child.process.stderrFd}) ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
    const double until = monotonicSeconds() + options.seconds;
    std::optional<ExitStatus> exit;
    while (child.process.stdoutFd >= 0 || !exit) {
        if (cancelled) return fail(ErrorCode::kCancelled, "cancelled");
        if (child.tooLong)
            return fail(ErrorCode::kUnsupported, "the answer of the tool " + name + " is larger than 3 MiB", "ask for less: a smaller limit, or one file at a time");
        if (monotonicSeconds() > until) {
            Error error = crashed(name, child, "did not finish within " + std::to_string(static_cast<int>(options.seconds)) + " s and was ended");
            error.code = ErrorCode::kBusy;
            error.hint = "try a smaller input, or again when the machine is less busy";
            return fail(std::move(error));
        }
        pollfd fds[] = {{child.process.stdinFd, POLLOUT, 0}, {child.process.stdoutFd, POLLIN, 0}, {child.process.stderrFd, POLLIN, 0}};
        ::poll(fds, 3, exit ? 0 : child.process.stdoutFd < 0 ? 2 : kLookMilliseconds);
        if (fds[0].revents) child.write();
        if (fds[1].revents) child.read(child.process.stdoutFd, child.output, kMaxResult, false);
        if (fds[2].revents) child.read(child.process.stderrFd, child.errors, kTail, true);
        // What it left behind may hold the pipe open: when it is gone and nothing more comes, that is all.
        if (exit && !fds[1].revents) break;
        if (!exit) exit = reap(child.process.pid);
    }
    while (child.process.stderrFd >= 0) {
        const size_t before = child.errors.size();
        child.read(child.process.stderrFd, child.errors, kTail, true);
        if (child.errors.size() == before) break;
    }
    ::kill(-child.process.pid, SIGKILL);  // what it started and left
    child.process.pid = -1;
    return answerOf(name, child, *exit);
}

ToolRunner::ToolRunner(ToolOptions options) : options_(std::move(options)) { pool_.setMaxThreadCount(kAtOnce); }

ToolRunner::~ToolRunner() { pool_.waitForDone(); }

void ToolRunner::start(std::string name, Json params, std::shared_ptr<std::atomic<bool>> cancelled, std::function<void(Result<Json>)> done) {
    pool_.start([this, name = std::move(name), params = std::move(params), cancelled = std::move(cancelled), done = std::move(done)] {
        if (*cancelled) return done(fail(ErrorCode::kCancelled, "cancelled before it began"));
        const double begun = monotonicSeconds();
        Result<Json> result = fail(ErrorCode::kInternal, "the tool " + name + " could not be run");
        try {
            result = runTool(options_, name, params, *cancelled);
        } catch (const std::exception& e) {
            logError("server", "tool " + name + ": " + e.what());
        }
        if (!result && result.error().code == ErrorCode::kInternal) logWarning("server", result.error().text());
        logInfo("server", "tool " + name + ": " + std::to_string(monotonicSeconds() - begun) + " s");
        done(std::move(result));
    });
}

}  // namespace assay::server
