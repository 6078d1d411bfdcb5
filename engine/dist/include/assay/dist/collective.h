#pragma once
// Every number that crosses ranks goes through this interface. Calls are collective: all ranks of the group make the
// same calls in the same order with tensors of the same shape and type. An asynchronous call owns nothing: the tensors
// must live until wait() returned. One thread at a time uses a group. kWorkerDied: another rank is gone or silent.

#include <ATen/core/Tensor.h>
#include <assay/core/error.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay::dist {

enum class Reduce { kSum, kMax, kMin };

class Pending {  // a collective under way; destroying it waits
public:
    virtual ~Pending() = default;
    virtual Result<void> wait() = 0;
};
using PendingPtr = std::unique_ptr<Pending>;

class Collective {
public:
    virtual ~Collective() = default;
    virtual std::string_view name() const = 0;
    virtual int rank() const = 0;
    virtual int world() const = 0;

    virtual PendingPtr allReduceAsync(at::Tensor tensor, Reduce op) = 0;                               // in place
    virtual PendingPtr reduceScatterAsync(at::Tensor out, at::Tensor in, Reduce op) = 0;              // in: world × out, rank r gets part r; `out` may be that part of `in`
    virtual PendingPtr allGatherAsync(at::Tensor out, at::Tensor in) = 0;                             // out: world × in, by rank
    virtual PendingPtr broadcastAsync(at::Tensor tensor, int root) = 0;                               // in place
    virtual PendingPtr allToAllAsync(at::Tensor out, at::Tensor in) = 0;                              // equal parts along dim 0
    virtual PendingPtr sendAsync(at::Tensor tensor, int to, int tag) = 0;
    virtual PendingPtr receiveAsync(at::Tensor tensor, int from, int tag) = 0;
    virtual Result<void> barrier() = 0;

    Result<void> allReduce(at::Tensor tensor, Reduce op = Reduce::kSum) { return allReduceAsync(std::move(tensor), op)->wait(); }
    Result<void> reduceScatter(at::Tensor out, at::Tensor in, Reduce op = Reduce::kSum) { return reduceScatterAsync(std::move(out), std::move(in), op)->wait(); }
    Result<void> allGather(at::Tensor out, at::Tensor in) { return allGatherAsync(std::move(out), std::move(in))->wait(); }
    Result<void> broadcast(at::Tensor tensor, int root) { return broadcastAsync(std::move(tensor), root)->wait(); }
    Result<void> allToAll(at::Tensor out, at::Tensor in) { return allToAllAsync(std::move(out), std::move(in))->wait(); }
    Result<void> send(at::Tensor tensor, int to, int tag = 0) { return sendAsync(std::move(tensor), to, tag)->wait(); }
    Result<void> receive(at::Tensor tensor, int from, int tag = 0) { return receiveAsync(std::move(tensor), from, tag)->wait(); }
    // Several numbers at once, in place, in float64.
    Result<void> allReduce(std::vector<double>& values, Reduce op = Reduce::kSum);
};

struct GroupOptions {
    int rank = 0, world = 1;
    std::string masterAddress = "127.0.0.1";  // rank 0 listens there
    int masterPort = 29500;
    std::string storeFile;                    // not empty: rendezvous through this file instead of the address
    bool agentStore = false;                  // torchrun's agent listens at the address, not rank 0
    std::string storePrefix = "assay";        // keys of this meeting: another one for each restart of an agent
    double timeoutSeconds = 300;     // a rank that does not answer for so long is given up: kWorkerDied
    double rendezvousSeconds = 300;  // for the first meeting, which waits for the slowest to begin
};
// Registry: backends.cpp. "single" (world 1), "gloo", and "nccl" where the CUDA plugin is loaded (device.h): tensors on a
// GPU go over NCCL and wait() makes the device wait, not the host; those of the host go over gloo. kUnsupported for others.
Result<std::unique_ptr<Collective>> makeCollective(std::string_view backend, const GroupOptions& options);
std::vector<std::string_view> collectiveBackends();

}  // namespace assay::dist
