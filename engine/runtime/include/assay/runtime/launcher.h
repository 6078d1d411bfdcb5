#pragma once
// How a worker is started, asked about and ended. `local` starts a process on this machine; others (a scheduler, another
// host) are a class each.

#include <assay/core/process.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace assay::runtime {

struct WorkerState {
    bool running = false;
    std::string death;  // when it is gone and we know how: "exit code 1", "signal 9"
};

struct LaunchSpec {
    std::string jobFile, logFile, folder;
    std::vector<std::string> before;  // a program and its arguments that start the worker, such as torchrun
    std::vector<std::pair<std::string, std::string>> environment;  // which rank it is: RANK, WORLD_SIZE …
};

class Launcher {
public:
    virtual ~Launcher() = default;
    virtual Result<ProcessHandle> launch(const LaunchSpec& spec) = 0;
    virtual WorkerState poll(const ProcessHandle& worker) = 0;
    virtual void askToStop(const ProcessHandle& worker) = 0;  // SIGTERM
    virtual void kill(const ProcessHandle& worker) = 0;       // SIGKILL, with everything it started
};

// `program`: path of assay-worker.
std::unique_ptr<Launcher> makeLocalLauncher(std::string program);
// $ASSAY_WORKER, else the sibling of the running program.

}  // namespace assay::runtime
