#include "assay/nn/errors.h"

#include <c10/util/Exception.h>

#include <new>
#include <string>

namespace assay::nn {

Error errorFromException(const std::exception& exception) {
    const auto* torchError = dynamic_cast<const c10::Error*>(&exception);
    std::string text = torchError ? torchError->what_without_backtrace() : exception.what();
    // "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has …": c10's allocator says how much is held by whom.
    if (text.find("CUDA out of memory") != std::string::npos)
        return Error(ErrorCode::kOutOfMemory, "the GPU has not enough memory: " + text, "use a smaller micro_batch (global_batch stays: more is accumulated), sequence_length or model, or a narrower precision");
    if (text.find("no kernel image is available") != std::string::npos)
        return Error(ErrorCode::kUnsupported, "LibTorch has no code for this GPU: " + text, "it needs compute capability 7.5 or newer; set device: cpu");
    if (text.find("CUDA error") != std::string::npos || text.find("CUDA driver error") != std::string::npos)
        return Error(ErrorCode::kInternal, "the GPU failed: " + text, "the run goes on from its last checkpoint when it is resumed; nvidia-smi and the kernel's log may say why");
    if (dynamic_cast<const std::bad_alloc*>(&exception) || dynamic_cast<const c10::OutOfMemoryError*>(&exception) ||
        text.find("can't allocate memory") != std::string::npos || text.find("not enough memory") != std::string::npos) {
        return Error(ErrorCode::kOutOfMemory, "not enough memory: " + text, "use a smaller model, micro_batch or sequence_length");
    }
    if (text.find("No space left on device") != std::string::npos) return Error(ErrorCode::kDiskFull, "the disk is full: " + text, "free space in the store");
    return Error(ErrorCode::kInternal, "unexpected failure in the tensor library: " + text);
}

}  // namespace assay::nn
