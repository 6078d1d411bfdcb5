// Gloo over c10d's ProcessGroupGloo of the LibTorch wheel. The stores come from c10d (never gloo's own rendezvous
// classes: the headers of the distribution are older than the library inside the wheel).
#include <assay/torch.h>

#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "backends.h"
#include "c10d_work.h"

namespace assay::dist {
namespace {

// The code tells those who watch the group that this rank is not the one at fault.
Error glooError(const char* what) {
    return Error(ErrorCode::kWorkerDied, std::string("another rank of the group is gone or does not answer: ") + what, "its own messages say why; a run with several ranks starts again from its last checkpoint");
}

// The same memory without owning it. Gloo's thread lets go of its tensors after the waiting one has gone on; memory that it would
// be the last to hold would be freed there, unseen by the meter of the thread that made it (nn/memory.h). The pending owns it.
at::Tensor lent(const at::Tensor& tensor) { return at::from_blob(tensor.data_ptr(), tensor.sizes(), tensor.strides(), tensor.options().requires_grad(false)); }

// Gloo's own reduce-scatter is a copy of the whole input and an all-reduce. Every rank needs one part only: the parts change
// hands, and each rank adds up its own in the order of the ranks, whatever its place in the buffer.
struct GlooReduceScatter final : Pending {
    WorkPending exchange{glooError};
    at::Tensor parts, out;
    Reduce op = Reduce::kSum;
    ~GlooReduceScatter() override {
        if (parts.defined()) (void)wait();
    }
    Result<void> wait() override {
        ASSAY_TRY_VOID(exchange.wait());
        if (!parts.defined()) return {};
        at::NoGradGuard noGrad;
        at::Tensor sum = parts[0];
        for (int64_t r = 1; r < parts.size(0); ++r) {
            if (op == Reduce::kSum) sum.add_(parts[r]);
            else if (op == Reduce::kMax) sum.copy_(at::maximum(sum, parts[r]));
            else sum.copy_(at::minimum(sum, parts[r]));
        }
        out.copy_(sum.view_as(out));
        parts.reset();
        return {};
    }
};

template <class Start>
PendingPtr launch(std::vector<at::Tensor> held, Start start) {
    return startWork(glooError, std::move(held), std::move(start));
}

class Gloo final : public Collective {
public:
    Gloo(c10::intrusive_ptr<c10d::ProcessGroupGloo> group, int rank, int world) : group_(std::move(group)), rank_(rank), world_(world) {}
    std::string_view name() const override { return "gloo"; }
    int rank() const override { return rank_; }
    int world() const override { return world_; }
    PendingPtr allReduceAsync(at::Tensor tensor, Reduce op) override {
        return launch({tensor}, [&] {
            std::vector<at::Tensor> tensors{lent(tensor)};
            c10d::AllreduceOptions options;
            options.reduceOp = reduceOp(op);
            return group_->allreduce(tensors, options);
        });
    }
    PendingPtr reduceScatterAsync(at::Tensor out, at::Tensor in, Reduce op) override {
        auto pending = std::make_unique<GlooReduceScatter>();
        pending->op = op;
        pending->out = out.detach();
        try {
            const at::Tensor from = in.detach().view({-1}), to = at::empty_like(from);
            at::Tensor lentTo = lent(to), lentFrom = lent(from);
            std::vector<int64_t> equal;
            pending->exchange.held = {from, to};
            pending->exchange.work = group_->alltoall_base(lentTo, lentFrom, equal, equal);
            pending->parts = to.view({world_, -1});
        } catch (const std::exception& e) {
            pending->exchange.result = fail(glooError(e.what()));
        }
        return pending;
    }
    PendingPtr allGatherAsync(at::Tensor out, at::Tensor in) override {
        return launch({out, in}, [&] {
            at::Tensor o = lent(out), i = lent(in);
            return group_->_allgather_base(o, i);
        });
    }
    PendingPtr broadcastAsync(at::Tensor tensor, int root) override {
        return launch({tensor}, [&] {
            std::vector<at::Tensor> tensors{lent(tensor)};
            c10d::BroadcastOptions options;
            options.rootRank = root;
            return group_->broadcast(tensors, options);
        });
    }
    PendingPtr allToAllAsync(at::Tensor out, at::Tensor in) override {
        return launch({out, in}, [&] {
            at::Tensor o = lent(out), i = lent(in);
            std::vector<int64_t> equal;
            return group_->alltoall_base(o, i, equal, equal);
        });
    }
    PendingPtr sendAsync(at::Tensor tensor, int to, int tag) override {
        return launch({tensor}, [&] {
            std::vector<at::Tensor> tensors{lent(tensor)};
            return group_->send(tensors, to, tag);
        });
    }
    PendingPtr receiveAsync(at::Tensor tensor, int from, int tag) override {
        return launch({tensor}, [&] {
            std::vector<at::Tensor> tensors{lent(tensor)};
            return group_->recv(tensors, from, tag);
        });
    }
    Result<void> barrier() override {
        return launch({}, [&] { return group_->barrier(); })->wait();
    }

private:
    c10::intrusive_ptr<c10d::ProcessGroupGloo> group_;
    int rank_, world_;
};

}  // namespace

Result<std::unique_ptr<Collective>> makeGloo(const GroupOptions& options) {
    try {
        const std::chrono::milliseconds timeout(static_cast<int64_t>(options.timeoutSeconds * 1000));
        const std::chrono::milliseconds rendezvous(static_cast<int64_t>(std::max(options.rendezvousSeconds, options.timeoutSeconds) * 1000));
        c10::intrusive_ptr<c10d::Store> store;
        if (!options.storeFile.empty()) {
            store = c10::make_intrusive<c10d::FileStore>(options.storeFile, options.world);
        } else {
            c10d::TCPStoreOptions tcp;
            tcp.port = static_cast<uint16_t>(options.masterPort);
            tcp.isServer = options.rank == 0 && !options.agentStore;
            if (options.agentStore) tcp.waitWorkers = false;
            else tcp.numWorkers = static_cast<size_t>(options.world);
            tcp.timeout = rendezvous;
            store = c10::make_intrusive<c10d::TCPStore>(options.masterAddress, tcp);
        }
        store->setTimeout(rendezvous);
        auto gloo = c10d::ProcessGroupGloo::Options::create(timeout);
        const bool loopback = options.masterAddress == "127.0.0.1" || options.masterAddress == "localhost" || !options.storeFile.empty();
        gloo->devices = {loopback ? c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1") : c10d::ProcessGroupGloo::createDefaultDevice()};
        auto group = c10::make_intrusive<c10d::ProcessGroupGloo>(c10::make_intrusive<c10d::PrefixStore>(options.storePrefix, store), options.rank, options.world, gloo);
        return std::make_unique<Gloo>(std::move(group), options.rank, options.world);
    } catch (const std::exception& e) {
        return fail(ErrorCode::kUnreachable, std::string("ranks cannot find each other: ") + e.what(),
                    "check MASTER_ADDR (" + options.masterAddress + ") and MASTER_PORT (" + std::to_string(options.masterPort) + "), and that all " + std::to_string(options.world) + " ranks were started");
    }
}

}  // namespace assay::dist
