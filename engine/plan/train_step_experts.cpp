// Mixtures of experts on the tape: engine/nn/layers/experts_block.cpp and experts_composed.cpp. Choices sum to the same number however
// they spread over the experts, so the bytes do not depend on the data.
#include "train_step.h"

namespace assay::plan {

// Kept: x₂, a deviation a row, gate and up, probabilities, decisions.
void Step::fusedExpertsForward() {
    keep(H + finalStatistics());  // n
    keep(P + decisions);
    brief(2 * P + 2 * choices * kLong);  // sums of the table
    keep(G);  // rows by expert
    free(H);
    keep(2 * F);
    keep(F);  // the activation; results take the rows' place
    free(F);
    keep(H);
    free(G);
}

void Step::fusedExpertsBackward() {
    const int64_t weights = c.experts * c.ffn * c.hidden, shares = choices * kFloat;
    keep(G);           // gradients by expert
    keep(F + 2 * F);   // the activation; gradients of gate and up
    keep(shares);
    gradient(weights);
    free(F);
    keep(H);           // gradient of n
    free(G);
    keep(H + G);       // n, and its rows by expert
    gradient(2 * weights);
    free(G + 2 * F);
    keep(P);           // gradient of the logits
    gradient(c.experts * c.hidden);
    gradient(c.hidden);
    free(H + P + shares);
    functionReturns();
    free(2 * H + 2 * F + finalStatistics() + P + decisions);  // the gradient it was given; x₂
}

// Kept: n, which the router takes in fp32; probabilities and orders; rows by expert as the products take them; gate, up, silu, product;
// the results in the order of the tokens.
void Step::expertsForward() {
    const int64_t results = choices * c.hidden * inner;
    brief(H);
    keep(R * element);
    keepMarked(H);
    if (narrow) keep(2 * H);
    keep(P + decisions + 4 * choices * kLong);
    brief(2 * P + 2 * choices * kLong);
    keep(G);
    if (mixed) keep(2 * results);  // copies for two products
    for (int64_t e = 0; e < 3 * c.experts; ++e) cast(c.hidden, c.ffn);
    keep(2 * F);
    keepMarked(2 * F);
    keep(3 * results);  // of the experts, side by side, in the order of the tokens
    brief(results);
    free(2 * results);
    if (mixed) free(G);
    keep(H);
    dropoutForward();
    brief(H);
}

// Experts one after the other, the last one first.
void Step::expertsBackward() {
    const int64_t results = choices * c.hidden * inner, rows = choices / c.experts, f = F / c.experts, g = G / c.experts;
    keep(C);
    dropoutBackward();
    keep(results);
    brief(results);
    free(results + C);  // results in the order of the tokens
    keep(results);
    free(results);
    for (int64_t e = 0; e < c.experts; ++e) {
        again(2 * f);
        matrix(c.ffn, c.hidden, false, rows);
        keep(f);
        free(f);  // product
        keep(2 * f);
        free(3 * f);  // silu, up; the gradient of the product
        matrix(c.hidden, c.ffn, false, rows);
        keep(g);
        free(f);
        keep(f);
        free(2 * f);  // gate
        matrix(c.hidden, c.ffn, false, rows);
        brief(2 * g);
        free(f);
    }
    free(4 * (F - f * c.experts) + results + (mixed ? 2 * results : 0));
    keep(G);
    free(g * c.experts + (mixed ? 0 : G));  // pieces; rows by expert
    keep(H);
    free(G);
    again(H);  // n
    keep(P);
    gradient(c.experts * c.hidden);
    brief(H);
    free(2 * P + decisions + 4 * choices * kLong + H + (narrow ? 2 * H : 0));
}

}  // namespace assay::plan
