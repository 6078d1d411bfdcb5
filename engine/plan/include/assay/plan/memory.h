#pragma once
// Bytes of tensors per rank, from the shapes alone. Training follows engine/nn and engine/train operation by operation
// (what autograd keeps, what lives only for a moment); inference follows engine/infer's sessions and SCHEMES.md. Pure
// functions. Units: bytes.

#include <assay/config/spec.h>
#include <assay/model/config.h>

#include <cstdint>
#include <string>
#include <vector>

namespace assay::plan {

// At the moment of the peak; the five parts add up to `peak`.
struct Memory {
    int64_t weights = 0, gradients = 0, optimizer = 0, activations = 0, other = 0, peak = 0;
    int64_t offloaded = 0;  // training: in the host's memory beside it (train.activation_checkpointing: offload)
    int64_t saved = 0;    // training: everything one forward pass keeps for the backward pass
    int64_t process = 0;  // beside tensors: the program itself, queues of the loader, buffers while a model is loaded
    std::string moment;   // when it happens: "loss", "backward", "checkpoint", …
};

struct TrainShape {
    int64_t rows = 1, columns = 1;    // micro_batch × sequence_length
    int64_t accumulation = 1;
    int64_t ranks = 1;
    int64_t threads = 1;              // for the scratch of attention
    bool masked = true;               // several documents in a row: the mask is kept, rows × columns² floats
    bool saves = true;                // rank 0 copies weights and moments: a checkpoint is not written within a step
    bool savesMeanwhile = false;      // … while later steps go on
    config::OptimizerSpec optimizer;
    config::PrecisionSpec precision;
    bool averaged = false;            // train.ema
    config::CheckpointingSpec checkpointing;  // of activations
    int64_t rank = 0;                 // whose bytes: shards of ZeRO differ a little
    bool sharded = false;             // ZeRO 1
    bool device = false;              // a GPU: layers of LibTorch's operations, and checkpoints are copied to the host
};
struct ParameterTotals {
    int64_t elements = 0, tensors = 0, largest = 0;  // `largest`: elements of the largest tensor
};
ParameterTotals parameterTotals(const model::ModelConfig& config);  // as model::parameterCount, whatever the number of layers in no time

// From the first step to the last, exact to the byte. `optimizer`: moments, master copies and the average of the weights.
struct StaticBytes {
    int64_t weights = 0, gradients = 0, optimizer = 0;
    int64_t exchange = 0;  // several ranks: what the sums of gradients take for a moment, at most
};
StaticBytes staticBytes(const model::ModelConfig& config, const TrainShape& shape);
int64_t updateBytes(const model::ModelConfig& config, const TrainShape& shape);  // what an update holds for a moment
Memory trainMemory(const model::ModelConfig& config, const TrainShape& shape);
// What activation checkpointing computes a second time in one step, beside what the memory model of the step shows.
double recomputedFlops(const model::ModelConfig& config, const TrainShape& shape);
std::string describeCheckpointing(const config::CheckpointingSpec& checkpointing);  // a sentence; empty: none

// Resident bytes of a model held by a scheme ("fp32", "fp16", "int8", "int4-g32", …); an error names an unknown scheme.
Result<int64_t> schemeBytes(const model::ModelConfig& config, std::string_view scheme, const std::vector<std::string>& keep = {});
// Bytes the scheme takes in a file.
Result<int64_t> schemeFileBytes(const model::ModelConfig& config, std::string_view scheme);

struct SessionShape {
    int64_t sequences = 1, capacity = 1, maxRows = 1, maxLogits = 1, threads = 1;
    bool halfCache = false;
};
int64_t cacheBytes(const model::ModelConfig& config, const SessionShape& shape);   // keys and values
int64_t sessionBytes(const model::ModelConfig& config, const SessionShape& shape);  // caches and work space

}  // namespace assay::plan
