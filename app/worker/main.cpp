// assay-worker --job RUN_FOLDER/job.json: one rank of one run. What it has to say goes into the run's event file; stdout
// and stderr are the run's log.txt. Started by the engine, torchrun or any launcher that sets RANK and WORLD_SIZE.
#include <assay/torch.h>
#include <torch/version.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <assay/config/config.h>
#include <assay/core/durable.h>
#include <assay/core/log.h>
#include <assay/dist/device.h>
#include <assay/nn/errors.h>
#include <assay/train/machine_rates.h>

#include "environment.h"
#include "kinds.h"
#include "stop_signal.h"

namespace assay::worker {
namespace {

using protocol::WorkerExit;

Result<int> environmentNumber(const char* name, int fallback) {
    const char* text = std::getenv(name);
    if (!text || !*text) return fallback;
    char* end = nullptr;
    const long value = std::strtol(text, &end, 10);
    if (*end != 0 || value < 0 || value > 1 << 20) return fail(ErrorCode::kBadUsage, std::string(name) + "=" + text + " is not a number", "unset it or let the launcher set it");
    return static_cast<int>(value);
}

WorkerExit exitOf(const Error& error) {
    return error.code == ErrorCode::kInvalidFile || error.code == ErrorCode::kBadUsage || error.code == ErrorCode::kUnsupported || error.code == ErrorCode::kNotFound
               ? WorkerExit::kBadSpec
               : WorkerExit::kFailed;
}

WorkerExit finish(protocol::EventWriter& events, const Result<protocol::Outcome>& outcome, int rank, int world) {
    Json end = Json::object();
    WorkerExit code = WorkerExit::kDone;
    if (!outcome && outcome.error().code != ErrorCode::kCancelled) {
        end = {{"outcome", "failed"}, {"error", errorToJson(outcome.error())}, {"reason", outcome.error().message}};
        logError(world > 1 ? "worker rank " + std::to_string(rank) : "worker", outcome.error().text());
        code = exitOf(outcome.error());
    } else if (!outcome || *outcome == protocol::Outcome::kCancelled) {
        end = {{"outcome", "cancelled"}, {"error", nullptr}, {"reason", "stopped on request"}};
        code = WorkerExit::kCancelled;
    } else {
        end = {{"outcome", "done"}, {"error", nullptr}, {"reason", nullptr}};
    }
    events.record("end", end);
    if (auto flushed = events.flush(); !flushed) {
        logError("worker", flushed.error().text());
        if (code == WorkerExit::kDone) code = WorkerExit::kFailed;
    }
    return code;
}

// LibTorch and the standard library throw; nothing above this line does.
Result<protocol::Outcome> runKind(protocol::WorkerContext& context, const std::string& kind) {
    KindFunction run = findKind(kind);
    if (!run) return fail(ErrorCode::kInvalidFile, "kind: a worker cannot run '" + kind + "'");
    try {
        return run(context);
    } catch (const std::exception& e) {
        return fail(nn::errorFromException(e));
    }
}

// Training, and doing its steps again, knows GPUs; the other kinds compute on the CPU.
Result<dist::DeviceChoice> deviceOf(const config::Spec& spec, int localRank) {
    if (spec.kind == config::Kind::kTrain || spec.kind == config::Kind::kVerify) return dist::chooseDevice(spec.device, localRank);
    if (spec.device == "cuda" && spec.kind != config::Kind::kPrepare)
        return fail(ErrorCode::kUnsupported, "device: a run of kind " + std::string(config::kindName(spec.kind)) + " computes on the CPU in this build", "set device: auto (training takes the GPU, the rest the CPU), or cpu");
    return dist::DeviceChoice{};
}

Result<WorkerExit> work(const std::string& jobPath, std::stop_token stop) {
    ASSAY_TRY(Json json, readJsonFile(jobPath));
    ASSAY_TRY(protocol::WorkerJob job, protocol::jobFromJson(json));
    ASSAY_TRY(const int rank, environmentNumber("RANK", 0));
    ASSAY_TRY(const int world, environmentNumber("WORLD_SIZE", 1));
    ASSAY_TRY(const int here, environmentNumber("LOCAL_WORLD_SIZE", 1));
    ASSAY_TRY(const int localRank, environmentNumber("LOCAL_RANK", 0));
    if (world < 1 || rank >= world) return fail(ErrorCode::kBadUsage, "RANK " + std::to_string(rank) + " does not exist with WORLD_SIZE " + std::to_string(world));
    ASSAY_TRY_VOID(makeFolders(job.runFolder));
    ASSAY_TRY(auto events, protocol::EventWriter::open(job.runFolder + "/events.rank" + std::to_string(rank) + ".jsonl", job.runId, rank, job.attempt));

    auto prepare = [&]() -> Result<protocol::Outcome> {
        ASSAY_TRY(config::Spec spec, config::specFromJson(job.spec));
        // Before anything of ATen runs: it remembers whether CUDA exists.
        ASSAY_TRY(const dist::DeviceChoice device, deviceOf(spec, localRank));
        setUpThreads(spec.threads, here);
        if (rank == 0) ASSAY_TRY_VOID(writeFileDurably(job.runFolder + "/environment.json", dumpJson(describeEnvironment(rank, world, device.name), 2) + "\n"));
        auto progress = [&](const Progress& p) {
            if (rank != 0) return;
            events->record("progress", {{"phase", p.phase}, {"unit", p.unit}, {"done", p.done}, {"total", p.total}, {"rate", jsonNumber(p.rate)}, {"eta_seconds", jsonNumber(p.etaSeconds)}});
        };
        if (!device.sentence.empty()) events->log("info", device.sentence);
        protocol::WorkerContext context{job, *events, stop, progress, rank, world, device.cuda, device.name};
        return runKind(context, std::string(config::kindName(spec.kind)));
    };
    return finish(*events, prepare(), rank, world);
}

// --calibrate: what the kernels take here, as one line on stdout, for the planner.
int calibrate(const char* threads) {
    char* end = nullptr;
    const long count = std::strtol(threads, &end, 10);
    if (*threads == 0 || *end != 0 || count < 0 || count > 4096) {
        std::fprintf(stderr, "assay-worker: --calibrate wants a number of threads, 0 for all cores, not '%s'\n", threads);
        return static_cast<int>(WorkerExit::kBadSpec);
    }
    try {
        setUpThreads(count, 1);
        std::printf("%s\n", dumpJson(train::measureRates()).c_str());
    } catch (const std::exception& e) {
        std::fprintf(stderr, "assay-worker: %s\n", nn::errorFromException(e).text().c_str());
        return static_cast<int>(WorkerExit::kFailed);
    }
    return 0;
}

int usage(const std::string& message) {
    std::fprintf(stderr, "assay-worker: %s\nusage: assay-worker --job RUN_FOLDER/job.json | --calibrate THREADS\n", message.c_str());
    return static_cast<int>(WorkerExit::kBadSpec);
}

}  // namespace
}  // namespace assay::worker

int main(int argc, char** argv) {
    using namespace assay;
    std::string jobPath;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument == "--version") {
            std::printf("assay-worker %s, LibTorch %s\n", ASSAY_VERSION, TORCH_VERSION);
            return 0;
        }
        if (argument == "--calibrate" && i + 1 < argc) return worker::calibrate(argv[i + 1]);
        if (argument != "--job" || i + 1 >= argc) return worker::usage("unexpected argument '" + std::string(argument) + "'");
        jobPath = argv[++i];
    }
    if (jobPath.empty()) return worker::usage("--job is missing");
    worker::StopSignal stop;
    auto code = worker::work(jobPath, stop.token());
    if (!code) {
        std::fprintf(stderr, "assay-worker: %s\n", code.error().text().c_str());
        return static_cast<int>(worker::exitOf(code.error()));
    }
    return static_cast<int>(*code);
}
