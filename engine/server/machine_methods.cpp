// engine.machine: the computer this engine runs on.
#include "api.h"

#include "assay/core/clock.h"
#include "assay/core/durable.h"

#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace assay::server {
namespace {

namespace fs = std::filesystem;

constexpr double kLeastInterval = 0.2;    // between two looks at the processors
constexpr double kSizeIsNewFor = 30;      // a store of many runs takes a while to add up

std::string systemText(const char* path) { return readFile(path, 1 << 20).value_or(""); }

// What follows "KEY:" in a file of lines "KEY : VALUE".
std::string valueIn(const std::string& text, std::string_view key) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const size_t colon = line.find(':');
        if (colon == std::string::npos || !line.starts_with(key) || line.find_first_not_of(" \t", key.size()) != colon) continue;
        const size_t begin = line.find_first_not_of(" \t", colon + 1);
        return begin == std::string::npos ? std::string() : line.substr(begin);
    }
    return {};
}

int64_t kibibytesIn(const std::string& text, std::string_view key) { return std::strtoll(valueIn(text, key).c_str(), nullptr, 10) * 1024; }

// Busy and total ticks of all processors since the machine was started.
std::pair<double, double> processorTicks() {
    std::istringstream stat(systemText("/proc/stat"));
    std::string word;
    stat >> word;
    double total = 0, idle = 0, ticks = 0;
    for (int i = 0; i < 8 && stat >> ticks; ++i) {  // user nice system idle iowait irq softirq steal; guests are in user
        total += ticks;
        if (i == 3 || i == 4) idle += ticks;
    }
    return {total - idle, total};
}

double processorLoad(CpuWatch& watch) {
    std::lock_guard lock(watch.mutex);
    const double now = monotonicSeconds();
    if (watch.at == 0) {  // the first look of all has nothing to compare with yet
        std::tie(watch.busy, watch.total) = processorTicks();
        watch.at = now;
        ::usleep(static_cast<useconds_t>(kLeastInterval * 1e6));
    } else if (now - watch.at < kLeastInterval) {
        return watch.fraction;
    }
    const auto [busy, total] = processorTicks();
    if (total > watch.total) watch.fraction = std::clamp((busy - watch.busy) / (total - watch.total), 0.0, 1.0);
    watch.busy = busy;
    watch.total = total;
    watch.at = monotonicSeconds();
    return watch.fraction;
}

Json gpus() {
    Json out = Json::array();
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/proc/driver/nvidia/gpus", error)) {
        const std::string name = valueIn(systemText((entry.path() / "information").c_str()), "Model");
        out.push_back({{"name", name.empty() ? "NVIDIA GPU" : name}, {"bus", entry.path().filename().string()}});
    }
    return out;
}

int64_t storeBytes(ApiContext& context) {
    auto& known = context.storeSize;
    std::lock_guard lock(known.mutex);
    if (known.at > 0 && monotonicSeconds() - known.at < kSizeIsNewFor) return known.bytes;
    int64_t sum = 0;
    std::error_code error;
    for (fs::recursive_directory_iterator at(context.store.folder(), fs::directory_options::skip_permission_denied, error), end; !error && at != end; at.increment(error)) {
        std::error_code none;  // a file that went meanwhile
        if (!at->is_regular_file(none) || at->is_symlink(none)) continue;
        if (const auto size = at->file_size(none); !none) sum += static_cast<int64_t>(size);
    }
    known.bytes = sum;
    known.at = monotonicSeconds();
    return sum;
}

Result<Json> machine(ApiContext& context, const Json&) {
    const std::string memory = systemText("/proc/meminfo"), processor = systemText("/proc/cpuinfo");
    std::string model = valueIn(processor, "model name");
    if (model.empty()) model = valueIn(processor, "Model");  // ARM
    const int64_t total = kibibytesIn(memory, "MemTotal");
    double load[1] = {0};
    if (::getloadavg(load, 1) != 1) load[0] = 0;
    struct statvfs disk {};
    if (::statvfs(context.store.folder().c_str(), &disk) != 0) return fail(systemError("cannot look at the disk of", context.store.folder(), errno));
    const auto block = static_cast<int64_t>(disk.f_frsize);
    int64_t queued = 0;
    ASSAY_TRY_VOID(context.store.read([&](store::Reader& reader) -> Result<void> {
        ASSAY_TRY(queued, reader.queuedRuns());
        return {};
    }));
    return Json{{"cpu_model", model},
                {"cores", ::sysconf(_SC_NPROCESSORS_ONLN)},
                {"cpu_fraction", processorLoad(context.cpu)},
                {"load_1", load[0]},
                {"memory_total_bytes", total},
                {"memory_used_bytes", total - kibibytesIn(memory, "MemAvailable")},
                {"disk_total_bytes", static_cast<int64_t>(disk.f_blocks) * block},
                {"disk_free_bytes", static_cast<int64_t>(disk.f_bavail) * block},
                {"gpus", gpus()},
                {"store_bytes", storeBytes(context)},
                {"runs_running", context.runtime.activeRuns()},
                {"runs_queued", queued},
                {"trouble", troubleJson(context.store)}};
}

}  // namespace

Json troubleJson(const store::Store& store) {
    const auto trouble = store.trouble();
    if (!trouble) return nullptr;
    return {{"code", errorCodeName(trouble->code)}, {"message", trouble->message}, {"hint", trouble->hint}};
}

void addMachineMethods(protocol::Dispatcher& table, ApiContext& context) {
    table.add("engine.machine", protocol::Cost::kSlow, [&context](const Json& params, uint64_t) { return machine(context, params); });
}

}  // namespace assay::server
