#pragma once
// Live bytes by purpose, played through in the order in which a step allocates and frees.

#include <array>
#include <cstdint>
#include <string_view>

namespace assay::plan {

class Tape {
public:
    enum Purpose { kWeights, kGradients, kOptimizer, kActivations, kOther, kPurposes };
    void phase(std::string_view name) { phase_ = name; }
    void add(Purpose purpose, int64_t bytes) {
        live_[purpose] += bytes;
        total_ += bytes;
        if (total_ <= peak_) return;
        peak_ = total_;
        atPeak_ = live_;
        peakPhase_ = phase_;
    }
    void drop(Purpose purpose, int64_t bytes) {
        live_[purpose] -= bytes;
        total_ -= bytes;
    }
    void brief(Purpose purpose, int64_t bytes) {  // comes and goes within one operation
        add(purpose, bytes);
        drop(purpose, bytes);
    }
    int64_t live(Purpose purpose) const { return live_[purpose]; }
    int64_t total() const { return total_; }
    int64_t peak() const { return peak_; }
    const std::array<int64_t, kPurposes>& atPeak() const { return atPeak_; }
    std::string_view peakPhase() const { return peakPhase_; }

private:
    std::array<int64_t, kPurposes> live_{}, atPeak_{};
    int64_t total_ = 0, peak_ = 0;
    std::string_view phase_, peakPhase_;
};

}  // namespace assay::plan
