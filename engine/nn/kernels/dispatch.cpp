// Compiled for any x86-64: asks the processor, then hands out tables.
#include "kernels/step_tables.h"

namespace assay::nn {
namespace {

bool hasAvx2() {
    static const bool able = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return able;
}
bool hasAvx512() {
    static const bool able = hasAvx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    return able;
}

}  // namespace

const StepLoops<float>* avx2Loops() { return hasAvx2() ? &kAvx2Loops : nullptr; }
const StepLoops<float>* avx512Loops() { return hasAvx512() ? &kAvx512Loops : nullptr; }
const ProductKernel* avx2Product() { return hasAvx2() ? &kAvx2Product : nullptr; }
const ProductKernel* avx512Product() { return hasAvx512() ? &kAvx512Product : nullptr; }

const StepLoops<float>& bestLoops() { return hasAvx512() ? kAvx512Loops : hasAvx2() ? kAvx2Loops : scalarLoops(); }

const ProductKernel* bestProduct() {
    static const bool amd = __builtin_cpu_is("amd");
    return !amd ? nullptr : hasAvx512() ? &kAvx512Product : hasAvx2() ? &kAvx2Product : nullptr;
}

}  // namespace assay::nn
