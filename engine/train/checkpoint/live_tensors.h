#pragma once
// Tensors of a running training while a thread writes them: copy on write, decided by the one who is about to write.
#include <ATen/core/Tensor.h>

#include <map>
#include <memory>
#include <mutex>

#include <assay/model/safetensors_stream.h>

#include "assay/train/checkpoint.h"

namespace assay::train {

class LiveTensors {
public:
    explicit LiveTensors(const Snapshot& snapshot);
    ~LiveTensors();
    const model::ByteSource* sourceOf(const at::Tensor& tensor) const;  // null: not one of them, or empty
    // Copies what was not written to its end. Waits for a piece of 2 MiB at most. Throws when there is no memory.
    void settle();
    void drop();  // the copies

private:
    class Source;
    std::map<const void*, std::unique_ptr<Source>> sources_;  // by where the tensor lies
};

}  // namespace assay::train
