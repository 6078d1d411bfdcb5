#pragma once
// The stages of an experiment on one hardware.

#include "assay/plan/plan.h"

namespace assay::plan {

struct Leaf {  // a run that does work, with what is known about its model and data
    config::Spec spec;
    int64_t runs = 1;
    std::vector<int> members;  // their places in expandSpec's list
    bool heldOut = false;  // prepared data with a held-out part stands before it
    ModelFacts model;
    DataFacts data;
};

struct Estimate {
    std::vector<Stage> stages;
    std::optional<Training> training;
    Seconds total;
    std::vector<std::string> notes;  // assumptions about time
    Result<void> problem;            // the first scheme that is not known, if any
};

// kInvalidFile for sizes whose bytes do not fit into 64 bits, or nearly not.
Result<void> sizesWithin(const Leaf& leaf);
TrainShape trainShapeOf(const Leaf& leaf, const Input& input);
int64_t stepsOf(const Leaf& leaf);  // epochs resolved by the data's tokens
Estimate estimate(const std::vector<Leaf>& leaves, const Input& input, const Hardware& hardware);
std::vector<Warning> warningsOf(const std::vector<Leaf>& leaves, const Input& input, const Plan& plan);

}  // namespace assay::plan
