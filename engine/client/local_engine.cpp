#include "assay/client/local_engine.h"

#include <assay/core/clock.h>
#include <assay/core/durable.h>
#include <assay/core/paths.h>
#include <assay/core/process.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace assay::client {
namespace {

int64_t fileSize(const std::string& path) {
    struct stat info {};
    return ::stat(path.c_str(), &info) == 0 ? info.st_size : 0;
}

// The last thing the engine said since `from`: that is why it ended. Its log lines begin with time, level and category
// (core/log.h), which are left out.
std::string lastLine(const std::string& path, int64_t from) {
    auto text = readFile(path);
    if (!text || static_cast<int64_t>(text->size()) <= from) return {};
    std::string tail = text->substr(static_cast<size_t>(from));
    while (!tail.empty() && tail.back() == '\n') tail.pop_back();
    const size_t newline = tail.rfind('\n');
    std::string line = newline == std::string::npos ? tail : tail.substr(newline + 1);
    constexpr size_t kTimeLength = 24;  // 2026-01-31T12:00:00.123Z
    if (const size_t colon = line.find(": "); line.size() > kTimeLength && line[kTimeLength - 1] == 'Z' && colon != std::string::npos)
        line.erase(0, colon + 2);
    return line;
}

ErrorCode codeOfExit(const ExitStatus& status) {
    if (!status.exited) return ErrorCode::kUnreachable;
    switch (status.code) {
        case 2: return ErrorCode::kInvalidFile;  // the arguments are ours and right, so it is a file of the store
        case 3: return ErrorCode::kNotFound;
        case 4: return ErrorCode::kVersionMismatch;
        default: return ErrorCode::kUnreachable;
    }
}

}  // namespace

Result<Endpoint> ensureLocalEngine(const LocalEngineOptions& options, bool* started) {
    if (started) *started = false;
    auto running = readEndpoint(options.store);
    if (running) return running;
    if (running.error().code == ErrorCode::kUnauthorized) return running;

    ProcessSpec process;
    const std::string program = options.program.empty() ? executableFolder() + "/assay-engine" : options.program;
    if (::access(program.c_str(), X_OK) != 0)
        return fail(ErrorCode::kUnreachable, "the engine program is not at " + program,
                    "install assay-engine beside assay, or build it with packaging/dev build");
    ASSAY_TRY_VOID(makeFolders(options.store, 0700));
    process.argv = {program, "--store", options.store};
    if (options.idleExitSeconds > 0) {
        process.argv.push_back("--idle-exit");
        process.argv.push_back(std::to_string(options.idleExitSeconds));
    }
    process.outputPath = options.store + "/engine.log";
    const int64_t logStart = fileSize(process.outputPath);
    ASSAY_TRY(const ProcessHandle handle, launchProcess(process));
    if (started) *started = true;

    // The endpoint file is what says "ready", whoever wrote it: when another program started an engine at the same
    // moment, ours finds the store locked and leaves, and the other one's file is the answer.
    const double deadline = monotonicSeconds() + options.deadlineSeconds;
    std::optional<ExitStatus> ended;
    double endedAt = 0;
    while (monotonicSeconds() < deadline) {
        if (auto endpoint = readEndpoint(options.store)) return endpoint;
        if (!ended) {
            ended = reap(handle.pid);
            if (ended) endedAt = monotonicSeconds();
        }
        const bool lockedOut = ended && ended->exited && ended->code == 1;
        if (ended && monotonicSeconds() - endedAt > (lockedOut ? 2.0 : 0.0)) {
            const std::string words = lastLine(process.outputPath, logStart);
            // On a full disk the engine cannot even log why it ended.
            if (words.empty())
                if (auto room = requireFreeSpace(options.store, 64 << 10); !room) return fail(std::move(room).error().with("starting the engine"));
            return fail(codeOfExit(*ended),
                        words.empty() ? fmt::format("the engine of {} did not start ({} {})", options.store,
                                                    ended->exited ? "exit code" : "signal",
                                                    ended->exited ? ended->code : ended->signal)
                                      : fmt::format("the engine of {} did not start: {}", options.store, words),
                        "see " + process.outputPath);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return fail(ErrorCode::kUnreachable, fmt::format("the engine of {} did not answer within {:.0f} s", options.store,
                                                     options.deadlineSeconds),
                "see " + process.outputPath);
}

}  // namespace assay::client
