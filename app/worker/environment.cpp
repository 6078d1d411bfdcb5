#include "environment.h"

#include <malloc.h>
#include <sched.h>
#include <sys/utsname.h>
#include <assay/torch.h>
#include <torch/version.h>
#include <unistd.h>

#include <ATen/Parallel.h>
#include <ATen/Version.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include <assay/core/clock.h>
#include <assay/core/hash.h>

namespace assay::worker {
namespace {

std::string firstLine(const std::string& path) {
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);
    return line;
}

std::string procField(const std::string& path, const std::string& key) {
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        const size_t colon = line.find(':');
        if (colon == std::string::npos || !line.starts_with(key)) continue;
        const size_t start = line.find_first_not_of(" \t", colon + 1);
        return start == std::string::npos ? "" : line.substr(start);
    }
    return "";
}

Json cpuFeatures() {  // those that decide which kernels run
    static const std::set<std::string> kNamed{"sse4_2", "avx", "avx2", "fma", "f16c", "bmi2", "avx512f", "avx512bw", "avx512vl", "avx512_vnni", "avx512_bf16",
                                              "avx_vnni", "amx_bf16", "amx_int8", "amx_tile"};
    Json out = Json::array();
    std::istringstream flags(procField("/proc/cpuinfo", "flags"));
    for (std::string flag; flags >> flag;)
        if (kNamed.contains(flag)) out.push_back(flag);
    return out;
}

Json environmentValue(const char* name) {
    const char* value = std::getenv(name);
    return value ? Json(value) : Json(nullptr);
}

std::string osName() {
    std::ifstream in("/etc/os-release");
    for (std::string line; std::getline(in, line);) {
        if (!line.starts_with("PRETTY_NAME=")) continue;
        std::string name = line.substr(12);
        if (name.size() >= 2 && name.front() == '"') name = name.substr(1, name.size() - 2);
        return name;
    }
    return "";
}

}  // namespace

int64_t visibleCores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) return std::max<int64_t>(1, sysconf(_SC_NPROCESSORS_ONLN));
    std::set<std::string> cores;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &set)) continue;
        const std::string siblings = firstLine("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list");
        cores.insert(siblings.empty() ? std::to_string(cpu) : siblings);
    }
    return std::max<int64_t>(1, static_cast<int64_t>(cores.size()));
}

void setUpThreads(int64_t threads, int ranksHere) {
    // Activations are allocated and freed every step: keep their pages instead of asking the kernel for zeroed ones again.
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
    mallopt(M_TOP_PAD, 16 << 20);
    at::set_num_interop_threads(1);
    at::set_num_threads(static_cast<int>(threads > 0 ? threads : std::max<int64_t>(1, visibleCores() / std::max(1, ranksHere))));
}

Json describeEnvironment(int rank, int world, const std::string& device) {
    utsname system{};
    uname(&system);
    const std::string config = at::show_config();
    double load[3] = {0, 0, 0};
    if (getloadavg(load, 3) != 3) load[0] = load[1] = load[2] = 0;
    const auto memory = static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    Json settings = Json::object();
    for (const char* name : {"MKL_CBWR", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "KMP_AFFINITY", "KMP_BLOCKTIME", "OMP_WAIT_POLICY", "ATEN_CPU_CAPABILITY"})
        settings[name] = environmentValue(name);
    return {{"time", isoTime(wallSeconds())},
            {"version", ASSAY_VERSION},
            {"cpu", {{"model", procField("/proc/cpuinfo", "model name")}, {"features", cpuFeatures()}, {"cores", visibleCores()}, {"capability", at::get_cpu_capability()}}},
            {"memory_bytes", memory},
            {"threads", at::get_num_threads()},
            {"device", device},
            {"gpus", device == "cpu" ? Json::array() : Json::array({device})},
            {"rank", rank},
            {"world", world},
            {"libtorch", TORCH_VERSION},
            {"libtorch_config_sha256", sha256Hex(config)},
            {"libtorch_config", config},
            {"parallel", at::get_parallel_info()},
            {"settings", settings},
            {"os", osName()},
            {"kernel", std::string(system.release)},
            {"host", std::string(system.nodename)},
            {"load", {load[0], load[1], load[2]}}};
}

}  // namespace assay::worker
