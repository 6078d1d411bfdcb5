#include "chosen_device.h"

#include <assay/torch.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <assay/core/cuda_driver.h>
#include <assay/dist/device.h>
#include <assay/nn/device.h>

#include "shadow_device.h"

namespace assay::shadow {
namespace {

// Before main and so before the first operation, as the worker does it.
const bool gpu = [] {
    const char* wanted = std::getenv("ASSAY_TEST_DEVICE");
    if (!wanted || std::string_view(wanted) != "cuda") return false;
    auto chosen = dist::chooseDevice("cuda", 0);
    if (!chosen) {
        std::fprintf(stderr, "ASSAY_TEST_DEVICE=cuda: %s\n", chosen.error().text().c_str());
        std::exit(1);
    }
    std::fprintf(stderr, "%s\n", chosen->sentence.c_str());
    nn::preferSameBits();  // as the worker does
    return true;
}();

}  // namespace

bool onGpu() { return gpu; }
at::Device deviceUnderTest() { return gpu ? at::Device(at::kCUDA, 0) : device(); }
void waitForDevice() { c10::impl::VirtualGuardImpl(deviceUnderTest().type()).synchronizeDevice(0); }

}  // namespace assay::shadow
