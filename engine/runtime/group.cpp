#include "group.h"

#include "assay/core/clock.h"
#include "assay/core/log.h"
#include "assay/protocol/events.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>

namespace assay::runtime {
namespace {

constexpr int kMostRanks = 1024;

std::string eventFile(RuntimeState& state, const std::string& id, int rank) { return state.store.runFolder(id) + "/events.rank" + std::to_string(rank) + ".jsonl"; }

// What a rank wrote in this session; ranks beside 0 write little, so the end of the file has it all.
struct RankSession {
    ProcessHandle process;
    Json end;
};
RankSession readSession(const std::string& path, int attempt) {
    RankSession found;
    std::optional<bool> current;
    protocol::eachLastLine(path, [&](const std::string& line, bool cut) {
        if (!current) current = cut;  // a session that began before what is read here
        if (!line.starts_with("{\"type\":\"hello\"") && !line.starts_with("{\"type\":\"end\"")) return;
        auto record = parseJson(line, path);
        if (!record || !record->is_object()) return;  // torn by a kill
        const std::string type = jsonStringOr(*record, "type", "");
        if (type == "hello") {
            current = jsonIntegerOr(*record, "attempt", 0) == attempt;
            found = {};
            const int64_t pid = jsonIntegerOr(*record, "pid", -1);
            if (!*current || pid <= 1 || pid > 1 << 22) return;
            found.process.pid = static_cast<int>(pid);
            found.process.startTicks = static_cast<uint64_t>(jsonIntegerOr(*record, "start_ticks", 0));
        } else if (type == "end" && *current) {
            found.end = *record;
        }
    });
    return found;
}

// A port that is free now. It may be taken until rank 0 listens: then the group fails to meet and is started again.
Result<int> freePort() {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return fail(systemError("cannot open", "a socket", errno));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    const bool bound = ::bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0 && ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
    const int error = errno;
    ::close(fd);
    if (!bound) return fail(systemError("cannot bind", "127.0.0.1", error));
    return static_cast<int>(ntohs(address.sin_port));
}

std::string findProgram(const std::string& name) {
    const char* path = std::getenv("PATH");
    for (std::string_view rest = path ? path : ""; !rest.empty();) {
        const size_t colon = rest.find(':');
        const std::string candidate = std::string(rest.substr(0, colon)) + "/" + name;
        rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
        if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    }
    return "";
}

bool endedWell(const Json& end) {
    const std::string outcome = end.is_object() ? jsonStringOr(end, "outcome", "") : "";
    return outcome == "done" || outcome == "cancelled";
}

// A rank that only noticed that another one is gone.
bool isVictim(const Json& end) {
    const auto error = end.is_object() ? end.find("error") : end.end();
    if (!end.is_object() || error == end.end() || !error->is_object()) return false;
    const std::string code = jsonStringOr(*error, "code", "");
    return code == "worker_died" || code == "unreachable";
}

}  // namespace

Result<GroupShape> groupShape(const Json& spec) {
    GroupShape shape;
    if (const std::string kind = jsonStringOr(spec, "kind", ""); kind != "train" && kind != "verify") return shape;
    const auto train = spec.find("train");
    if (train == spec.end() || !train->is_object()) return shape;
    if (const auto parallel = train->find("parallel"); parallel != train->end() && parallel->is_object()) {
        const int64_t ranks = jsonIntegerOr(*parallel, "data", 1);
        if (ranks < 1 || ranks > kMostRanks) return fail(ErrorCode::kInvalidFile, "train.parallel.data: " + std::to_string(ranks) + " is not between 1 and " + std::to_string(kMostRanks));
        shape.ranks = static_cast<int>(ranks);
    }
    const auto launcher = train->find("launcher");
    const std::string name = launcher == train->end() ? "local" : launcher->is_string() ? launcher->get<std::string>() : launcher->dump();
    if (name == "torchrun") shape.torchrun = true;
    else if (name != "local") return fail(ErrorCode::kUnsupported, "train.launcher: this build starts its workers on this machine, not with " + name, "use local or torchrun");
    return shape;
}

Result<void> launchGroup(RuntimeState& state, ActiveRun& run, const GroupShape& shape) {
    const std::string folder = state.store.runFolder(run.id);
    LaunchSpec spec{.jobFile = folder + "/job.json", .logFile = folder + "/log.txt", .folder = folder, .before = {}, .environment = {}};
    const std::string world = std::to_string(shape.ranks);
    if (shape.torchrun) {
        const std::string program = findProgram("torchrun");
        if (program.empty())
            return fail(ErrorCode::kNotFound, "train.launcher: there is no torchrun in PATH",
                        "install it, use launcher: local, or run by hand: torchrun --standalone --nproc-per-node=" + world + " --no-python assay-worker --job " + spec.jobFile);
        spec.before = {program, "--standalone", "--nproc-per-node=" + world, "--no-python"};
        ASSAY_TRY(run.worker, state.launcher->launch(spec));
        run.torchrun = true;
        return {};
    }
    int port = 0;
    if (shape.ranks > 1) {
        ASSAY_TRY(port, freePort());
    }
    for (int rank = 0; rank < shape.ranks; ++rank) {
        spec.environment = {{"RANK", std::to_string(rank)}, {"LOCAL_RANK", std::to_string(rank)}, {"WORLD_SIZE", world}, {"LOCAL_WORLD_SIZE", world}};
        if (shape.ranks > 1) {
            spec.environment.emplace_back("MASTER_ADDR", "127.0.0.1");
            spec.environment.emplace_back("MASTER_PORT", std::to_string(port));
        }
        auto started = state.launcher->launch(spec);
        if (!started) {
            killGroup(state, run);
            return fail(std::move(started.error()));
        }
        if (rank == 0) run.worker = *started;
        else run.others.push_back({rank, *started});
    }
    return {};
}

void findGroup(RuntimeState& state, ActiveRun& run, int ranks, int attempt) {
    run.attempt = attempt;
    for (int rank = 1; rank < ranks; ++rank) run.others.push_back({rank, readSession(eventFile(state, run.id, rank), attempt).process});
}

void pollGroup(RuntimeState& state, ActiveRun& run) {
    const double now = monotonicSeconds();
    if (!run.leadGone) {
        if (run.worker.pid < 0) {
            if (now > run.lookUntil) {
                run.leadGone = true;
                run.death = "the engine ended while it was starting the worker";
            }
        } else if (WorkerState worker = state.launcher->poll(run.worker); !worker.running) {
            run.leadGone = true;
            run.death = worker.death;
        }
    }
    bool all = run.leadGone;
    bool bad = run.leadGone && !run.others.empty() && !endedWell(readSession(eventFile(state, run.id, 0), run.attempt).end);  // alone it leaves nobody behind
    for (RankWorker& other : run.others) {
        if (!other.gone) {
            if (other.process.pid < 0) {
                other.process = readSession(eventFile(state, run.id, other.rank), run.attempt).process;
                if (other.process.pid < 0 && (now > run.lookUntil || run.leadGone)) {
                    other.gone = true;
                    other.death = "it was never started";
                }
            } else if (WorkerState worker = state.launcher->poll(other.process); !worker.running) {
                other.gone = true;
                other.death = worker.death;
            }
            if (other.gone) other.end = readSession(eventFile(state, run.id, other.rank), run.attempt).end;
        }
        all = all && other.gone;
        bad = bad || (other.gone && !endedWell(other.end));
    }
    run.gone = all;
    if (all || !bad) return;
    if (run.brokenAt == 0) run.brokenAt = now;
    if (now - run.brokenAt < state.options.groupGraceSeconds) return;
    if (!run.leadGone && run.worker.pid > 0) {
        run.leadSilent = true;
        state.launcher->kill(run.worker);
    }
    for (RankWorker& other : run.others)
        if (!other.gone && other.process.pid > 0) {
            other.silent = true;
            state.launcher->kill(other.process);
        }
}

void showGroup(RuntimeState& state, const ActiveRun& run) {
    if (run.others.empty()) return;
    std::vector<RankState> ranks{{0, run.worker.pid, !run.leadGone && run.worker.pid > 0}};
    for (const RankWorker& other : run.others) ranks.push_back({other.rank, other.process.pid, !other.gone && other.process.pid > 0});
    std::lock_guard lock(state.shownMutex);
    if (run.gone) state.shown.erase(run.id);
    else state.shown[run.id] = std::move(ranks);
}

void askGroupToStop(RuntimeState& state, const ActiveRun& run) {
    if (run.worker.pid > 0) state.launcher->askToStop(run.worker);
    for (const RankWorker& other : run.others)
        if (other.process.pid > 0) state.launcher->askToStop(other.process);
}

void killGroup(RuntimeState& state, ActiveRun& run) {
    if (run.worker.pid > 0) state.launcher->kill(run.worker);
    for (const RankWorker& other : run.others)
        if (other.process.pid > 0) state.launcher->kill(other.process);
    if (!run.torchrun) return;
    for (int rank = 0; rank < kMostRanks; ++rank) {  // torchrun's own children
        const std::string path = eventFile(state, run.id, rank);
        struct stat st {};
        if (::stat(path.c_str(), &st) != 0) break;
        if (const ProcessHandle process = readSession(path, run.attempt).process; process.pid > 0) state.launcher->kill(process);
    }
}

GroupFault judgeGroup(const RunRow& row, const ActiveRun& run) {
    auto named = [](int rank) { return "rank " + std::to_string(rank); };
    // A process that went without a word, but for those that we ended.
    for (const RankWorker& other : run.others)
        if (!other.end.is_object() && !other.silent) return {true, named(other.rank) + " died: " + (other.death.empty() ? "it ended while no engine was watching" : other.death), nullptr};
    if (!row.end.is_object() && !run.leadSilent) return {true, named(0) + " died: " + (run.death.empty() ? "it ended while no engine was watching" : run.death), nullptr};
    // A rank that failed by itself: starting again would fail again.
    auto failed = [&](int rank, const Json& end) -> std::optional<GroupFault> {
        if (!end.is_object() || endedWell(end) || isVictim(end)) return {};
        const auto found = end.find("error");
        Json error = found != end.end() && found->is_object() ? *found : Json::object();
        const std::string message = jsonStringOr(error, "message", "failed");
        return GroupFault{false, rank == 0 ? message : named(rank) + ": " + message, error};
    };
    if (auto fault = failed(0, row.end)) return *fault;
    for (const RankWorker& other : run.others)
        if (auto fault = failed(other.rank, other.end)) return *fault;
    std::string silent;
    if (run.leadSilent) silent = named(0);
    for (const RankWorker& other : run.others)
        if (other.silent) silent += (silent.empty() ? "" : ", ") + named(other.rank);
    if (!silent.empty()) return {true, silent + " did not answer the others", nullptr};
    return {true, "the ranks lost each other", nullptr};
}

}  // namespace assay::runtime
