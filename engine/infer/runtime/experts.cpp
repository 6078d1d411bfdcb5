#include "runtime/experts.h"

#include "kernels/kernels.h"

#include <algorithm>
#include <cstring>

namespace assay::infer {

Result<void> ExpertRows::prepare(const model::ModelConfig& config, int64_t maxRows) {
    experts_ = config.experts;
    perToken_ = config.expertsPerToken;
    width_ = config.hidden;
    ASSAY_TRY(probabilities_, Buffer::allocate(maxRows * experts_ * 4));
    ASSAY_TRY(shares_, Buffer::allocate(maxRows * perToken_ * 4));
    ASSAY_TRY(sorted_, Buffer::allocate(maxRows * perToken_ * width_ * 4));
    first_.resize(size_t(experts_) + 1);
    next_.resize(size_t(experts_));
    chosen_.resize(size_t(maxRows * perToken_));
    places_.resize(chosen_.size());
    return {};
}

void ExpertRows::route(ThreadPool& pool, const float* router, const float* x, int64_t count) {
    float *all = probabilities_.as<float>(), *shares = shares_.as<float>();
    const auto decide = [&](int64_t r, int) {
        float *p = all + r * experts_, *share = shares + r * perToken_, sum = 0;
        int32_t* chosen = chosen_.data() + r * perToken_;
        kernels().scores(x + r * width_, width_, 1, {router, false, experts_, width_}, 1.0f, p, experts_);
        kernels().softmax(p, experts_);
        for (int64_t s = 0; s < perToken_; ++s) {
            chosen[s] = int32_t(std::max_element(p, p + experts_) - p);
            sum += share[s] = p[chosen[s]];
            p[chosen[s]] = -1;  // taken
        }
        for (int64_t s = 0; s < perToken_; ++s) share[s] /= sum;
    };
    if (count <= 8) {
        for (int64_t r = 0; r < count; ++r) decide(r, 0);
    } else {
        pool.parallelFor(count, decide);
    }
    std::fill(first_.begin(), first_.end(), 0);
    for (int64_t i = 0; i < count * perToken_; ++i) ++first_[size_t(chosen_[i]) + 1];
    for (size_t e = 1; e < first_.size(); ++e) first_[e] += first_[e - 1];
    std::copy(first_.begin(), first_.end() - 1, next_.begin());
    for (int64_t i = 0; i < count * perToken_; ++i) {
        const int64_t place = next_[size_t(chosen_[i])]++;
        places_[i] = int32_t(place);
        std::memcpy(rows() + place * width_, x + i / perToken_ * width_, size_t(width_) * 4);
    }
}

void ExpertRows::mix(ThreadPool& pool, float* to, int64_t count) const {
    const float *sorted = sorted_.as<float>(), *shares = shares_.as<float>();
    const auto add = [&](int64_t r, int) {
        float* out = to + r * width_;
        for (int64_t s = r * perToken_; s < (r + 1) * perToken_; ++s) {
            const float *in = sorted + places_[s] * width_, share = shares[s];
            for (int64_t i = 0; i < width_; ++i) out[i] += share * in[i];
        }
    };
    if (count <= 8) {
        for (int64_t r = 0; r < count; ++r) add(r, 0);
    } else {
        pool.parallelFor(count, add);
    }
}

}  // namespace assay::infer
