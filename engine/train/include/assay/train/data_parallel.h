#pragma once
// Data-parallel training over a Collective. Gradients lie in buckets, in the reverse order of their parameters, and a bucket
// is summed over the ranks while the backward pass still makes the next ones (Li et al. 2020, "PyTorch Distributed").
// With `shard` it is ZeRO stage 1 (Rajbhandari et al. 2020): a rank receives the sums of its own parts only, keeps the
// optimizer state of these, updates them and sends the new weights to the others.
//
// Every function that returns a Result is collective: all ranks call it in the same order. Hooks run on the thread of the
// backward pass; one thread at a time uses an object.

#include <assay/dist/collective.h>
#include <assay/train/checkpoint.h>
#include <assay/train/optimizer.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace assay::train {

struct ParallelOptions {
    bool shard = false;             // ZeRO 1
    bool wholeParameters = false;   // shards end where parameters do: rules that look at a parameter as a whole
    int64_t firstBucketBytes = int64_t{1} << 20;  // small, so that the exchange begins early
    int64_t bucketBytes = int64_t{25} << 20;      // a larger parameter has a bucket to itself
};

// Elements [begin, end) of a parameter, updated by rank `owner`.
struct ParameterPart {
    size_t parameter = 0;
    int64_t begin = 0, end = 0;
    int owner = 0;
};

class DataParallel {
public:
    // The parameters must outlive it. Their gradients belong to it from now on.
    DataParallel(const std::vector<nn::Parameter>& parameters, dist::Collective& group, const ParallelOptions& options);
    ~DataParallel();
    DataParallel(const DataParallel&) = delete;
    DataParallel& operator=(const DataParallel&) = delete;

    void begin();  // a new step; the caller has dropped the .grad of all parameters
    // Before every backward pass. What the last one of this rank's step finishes is sent at once; the others add to the
    // buckets without a word to the other ranks.
    void nextBatch(bool last);
    // Ends the exchange: .grad of all parameters is the sum over ranks, with `shard` that of owned() is. Parameters that no
    // rank used have zeros. Weights narrower than fp32 have their gradients summed in fp32.
    Result<void> finish();

    // What this rank updates: the parameters themselves, or views of its parts with their gradients.
    const std::vector<nn::Parameter>& owned() const { return owned_; }
    const std::vector<UpdatePlace>& places() const { return places_; }  // where these lie, for rounding that depends on it
    bool sharded() const { return options_.shard; }
    // Of all parameters, each element once, the same on every rank, of that of this rank's own (`updated`).
    Result<GradientNorm> norm(const GradientNorm& mine);
    Result<void> shareWeights();  // after the update of the owned parts
    // The state of whole parameters from that of parts, in the order of an optimizer that has all: on rank 0, else empty.
    Result<NamedTensors> gather(const std::vector<const StateTensor*>& mine);
    // The whole tensors of `mine`, one a parameter in the shape of the parameter, on every rank.
    Result<std::vector<at::Tensor>> whole(const std::vector<StateTensor>& mine);
    // Copies this rank's part of a checkpoint's tensors.
    Result<void> restore(const CheckpointTensors& file, const std::vector<const StateTensor*>& mine) const;

    // kInternal when the weights of the ranks are not the same bits any more.
    Result<void> checkReplicas();

    int64_t gradientBytes() const;
    const std::vector<ParameterPart>& parts() const { return parts_; }  // by owner, then by parameter

private:
    struct Bucket;
    struct Place;
    class Hook;
    void layOut();
    void makeOwned();
    void gradientMade(size_t parameter);
    void send(size_t bucket);
    Result<void> waitFor(size_t bucket);
    Result<void> shareParts(const std::vector<at::Tensor>& tensors);  // one a parameter, of its shape
    size_t ownedOf(const std::string& stateName) const;

    const std::vector<nn::Parameter>& parameters_;
    dist::Collective& group_;
    ParallelOptions options_;
    std::vector<Bucket> buckets_;
    std::vector<Place> slots_;  // by parameter
    std::vector<ParameterPart> parts_;
    std::vector<nn::Parameter> owned_;
    std::vector<UpdatePlace> places_;
    std::vector<size_t> mine_;  // of each owned: its part
    size_t sent_ = 0;           // buckets on their way or done
    bool overlapping_ = false;
    Result<void> failure_;
};

// The newest sound checkpoint as rank 0 finds it: all ranks start from the same one. Collective.
Result<CheckpointInfo> agreedCheckpoint(dist::Collective& group, const std::string& folder, const std::function<void(const Error&)>& warn);

}  // namespace assay::train
