#include "live_tensors.h"

#include <assay/torch.h>

namespace assay::train {

class LiveTensors::Source final : public model::ByteSource {
public:
    explicit Source(at::Tensor tensor) : live_(std::move(tensor)) {}
    Result<void> read(size_t offset, size_t size, const std::function<Result<void>(std::string_view)>& take) const override {
        std::lock_guard lock(mutex_);  // held while the piece is written: settle() waits for it
        const at::Tensor& from = copy_.defined() ? copy_ : live_;
        ASSAY_TRY_VOID(take({static_cast<const char*>(from.const_data_ptr()) + offset, size}));
        written_ = written_ || offset + size == static_cast<size_t>(live_.nbytes());
        return {};
    }
    void settle() {
        at::NoGradGuard noGrad;
        std::lock_guard lock(mutex_);
        if (!written_ && !copy_.defined()) copy_ = live_.clone();
    }
    void drop() {
        std::lock_guard lock(mutex_);
        written_ = true;
        copy_.reset();
    }

private:
    mutable std::mutex mutex_;
    at::Tensor live_, copy_;
    mutable bool written_ = false;
};

LiveTensors::LiveTensors(const Snapshot& snapshot) {
    for (const NamedTensors* set : {&snapshot.weights, &snapshot.optimizer})
        for (const auto& [name, tensor] : *set)
            if (tensor.numel() > 0) sources_.try_emplace(tensor.const_data_ptr(), std::make_unique<Source>(tensor));
}

LiveTensors::~LiveTensors() = default;

const model::ByteSource* LiveTensors::sourceOf(const at::Tensor& tensor) const {
    if (tensor.numel() == 0) return nullptr;
    const auto found = sources_.find(tensor.const_data_ptr());
    return found == sources_.end() ? nullptr : found->second.get();
}

void LiveTensors::settle() {
    for (auto& [place, source] : sources_) source->settle();
}

void LiveTensors::drop() {
    for (auto& [place, source] : sources_) source->drop();
}

}  // namespace assay::train
