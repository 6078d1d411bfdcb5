// Compiled for AVX-512 (F, DQ, BW, VL): called only where the processor has it (dispatch.cpp).
#include <immintrin.h>

#include "kernels/step_kernels.h"
#include "kernels/step_tables.h"

namespace assay::nn {
namespace {
constexpr int kLanes = 16, kTileRows = 14;
#include "kernels/product_tile.h"
#include "kernels/step_loops.h"
#include "kernels/attention_tile.h"
}  // namespace

extern constexpr StepLoops<float> kAvx512Loops = loopsNamed<float>("avx512");
extern constexpr ProductKernel kAvx512Product{"avx512", kTileRows, kTileColumns, kBufferFloats, multiplyPart, attentionBufferFloats, attentionForwardTile, attentionBackwardTile};

}  // namespace assay::nn
