#pragma once
// What autograd saves for the backward pass goes through a `Saver` while one is in force on the thread: it may keep less than
// the tensor. LibTorch asks its engine for such hooks; that part of it is internal, so the version is checked when this is
// compiled (saved_tensors.cpp).

#include <ATen/core/Tensor.h>

#include <memory>

namespace assay::nn {

class Kept {  // in place of one saved tensor
public:
    virtual ~Kept() = default;
    // The tensor, when the backward pass needs it; more than once when the graph is retained. May throw what LibTorch throws.
    virtual at::Tensor tensor() = 0;
};

class Saver {
public:
    virtual ~Saver() = default;
    virtual std::unique_ptr<Kept> keep(const at::Tensor& saved) = 0;
};

std::unique_ptr<Kept> keepWhole(const at::Tensor& saved);

class SaverScope {  // in force on this thread until destroyed; nullptr: none, and autograd keeps everything itself
public:
    explicit SaverScope(Saver* saver);
    ~SaverScope();
    SaverScope(const SaverScope&) = delete;
    SaverScope& operator=(const SaverScope&) = delete;

private:
    Saver* before_;
};

}  // namespace assay::nn
