#pragma once
// Rows of a mixture of experts: which experts they go to (softmax over all experts in fp32, the k most likely, shares that sum to 1),
// the rows sorted by expert, and their results mixed. Everything is allocated by `prepare`.
#include <assay/infer/memory.h>
#include <assay/infer/thread_pool.h>
#include <assay/model/config.h>

#include <vector>

namespace assay::infer {

class ExpertRows {
public:
    Result<void> prepare(const model::ModelConfig& config, int64_t maxRows);
    // Decides for `count` rows of x and copies them, sorted by expert, to rows().
    void route(ThreadPool& pool, const float* router, const float* x, int64_t count);
    int64_t first(size_t expert) const { return first_[expert]; }  // of an expert among the sorted rows; [experts]: their number
    float* rows() { return sorted_.as<float>(); }                   // [first(experts)][hidden]; results take their places
    // to[row] += Σ share · result over the experts of the row, the most likely first: bits do not depend on other rows.
    void mix(ThreadPool& pool, float* to, int64_t count) const;

private:
    int64_t experts_ = 0, perToken_ = 0, width_ = 0;
    Buffer probabilities_, shares_, sorted_;
    std::vector<int64_t> first_, next_;
    std::vector<int32_t> chosen_, places_;  // of each row and choice
};

}  // namespace assay::infer
