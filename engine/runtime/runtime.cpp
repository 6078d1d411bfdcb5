#include "assay/runtime/runtime.h"

#include "runtime_state.h"

#include "assay/core/durable.h"
#include "assay/core/log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace assay::runtime {
namespace {

void loop(RuntimeState& state) {
    std::unique_lock lock(state.mutex);
    while (!state.stopping) {
        std::vector<std::string> ids;
        for (const auto& [id, run] : state.active) ids.push_back(id);
        for (const auto& id : ids)
            if (auto it = state.active.find(id); it != state.active.end()) superviseRun(state, it->second);
        const bool retry = state.scheduleWanted;
        if (retry) schedule(state);
        state.activeCount = static_cast<int>(state.active.size());
        // With nothing to follow the thread sleeps until somebody calls; a failed look at the queue is repeated.
        auto due = [&] { return state.stopping || (state.scheduleWanted && !retry); };
        const auto tick = std::chrono::duration<double>(state.options.tickSeconds);
        if (!state.active.empty()) state.wake.wait_for(lock, tick);
        else if (state.scheduleWanted) state.wake.wait_for(lock, std::chrono::seconds(1));
        else state.wake.wait(lock, [&] { return due() || state.scheduleWanted; });
    }
}

}  // namespace

Runtime::Runtime(std::unique_ptr<RuntimeState> state) : state_(std::move(state)) {}

Result<std::unique_ptr<Runtime>> Runtime::start(store::Store& store, std::unique_ptr<Launcher> launcher, const RuntimeOptions& options) {
    auto state = std::make_unique<RuntimeState>(store);
    state->launcher = std::move(launcher);
    state->options = options;
    ASSAY_TRY_VOID(removeTree(store.folder() + "/trash"));
    ASSAY_TRY_VOID(adoptRuns(*state));
    state->activeCount = static_cast<int>(state->active.size());
    state->waitingCount = 1;  // until the first look at the queue says otherwise
    RuntimeState* raw = state.get();
    state->thread = std::thread([raw] { loop(*raw); });
    return std::unique_ptr<Runtime>(new Runtime(std::move(state)));
}

Runtime::~Runtime() {
    {
        std::lock_guard lock(state_->mutex);
        state_->stopping = true;
    }
    state_->wake.notify_all();
    state_->thread.join();
}

std::vector<RankState> Runtime::ranks(const std::string& run) const {
    std::lock_guard lock(state_->shownMutex);
    const auto found = state_->shown.find(run);
    return found == state_->shown.end() ? std::vector<RankState>() : found->second;
}

int Runtime::activeRuns() const { return state_->activeCount; }
bool Runtime::idle() const { return state_->activeCount == 0 && state_->waitingCount == 0; }

Result<LogPart> Runtime::log(const std::string& id, int64_t offset, int64_t maxBytes) {
    constexpr int64_t kMaxPart = 1 << 20;
    ASSAY_TRY_VOID(state_->store.read([&](store::Reader& reader) -> Result<void> {
        ASSAY_TRY(RunRow row, reader.run(id, false));
        return {};
    }));
    if (maxBytes < 0) return fail(ErrorCode::kBadUsage, "max_bytes is negative");
    LogPart part;
    const std::string path = state_->store.runFolder(id) + "/log.txt";
    int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return errno == ENOENT ? Result<LogPart>(part) : Result<LogPart>(fail(systemError("cannot open", path, errno)));
    struct stat st {};
    if (::fstat(fd, &st) == 0) part.size = st.st_size;
    part.offset = offset < 0 ? std::max<int64_t>(0, part.size + offset) : std::min<int64_t>(offset, part.size);
    part.text.resize(static_cast<size_t>(std::min({maxBytes, kMaxPart, part.size - part.offset})));
    ssize_t got = ::pread(fd, part.text.data(), part.text.size(), part.offset);
    const int error = errno;
    ::close(fd);
    if (got < 0) return fail(systemError("cannot read", path, error));
    part.text.resize(static_cast<size_t>(got));
    part.next = part.offset + got;
    return part;
}

}  // namespace assay::runtime
