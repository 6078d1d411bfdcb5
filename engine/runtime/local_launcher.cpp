#include "assay/runtime/launcher.h"

#include <sys/wait.h>

#include <csignal>

namespace assay::runtime {
namespace {

class LocalLauncher final : public Launcher {
public:
    explicit LocalLauncher(std::string program) : program_(std::move(program)) {}

    Result<ProcessHandle> launch(const LaunchSpec& asked) override {
        ProcessSpec spec;
        spec.argv = asked.before;
        for (const std::string& part : {program_, std::string("--job"), asked.jobFile}) spec.argv.push_back(part);
        spec.outputPath = asked.logFile;
        spec.workingFolder = asked.folder;
        spec.environment = asked.environment;
        keepThreadsFromSpinning(spec);
        auto started = launchProcess(spec);
        if (!started) {
            Error error = started.error();
            if (error.hint.empty()) error.hint = "the worker program lies beside the engine; $ASSAY_WORKER names another";
            return fail(std::move(error));
        }
        return started;
    }

    WorkerState poll(const ProcessHandle& worker) override {
        WorkerState state;
        state.running = isAlive(worker);
        if (state.running) return state;
        // Looked at after it was found dead, so a child's exit status is there to be had, whenever it died.
        if (auto exit = reap(worker.pid)) {
            state.death = exit->exited ? "exit code " + std::to_string(exit->code) : "signal " + std::to_string(exit->signal);
        } else {
            // Our child whose main thread ended before its others: its status comes with the last of them, at a later look.
            siginfo_t info{};
            state.running = ::waitid(P_PID, static_cast<id_t>(worker.pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0;
        }
        return state;
    }

    void askToStop(const ProcessHandle& worker) override {
        if (isAlive(worker)) ::kill(worker.pid, SIGTERM);
    }

    void kill(const ProcessHandle& worker) override {
        // The worker leads its own session, so its process group is everything it started.
        if (isAlive(worker)) {
            ::kill(-worker.pid, SIGKILL);
            ::kill(worker.pid, SIGKILL);
        }
    }

private:
    std::string program_;
};

}  // namespace

std::unique_ptr<Launcher> makeLocalLauncher(std::string program) { return std::make_unique<LocalLauncher>(std::move(program)); }

}  // namespace assay::runtime
