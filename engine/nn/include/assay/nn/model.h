#pragma once
// A trainable language model built from model/'s description of its parameters. A model may hold a part of the layers
// only (pipeline parallelism); names and layer indices are global, so every part reads and writes the same files.
// One thread at a time uses a model. Inputs lie on its device, but for labels (below). Shapes: B rows, T columns, D hidden, V vocabulary.

#include <ATen/core/Tensor.h>
#include <assay/model/model_file.h>

#include <atomic>
#include <memory>
#include <string_view>
#include <vector>

namespace assay::nn {

struct Parameter {
    model::ParameterInfo info;
    at::Tensor value;  // a leaf that requires grad; keep the handle, copy into it
};

struct LayerRange {
    int64_t first = 0, last = -1;  // [first, last); -1: all. The first part holds the embeddings, the last one norm and head
};

struct ModelOptions {
    LayerRange layers;
    at::ScalarType dtype = at::kFloat;  // kDouble for reference computations
    at::Device device = at::kCPU;       // where parameters lie and everything is computed
};

// What a training step keeps of the forward pass for the backward pass; the rest is computed again there. Gradients are the same
// bit by bit (engine/nn/checkpointing).
struct Checkpointing {
    // kOffload: as kSelective, and what is kept of all layers but the last waits in the host's memory; for models on a device only.
    enum class Kind { kNone, kGroups, kSelective, kOffload } kind = Kind::kNone;
    int64_t layers = 1;  // kGroups: so many layers together keep their input only
};

class OffloadTally {  // bytes in the host's memory
public:
    int64_t live() const { return live_; }
    int64_t peak() const { return peak_; }
    void add(int64_t bytes) {
        const int64_t now = live_ += bytes;
        int64_t seen = peak_;
        while (now > seen && !peak_.compare_exchange_weak(seen, now)) {
        }
    }

private:
    std::atomic<int64_t> live_{0}, peak_{0};
};

struct Inputs {
    at::Tensor ids;        // [B,T] int64
    at::Tensor hidden;     // [B,T,D]: what the part before this one returned; undefined in the first part
    at::Tensor positions;  // [B,T] int64 inside the document; undefined: 0 … T−1 in every row
    int64_t positionsEnd = 0;  // 1 + the largest of `positions` where the caller knows it: else the device is waited for
    at::Tensor segments;   // [B,T] int64: attention stays inside equal numbers; undefined: one segment per row
    // Models with experts (routing.h). `routing`: filled by the forward pass; undefined: not wanted. `balance`: the backward pass adds
    // the gradient of so many times the load-balance loss; the loss itself stays the language's. `counted` [B,T] bool: tokens that
    // count for both; undefined: all.
    at::Tensor routing, counted;
    double balance = 0;
};

class Model {
public:
    virtual ~Model() = default;
    const model::ModelConfig& config() const { return config_; }
    const std::vector<Parameter>& parameters() const { return parameters_; }  // in the order of model::parametersOf
    const Parameter* find(std::string_view name) const;
    at::Device device() const { return device_; }
    bool holdsHead() const { return last_ == config_.layers; }
    bool holdsEmbedding() const { return first_ == 0; }

    void setTraining(bool training) { training_ = training; }  // dropout on or off
    // From the next forward pass on. The model must outlive the backward pass.
    void setCheckpointing(const Checkpointing& checkpointing);
    const OffloadTally* offloaded() const;  // null: nothing ever was
    // [B·T, D]: after the final norm in the last part, otherwise the input of the next part.
    at::Tensor hidden(const Inputs& inputs) const;
    at::Tensor logits(const Inputs& inputs) const;  // [B,T,V]
    // scale × Σ −log p(label) over labels ≠ −100 as a float64 scalar. labels [B,T] int64, already shifted;
    // on the host when the device shall not be waited for (linear_cross_entropy.h).
    at::Tensor loss(const Inputs& inputs, const at::Tensor& labels, double scale) const;

    // Initial weights of a new model: a pure function of (seed, parameter name), whatever part or order asks.
    void initialize(uint64_t seed);
    Result<void> load(const model::ModelFile& file, int threads);

protected:
    struct Batch {  // shared by all layers of one forward
        int64_t rows = 0, columns = 0;
        at::Tensor positions;  // [B,T] or undefined
        int64_t positionsEnd = 0;  // as in Inputs
        at::Tensor mask;       // [B,1,T,T] additive, or undefined: plain causal
        at::Tensor windowMask; // of layers with a window that is shorter than a row, [B,1,T,T] or [1,1,T,T]
        at::Tensor routing, counted;  // of Inputs; counted as [B·T] bool or undefined
        double balance = 0;
        at::Tensor cosine, sine;  // what `prepare` of a family with rotary positions made
        bool training = false;
    };
    Model(const model::ModelConfig& config, const ModelOptions& options);
    virtual at::Tensor embed(const at::Tensor& ids, const Batch& batch) const = 0;               // [B·T, D]
    virtual void prepare(Batch&, at::ScalarType) const {}                                        // what all its layers share
    virtual at::Tensor runLayer(int64_t layer, at::Tensor x, const Batch& batch) const = 0;      // [B·T, D]; a global index
    virtual at::Tensor finalNorm(const at::Tensor& x) const = 0;
    virtual double initialDeviation(const model::ParameterInfo& info) const = 0;                 // of N(0, σ²); 0: zeros

    const at::Tensor& maskOf(int64_t layer, const Batch& batch) const;
    bool holds(std::string_view suffix) const;
    const at::Tensor& outside(std::string_view suffix) const;             // "wte.weight", whatever prefix the name has
    const at::Tensor& inLayer(int64_t layer, std::string_view suffix) const;
    int64_t firstLayer() const { return first_; }
    int64_t lastLayer() const { return last_; }
    const at::Tensor& embedding() const { return embedding_; }
    // Rows of the embedding, of the shape of ids and the width. With a tied head its gradient goes into that of the head.
    at::Tensor lookUp(const at::Tensor& ids) const;

private:
    at::Tensor head() const;  // [V, D]
    void makeMasks(const Inputs& inputs, Batch& batch, at::ScalarType type) const;
    at::Tensor runLayers(at::Tensor x, const Batch& batch) const;
    model::ModelConfig config_;
    std::vector<Parameter> parameters_;
    at::Tensor embedding_, head_;
    mutable at::Tensor tiedHead_;  // of the forward pass under way (layers/tied_embedding.h)
    int64_t first_, last_;
    at::Device device_;
    bool training_ = false;
    Checkpointing checkpointing_;
    std::shared_ptr<struct OffloadLane> lane_;
};

// kUnsupported when no module computes the family (registry: families/families.cpp).
Result<std::unique_ptr<Model>> createModel(const model::ModelConfig& config, const ModelOptions& options = {});
std::vector<std::string_view> supportedFamilies();

}  // namespace assay::nn
