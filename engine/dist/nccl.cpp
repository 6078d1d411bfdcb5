// NCCL through the CUDA plugin: LibTorch's ProcessGroupNCCL for tensors on GPUs. Numbers of the host go over gloo beside it,
// so that agreeing on a count or a stop never waits for a GPU.
#include <assay/torch.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "assay/dist/device.h"
#include "backends.h"
#include "c10d_work.h"

namespace assay::dist {
namespace {

Error ncclError(const char* what) {
    return Error(ErrorCode::kWorkerDied, std::string("a collective over NCCL failed: ") + what, "another rank may have ended; its log says why. NCCL_DEBUG=INFO says more");
}

template <class Start>
PendingPtr startNccl(Start start) {
    return startWork(ncclError, {}, std::move(start));
}

class Nccl final : public Collective {
public:
    Nccl(std::unique_ptr<Collective> host, c10::intrusive_ptr<c10d::Backend> devices) : host_(std::move(host)), devices_(std::move(devices)) {}
    // Nobody is waited for: what was to be exchanged is done after a barrier, and without one something has failed here or
    // elsewhere, and the others must learn of it.
    ~Nccl() override {
        try {
            devices_->abort();
        } catch (const std::exception&) {  // another rank is gone; so are we
        }
    }
    std::string_view name() const override { return "nccl"; }
    int rank() const override { return host_->rank(); }
    int world() const override { return host_->world(); }
    PendingPtr allReduceAsync(at::Tensor tensor, Reduce op) override {
        if (tensor.is_cpu()) return host_->allReduceAsync(std::move(tensor), op);
        return startNccl([&] {
            std::vector<at::Tensor> tensors{tensor.detach()};
            c10d::AllreduceOptions options;
            options.reduceOp = reduceOp(op);
            return devices_->allreduce(tensors, options);
        });
    }
    PendingPtr reduceScatterAsync(at::Tensor out, at::Tensor in, Reduce op) override {
        if (in.is_cpu()) return host_->reduceScatterAsync(std::move(out), std::move(in), op);
        return startNccl([&] {
            at::Tensor o = out.detach(), i = in.detach();
            c10d::ReduceScatterOptions options;
            options.reduceOp = reduceOp(op);
            return devices_->_reduce_scatter_base(o, i, options);
        });
    }
    PendingPtr allGatherAsync(at::Tensor out, at::Tensor in) override {
        if (in.is_cpu()) return host_->allGatherAsync(std::move(out), std::move(in));
        return startNccl([&] {
            at::Tensor o = out.detach(), i = in.detach();
            return devices_->_allgather_base(o, i);
        });
    }
    PendingPtr broadcastAsync(at::Tensor tensor, int root) override {
        if (tensor.is_cpu()) return host_->broadcastAsync(std::move(tensor), root);
        return startNccl([&] {
            std::vector<at::Tensor> tensors{tensor.detach()};
            c10d::BroadcastOptions options;
            options.rootRank = root;
            return devices_->broadcast(tensors, options);
        });
    }
    PendingPtr allToAllAsync(at::Tensor out, at::Tensor in) override {
        if (in.is_cpu()) return host_->allToAllAsync(std::move(out), std::move(in));
        return startNccl([&] {
            at::Tensor o = out.detach(), i = in.detach();
            std::vector<int64_t> equal;
            return devices_->alltoall_base(o, i, equal, equal);
        });
    }
    // NCCL knows no tags: messages between two ranks arrive in the order they were sent.
    PendingPtr sendAsync(at::Tensor tensor, int to, int tag) override {
        if (tensor.is_cpu()) return host_->sendAsync(std::move(tensor), to, tag);
        return startNccl([&] {
            std::vector<at::Tensor> tensors{tensor.detach()};
            return devices_->send(tensors, to, tag);
        });
    }
    PendingPtr receiveAsync(at::Tensor tensor, int from, int tag) override {
        if (tensor.is_cpu()) return host_->receiveAsync(std::move(tensor), from, tag);
        return startNccl([&] {
            std::vector<at::Tensor> tensors{tensor.detach()};
            return devices_->recv(tensors, from, tag);
        });
    }
    // Also the GPUs are done with all that was sent before.
    Result<void> barrier() override {
        try {
            const c10::impl::VirtualGuardImpl gpu(at::kCUDA);
            gpu.synchronizeDevice(gpu.getDevice().index());
        } catch (const std::exception& e) {
            return fail(ncclError(e.what()));
        }
        return host_->barrier();
    }

private:
    std::unique_ptr<Collective> host_;  // owns the server of the store: ends last
    c10::intrusive_ptr<c10d::Backend> devices_;
};

c10::intrusive_ptr<c10d::Store> secondStore(const GroupOptions& options) {
    const std::chrono::milliseconds timeout(static_cast<int64_t>(options.timeoutSeconds * 1000));
    c10::intrusive_ptr<c10d::Store> store;
    if (!options.storeFile.empty()) {
        store = c10::make_intrusive<c10d::FileStore>(options.storeFile + ".nccl", options.world);
    } else {  // the server is the one that gloo's rendezvous started in rank 0
        c10d::TCPStoreOptions tcp;
        tcp.port = static_cast<uint16_t>(options.masterPort);
        tcp.isServer = false;
        tcp.waitWorkers = false;
        tcp.timeout = timeout;
        store = c10::make_intrusive<c10d::TCPStore>(options.masterAddress, tcp);
    }
    store->setTimeout(timeout);
    return c10::make_intrusive<c10d::PrefixStore>(options.storePrefix + "/nccl", store);
}

}  // namespace

Result<std::unique_ptr<Collective>> makeNccl(const GroupOptions& options) {
    const CudaPlugin* plugin = CudaPlugin::loaded();
    if (!plugin) return fail(ErrorCode::kUnsupported, "collective back-end nccl needs a GPU: the CUDA plugin is not loaded", "use gloo, or set device: cuda");
    ASSAY_TRY(std::unique_ptr<Collective> host, makeGloo(options));
    try {
        const c10::intrusive_ptr<c10d::Store> store = secondStore(options);
        c10::intrusive_ptr<c10d::Backend> devices;
        ASSAY_TRY_VOID(plugin->makeNccl(&store, options.rank, options.world, options.timeoutSeconds, &devices));
        return std::make_unique<Nccl>(std::move(host), std::move(devices));
    } catch (const std::exception& e) {
        return fail(ErrorCode::kUnreachable, std::string("ranks cannot find each other for NCCL: ") + e.what(), "check MASTER_ADDR and MASTER_PORT, and that all ranks were started");
    }
}

}  // namespace assay::dist
