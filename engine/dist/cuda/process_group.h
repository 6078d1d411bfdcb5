#pragma once
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <chrono>

namespace assay::cuda {

// Throws c10::Error, for example without a GPU.
c10::intrusive_ptr<c10d::Backend> makeNccl(const c10::intrusive_ptr<c10d::Store>& store, int rank, int world,
                                           std::chrono::milliseconds timeout);

}  // namespace assay::cuda
