#include "optimizers.h"

#include <assay/torch.h>

namespace assay::train {
namespace {

struct Entry {
    std::string_view name;
    std::unique_ptr<Optimizer> (*make)(const config::OptimizerSpec&, const std::vector<nn::Parameter>&);
};
constexpr Entry kOptimizers[] = {
    {"adamw", makeAdamW},
};

}  // namespace

Result<std::unique_ptr<Optimizer>> makeOptimizer(const config::OptimizerSpec& spec, const std::vector<nn::Parameter>& parameters) {
    at::NoGradGuard noGrad;
    for (const Entry& entry : kOptimizers)
        if (entry.name == spec.name) return entry.make(spec, parameters);
    return fail(ErrorCode::kInvalidFile, "train.optimizer.name: unknown optimizer '" + spec.name + "'", "use adamw");
}

std::vector<std::string_view> optimizerNames() {
    std::vector<std::string_view> names;
    for (const Entry& entry : kOptimizers) names.push_back(entry.name);
    return names;
}

}  // namespace assay::train
