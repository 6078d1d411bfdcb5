// One training step of engine/nn and engine/train, played on a tape. Names of the steps are those of the code it follows:
// families/gpt2.cpp, families/llama.cpp, layers/, linear_cross_entropy.cpp, trainer/step.cpp.
#include <algorithm>

#include "assay/plan/memory.h"
#include "tape.h"

namespace assay::plan {
namespace {

constexpr int64_t kFloat = 4, kHalf = 2, kLong = 8;
constexpr int64_t kLossChunk = int64_t{1} << 22;  // elements of logits at a time (linear_cross_entropy.cpp)
constexpr auto A = Tape::kActivations;

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
    int64_t F = R * c.ffn * inner;        // one inner state of the MLP
    int64_t Q = R * c.heads * c.headDim * inner, K = R * c.kvHeads * c.headDim * inner;
    int64_t N = R * c.heads * kFloat;     // one number for each head and position
    int64_t S = s.rows * c.heads * s.columns * s.columns * inner;  // all scores: only with dropout
    int64_t M = mixed && s.masked ? R * s.columns * inner : 0;     // each layer's copy of the mask
    bool grouped = c.heads != c.kvHeads;
    bool drops = c.dropout > 0;

    void keep(int64_t bytes) { tape.add(A, bytes); }
    void free(int64_t bytes) { tape.drop(A, bytes); }
    void brief(int64_t bytes) { tape.brief(A, bytes); }
    void gradient(int64_t elements) {
        if (hasGradients) brief(elements * element);
        else tape.add(Tape::kGradients, elements * element);
    }
    void cast(int64_t in, int64_t out) {  // a weight as its product takes it; kept for the backward pass
        if (mixed) keep(in * out * kHalf);
    }
    void matrix(int64_t in, int64_t out, bool bias) {
        if (mixed) keep(in * out * kHalf);
        gradient(in * out);
        if (bias) gradient(out);
        if (mixed) free(2 * in * out * kHalf);  // the product, and the weight's copy
    }
    int64_t inputs(int64_t products) const { return mixed ? products * L : H; }  // what they keep of the state they share

    // Scratch of the flash kernel: a block of scores, sums and outputs for each thread.
    int64_t flashScratch(bool backward) const {
        const int64_t q = s.columns >= 768 ? 256 : s.columns >= 192 ? 64 : 32, k = std::min<int64_t>(512, s.columns), d = c.headDim;
        return s.threads * (backward ? 2 * q * k : q * k + 2 * q + q * d) * kFloat;
    }
    // What attention keeps beside its inputs. Dropout takes the path that holds the scores: probabilities, noise, product.
    int64_t attentionKept() const { return (drops ? 3 * S + 3 * Q + Q : Q + N) + M; }

    void attentionForward() {
        if (drops) {
            tape.brief(A, attentionKept() + S);  // the raw scores
            keep(attentionKept());
        } else {
            keep(attentionKept());
            brief(flashScratch(false));
        }
    }
    // Leaves the gradients of q, k and v, of `kv` bytes each for the last two.
    void attentionBackward(int64_t kv) {
        keep(Q + 2 * kv);
        brief(drops ? 2 * S : flashScratch(true));
        free(attentionKept());
    }
    void dropoutForward() {
        if (!drops) return;
        keep(L);   // the noise
        brief(L);  // the product, which replaces its input
    }
    void dropoutBackward() {
        if (!drops) return;
        brief(L);
        free(L);
    }

    // --- gpt2: kept are x, h, q|k|v, attention, x₂, n, u, m, the two norms' means and deviations ---
    void gpt2Forward() {
        keep(inputs(1) + 2 * R * element);  // h; x is there already
        if (mixed) keep(H);                 // h itself lives to the end of the layer
        cast(c.hidden, 3 * c.hidden);
        keep(3 * L);
        attentionForward();
        cast(c.hidden, c.hidden);
        keep(H);  // x₂, before the projection in it is dropped
        dropoutForward();
        brief(L);
        if (mixed) brief(H + c.hidden * c.ffn * kHalf);
        keep(inputs(1) + 2 * R * element);  // n
        cast(c.hidden, c.ffn);
        keep(F);                   // u
        keep(F);                   // m
        cast(c.ffn, c.hidden);
        keep(H);
        dropoutForward();
        brief(L);
        if (mixed) free(H);
    }
    void gpt2Backward() {  // the gradient of the layer's output is alive on entry and, of its input, on exit
        keep(C);
        dropoutBackward();
        matrix(c.ffn, c.hidden, true);
        keep(F);
        free(F + C);  // m
        keep(F);
        free(2 * F);  // u, and the gradient of m
        matrix(c.hidden, c.ffn, true);
        brief(C);
        keep(H);
        free(F + inputs(1));  // the gradient of u; n
        keep(H);
        free(H + H + 2 * R * element);  // gradient of n; x₂
        gradient(2 * c.hidden);
        brief(H);  // the two paths of x₂ are added
        free(H);
        keep(C);
        dropoutBackward();
        matrix(c.hidden, c.hidden, true);
        keep(L);
        free(C);
        attentionBackward(L);
        free(L);
        keep(3 * L);  // their gradients, joined
        free(3 * L + 3 * L);  // apart; and q|k|v
        matrix(c.hidden, 3 * c.hidden, true);
        brief(C);
        keep(H);
        free(3 * L + inputs(1));  // joined; h
        keep(H);
        free(2 * H + 2 * R * element);  // gradient of h; x
        gradient(2 * c.hidden);
        brief(H);
        free(H);
    }

