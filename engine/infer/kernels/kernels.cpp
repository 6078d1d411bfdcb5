#include "kernels/kernels.h"

#include <cstdlib>
#include <cstring>

namespace assay::infer {

const Kernels& kernels() {
    static const Kernels& chosen = []() -> const Kernels& {
        const char* forced = std::getenv("ASSAY_KERNELS");
        if (forced != nullptr && std::strcmp(forced, "scalar") == 0) return scalarKernels();
        const Kernels* fast = avx2Kernels();
        return fast != nullptr ? *fast : scalarKernels();
    }();
    return chosen;
}

}  // namespace assay::infer
