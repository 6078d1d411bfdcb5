#include "runtime/matmul.h"

#include "kernels/kernels.h"

#include <algorithm>

namespace assay::infer {
namespace {

int64_t blocksOf(int64_t columns) { return (columns + kBlock - 1) / kBlock; }

// Rows of input that stay in a core's L2 cache while panels pass by.
int64_t rowBlock(const Activations& x, const LinearWeight& weight) {
    const int64_t bytes = x.columns * (weight.integerActivations() ? 1 : 4);
    return std::clamp<int64_t>((192 << 10) / bytes / 12 * 12, 24, 240);
}

struct Plan {
    int64_t rowBlock, rowBlocks, chunk, chunks;  // panels of a task, tasks of a row block
};

}  // namespace

void multiply(ThreadPool& pool, const Activations& x, std::span<const Product> products) {
    constexpr size_t kMost = 8;
    Plan plans[kMost];
    int64_t total = 0, panels = 0;
    for (const auto& product : products) panels += product.weight->panels();
    for (size_t i = 0; i < products.size(); ++i) {
        const auto& weight = *products[i].weight;
        Plan& plan = plans[i];
        plan.rowBlock = rowBlock(x, weight);
        plan.rowBlocks = (x.rows + plan.rowBlock - 1) / plan.rowBlock;
        // Enough tasks that a thread which comes late costs little, few enough that taking them is cheap.
        const int64_t wanted = std::max<int64_t>(1, pool.threads() * 6 * weight.panels() / panels);
        plan.chunk = std::max<int64_t>(1, weight.panels() / std::max<int64_t>(1, wanted));
        plan.chunks = (weight.panels() + plan.chunk - 1) / plan.chunk;
        total += plan.rowBlocks * plan.chunks;
    }
    pool.parallelFor(total, [&](int64_t task, int) {
        size_t i = 0;
        for (; task >= plans[i].rowBlocks * plans[i].chunks; ++i) task -= plans[i].rowBlocks * plans[i].chunks;
        const Plan& plan = plans[i];
        const Product& product = products[i];
        const int64_t first = task / plan.chunks * plan.rowBlock, count = std::min(plan.rowBlock, x.rows - first);
        const int64_t begin = task % plan.chunks * plan.chunk, end = std::min(begin + plan.chunk, product.weight->panels());
        const int lanes = product.weight->panelRows();
        for (int64_t panel = begin; panel < end; ++panel)
            product.weight->multiplyPanel(x, first, count, panel, product.out + first * product.stride + panel * lanes,
                                          product.stride, product.bias != nullptr ? product.bias + panel * lanes : nullptr);
    });
}

int64_t quantizedBytes(int64_t rows, int64_t columns) { return rows * blocksOf(columns) * (kBlock + 8); }

void quantizeFor(ThreadPool& pool, Activations& x, std::span<const Product> products, void* space) {
    if (std::none_of(products.begin(), products.end(), [](const Product& p) { return p.weight->integerActivations(); })) return;
    const int64_t blocks = blocksOf(x.columns);
    auto* scales = static_cast<float*>(space);
    float* sums = scales + x.rows * blocks;
    auto* values = reinterpret_cast<int8_t*>(sums + x.rows * blocks);
    const auto row = [&](int64_t r, int) {
        kernels().quantizeRow(x.x + r * x.stride, x.columns, values + r * blocks * kBlock, scales + r * blocks, sums + r * blocks);
    };
    if (x.rows <= 4) {
        for (int64_t r = 0; r < x.rows; ++r) row(r, 0);
    } else {
        pool.parallelFor(x.rows, row);
    }
    x.values = values;
    x.scales = scales;
    x.sums = sums;
}

}  // namespace assay::infer
