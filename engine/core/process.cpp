#include "assay/core/process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>

#include "assay/core/durable.h"

extern char** environ;

namespace assay {
namespace {

std::vector<std::string> mergedEnvironment(const ProcessSpec& spec) {
    std::map<std::string, std::string> merged;
    for (char** entry = environ; *entry; ++entry) {
        std::string text = *entry;
        if (auto equals = text.find('='); equals != std::string::npos) merged[text.substr(0, equals)] = text.substr(equals + 1);
    }
    for (const auto& [name, value] : spec.environment) merged[name] = value;
    std::vector<std::string> out;
    out.reserve(merged.size());
    for (const auto& [name, value] : merged) out.push_back(name + "=" + value);
    return out;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
    std::vector<char*> out;
    out.reserve(strings.size() + 1);
    for (auto& text : strings) out.push_back(text.data());
    out.push_back(nullptr);
    return out;
}

}  // namespace

Result<ProcessHandle> launchProcess(const ProcessSpec& spec) {
    if (spec.argv.empty()) return fail(ErrorCode::kBadUsage, "no program to launch");
    std::vector<std::string> argvText = spec.argv, envText = mergedEnvironment(spec);
    std::vector<char*> argv = pointers(argvText), env = pointers(envText);

    int status[2];
    if (::pipe2(status, O_CLOEXEC) != 0) return fail(systemError("cannot make a pipe for", spec.argv[0], errno));
    int input[2] = {-1, -1};
    if (spec.stdinPipe && ::pipe2(input, O_CLOEXEC) != 0) {
        int error = errno;
        ::close(status[0]);
        ::close(status[1]);
        return fail(systemError("cannot make a pipe for", spec.argv[0], error));
    }
    // Only async-signal-safe calls between fork and exec; all memory was prepared above.
    pid_t pid = ::fork();
    if (pid == 0) {
        auto die = [&](int error) {
            [[maybe_unused]] ssize_t n = ::write(status[1], &error, sizeof error);
            ::_exit(127);
        };
        if (spec.newSession) ::setsid();
        int out = ::open(spec.outputPath.empty() ? "/dev/null" : spec.outputPath.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
        int in = spec.stdinPipe ? input[0] : ::open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (out < 0 || in < 0) die(errno);
        ::dup2(in, 0);
        ::dup2(out, 1);
        ::dup2(out, 2);
        if (!spec.workingFolder.empty() && ::chdir(spec.workingFolder.c_str()) != 0) die(errno);
        ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
        sigset_t none;
        sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        for (int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD}) ::signal(number, SIG_DFL);
        ::execve(argv[0], argv.data(), env.data());
        die(errno);
    }
    int forkError = errno;
    ::close(status[1]);
    if (input[0] >= 0) ::close(input[0]);
    int error = 0;
    ssize_t got = 0;
    if (pid < 0) {
        error = forkError;
        got = sizeof error;
    } else {
        do got = ::read(status[0], &error, sizeof error);
        while (got < 0 && errno == EINTR);
    }
    ::close(status[0]);
    if (got == sizeof error) {
        if (input[1] >= 0) ::close(input[1]);
        if (pid > 0) ::waitpid(pid, nullptr, 0);
        return fail(systemError("cannot start", spec.argv[0], error));
    }
    ProcessHandle handle;
    handle.pid = pid;
    handle.startTicks = processStartTicks(pid).value_or(0);
    handle.stdinFd = input[1];
    return handle;
}

std::optional<uint64_t> processStartTicks(int pid) {
    auto text = readFile("/proc/" + std::to_string(pid) + "/stat", 4096);
    if (!text) return {};
    // The command name in parentheses may hold anything; the fields after it start at the last ')'.
    auto close = text->rfind(')');
    if (close == std::string::npos || close + 2 >= text->size()) return {};
    const char* cursor = text->c_str() + close + 2;
    if (*cursor == 'Z' || *cursor == 'X') return {};
    for (int field = 3; field < 22; ++field) {
        cursor = std::strchr(cursor, ' ');
        if (!cursor) return {};
        ++cursor;
    }
    return std::strtoull(cursor, nullptr, 10);
}

bool isAlive(const ProcessHandle& process) {
    auto ticks = processStartTicks(process.pid);
    return ticks && *ticks == process.startTicks;
}

std::optional<ExitStatus> reap(int pid) {
    int raw = 0;
    if (::waitpid(pid, &raw, WNOHANG) != pid) return {};
    ExitStatus status;
    status.exited = WIFEXITED(raw);
    status.code = status.exited ? WEXITSTATUS(raw) : 0;
    status.signal = WIFSIGNALED(raw) ? WTERMSIG(raw) : 0;
    return status;
}

}  // namespace assay
