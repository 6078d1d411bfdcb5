#include "plan/calibrate.h"

#include <assay/core/clock.h>
#include <assay/core/durable.h>
#include <assay/core/paths.h>
#include <assay/core/process.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>

namespace assay::cli {
namespace {

constexpr double kSeconds = 40;             // the worker needs three, and some more on a busy machine
constexpr size_t kMostBytes = size_t{4} << 20;

// Another build may have other kernels. Empty: there is none.
std::string identityOf(const std::string& program) {
    struct stat file {};
    if (::access(program.c_str(), X_OK) != 0 || ::stat(program.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) return {};
    return fmt::format("{} {}.{:09}", static_cast<int64_t>(file.st_size), static_cast<int64_t>(file.st_mtim.tv_sec), static_cast<int64_t>(file.st_mtim.tv_nsec));
}

// What the worker writes to stdout; its messages are dropped. Ended when it takes too long.
std::string said(const ProcessHandle& child) {
    std::string out;
    pollfd pipes[] = {{child.stdoutFd, POLLIN, 0}, {child.stderrFd, POLLIN, 0}};
    const double until = monotonicSeconds() + kSeconds;
    for (int open = 2; open > 0;) {
        const double left = until - monotonicSeconds();
        if (left <= 0 || out.size() > kMostBytes) {
            ::kill(child.pid, SIGKILL);
            return {};
        }
        if (::poll(pipes, 2, static_cast<int>(1000 * left) + 1) < 0 && errno != EINTR) return {};
        for (pollfd& pipe : pipes) {
            if (pipe.fd < 0 || pipe.revents == 0) continue;
            char bytes[16384];
            const ssize_t n = ::read(pipe.fd, bytes, sizeof bytes);
            if (n > 0 && &pipe == pipes) out.append(bytes, static_cast<size_t>(n));
            if (n == 0 || (n < 0 && errno != EINTR)) {
                pipe.fd = -1;
                --open;
            }
        }
    }
    return out;
}

std::optional<plan::KernelRates> kernelRates(const std::string& worker, int threads) {
    ProcessSpec spec;
    spec.argv = {worker, "--calibrate", std::to_string(threads)};
    spec.outputPipes = spec.dieWithThread = true;
    spec.newSession = false;  // Ctrl-C reaches it too
    keepThreadsFromSpinning(spec);  // as a run is
    auto child = launchProcess(spec);
    if (!child) return {};
    const std::string text = said(*child);
    for (const int descriptor : {child->stdinFd, child->stdoutFd, child->stderrFd})
        if (descriptor >= 0) ::close(descriptor);
    int status = 0;
    while (::waitpid(child->pid, &status, 0) < 0 && errno == EINTR) {
    }
    const auto document = parseJson(text, "answer of assay-worker");
    return document ? plan::KernelRates::parse(*document) : std::nullopt;
}

// Two that measure at once would disturb each other: the second waits and finds what the first has kept.
class Turn {
public:
    explicit Turn(const std::string& path) {
        if (!makeFolders(std::filesystem::path(path).parent_path().string())) return;
        fd_ = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
        while (fd_ >= 0 && ::flock(fd_, LOCK_EX) < 0 && errno == EINTR) {
        }
    }
    ~Turn() {
        if (fd_ >= 0) ::close(fd_);
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

private:
    int fd_ = -1;
};

}  // namespace

plan::Calibration calibrationOf(const plan::Machine& machine, bool beside) {
    const std::string path = plan::calibrationPath(), worker = workerProgram(), identity = identityOf(worker);
    if (auto known = plan::loadCalibration(path, machine.cpuModel, machine.threads, identity)) return std::move(*known);
    if (beside) {
        (void)::nice(19);
        return plan::measureMachine(machine.cpuModel, machine.threads);
    }
    const Turn turn(path + ".lock");
    if (auto known = plan::loadCalibration(path, machine.cpuModel, machine.threads, identity)) return std::move(*known);
    plan::Calibration fresh = plan::measureMachine(machine.cpuModel, machine.threads);
    if (!identity.empty()) fresh.kernels = kernelRates(worker, machine.threads);
    // Without a worker's figures: not kept when others were at work meanwhile. With them the file says so itself. A cache that
    // cannot be written costs the seconds again next time.
    fresh.worker = fresh.kernels ? identity : std::string();
    double load = 0;
    const bool quiet = ::getloadavg(&load, 1) == 1 && load < 0.75 * machine.threads;
    if (fresh.kernels || (identity.empty() && quiet)) (void)plan::storeCalibration(path, fresh);
    return fresh;
}

}  // namespace assay::cli
