#pragma once
// One training step of engine/nn and engine/train as played on a tape. Names of the steps are those of the code they follow:
// families/gpt2.cpp, families/llama.cpp, layers/, linear_cross_entropy.cpp, trainer/step.cpp.

#include <algorithm>

#include "assay/plan/memory.h"
#include "tape.h"

namespace assay::plan {

constexpr int64_t kFloat = 4, kHalf = 2, kLong = 8;
constexpr int64_t kLossChunk = int64_t{1} << 23, kDeviceLossChunk = int64_t{1} << 25;  // elements of logits at a time (linear_cross_entropy.cpp)
constexpr auto A = Tape::kActivations;  // most of what comes and goes

struct Step {
    const model::ModelConfig& c;
    const TrainShape& s;
    Tape& tape;
    bool hasGradients = false;  // of an earlier micro-batch: new ones are added and freed
    // Mixed precision keeps weights and the sums between layers in fp32; what goes through a matrix product is half as wide,
    // and is a copy. With bf16 weights everything is half as wide.
    bool mixed = s.precision.kind == config::PrecisionSpec::Kind::kAmpBf16 || s.precision.kind == config::PrecisionSpec::Kind::kAmpFp16;
    bool narrow = s.precision.kind == config::PrecisionSpec::Kind::kBf16;
    int64_t element = narrow ? kHalf : kFloat;                   // bytes of a weight, its gradient and a sum between layers
    int64_t inner = narrow || mixed ? kHalf : kFloat;            // bytes of what a matrix product takes and gives

    int64_t R = s.rows * s.columns;       // positions
    int64_t H = R * c.hidden * element;   // one hidden state
    int64_t L = R * c.hidden * inner;     // its copy for a product, and a product of its size
    int64_t C = mixed ? L : 0;            // that copy where it is one
    int64_t choices = c.experts > 0 ? R * c.expertsPerToken : R;  // rows that go through an MLP
    int64_t F = choices * c.ffn * inner;  // one inner state of the MLP
    int64_t G = choices * c.hidden * element, P = R * c.experts * kFloat;  // mixture: rows by expert; probabilities
    int64_t decisions = c.experts > 0 ? 4 * choices * kFloat : 0;          // experts, shares, places and rows of the choices
    int64_t Q = R * c.heads * c.headDim * inner, K = R * c.kvHeads * c.headDim * inner;
    int64_t N = R * c.heads * kFloat;     // one number for each head and position
    int64_t S = s.rows * c.heads * s.columns * s.columns * kFloat;  // all scores, in fp32 whatever the type: only with dropout
    int64_t W = R * c.heads * c.headDim * kFloat;                   // queries, keys or values beside them
    bool windowed = c.window > 0 && c.window < s.columns, whole = !windowed || !c.windowLayers.empty();
    int64_t masked = s.masked ? R * s.columns : windowed ? s.columns * s.columns : 0;  // elements of a mask
    int64_t masks = (s.masked && whole ? masked : 0) + (windowed ? masked : 0);        // of all of them
    int64_t M = mixed ? masked * inner : 0;                        // each layer's copy of the mask, which attention does not keep
    int64_t headStatistics = c.queryKeyNorm ? R * (c.heads + c.kvHeads) * element : 0;
    // Activation checkpointing (engine/nn/checkpointing): layers that are computed again together, 0: none are; or marked results.
    int64_t together = s.checkpointing.kind == config::CheckpointingSpec::Kind::kFull ? 1 : s.checkpointing.kind == config::CheckpointingSpec::Kind::kEvery ? std::clamp<int64_t>(s.checkpointing.every, 1, c.layers) : 0;
    bool offload = s.checkpointing.kind == config::CheckpointingSpec::Kind::kOffload;
    bool selective = offload || s.checkpointing.kind == config::CheckpointingSpec::Kind::kSelective;
    int64_t marked = 0;  // bytes of marked results in the layer under way

    bool grouped = c.heads != c.kvHeads;
    bool drops = c.dropout > 0;
    bool scores = drops && !s.device;  // the CPU's attention with dropout keeps them
    int64_t noise = s.device ? R * c.hidden : L;  // what a dropout keeps: a byte for each number on a GPU
    // Each half of a layer is one function that keeps what cannot cheaply be made again (engine/nn/layers/blocks.h).
    bool fused = !s.device && !mixed && !narrow && !drops && (gpt2() ? c.activation == "gelu_new" || c.activation == "gelu_pytorch_tanh" : c.activation == "silu");
    bool inFunction = false;
    int64_t heldGradients = 0;  // of a function that has not returned yet, beside those of an earlier micro-batch

