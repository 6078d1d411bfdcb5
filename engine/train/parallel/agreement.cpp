// What ranks have to agree on beside gradients.
#include <assay/torch.h>

#include <bit>

#include <assay/core/random.h>

#include "parallel/data_parallel.h"

namespace assay::train {

Result<CheckpointInfo> agreedCheckpoint(dist::Collective& group, const std::string& folder, const std::function<void(const Error&)>& warn) {
    if (group.world() == 1) return newestCheckpoint(folder, warn);
    Result<CheckpointInfo> found = fail(ErrorCode::kNotFound, "no usable checkpoint in " + folder);
    std::vector<double> step{-1};
    if (group.rank() == 0) {
        found = newestCheckpoint(folder, warn);
        if (found) step[0] = static_cast<double>(found->step);
    }
    ASSAY_TRY_VOID(group.allReduce(step, dist::Reduce::kMax));
    if (group.rank() == 0 || step[0] < 0) return found;
    const auto number = static_cast<int64_t>(step[0]);
    return CheckpointInfo{number, folder + "/step-" + std::to_string(number), 0, 0};
}

Result<void> DataParallel::checkReplicas() {
    at::NoGradGuard noGrad;
    uint64_t bits = 0;
    for (const nn::Parameter& p : parameters_) bits = mixBits(bits, std::bit_cast<uint64_t>(p.value.detach().sum(at::kDouble).item<double>()));
    // 48 bits of it are exact in a float64.
    const auto sum = static_cast<double>(bits >> 16);
    std::vector<double> least{sum}, most{sum};
    ASSAY_TRY_VOID(group_.allReduce(least, dist::Reduce::kMin));
    ASSAY_TRY_VOID(group_.allReduce(most, dist::Reduce::kMax));
    if (least[0] == most[0]) return {};
    return fail(ErrorCode::kInternal, "the weights of the ranks have drifted apart", "resume the run from its last checkpoint; if it happens again, a machine computes wrongly");
}

}  // namespace assay::train
