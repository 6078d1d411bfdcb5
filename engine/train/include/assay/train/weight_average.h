#pragma once
// Exponential moving average of the weights in fp32 (fp64 for models in fp64): a ← d·a + (1 − d)·w after every update.
// d = min(decay, (1 + n) / (10 + n)) for the n-th update, the rule of TensorFlow's ExponentialMovingAverage: a short run is
// not held back by its initial weights, and nothing but the count of updates has to be remembered.

#include <assay/train/optimizer.h>

namespace assay::train {

class WeightAverage {
public:
    // The parameters of the optimizer: all of the model, or the parts that this rank updates.
    WeightAverage(double decay, const std::vector<nn::Parameter>& parameters);
    void update(const Optimizer& optimizer);  // after Optimizer::step; from the master copies where there are some
    const std::vector<StateTensor>& state() const { return state_; }  // "<parameter>.ema"
    std::vector<at::Tensor> values() const;
    static double decayAt(double decay, int64_t updates);

    // While it lives the model computes with the average. Nothing may be trained meanwhile.
    class Scope {
    public:
        Scope(const std::vector<at::Tensor>& average, const std::vector<nn::Parameter>& parameters);
        Scope(const WeightAverage& average, const std::vector<nn::Parameter>& parameters) : Scope(average.values(), parameters) {}
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        std::vector<std::pair<at::Tensor, at::Tensor>> original_;  // the parameter, and what it held
    };

private:
    double decay_;
    std::vector<StateTensor> state_;
};

}  // namespace assay::train