    void keep(int64_t bytes) { tape.add(A, bytes); }
    void free(int64_t bytes) { tape.drop(A, bytes); }
    void brief(int64_t bytes) { tape.brief(A, bytes); }
    void keepMarked(int64_t bytes) {  // the result of a computation marked by `recomputed`
        keep(bytes);
        if (selective) marked += bytes;
    }
    void again(int64_t bytes) {  // … which the backward pass needs now
        if (selective) keep(bytes);
    }
    void normedAgain() {  // for one product
        if (mixed) again(H);
        again(mixed ? L : H);
        if (selective && mixed) free(H);
    }
    void gradient(int64_t elements) {
        if (hasGradients && inFunction) {
            keep(elements * element);
            heldGradients += elements * element;
        } else if (hasGradients) brief(elements * element);
        else tape.add(Tape::kGradients, elements * element);
    }
    void cast(int64_t in, int64_t out) {  // a weight as its product takes it; kept for the backward pass
        if (mixed) keepMarked(in * out * kHalf);
    }
    void matrix(int64_t in, int64_t out, bool bias) { matrix(in, out, bias, R); }
    void matrix(int64_t in, int64_t out, bool bias, int64_t rows) {
        if (mixed) again(in * out * kHalf);
        if (mixed) keep(in * out * kHalf);
        if (hasGradients) brief(in * out * element + rows * in * inner);  // one node makes it and the gradient of its input
        gradient(in * out);
        brief(gpt2() ? rows * in * inner + blocks(in, rows) : blocks(out, rows));  // the gradient of its input comes first in gpt2
        if (bias) gradient(out);
        if (mixed) free(2 * in * out * kHalf);  // the product, and the weight's copy
    }
    // Blocks of a transposed operand, of the other and of the result that oneDNN copies for a 16-bit product of m rows over k, for each
    // thread: measured, and small beside a real model.
    int64_t blocks(int64_t m, int64_t k) const {
        if (inner != kHalf || s.device) return 0;
        const int64_t rows = std::min<int64_t>(m, 256), depth = std::min<int64_t>(k, 512), width = 64;
        return s.threads * ((rows * depth + depth * width) * kHalf + rows * width * kFloat + 1024);
    }
    int64_t inputs(int64_t products) const { return mixed ? products * L : H; }  // what they keep of the state they share

    // Scratch of the flash kernel: a block of scores, sums and outputs for each thread.
    int64_t flashScratch(bool backward) const {
        if (s.device) return backward ? N : 0;  // a GPU's blocks lie in its shared memory
        const int64_t q = s.columns >= 768 ? 256 : s.columns >= 192 ? 64 : 32, k = std::min<int64_t>(512, s.columns), d = c.headDim;
        return s.threads * (backward ? 2 * q * k : q * k + 2 * q + q * d) * kFloat;
    }
    // What attention keeps beside its inputs. Dropout takes LibTorch's path of single operations: probabilities, noise, product,
    // and contiguous copies of q, k and v in fp32; the originals are not kept, and are gone when the layer is done.
    int64_t attentionKept() const { return scores ? 3 * S + 3 * W + Q - 3 * Q : Q + N + (s.device ? M : 0); }  // a GPU's kernel keeps the mask

    void attentionForward() {
        if (scores) {
            brief(inner == kFloat ? 3 * S + S / 4 + 3 * W + (masked > 0 ? 0 : R * s.columns * kFloat / s.rows) : 4 * S + 9 * W / 2);
            keepMarked(attentionKept());
        } else {
            keep(attentionKept());
            brief((s.device ? 0 : M) + flashScratch(false));
        }
    }
    // Leaves the gradients of q, k and v, of `kv` bytes each for the last two.
    void attentionAgain() {  // before the projection of its result
        if (!scores) return;
        if (selective) brief(attentionKept() + S);
        again(attentionKept());
    }
    void attentionBackward(int64_t kv) {
        if (scores) brief(S + 2 * W + 3 * Q);
        keep(Q + 2 * kv);
        if (!scores) brief(flashScratch(true));
        free(attentionKept());
    }
    void dropoutForward() {
        if (!drops) return;
        keep(noise);
        brief(L);  // the product, which replaces its input
    }
    void dropoutBackward() {
        if (!drops) return;
        brief(L);
        free(noise);
    }

    void gpt2Forward();   // train_step_gpt2.cpp
    void gpt2Backward();  // the gradient of the layer's output is alive on entry and, of its input, on exit
    void addPaths() {  // around a block and through it
        brief(H);
        free(H);
    }
    void rmsForward(int64_t products);
    void rmsBackward();  // frees x and the gradient of the norm, leaves that of x
    void llamaForward();  // train_step_llama.cpp
    void llamaBackward();
    void llamaMlpBackward();
    void projected(int64_t bytes, int64_t heads);
    void projectedBackward(int64_t bytes, int64_t heads);

    void forwardLayers();   // train_memory.cpp
    void backwardLayers();
    void layerForward() { fused ? fusedForward() : gpt2() ? gpt2Forward() : llamaForward(); }
    void layerBackward() { fused ? fusedBackward() : gpt2() ? gpt2Backward() : llamaBackward(); }

    void functionReturns() {  // its gradients are added to those of earlier micro-batches, one after the other
        free(heldGradients);
        heldGradients = 0;
        inFunction = false;
    }
    void fusedForward();  // train_step_fused.cpp
    void fusedBackward();
    void fusedMlpBackward();
    void fusedExpertsForward();  // train_step_experts.cpp
    void fusedExpertsBackward();
    void expertsForward();
    void expertsBackward();
    void fusedNormBackward();

    bool fusedNorm() const { return !s.device && !mixed && !narrow; }
    bool gpt2() const { return c.family == "gpt2"; }
    int64_t finalStatistics() const { return gpt2() ? 2 * R * element : R * element; }
    int64_t constants() const {  // ids and labels; positions and segments of packed rows; the mask; the angles of the positions
        int64_t bytes = 2 * R * kLong;
        if (s.masked) bytes += 2 * R * kLong;
        bytes += masks * element + c.layers * 2 * c.experts * kLong;
        if (!gpt2()) bytes += (s.masked ? R : s.columns) * c.headDim * element;
        return bytes;
    }

    void loss();
    void run();
    int64_t saved = 0, offloaded = 0;
    int64_t layerKept = 0;  // offload: of one layer
    bool balanced = false;
};

}  // namespace assay::plan
