#pragma once
#include <assay/dist/collective.h>
#include <assay/torch.h>
#include <gtest/gtest.h>

#include <barrier>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>

namespace assay::train::testing {

// Ranks as threads of one process. Every collective is its definition, added up in the order of the ranks.
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
            ++sent;
            tensor.detach().copy_(exchange(tensor, [&](const auto& all) { return reduced(all, op); }));
            return std::make_unique<Done>();
        }
        dist::PendingPtr reduceScatterAsync(at::Tensor out, at::Tensor in, dist::Reduce op) override {
            ++sent;
            const int64_t n = out.numel();
            out.copy_(exchange(in, [&](const auto& all) { return reduced(all, op).view({-1}).narrow(0, rank_ * n, n).clone(); }).view_as(out));
            return std::make_unique<Done>();
        }
        dist::PendingPtr allGatherAsync(at::Tensor out, at::Tensor in) override {
            out.copy_(exchange(in.view({-1}), [](const auto& all) { return at::cat(all); }).view_as(out));
            return std::make_unique<Done>();
        }
        dist::PendingPtr broadcastAsync(at::Tensor tensor, int root) override {
            tensor.copy_(exchange(tensor, [&](const auto& all) { return all[static_cast<size_t>(root)].clone(); }));
            return std::make_unique<Done>();
        }
        dist::PendingPtr allToAllAsync(at::Tensor, at::Tensor) override {
            ADD_FAILURE() << "data-parallel training exchanges nothing else";
            return std::make_unique<Done>();
        }
        dist::PendingPtr sendAsync(at::Tensor tensor, int to, int) override {
            std::lock_guard lock(ring_.mutex_);
            ring_.mail_[{rank_, to}].push_back(tensor.detach().clone());
            ring_.arrived_.notify_all();
            return std::make_unique<Done>();
        }
        dist::PendingPtr receiveAsync(at::Tensor tensor, int from, int) override {
            std::unique_lock lock(ring_.mutex_);
            auto& box = ring_.mail_[{from, rank_}];
            ring_.arrived_.wait(lock, [&] { return !box.empty(); });
            tensor.copy_(box.front());
            box.pop_front();
            return std::make_unique<Done>();
        }
        Result<void> barrier() override {
            ring_.barrier_.arrive_and_wait();
            return {};
        }
        int sent = 0;  // sums so far

    private:
        struct Done final : dist::Pending {
            Result<void> wait() override { return {}; }
        };
        static at::Tensor reduced(const std::vector<at::Tensor>& all, dist::Reduce op) {
            at::Tensor out = all[0].clone();
            for (size_t r = 1; r < all.size(); ++r) out = op == dist::Reduce::kSum ? out.add(all[r]) : op == dist::Reduce::kMax ? at::maximum(out, all[r]) : at::minimum(out, all[r]);
            return out;
        }
        template <class Make>
        at::Tensor exchange(const at::Tensor& mine, Make make) {
            at::NoGradGuard noGrad;
            ring_.slots_[static_cast<size_t>(rank_)] = mine.detach().clone();
            ring_.barrier_.arrive_and_wait();
            at::Tensor out = make(ring_.slots_);
            ring_.barrier_.arrive_and_wait();
            return out;
        }
        ThreadRing& ring_;
        int rank_;
    };

private:
    int world_;
    std::barrier<> barrier_;
    std::vector<at::Tensor> slots_;
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::map<std::pair<int, int>, std::deque<at::Tensor>> mail_;
};

}  // namespace assay::train::testing
