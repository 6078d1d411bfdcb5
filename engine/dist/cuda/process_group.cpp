// ProcessGroupNCCL of the wheel, made with a store of the caller.
#define USE_C10D_NCCL
#include "process_group.h"

#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

#include "guard.h"

namespace assay::cuda {

c10::intrusive_ptr<c10d::Backend> makeNccl(const c10::intrusive_ptr<c10d::Store>& store, int rank, int world,
                                           std::chrono::milliseconds timeout) {
    auto options = c10d::ProcessGroupNCCL::Options::create();
    options->timeout = timeout;
    return c10::make_intrusive<c10d::ProcessGroupNCCL>(store, rank, world, std::move(options));
}

}  // namespace assay::cuda

extern "C" ASSAY_EXPORT int32_t assayCudaMakeNccl(const void* store, int32_t rank, int32_t world,
                                                  double timeoutSeconds, void* out,
                                                  assay::dist::CudaMessage why) {
    return assay::cuda::guarded(why, [&] {
        const auto timeout = std::chrono::milliseconds(static_cast<int64_t>(timeoutSeconds * 1000));
        *static_cast<c10::intrusive_ptr<c10d::Backend>*>(out) = assay::cuda::makeNccl(
            *static_cast<const c10::intrusive_ptr<c10d::Store>*>(store), rank, world, timeout);
    });
}
