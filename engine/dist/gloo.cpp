// Gloo over c10d's ProcessGroupGloo of the LibTorch wheel. The stores come from c10d (never gloo's own rendezvous
// classes: the headers of the distribution are older than the library inside the wheel).
#include <assay/torch.h>

#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "backends.h"

namespace assay::dist {
namespace {

Error glooError(const char* what) {
    return Error(ErrorCode::kIo, std::string("collective over gloo failed: ") + what, "another rank may have ended; its log says why");
}

struct GlooPending final : Pending {
    c10::intrusive_ptr<c10d::Work> work;
    Result<void> result;
    ~GlooPending() override {
        if (work) (void)wait();
    }
    Result<void> wait() override {
        if (!work) return result;
        try {
            work->wait();
        } catch (const std::exception& e) {
            result = fail(glooError(e.what()));
        }
        work.reset();
        return result;
    }
};

template <class Start>
PendingPtr launch(Start start) {
    auto pending = std::make_unique<GlooPending>();
    try {
        pending->work = start();
    } catch (const std::exception& e) {
        pending->result = fail(glooError(e.what()));
    }
    return pending;
}

c10d::ReduceOp reduceOp(Reduce op) {
    switch (op) {
        case Reduce::kMax: return c10d::ReduceOp::MAX;
        case Reduce::kMin: return c10d::ReduceOp::MIN;
        case Reduce::kSum: break;
    }
    return c10d::ReduceOp::SUM;
}

class Gloo final : public Collective {
public:
    Gloo(c10::intrusive_ptr<c10d::ProcessGroupGloo> group, int rank, int world) : group_(std::move(group)), rank_(rank), world_(world) {}
    std::string_view name() const override { return "gloo"; }
    int rank() const override { return rank_; }
    int world() const override { return world_; }
    PendingPtr allReduceAsync(at::Tensor tensor, Reduce op) override {
        return launch([&] {
            std::vector<at::Tensor> tensors{tensor.detach()};
            c10d::AllreduceOptions options;
            options.reduceOp = reduceOp(op);
            return group_->allreduce(tensors, options);
        });
    }
    PendingPtr reduceScatterAsync(at::Tensor out, at::Tensor in, Reduce op) override {
        return launch([&] {
            at::Tensor o = out.detach(), i = in.detach();
            c10d::ReduceScatterOptions options;
            options.reduceOp = reduceOp(op);
            return group_->_reduce_scatter_base(o, i, options);
        });
    }
    PendingPtr allGatherAsync(at::Tensor out, at::Tensor in) override {
        return launch([&] {
            at::Tensor o = out.detach(), i = in.detach();
            return group_->_allgather_base(o, i);
        });
    }
    PendingPtr broadcastAsync(at::Tensor tensor, int root) override {
        return launch([&] {
            std::vector<at::Tensor> tensors{tensor.detach()};
            c10d::BroadcastOptions options;
            options.rootRank = root;
            return group_->broadcast(tensors, options);
        });
    }
    PendingPtr allToAllAsync(at::Tensor out, at::Tensor in) override {
        return launch([&] {
            at::Tensor o = out.detach(), i = in.detach();
            std::vector<int64_t> equal;
            return group_->alltoall_base(o, i, equal, equal);
        });
    }
    PendingPtr sendAsync(at::Tensor tensor, int to, int tag) override {
        return launch([&] {
            std::vector<at::Tensor> tensors{tensor.detach()};
            return group_->send(tensors, to, tag);
        });
    }
    PendingPtr receiveAsync(at::Tensor tensor, int from, int tag) override {
        return launch([&] {
            std::vector<at::Tensor> tensors{tensor.detach()};
            return group_->recv(tensors, from, tag);
        });
    }
    Result<void> barrier() override {
        return launch([&] { return group_->barrier(); })->wait();
    }

private:
    c10::intrusive_ptr<c10d::ProcessGroupGloo> group_;
    int rank_, world_;
};

}  // namespace

Result<std::unique_ptr<Collective>> makeGloo(const GroupOptions& options) {
    try {
        const std::chrono::milliseconds timeout(static_cast<int64_t>(options.timeoutSeconds * 1000));
        c10::intrusive_ptr<c10d::Store> store;
        if (!options.storeFile.empty()) {
            store = c10::make_intrusive<c10d::FileStore>(options.storeFile, options.world);
        } else {
            c10d::TCPStoreOptions tcp;
            tcp.port = static_cast<uint16_t>(options.masterPort);
            tcp.isServer = options.rank == 0;
            tcp.numWorkers = static_cast<size_t>(options.world);
            tcp.timeout = timeout;
            store = c10::make_intrusive<c10d::TCPStore>(options.masterAddress, tcp);
        }
        store->setTimeout(timeout);
        auto gloo = c10d::ProcessGroupGloo::Options::create(timeout);
        const bool loopback = options.masterAddress == "127.0.0.1" || options.masterAddress == "localhost" || !options.storeFile.empty();
        gloo->devices = {loopback ? c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1") : c10d::ProcessGroupGloo::createDefaultDevice()};
        auto group = c10::make_intrusive<c10d::ProcessGroupGloo>(c10::make_intrusive<c10d::PrefixStore>("assay", store), options.rank, options.world, gloo);
        return std::make_unique<Gloo>(std::move(group), options.rank, options.world);
    } catch (const std::exception& e) {
        return fail(ErrorCode::kUnreachable, std::string("ranks cannot find each other: ") + e.what(),
                    "check MASTER_ADDR (" + options.masterAddress + ") and MASTER_PORT (" + std::to_string(options.masterPort) + "), and that all " + std::to_string(options.world) + " ranks were started");
    }
}

}  // namespace assay::dist
