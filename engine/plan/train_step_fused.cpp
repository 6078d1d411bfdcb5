// engine/nn/layers/attention_block.cpp and mlp_block.cpp on the tape: fp32 without dropout.
#include "train_step.h"

namespace assay::plan {

// Kept of a layer: x, q, k, v, what attention gave, x₂, u (or gate and up), one or two statistics of two norms.
void Step::fusedForward() {
    const int64_t statistics = finalStatistics();
    keep(H + statistics);  // h
    keep(Q + 2 * K);
    free(H);
    if (c.queryKeyNorm) keep(Q + K + headStatistics);  // normed; what was projected is kept
    keepMarked(Q + N);
    keep(H);  // x₂
    if (c.queryKeyNorm) free(Q + K);
    if (c.experts > 0) return fusedExpertsForward();
    keep(H + statistics);  // n
    keep(gpt2() ? F : 2 * F);
    free(H);
    keep(F);  // the activation
    keep(H);
    free(F);
}

void Step::fusedBackward() {  // the gradient of the layer's output is alive on entry and, of its input, on exit
    const int64_t statistics = finalStatistics(), vectors = gpt2() ? 2 * c.hidden : c.hidden;
    const bool ab = gpt2() || c.attentionBias, ob = ab && c.outputBias;
    inFunction = true;
    if (c.experts > 0) fusedExpertsBackward();
    else fusedMlpBackward();
    inFunction = true;
    if (c.queryKeyNorm) keep(Q + K);  // normed again
    again(Q + N);
    gradient(c.hidden * c.heads * c.headDim + (ob ? c.hidden : 0));
    keep(Q);
    keep(Q + 2 * K);
    free(Q);
    if (c.queryKeyNorm) {
        free(Q + K);
        gradient(2 * c.headDim);
    }
    keep(2 * H);                   // gradient of h; h
    gradient((c.hidden + (ab ? 1 : 0)) * (c.heads + 2 * c.kvHeads) * c.headDim);
    gradient(vectors);
    free(H + Q + 2 * K);
    functionReturns();
    free(2 * H + 2 * Q + 2 * K + N + statistics + headStatistics);
}

void Step::fusedMlpBackward() {
    const int64_t statistics = finalStatistics(), vectors = gpt2() ? 2 * c.hidden : c.hidden;
    const bool mb = gpt2() || c.mlpBias;
    keep(F);                       // gradient of the activation, then the activation itself
    keep(gpt2() ? F : 2 * F);      // of u, or of gate and up
    gradient(c.ffn * c.hidden + (mb ? c.hidden : 0));
    free(F);
    keep(2 * H);                   // gradient of n; n
    gradient((gpt2() ? 1 : 2) * (c.hidden + (mb ? 1 : 0)) * c.ffn);
    gradient(vectors);
    free(H + (gpt2() ? F : 2 * F));
    functionReturns();
    free(2 * H + (gpt2() ? F : 2 * F) + statistics);  // the gradient it was given; x₂, u
}

void Step::fusedNormBackward() {  // the last norm
    inFunction = true;
    keep(H);
    gradient(gpt2() ? 2 * c.hidden : c.hidden);
    functionReturns();
    free(2 * H + finalStatistics());
}

}  // namespace assay::plan