    void addPaths() {  // around a block and through it
        brief(H);
        free(H);
    }

    // --- llama: kept are x, h, q, k, v (repeated for each head when grouped), attention, x₂, n, gate, silu, up, product ---
    void rmsForward(int64_t products) {
        brief(H);  // x²
        if (mixed) keep(H);  // the state itself lives to the end of the layer
        keep(inputs(products) + R * element);
    }
    void rmsBackward() {  // frees x and the gradient of the norm, leaves that of x
        keep(3 * H);
        free(3 * H);
        free(H + R * element);
        gradient(c.hidden);
    }
    void llamaForward() {
        rmsForward(3);
        cast(c.hidden, c.heads * c.headDim);
        keep(2 * Q);  // q as projected and as turned
        free(Q);
        cast(c.hidden, c.kvHeads * c.headDim);
        keep(2 * K);
        free(K);
        cast(c.hidden, c.kvHeads * c.headDim);
        keep(K);
        if (grouped) {
            keep(2 * Q);
            free(K);  // v as projected; k is held to the end of the layer
        }
        attentionForward();
        cast(c.heads * c.headDim, c.hidden);
        keep(H);
        dropoutForward();
        brief(L);
        rmsForward(2);
        cast(c.hidden, c.ffn);
        cast(c.hidden, c.ffn);
        keep(4 * F);
        cast(c.ffn, c.hidden);
        keep(H);
        dropoutForward();
        brief(L);
        if (grouped) free(K);
        if (mixed) free(2 * H);
    }
    void llamaBackward() {
        const bool ab = c.attentionBias, mb = c.mlpBias;
        keep(C);
        dropoutBackward();
        matrix(c.ffn, c.hidden, mb);
        keep(F);
        free(F + C);  // product
        keep(2 * F);
        free(3 * F);  // silu, up; the gradient of the product
        matrix(c.hidden, c.ffn, mb);
        brief(C);
        keep(H);
        free(F + C);
        keep(F);
        free(2 * F);  // gate
        matrix(c.hidden, c.ffn, mb);
        brief(C);
        keep(H);
        free(F);
        free(H + (mixed ? C : H));  // n; the two gradients are one
        rmsBackward();
        addPaths();
        keep(C);
        dropoutBackward();
        matrix(c.heads * c.headDim, c.hidden, ab);
        keep(Q);
        free(C);
        attentionBackward(grouped ? Q : K);
        free(Q);
        free(Q + 2 * (grouped ? Q : K));  // q, k, v
        if (grouped) {
            keep(2 * K);
            free(2 * Q);
        }
        matrix(c.hidden, c.kvHeads * c.headDim, ab);
        brief(C);
        keep(H);
        free(K + C);
        brief(K);
        matrix(c.hidden, c.kvHeads * c.headDim, ab);
        brief(H + C);
        free(K + C);
        brief(Q);
        matrix(c.hidden, c.heads * c.headDim, ab);
        brief(H + C);
        free(Q + (mixed ? C : H));  // h
        rmsBackward();
        addPaths();
    }

    bool gpt2() const { return c.family == "gpt2"; }
    int64_t finalStatistics() const { return gpt2() ? 2 * R * element : R * element; }
    int64_t constants() const {  // ids and labels; positions and segments of packed rows; the mask; the angles of the positions
        int64_t bytes = 2 * R * kLong;
        if (s.masked) bytes += 2 * R * kLong + R * s.columns * element;
        if (!gpt2()) bytes += (s.masked ? R : s.columns) * c.headDim * element;
        return bytes;
    }

