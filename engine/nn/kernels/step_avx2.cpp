// Compiled for AVX2 with FMA: called only where the processor has it (dispatch.cpp).
#include <immintrin.h>

#include "kernels/step_kernels.h"
#include "kernels/step_tables.h"

namespace assay::nn {
namespace {
constexpr int kLanes = 8, kTileRows = 6;
#include "kernels/product_tile.h"
#include "kernels/step_loops.h"
#include "kernels/attention_tile.h"
}  // namespace

extern constexpr StepLoops<float> kAvx2Loops = loopsNamed<float>("avx2");
extern constexpr ProductKernel kAvx2Product{"avx2", kTileRows, kTileColumns, kBufferFloats, multiplyPart, attentionBufferFloats, attentionForwardTile, attentionBackwardTile};

}  // namespace assay::nn
