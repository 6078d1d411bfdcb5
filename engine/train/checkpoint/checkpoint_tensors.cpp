// Between tensors and safetensors entries.
#include <assay/torch.h>

#include <cstring>

#include "assay/train/checkpoint.h"

namespace assay::train {
namespace {

model::DType dtypeOf(at::ScalarType type) {
    switch (type) {
        case at::kFloat: return model::DType::kF32;
        case at::kDouble: return model::DType::kF64;
        case at::kHalf: return model::DType::kF16;
        case at::kBFloat16: return model::DType::kBF16;
        case at::kLong: return model::DType::kI64;
        case at::kInt: return model::DType::kI32;
        case at::kByte: return model::DType::kU8;
        case at::kChar: return model::DType::kI8;
        default: break;
    }
    ASSAY_CHECK(false, "no safetensors type for " + std::string(c10::toString(type)));
}

}  // namespace

model::SafetensorsEntry entryOf(const std::string& name, const at::Tensor& tensor) {
    ASSAY_CHECK(tensor.is_cpu() && tensor.is_contiguous(), name + " is not contiguous in the host's memory");
    return {name, dtypeOf(tensor.scalar_type()), tensor.sizes().vec(), {static_cast<const char*>(tensor.const_data_ptr()), static_cast<size_t>(tensor.nbytes())}};
}

Result<void> copyEntry(const CheckpointTensors& file, const std::string& name, at::Tensor target) {
    const model::SafetensorsEntry* entry = file.find(name);
    if (!entry) return fail(ErrorCode::kInvalidFile, "checkpoint has no tensor " + name, "the checkpoint belongs to another model or optimizer");
    if (entry->shape != target.sizes().vec() || entry->type != dtypeOf(target.scalar_type()))
        return fail(ErrorCode::kInvalidFile, "checkpoint tensor " + name + " has another shape or type than the model", "the checkpoint belongs to another model");
    ASSAY_CHECK(target.is_contiguous() && entry->bytes.size() == static_cast<size_t>(target.nbytes()), name);
    if (entry->bytes.empty()) return {};
    if (target.is_cpu()) {
        std::memcpy(target.mutable_data_ptr(), entry->bytes.data(), entry->bytes.size());
        return {};
    }
    at::NoGradGuard noGrad;
    at::Tensor host = at::empty(target.sizes(), target.options().device(at::kCPU));  // the file's bytes need not be aligned
    std::memcpy(host.mutable_data_ptr(), entry->bytes.data(), entry->bytes.size());
    target.copy_(host);
    return {};
}

Result<void> copyEntryPart(const CheckpointTensors& file, const std::string& name, at::Tensor target, int64_t begin, int64_t total) {
    const model::SafetensorsEntry* entry = file.find(name);
    if (!entry) return fail(ErrorCode::kInvalidFile, "checkpoint has no tensor " + name, "the checkpoint belongs to another model or optimizer");
    const auto size = static_cast<size_t>(c10::elementSize(target.scalar_type()));
    if (entry->type != dtypeOf(target.scalar_type()) || entry->bytes.size() != static_cast<size_t>(total) * size || begin + target.numel() > total)
        return fail(ErrorCode::kInvalidFile, "checkpoint tensor " + name + " has another shape or type than the model", "the checkpoint belongs to another model");
    at::NoGradGuard noGrad;
    at::Tensor host = target.is_cpu() ? target : at::empty(target.sizes(), target.options().device(at::kCPU));
    ASSAY_CHECK(host.is_contiguous(), name);
    if (host.numel() > 0) std::memcpy(host.mutable_data_ptr(), entry->bytes.data() + static_cast<size_t>(begin) * size, static_cast<size_t>(host.nbytes()));
    if (!target.is_cpu()) target.copy_(host);
    return {};
}

Result<LoadedCheckpoint> loadCheckpoint(const CheckpointInfo& info) {
    LoadedCheckpoint loaded;
    loaded.info = info;
    ASSAY_TRY(loaded.state, readJsonFile(info.path + "/state.json"));
    ASSAY_TRY(loaded.weights, CheckpointTensors::open(info.path, "model"));
    ASSAY_TRY(loaded.optimizer, CheckpointTensors::open(info.path, "optimizer"));
    return loaded;
}

}  // namespace assay::train
