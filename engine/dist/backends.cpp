#include "backends.h"

#include <assay/torch.h>

namespace assay::dist {
namespace {

struct Entry {
    std::string_view name;
    Result<std::unique_ptr<Collective>> (*make)(const GroupOptions&);
};
constexpr Entry kBackends[] = {
    {"single", makeSingle},
    {"gloo", makeGloo},
    {"nccl", makeNccl},
};

}  // namespace

std::vector<std::string_view> collectiveBackends() {
    std::vector<std::string_view> names;
    for (const Entry& entry : kBackends) names.push_back(entry.name);
    return names;
}

Result<std::unique_ptr<Collective>> makeCollective(std::string_view backend, const GroupOptions& options) {
    if (options.world < 1 || options.rank < 0 || options.rank >= options.world)
        return fail(ErrorCode::kBadUsage, "rank " + std::to_string(options.rank) + " does not exist in a group of " + std::to_string(options.world), "check RANK and WORLD_SIZE");
    for (const Entry& entry : kBackends)
        if (entry.name == backend) return entry.make(options);
    return fail(ErrorCode::kUnsupported, "unknown collective back-end '" + std::string(backend) + "'", "use single, gloo or nccl");
}

Result<void> Collective::allReduce(std::vector<double>& values, Reduce op) {
    if (world() == 1 || values.empty()) return {};
    return allReduce(at::from_blob(values.data(), {static_cast<int64_t>(values.size())}, at::kDouble), op);
}

}  // namespace assay::dist