    // Head and loss in chunks of rows; both gradients are made here.
    void loss() {
        const int64_t scored = R;  // nearly every position has a label
        const int64_t chunk = std::min(scored, std::clamp<int64_t>(kLossChunk / std::max<int64_t>(c.vocab, 1), 32, 4096));
        tape.add(Tape::kOther, R + R * kLong);
        keep(H);  // the scored rows
        keep(H);  // their gradient
        tape.add(c.tieEmbeddings && !hasGradients ? Tape::kGradients : A, c.vocab * c.hidden * element);
        tape.brief(Tape::kOther, 2 * chunk * c.vocab * element);
        keep(H);  // the gradient with zeros for rows without a label
        free(2 * H);
        tape.drop(Tape::kOther, R + R * kLong);
    }

    void run() {
        const int64_t table = c.vocab * c.hidden, before = tape.total();
        tape.phase("forward");
        tape.add(Tape::kOther, constants());
        if (s.masked) tape.brief(Tape::kOther, R * s.columns * 2);
        keep(H);  // embedded tokens
        if (gpt2()) brief(H);
        dropoutForward();
        for (int64_t l = 0; l < c.layers; ++l) gpt2() ? gpt2Forward() : llamaForward();
        if (gpt2()) {
            keep(H + 2 * R * element);
        } else {
            brief(H);
            keep(H + R * element);
        }
        saved = tape.live(A);
        tape.phase("loss");
        loss();
        free(H);  // the hidden states themselves: the loss is done with them
        tape.phase("backward");
        if (!c.tieEmbeddings) {  // the head has its gradient now
            free(table * element);
            gradient(table);
        }
        if (gpt2()) {
            keep(H);
            free(2 * H + finalStatistics());
            gradient(2 * c.hidden);
        } else {
            rmsBackward();
        }
        for (int64_t l = 0; l < c.layers; ++l) gpt2() ? gpt2Backward() : llamaBackward();
        dropoutBackward();
        if (gpt2()) gradient(c.context * c.hidden);
        if (c.tieEmbeddings) {  // the table's two gradients are added
            brief(table * element);
            if (hasGradients) free(table * element);
        } else {
            gradient(table);
        }
        free(H);
        tape.drop(Tape::kOther, constants());
        balanced = tape.live(A) == 0 && (hasGradients ? tape.total() == before : true);
        hasGradients = true;
    }
    int64_t saved = 0;
    bool balanced = false;
};

}  // namespace

Memory trainMemory(const model::ModelConfig& config, const TrainShape& shape) {
    Memory out;
    const StaticBytes held = staticBytes(config, shape);
    const int64_t parameters = model::parameterCount(config) * kFloat;
    out.weights = held.weights;
    out.gradients = held.gradients;
    out.optimizer = held.optimizer;
    Tape tape;
    tape.add(Tape::kWeights, held.weights);
    tape.add(Tape::kOptimizer, held.optimizer);
    // Gradients and copies for a checkpoint outlive the step that made them; those of the last step are freed when the
    // next one begins.
    const bool narrow = held.weights < parameters, summed = narrow && shape.accumulation > 1;
    Step step{config, shape, tape};
    auto batches = [&] {
        for (int64_t m = 0; m < std::min<int64_t>(shape.accumulation, 2); ++m) {
            step.run();
            if (!summed) continue;  // else the parts are added in fp32 and freed one by one
            if (m == 0) tape.add(Tape::kGradients, held.gradients);
            tape.drop(Tape::kGradients, held.weights);
            step.hasGradients = false;
        }
    };
    batches();
    ASSAY_CHECK(step.balanced, "the plan of a training step frees what it allocates");
    ASSAY_CHECK(tape.live(Tape::kGradients) == held.gradients, "the plan of a training step makes every gradient once");
    out.saved = step.saved;
    if (shape.ranks > 1) {
        tape.phase("gradient exchange");
        tape.brief(Tape::kOther, narrow ? 2 * parameters : parameters);  // joined in fp32
    }
    if (shape.saves) {
        tape.phase("checkpoint");
        tape.add(Tape::kOther, held.weights + held.optimizer);
        if (shape.savesMeanwhile) {
            tape.drop(Tape::kGradients, held.gradients);
            step.hasGradients = false;
            batches();
        }
    }
    out.peak = tape.peak();
    out.moment = std::string(tape.peakPhase());
    // Weights, gradients and moments are counted whole: what activations take while gradients are not there yet is theirs.
    const int64_t rest = out.peak - out.weights - out.gradients - out.optimizer;
    out.other = std::clamp<int64_t>(tape.atPeak()[Tape::kOther], 0, rest);
    out.activations = rest - out.other;
    return out;
}

}  // namespace assay::plan
