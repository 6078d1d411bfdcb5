#pragma once
// Optimizers over named parameters. State tensors are keyed by the parameter's Hugging Face name, so that a checkpoint
// does not depend on order or layout. One thread at a time uses an optimizer; the update itself runs on ATen's threads.

#include <ATen/core/Tensor.h>
#include <assay/config/spec.h>
#include <assay/nn/model.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::train {

struct StateTensor {
    std::string name;  // "<parameter>.exp_avg"
    at::Tensor value;
};

// What one parameter is to an update: the tensor that is changed has this shape and type (fp32, or fp64 in references).
struct UpdateTarget {
    std::string name;
    std::vector<int64_t> shape;
    at::ScalarType type = at::kFloat;
    at::Device device = at::kCPU;
    bool decay = false;  // matrices yes; norms and biases no (model::ParameterInfo::decay)
    int64_t wholeElements = 0;  // of the parameter, of which this may be a part
};

// The formula of one optimizer: one file in optimizers/. It knows neither master copies nor where gradients come from.
class UpdateRule {
public:
    virtual ~UpdateRule() = default;
    // Makes the zeroed state of one more parameter; called once for each, in order, before the first update.
    virtual void add(const UpdateTarget& target, std::vector<StateTensor>& state) = 0;
    virtual void begin(int64_t /*step*/) {}  // counted from 1
    // Changes `weight` of parameter `index`; `gradient` has its shape and type and may be written over.
    virtual void update(size_t index, at::Tensor weight, at::Tensor gradient, double lr, int64_t step) = 0;
    // All parameters in order, for a device where a launch for each of them would cost more than the work: as `update` for each.
    virtual void updateAll(const std::vector<at::Tensor>& weights, const std::vector<at::Tensor>& gradients, double lr, int64_t step) {
        for (size_t i = 0; i < weights.size(); ++i) update(i, weights[i], gradients[i], lr, step);
    }
};

// How weights narrower than fp32 are updated. With neither, small updates vanish: near 1.0 bf16 has steps of 0.0078.
enum class LowPrecision {
    kMaster,      // an fp32 copy takes the updates (Micikevicius et al. 2018); the weights are its rounding
    kStochastic,  // up or down with the probability of the remainder (Gupta et al. 2015): no copy, right on average
};
// Where the elements of an updated tensor lie in the model: a part of a parameter is rounded as in the whole.
struct UpdatePlace {
    size_t parameter = 0;  // index in the model
    int64_t begin = 0;     // its first element
};
struct OptimizerOptions {
    LowPrecision lowPrecision = LowPrecision::kMaster;
    uint64_t seed = 0;  // of the stochastic rounding: a pure function of (seed, step, parameter, element)
    std::vector<UpdatePlace> places;  // of the parameters; empty: they are all parameters of the model, whole
};

class Optimizer {
public:
    Optimizer(std::string_view name, std::unique_ptr<UpdateRule> rule, const std::vector<nn::Parameter>& parameters, const OptimizerOptions& options);
    std::string_view name() const { return name_; }
    void step(double lr);                        // every parameter must have a gradient
    int64_t steps() const { return steps_; }     // updates applied so far
    void setSteps(int64_t steps) { steps_ = steps; }
    const std::vector<StateTensor>& state() const { return state_; }  // handles: copy into them to restore
    // The fp32 master copy when there is one, else the weights themselves.
    const at::Tensor& fullPrecision(size_t parameter) const;
    // After weights were written from outside (not from a checkpoint, which holds the copies): copies them anew.
    void takeWeights();

private:
    struct Slot {
        at::Tensor value, master;
    };
    void updateNarrow(size_t index, double lr);

    std::string name_;
    std::unique_ptr<UpdateRule> rule_;
    OptimizerOptions options_;
    std::vector<Slot> slots_;
    std::vector<StateTensor> state_;
    int64_t steps_ = 0;
};

// Registry: optimizers/optimizers.cpp. Parameters with ParameterInfo::decay get weight decay, the others none.
// kUnsupported: a name of the file format that this build has no formula for.
Result<std::unique_ptr<Optimizer>> makeOptimizer(const config::OptimizerSpec& spec, const std::vector<nn::Parameter>& parameters, const OptimizerOptions& options = {});
std::vector<std::string_view> optimizerNames();
// Whether an update of the rule needs all elements of a parameter (statistics of rows, norms): it cannot be cut.
bool needsWholeParameters(const std::string& optimizer);
// One sentence: what gets weight decay and what does not, layer indices written as *.
std::string describeDecay(const config::OptimizerSpec& spec, const std::vector<nn::Parameter>& parameters);

// Makes absent gradients zero, so that norms and updates see every parameter.
void fillMissingGradients(const std::vector<nn::Parameter>& parameters);

struct GradientNorm {
    double norm = 0;         // L2 over all parameters
    std::string notFinite;   // name of the first parameter whose gradient is not finite
};
// Of every parameter, in float64, where the gradients lie: nobody waits for them.
at::Tensor gradientNorms(const std::vector<nn::Parameter>& parameters);
// The norm of all, of those that were read.
GradientNorm gradientNorm(const std::vector<nn::Parameter>& parameters, std::span<const double> norms);
GradientNorm gradientNorm(const std::vector<nn::Parameter>& parameters);  // both: waits for the device once
// Scales all gradients by maxNorm / norm when norm is larger.
void clipGradients(const std::vector<nn::Parameter>& parameters, double norm, double maxNorm);

}  // namespace assay::train
