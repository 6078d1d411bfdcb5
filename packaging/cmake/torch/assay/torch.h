#pragma once
// What Assay uses of LibTorch: tensors, their operations and autograd. <torch/torch.h> adds modules, optimizers, data loaders
// and serialization that we have our own of, and doubles the compile time of every file that sees it.

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/generated/variable_factories.h>

namespace torch {
using namespace at;  // NOLINT: as <torch/types.h> does
using Dtype = at::ScalarType;
}  // namespace torch
