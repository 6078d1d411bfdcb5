#pragma once
// The device that the tests of this folder train on: the shadow device, or with ASSAY_TEST_DEVICE=cuda a real GPU through
// the plugin (tests/gpu/check).

#include <ATen/core/Tensor.h>

namespace assay::shadow {

bool onGpu();
at::Device deviceUnderTest();
void waitForDevice();

}  // namespace assay::shadow
