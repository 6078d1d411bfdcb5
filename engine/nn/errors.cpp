#include "assay/nn/errors.h"

#include <c10/util/Exception.h>

#include <new>
#include <string>

namespace assay::nn {

Error errorFromException(const std::exception& exception) {
    const auto* torchError = dynamic_cast<const c10::Error*>(&exception);
    std::string text = torchError ? torchError->what_without_backtrace() : exception.what();
    if (dynamic_cast<const std::bad_alloc*>(&exception) || dynamic_cast<const c10::OutOfMemoryError*>(&exception) ||
        text.find("can't allocate memory") != std::string::npos || text.find("not enough memory") != std::string::npos) {
        return Error(ErrorCode::kOutOfMemory, "not enough memory: " + text, "use a smaller model, micro_batch or sequence_length");
    }
    if (text.find("No space left on device") != std::string::npos) return Error(ErrorCode::kDiskFull, "the disk is full: " + text, "free space in the store");
    return Error(ErrorCode::kInternal, "unexpected failure in the tensor library: " + text);
}

}  // namespace assay::nn
