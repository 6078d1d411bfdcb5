// Compiled without AVX2: may run on any x86-64.
#include "kernels/avx2_table.h"

namespace assay::infer {

const Kernels* avx2Kernels() {
    static const bool able =
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
    static const Kernels table{"avx2",          avx2FloatPanel,  avx2HalfPanel,  avx2Int8Panel, avx2Int4Panel,
                               avx2QuantizeRow, avx2HalfToFloat, avx2FloatToHalf, avx2RmsNorm,  avx2LayerNorm,
                               avx2Add,         avx2SiluMultiply, avx2GeluTanh,  avx2Rotate,    avx2Scores,
                               avx2Softmax,     avx2MixValues,   avx2LogSumExp,  avx2KlDivergence};
    return able ? &table : nullptr;
}

}  // namespace assay::infer
