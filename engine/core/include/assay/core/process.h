#pragma once
// Process launch by argv (never through a shell) and identification that survives pid reuse.

#include <assay/core/error.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

struct ProcessSpec {
    std::vector<std::string> argv;                                  // argv[0] is a path
    std::vector<std::pair<std::string, std::string>> environment;   // added to or replacing the parent's
    std::string workingFolder;                                      // empty: the parent's
    std::string outputPath;                                         // stdout and stderr appended here; empty: /dev/null
    bool newSession = true;                                         // setsid: outlives the parent, no terminal signals
    bool stdinPipe = false;                                         // keep a pipe to the child's stdin
    bool outputPipes = false;                                       // pipes from stdout and stderr instead of outputPath
    uint64_t memoryBytes = 0;                                       // > 0: limit of its own memory (maps of files do not count)
    bool dieWithThread = false;                                     // killed when the thread that launched it ends
};

struct ProcessHandle {
    int pid = -1;
    uint64_t startTicks = 0;  // field 22 of /proc/PID/stat: pid + startTicks names one process for ever
    int stdinFd = -1;         // owned by the caller
    int stdoutFd = -1, stderrFd = -1;  // the same; with outputPipes
};

// OpenMP threads of the child that wait for each other sleep soon instead of spinning, which costs several times the work
// itself as soon as another process wants the cores. libgomp reads this once, at load, so a worker cannot set it for itself.
// What the environment says already stays.
void keepThreadsFromSpinning(ProcessSpec& spec);
// Returns after exec succeeded (or with the reason why it did not). All descriptors but 0-2 are closed in the child.
Result<ProcessHandle> launchProcess(const ProcessSpec& spec);
std::optional<uint64_t> processStartTicks(int pid);  // nothing when the process is gone or a zombie
bool isAlive(const ProcessHandle& process);
struct ExitStatus {
    bool exited = false;  // else ended by `signal`
    int code = 0;
    int signal = 0;
};
std::optional<ExitStatus> reap(int pid);  // non-blocking waitpid; nothing while it runs or when it is not our child

}  // namespace assay
