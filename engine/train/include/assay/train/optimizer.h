#pragma once
// Optimizers over named parameters. State tensors are keyed by the parameter's Hugging Face name, so that a checkpoint
// does not depend on order or layout.

#include <ATen/core/Tensor.h>
#include <assay/config/spec.h>
#include <assay/nn/model.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::train {

struct StateTensor {
    std::string name;  // "<parameter>.exp_avg"
    at::Tensor value;
};

class Optimizer {
public:
    virtual ~Optimizer() = default;
    virtual std::string_view name() const = 0;
    virtual void step(double lr) = 0;      // every parameter must have a gradient
    virtual int64_t steps() const = 0;     // updates applied so far
    virtual void setSteps(int64_t steps) = 0;
    virtual const std::vector<StateTensor>& state() const = 0;  // handles: copy into them to restore
};

// Registry: optimizers/optimizers.cpp. Parameters with ParameterInfo::decay get weight decay, the others none.
Result<std::unique_ptr<Optimizer>> makeOptimizer(const config::OptimizerSpec& spec, const std::vector<nn::Parameter>& parameters);
std::vector<std::string_view> optimizerNames();

// Makes absent gradients zero, so that norms and updates see every parameter.
void fillMissingGradients(const std::vector<nn::Parameter>& parameters);

struct GradientNorm {
    double norm = 0;         // L2 over all parameters
    std::string notFinite;   // name of the first parameter whose gradient is not finite
};
GradientNorm gradientNorm(const std::vector<nn::Parameter>& parameters);
// Scales all gradients by maxNorm / norm when norm is larger.
void clipGradients(const std::vector<nn::Parameter>& parameters, double norm, double maxNorm);

}  // namespace assay::train
