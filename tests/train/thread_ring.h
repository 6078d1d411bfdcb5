#pragma once
#include <assay/dist/collective.h>
#include <assay/torch.h>
#include <gtest/gtest.h>

#include <barrier>

namespace assay::train::testing {

// Ranks as threads of one process: sums and maxima only, which is all that data-parallel training asks for.
class ThreadRing {
public:
    explicit ThreadRing(int world) : world_(world), barrier_(world), slots_(static_cast<size_t>(world)) {}
    class Member final : public dist::Collective {
    public:
        Member(ThreadRing& ring, int rank) : ring_(ring), rank_(rank) {}
        std::string_view name() const override { return "threads"; }
        int rank() const override { return rank_; }
        int world() const override { return ring_.world_; }
        dist::PendingPtr allReduceAsync(at::Tensor tensor, dist::Reduce op) override {
            at::NoGradGuard noGrad;
            ring_.slots_[static_cast<size_t>(rank_)] = tensor.clone();
            ring_.barrier_.arrive_and_wait();
            at::Tensor sum = ring_.slots_[0].clone();
            for (size_t r = 1; r < ring_.slots_.size(); ++r) sum = op == dist::Reduce::kSum ? sum.add(ring_.slots_[r]) : at::maximum(sum, ring_.slots_[r]);
            ring_.barrier_.arrive_and_wait();
            tensor.copy_(sum);
            return std::make_unique<Done>();
        }
        dist::PendingPtr reduceScatterAsync(at::Tensor, at::Tensor, dist::Reduce) override { return unused(); }
        dist::PendingPtr allGatherAsync(at::Tensor, at::Tensor) override { return unused(); }
        dist::PendingPtr broadcastAsync(at::Tensor, int) override { return unused(); }
        dist::PendingPtr allToAllAsync(at::Tensor, at::Tensor) override { return unused(); }
        dist::PendingPtr sendAsync(at::Tensor, int, int) override { return unused(); }
        dist::PendingPtr receiveAsync(at::Tensor, int, int) override { return unused(); }
        Result<void> barrier() override {
            ring_.barrier_.arrive_and_wait();
            return {};
        }

    private:
        struct Done final : dist::Pending {
            Result<void> wait() override { return {}; }
        };
        dist::PendingPtr unused() {
            ADD_FAILURE() << "data-parallel training only reduces";
            return std::make_unique<Done>();
        }
        ThreadRing& ring_;
        int rank_;
    };

private:
    int world_;
    std::barrier<> barrier_;
    std::vector<at::Tensor> slots_;
};

}  // namespace assay::train::testing
