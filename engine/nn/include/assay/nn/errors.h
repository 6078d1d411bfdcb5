#pragma once
#include <assay/core/error.h>

#include <exception>

namespace assay::nn {

// What LibTorch or the standard library threw, as an Error with a code: memory, disk, otherwise internal.
Error errorFromException(const std::exception& exception);

}  // namespace assay::nn
