#pragma once
// Every exported function runs its body through guarded(): exceptions of LibTorch and CUDA end here as text.

#include <assay/dist/cuda_abi.h>

#include <cstring>
#include <exception>
#include <string_view>

namespace assay::cuda {

inline void put(dist::CudaMessage message, std::string_view text) {
    if (!message.text || message.size == 0) return;
    const size_t length = std::min(text.size(), message.size - 1);
    std::memcpy(message.text, text.data(), length);
    message.text[length] = '\0';
}

template <class Body>
int32_t guarded(dist::CudaMessage why, Body&& body) {
    try {
        body();
        return 0;
    } catch (const std::exception& error) {
        put(why, error.what());
    } catch (...) {
        put(why, "unknown exception");
    }
    return 1;
}

}  // namespace assay::cuda

#define ASSAY_EXPORT __attribute__((visibility("default")))
