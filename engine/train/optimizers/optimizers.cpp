#include "optimizers.h"

#include <assay/torch.h>

#include <algorithm>
#include <cctype>

namespace assay::train {
namespace {

struct RuleEntry {
    std::string_view name;
    std::unique_ptr<UpdateRule> (*make)(const config::OptimizerSpec&);
    bool wholeParameters = false;
};
constexpr RuleEntry kRules[] = {
    {"adamw", makeAdamW}, {"adam", makeAdam}, {"sgd", makeSgd}, {"lion", makeLion}, {"adafactor", makeAdafactor, true}, {"adamw_8bit", makeAdamW8bit},
};
// Words of the experiment file (engine/config/names.h) without a formula here.
constexpr std::string_view kNotBuilt[] = {"muon"};

std::string withoutLayer(const std::string& name) {  // "h.3.ln_1.weight" → "h.*.ln_1.weight"
    std::string out;
    for (size_t begin = 0; begin <= name.size();) {
        const size_t end = std::min(name.find('.', begin), name.size());
        const std::string part = name.substr(begin, end - begin);
        const bool number = !part.empty() && std::all_of(part.begin(), part.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
        if (!out.empty()) out += '.';
        out += number ? "*" : part;
        begin = end + 1;
    }
    return out;
}

}  // namespace

at::Tensor makeState(const std::vector<int64_t>& shape, at::ScalarType type, at::Device device) { return at::zeros(shape, at::TensorOptions(device).dtype(type)); }

Result<std::unique_ptr<Optimizer>> makeOptimizer(const config::OptimizerSpec& spec, const std::vector<nn::Parameter>& parameters, const OptimizerOptions& options) {
    at::NoGradGuard noGrad;
    std::string known;
    for (const RuleEntry& entry : kRules) {
        if (entry.name == spec.name) return std::make_unique<Optimizer>(entry.name, entry.make(spec), parameters, options);
        known += (known.empty() ? "use " : &entry == std::end(kRules) - 1 ? " or " : ", ") + std::string(entry.name);
    }
    if (std::find(std::begin(kNotBuilt), std::end(kNotBuilt), spec.name) != std::end(kNotBuilt))
        return fail(ErrorCode::kUnsupported, "train.optimizer.name: this build has no " + spec.name, known);
    return fail(ErrorCode::kInvalidFile, "train.optimizer.name: unknown optimizer '" + spec.name + "'", known);
}

std::vector<std::string_view> optimizerNames() {
    std::vector<std::string_view> names;
    for (const RuleEntry& entry : kRules) names.push_back(entry.name);
    return names;
}

bool needsWholeParameters(const std::string& optimizer) {
    for (const RuleEntry& entry : kRules)
        if (entry.name == optimizer) return entry.wholeParameters;
    return false;
}

std::string describeDecay(const config::OptimizerSpec& spec, const std::vector<nn::Parameter>& parameters) {
    std::vector<std::string> with, without;
    for (const nn::Parameter& p : parameters) {
        auto& list = p.info.decay ? with : without;
        const std::string name = withoutLayer(p.info.name);
        if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
    }
    auto joined = [](const std::vector<std::string>& names) {
        std::string out;
        for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
        return out.empty() ? std::string("nothing") : out;
    };
    char decay[32];
    std::snprintf(decay, sizeof decay, "%g", spec.weightDecay);
    return std::string("weight decay ") + decay + " applies to " + joined(with) + "; it does not apply to " + joined(without);
}

}  // namespace assay::train
