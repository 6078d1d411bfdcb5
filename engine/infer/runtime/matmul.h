#pragma once
#include <assay/infer/scheme.h>

#include <span>

namespace assay::infer {

// out = x · weightᵀ + bias
struct Product {
    const LinearWeight* weight = nullptr;
    const float* bias = nullptr;
    float* out = nullptr;
    int64_t stride = 0;
};

// Several products of the same input as one parallel section.
void multiply(ThreadPool& pool, const Activations& x, std::span<const Product> products);

// Bytes of work space for the int8 form of `rows` inputs of up to `columns` columns.
int64_t quantizedBytes(int64_t rows, int64_t columns);
// Fills the int8 form of x in `space` when one of the products needs it.
void quantizeFor(ThreadPool& pool, Activations& x, std::span<const Product> products, void* space);

}  // namespace assay::infer
