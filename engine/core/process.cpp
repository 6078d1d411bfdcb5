#include "assay/core/process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
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
        if (auto equals = text.find('='); equals != std::string::npos)
            merged[text.substr(0, equals)] = text.substr(equals + 1);
    }
    for (const auto& [name, value] : spec.environment)
        merged[name] = value;
    std::vector<std::string> out;
    out.reserve(merged.size());
    for (const auto& [name, value] : merged)
        out.push_back(name + "=" + value);
    return out;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
    std::vector<char*> out;
    out.reserve(strings.size() + 1);
    for (auto& text : strings)
        out.push_back(text.data());
    out.push_back(nullptr);
    return out;
}

// What the child reports through the status pipe when it does not get as far as the program.
enum class LaunchStep : int { kStreams, kOutput, kFolder, kProgram };
struct LaunchFailure {
    LaunchStep step;
    int error;
};

Error describe(const LaunchFailure& failure, const ProcessSpec& spec) {
    Error error;
    switch (failure.step) {
        case LaunchStep::kStreams:
            error = systemError("cannot set up the standard streams of", spec.argv[0], failure.error);
            break;
        case LaunchStep::kOutput:
            error = systemError("cannot open the output file", spec.outputPath, failure.error);
            break;
        case LaunchStep::kFolder:
            error = systemError("cannot enter the working folder", spec.workingFolder, failure.error);
            break;
        case LaunchStep::kProgram:
            error = systemError("cannot start", spec.argv[0], failure.error);
            break;
    }
    return std::move(error).with("launching " + spec.argv[0]);
}

// Makes `fd` the inheritable descriptor `target` (async-signal-safe).
bool moveTo(int fd, int target) {
    if (fd == target) return ::fcntl(fd, F_SETFD, 0) == 0;
    return ::dup2(fd, target) >= 0;
}

}  // namespace

Result<ProcessHandle> launchProcess(const ProcessSpec& spec) {
    if (spec.argv.empty()) return fail(ErrorCode::kBadUsage, "no program to launch");
    std::vector<std::string> argvText = spec.argv, envText = mergedEnvironment(spec);
    std::vector<char*> argv = pointers(argvText), env = pointers(envText);

    int status[2];
    if (::pipe2(status, O_CLOEXEC) != 0)
        return fail(systemError("cannot make a pipe for", spec.argv[0], errno));
    int input[2] = {-1, -1}, output[2] = {-1, -1}, errors[2] = {-1, -1};
    if ((spec.stdinPipe && ::pipe2(input, O_CLOEXEC) != 0) || (spec.outputPipes && (::pipe2(output, O_CLOEXEC) != 0 || ::pipe2(errors, O_CLOEXEC) != 0))) {
        int error = errno;
        for (int fd : {status[0], status[1], input[0], input[1], output[0], output[1], errors[0], errors[1]})
            if (fd >= 0) ::close(fd);
        return fail(systemError("cannot make a pipe for", spec.argv[0], error));
    }
    const pid_t parent = ::getpid();
    // Only async-signal-safe calls between fork and exec; all memory was prepared above.
    pid_t pid = ::fork();
    if (pid == 0) {
        // A parent without standard streams has pipes on 0-2, which the redirections below would overwrite.
        int report = ::fcntl(status[1], F_DUPFD_CLOEXEC, 3);
        int stdinRead = spec.stdinPipe ? ::fcntl(input[0], F_DUPFD_CLOEXEC, 3) : -1;
        int outWrite = spec.outputPipes ? ::fcntl(output[1], F_DUPFD_CLOEXEC, 3) : -1;
        int errWrite = spec.outputPipes ? ::fcntl(errors[1], F_DUPFD_CLOEXEC, 3) : -1;
        auto die = [&](LaunchStep step, int error) {
            const LaunchFailure failure{step, error};
            [[maybe_unused]] ssize_t n = ::write(report >= 0 ? report : status[1], &failure, sizeof failure);
            ::_exit(127);
        };
        if (report < 0 || (spec.stdinPipe && stdinRead < 0) || (spec.outputPipes && (outWrite < 0 || errWrite < 0))) die(LaunchStep::kStreams, errno);
        if (spec.newSession) ::setsid();
        int in = spec.stdinPipe ? stdinRead : ::open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (in < 0 || !moveTo(in, 0)) die(LaunchStep::kStreams, errno);
        if (spec.outputPipes) {
            if (!moveTo(outWrite, 1) || !moveTo(errWrite, 2)) die(LaunchStep::kStreams, errno);
        } else {
            int out = ::open(spec.outputPath.empty() ? "/dev/null" : spec.outputPath.c_str(),
                             O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
            if (out < 0) die(LaunchStep::kOutput, errno);
            if (!moveTo(out, 1) || ::dup2(1, 2) < 0) die(LaunchStep::kStreams, errno);
        }
        if (spec.memoryBytes > 0) {
            const rlimit limit{spec.memoryBytes, spec.memoryBytes};
            if (::setrlimit(RLIMIT_DATA, &limit) != 0) die(LaunchStep::kStreams, errno);
        }
        if (spec.dieWithThread) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (::getppid() != parent) ::_exit(127);
        }
        if (!spec.workingFolder.empty() && ::chdir(spec.workingFolder.c_str()) != 0)
            die(LaunchStep::kFolder, errno);
        ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
        sigset_t none;
        sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        for (int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD})
            ::signal(number, SIG_DFL);
        ::execve(argv[0], argv.data(), env.data());
        die(LaunchStep::kProgram, errno);
    }
    int forkError = errno;
    ::close(status[1]);
    for (int fd : {input[0], output[1], errors[1]})
        if (fd >= 0) ::close(fd);
    LaunchFailure failure{LaunchStep::kProgram, forkError};
    ssize_t got = sizeof failure;
    if (pid >= 0) {
        do
            got = ::read(status[0], &failure, sizeof failure);
        while (got < 0 && errno == EINTR);
    }
    ::close(status[0]);
    if (got == sizeof failure) {
        for (int fd : {input[1], output[0], errors[0]})
            if (fd >= 0) ::close(fd);
        while (pid > 0 && ::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
        }
        return fail(describe(failure, spec));
    }
    ProcessHandle handle;
    handle.pid = pid;
    handle.startTicks = processStartTicks(pid).value_or(0);
    handle.stdinFd = input[1];
    handle.stdoutFd = output[0];
    handle.stderrFd = errors[0];
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

void keepThreadsFromSpinning(ProcessSpec& spec) {
    if (!std::getenv("GOMP_SPINCOUNT") && !std::getenv("OMP_WAIT_POLICY")) spec.environment.emplace_back("GOMP_SPINCOUNT", "1000");
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
