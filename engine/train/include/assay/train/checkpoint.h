#pragma once
// Checkpoints (CHECKPOINTS.md): a folder that is complete or not there. Tensors are keyed by Hugging Face names.

#include <ATen/core/Tensor.h>
#include <assay/core/json.h>
#include <assay/model/model_file.h>
#include <assay/nn/device.h>
#include <assay/nn/memory.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay::train {

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

struct Snapshot {
    int64_t step = 0;
    model::ModelConfig config;
    NamedTensors weights, optimizer;  // on the host, contiguous; those of the training itself, or copies
    std::shared_ptr<const nn::HostCopies> copies;  // set: they are copies that nobody changes, there once waited for
    Json state;                       // step, tokens, seconds, seed, threads, loader position … (trainer/state.h)
    std::string tokenizerPath;        // tokenizer.json, folder, .gguf or "bytes"; empty: none
    int64_t shardBytes = int64_t{4} << 30;  // larger sets of tensors are cut into several files
};

struct CheckpointInfo {
    int64_t step = 0;
    std::string path;
    int64_t bytes = 0;
    double seconds = 0;  // time the save took
    bool best = false;   // no earlier one has a lower held-out loss
};

// Writes <folder>/step-<n> from a hidden temporary folder; fails with the disk as it was. kDiskFull before anything is
// written when it would not fit. `live`: the snapshot's tensors may change once it was told to settle.
Result<CheckpointInfo> writeCheckpoint(const std::string& folder, const Snapshot& snapshot, const class LiveTensors* live = nullptr);
// Committed checkpoints, oldest first; only names and manifests are looked at.
std::vector<CheckpointInfo> listCheckpoints(const std::string& folder);
// Every file of the manifest is there with its size and hash.
Result<void> verifyCheckpoint(const std::string& path);
// The newest checkpoint that verifies; kNotFound when there is none. `warn` hears about each damaged one.
Result<CheckpointInfo> newestCheckpoint(const std::string& folder, const std::function<void(const Error&)>& warn);
// The one with the lowest held-out loss of those that were evaluated at their own step (best.json beside them).
struct BestCheckpoint {
    int64_t step = 0;
    double evalLoss = 0;
};
std::optional<BestCheckpoint> bestCheckpoint(const std::string& folder);
// After the commit of `snapshot`: points to it when it is the best so far.
Result<bool> noteBest(const std::string& folder, const Snapshot& snapshot);
// Removes all but the newest `keep` (at least 1) and the best.
Result<void> pruneCheckpoints(const std::string& folder, int64_t keep);
// Removes what an interrupted save or removal left behind.
Result<void> clearUnfinished(const std::string& folder);

// <stem>.safetensors, or its shards <stem>-00001-of-0000n.safetensors and <stem>.safetensors.index.json.
class CheckpointTensors {
public:
    static Result<std::shared_ptr<const CheckpointTensors>> open(const std::string& folder, const std::string& stem);
    const model::SafetensorsEntry* find(const std::string& name) const;  // null: not there

private:
    std::vector<std::shared_ptr<const model::SafetensorsFile>> files_;
};
class LiveTensors;
Result<void> writeShards(const std::string& folder, const std::string& stem, const NamedTensors& tensors, int64_t shardBytes, const Json& metadata, const LiveTensors* live = nullptr);

struct LoadedCheckpoint {
    CheckpointInfo info;
    Json state;
    std::shared_ptr<const CheckpointTensors> weights, optimizer;
};
Result<LoadedCheckpoint> loadCheckpoint(const CheckpointInfo& info);
// Copies an entry into a tensor of the same shape and type; kInvalidFile names what differs.
Result<void> copyEntry(const CheckpointTensors& file, const std::string& name, at::Tensor target);
// The same for elements [begin, begin + size of target) of an entry of `total` elements.
Result<void> copyEntryPart(const CheckpointTensors& file, const std::string& name, at::Tensor target, int64_t begin, int64_t total);
model::SafetensorsEntry entryOf(const std::string& name, const at::Tensor& tensor);  // a view: the tensor must live on

// Saves on a thread of its own, one at a time. It reads the tensors where they are; settle() copies those that it has not
// written yet, and must be called before any of them changes. Forward and backward passes change none, so a disk that writes
// a checkpoint within a step costs neither time nor memory. A save that finds the one before still under way waits for it
// (back-pressure); its error comes out of the next call.
class CheckpointWriter {
public:
    struct Options {
        std::string folder;
        int64_t keep = 2;
        bool background = true;
        std::function<void(const CheckpointInfo&)> committed;  // called on the saving thread
        nn::MemoryMeter* meter = nullptr;
    };
    explicit CheckpointWriter(Options options);
    ~CheckpointWriter();
    Result<void> save(Snapshot snapshot);
    Result<void> poll();   // the error of a finished save, without waiting
    void settle();         // from here on the tensors of the last snapshot may change
    Result<void> finish(); // waits
    bool busy() const;     // a save is under way
    double waitedSeconds() const { return waited_; }    // for the save before
    double settledSeconds() const { return settled_; }  // copying what was not written in time

private:
    struct Running;
    Options options_;
    std::unique_ptr<Running> running_;
    double waited_ = 0, settled_ = 0;
};

}  // namespace assay::train
