// engine/nn/families/gpt2.cpp on the tape.
#include "train_step.h"

namespace assay::plan {

// --- gpt2: kept are x, h, q|k|v, attention, x₂, n, u, m, the two norms' means and deviations ---
void Step::gpt2Forward() {
    keep(2 * R * element);
    keepMarked(inputs(1));  // h; x is there already
    if (mixed) keep(H);                 // h itself lives to the end of the layer
    cast(c.hidden, 3 * c.hidden);
    keep(3 * L);
    attentionForward();
    cast(c.hidden, c.hidden);
    keep(H);  // x₂, before the projection in it is dropped
    dropoutForward();
    brief(L);
    if (mixed) brief(H + c.hidden * c.ffn * kHalf);
    keep(2 * R * element);
    keepMarked(inputs(1));  // n
    cast(c.hidden, c.ffn);
    keep(F);                   // u
    keepMarked(F);             // m
    cast(c.ffn, c.hidden);
    keep(H);
    dropoutForward();
    brief(L);
    if (mixed) free(H);
}
void Step::gpt2Backward() {  // the gradient of the layer's output is alive on entry and, of its input, on exit
    keep(C);
    dropoutBackward();
    again(F);
    matrix(c.ffn, c.hidden, true);
    keep(F);
    free(F + C);  // m
    keep(F);
    free(2 * F);  // u, and the gradient of m
    normedAgain();
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
    attentionAgain();
    matrix(c.hidden, c.hidden, true);
    keep(L);
    free(C);
    attentionBackward(L);
    free(L);
    keep(3 * L);  // their gradients, joined
    free(3 * L + 3 * L);  // apart; and q|k|v
    normedAgain();
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

}  // namespace assay::plan
