// engine/nn/families/llama.cpp on the tape.
#include "train_step.h"

namespace assay::plan {

// --- llama: kept are x, h, q, k, v (repeated for each head when grouped), attention, x₂, n, gate, silu, up, product ---
void Step::rmsForward(int64_t products) {
    brief(H);  // x²
    if (mixed) keep(H);  // the state itself lives to the end of the layer
    keep(R * element);
    keepMarked(inputs(products));
}
void Step::rmsBackward() {  // frees x and the gradient of the norm, leaves that of x
    keep(3 * H);
    free(3 * H);
    free(H + R * element);
    gradient(c.hidden);
}
// Queries or keys as projected and as turned; between the two, with norms of the heads, normed.
void Step::projected(int64_t bytes, int64_t heads) {
    keep(bytes);
    if (c.queryKeyNorm) {
        brief(bytes);
        keep(R * heads * element);
        keepMarked(bytes);
    }
    keep(bytes);
    free(bytes);
}
void Step::projectedBackward(int64_t bytes, int64_t heads) {
    if (!c.queryKeyNorm) return;
    again(bytes);
    keep(3 * bytes);
    free(3 * bytes);
    free(bytes + R * heads * element);
    gradient(c.headDim);
}
void Step::llamaForward() {
    rmsForward(3);
    cast(c.hidden, c.heads * c.headDim);
    projected(Q, c.heads);
    cast(c.hidden, c.kvHeads * c.headDim);
    projected(K, c.kvHeads);
    cast(c.hidden, c.kvHeads * c.headDim);
    keep(K);
    if (grouped) {
        keepMarked(2 * Q);
        if (!selective) free(K);  // v as projected; k is held to the end of the layer
    }
    attentionForward();
    cast(c.heads * c.headDim, c.hidden);
    keep(H);
    dropoutForward();
    brief(L);
    if (c.experts > 0) {
        expertsForward();
    } else {
        rmsForward(2);
        cast(c.hidden, c.ffn);
        cast(c.hidden, c.ffn);
        keep(2 * F);        // gate, up
        keepMarked(2 * F);  // silu, product
        cast(c.ffn, c.hidden);
        keep(H);
        dropoutForward();
        brief(L);
    }
    if (grouped && !selective) free(K);
    if (mixed) free(c.experts > 0 ? H : 2 * H);
}
void Step::llamaMlpBackward() {
    const bool mb = c.mlpBias;
    keep(C);
    dropoutBackward();
    again(2 * F);
    matrix(c.ffn, c.hidden, mb);
    keep(F);
    free(F + C);  // product
    keep(2 * F);
    free(3 * F);  // silu, up; the gradient of the product
    again(H);     // n, which two products share
    if (mixed) again(L);
    matrix(c.hidden, c.ffn, mb);
    brief(C);
    keep(H);
    free(F + C);
    keep(F);
    free(2 * F);  // gate
    if (mixed) again(L);
    if (mixed && selective) free(H);
    matrix(c.hidden, c.ffn, mb);
    brief(C);
    keep(H);
    free(F);
    free(H + (mixed ? C : H));  // n; the two gradients are one
}
void Step::llamaBackward() {
    const bool ab = c.attentionBias;
    if (c.experts > 0) expertsBackward();
    else llamaMlpBackward();
    rmsBackward();
    addPaths();
    keep(C);
    dropoutBackward();
    attentionAgain();
    matrix(c.heads * c.headDim, c.hidden, ab && c.outputBias);
    keep(Q);
    free(C);
    if (grouped) again(2 * Q);
    attentionBackward(grouped ? Q : K);
    free(Q);
    if (grouped && selective) free(2 * K);
    free(Q + 2 * (grouped ? Q : K));  // q, k, v
    if (grouped) {
        keep(2 * K);
        free(2 * Q);
    }
    projectedBackward(K, c.kvHeads);
    projectedBackward(Q, c.heads);
    again(H);  // h, which three products share
    if (mixed) again(L);
    matrix(c.hidden, c.kvHeads * c.headDim, ab);
    brief(C);
    keep(H);
    free(K + C);
    brief(K);
    if (mixed) again(L);
    matrix(c.hidden, c.kvHeads * c.headDim, ab);
    brief(H + C);
    free(K + C);
    brief(Q);
    if (mixed) again(L);
    if (mixed && selective) free(H);
    matrix(c.hidden, c.heads * c.headDim, ab);
    brief(H + C);
    free(Q + (mixed ? C : H));  // h
    rmsBackward();
    addPaths();
}

}  // namespace assay::plan
