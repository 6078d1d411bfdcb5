#include "layers/product.h"

#include <assay/torch.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#include "kernels/step_kernels.h"

namespace assay::nn {
namespace {

struct FreeBuffer {
    void operator()(float* p) const { std::free(p); }
};

bool runsOurs(const at::Tensor& x) { return x.stride(0) == 1 || x.stride(1) == 1; }

// Threads get rectangles of whole tiles. Each packs the rows and columns that it needs, so the cut that packs least is taken.
void multiplyFloat(const ProductKernel& kernel, const Product& p) {
    const auto tiles = [](int64_t size, int64_t tile) { return (size + tile - 1) / tile; };
    const int64_t rowTiles = tiles(p.rows, kernel.tileRows), columnTiles = tiles(p.columns, kernel.tileColumns);
    constexpr int64_t kSmall = 1 << 20;  // multiply-adds that no second thread is woken for
    const bool alone = p.rows * p.columns * p.depth < kSmall || at::in_parallel_region();
    const int64_t threads = alone ? 1 : std::min<int64_t>(at::get_num_threads(), rowTiles * columnTiles);
    int64_t down = 1, least = -1;
    for (int64_t candidate = 1; candidate <= threads; ++candidate) {
        if (threads % candidate != 0) continue;
        const int64_t across = threads / candidate;
        // The largest part decides how long it takes; packing is a few per cent of that.
        const int64_t work = tiles(rowTiles, candidate) * kernel.tileRows * tiles(columnTiles, across) * kernel.tileColumns;
        const int64_t cost = work + 12 * (tiles(rowTiles, candidate) * kernel.tileRows + tiles(columnTiles, across) * kernel.tileColumns);
        if (least < 0 || cost < least) {
            least = cost;
            down = candidate;
        }
    }
    const int64_t across = threads / down;
    auto run = [&](int64_t begin, int64_t end) {
        float* buffer = packingBuffer(kernel.bufferFloats);
        for (int64_t part = begin; part < end; ++part) {
            const int64_t r = part / across, c = part % across;
            const Rectangle rectangle{std::min(p.rows, rowTiles * r / down * kernel.tileRows), std::min(p.rows, rowTiles * (r + 1) / down * kernel.tileRows),
                                      std::min(p.columns, columnTiles * c / across * kernel.tileColumns), std::min(p.columns, columnTiles * (c + 1) / across * kernel.tileColumns)};
            if (rectangle.firstRow < rectangle.lastRow && rectangle.firstColumn < rectangle.lastColumn) kernel.multiply(p, rectangle, buffer);
        }
    };
    if (threads == 1) run(0, 1);
    else at::parallel_for(0, threads, 1, run);
}

}  // namespace

float* packingBuffer(int64_t floats) {
    thread_local std::unique_ptr<float, FreeBuffer> buffer;
    thread_local int64_t size = 0;
    if (size < floats) {
        const size_t bytes = (static_cast<size_t>(floats) * sizeof(float) + 63) / 64 * 64;
        buffer.reset(static_cast<float*>(std::aligned_alloc(64, bytes)));
        if (!buffer) throw std::bad_alloc();
        size = floats;
    }
    return buffer.get();
}

void multiply(const at::Tensor& out, const at::Tensor& a, const at::Tensor& b, const ProductExtras& extras) {
    const ProductKernel* kernel = bestProduct();
    const bool ours = kernel && out.scalar_type() == at::kFloat && a.scalar_type() == at::kFloat && b.scalar_type() == at::kFloat && out.device().is_cpu() &&
                      out.numel() > 0 && a.size(1) > 0 && runsOurs(a) && runsOurs(b) && out.stride(1) == 1 &&
                      (!extras.residual.defined() || extras.residual.stride(1) == 1);
    if (!ours) {
        at::Tensor to = out;
        if (extras.accumulate) to.addmm_(a, b);
        else if (extras.residual.defined()) at::addmm_out(to, extras.residual, a, b);
        else if (extras.bias.defined()) at::addmm_out(to, extras.bias, a, b);
        else at::mm_out(to, a, b);
        if (extras.bias.defined() && (extras.accumulate || extras.residual.defined())) to.add_(extras.bias);
        return;
    }
    Product p;
    p.rows = out.size(0);
    p.columns = out.size(1);
    p.depth = a.size(1);
    p.a = a.const_data_ptr<float>();
    p.aRow = a.stride(0);
    p.aColumn = a.stride(1);
    p.b = b.const_data_ptr<float>();
    p.bRow = b.stride(0);
    p.bColumn = b.stride(1);
    p.c = out.mutable_data_ptr<float>();
    p.cRow = out.stride(0);
    if (extras.bias.defined()) p.bias = extras.bias.const_data_ptr<float>();
    if (extras.residual.defined()) {
        p.residual = extras.residual.const_data_ptr<float>();
        p.residualRow = extras.residual.stride(0);
    }
    p.accumulate = extras.accumulate;
    multiplyFloat(*kernel, p);
}

at::Tensor product(const at::Tensor& a, const at::Tensor& b, const ProductExtras& extras) {
    at::Tensor out = at::empty({a.size(0), b.size(1)}, a.options());
    multiply(out, a, b, extras);
    return out;
}

}  // namespace assay::nn
