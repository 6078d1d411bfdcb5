// The reference, and what processors without AVX2 use.
#include "kernels/step_kernels.h"

namespace assay::nn {
namespace {
#include "kernels/step_loops.h"
}  // namespace

const StepLoops<float>& scalarLoops() {
    static constexpr auto loops = loopsNamed<float>("scalar");
    return loops;
}
const StepLoops<double>& scalarLoopsDouble() {
    static constexpr auto loops = loopsNamed<double>("scalar");
    return loops;
}

}  // namespace assay::nn
