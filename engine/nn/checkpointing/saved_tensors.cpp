#include "saved_tensors.h"

#include <assay/torch.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/saved_variable_hooks.h>
#include <torch/headeronly/version.h>

// torch/csrc/autograd/engine.h and saved_variable_hooks.h are not a stable interface. With another version: read
// SavedVariable's constructor and unpack(), run tests/nn (checkpointing), then add the version here.
static_assert(TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR == 11, "saved-tensor hooks were checked with LibTorch 2.11 only");

namespace assay::nn {
namespace {

thread_local Saver* currentSaver = nullptr;

class KeptHook final : public torch::autograd::SavedVariableHooks {
public:
    explicit KeptHook(Saver& saver) : saver_(&saver) {}
    void call_pack_hook(const at::Tensor& tensor) override { kept_ = saver_->keep(tensor); }  // at once, while the saver is there
    at::Tensor call_unpack_hook() override {
        TORCH_INTERNAL_ASSERT(kept_, "a tensor of a discarded forward pass was asked for");
        return kept_->tensor();
    }

private:
    Saver* saver_;
    std::unique_ptr<Kept> kept_;
};

class HookedEngine final : public torch::autograd::Engine {
public:
    ~HookedEngine() override { stop(); }
    std::unique_ptr<torch::autograd::SavedVariableHooks> get_default_saved_variable_hooks() override {
        return currentSaver ? std::make_unique<KeptHook>(*currentSaver) : nullptr;
    }
    static torch::autograd::Engine& instance() {
        static HookedEngine engine;
        return engine;
    }
};

// Before the first backward pass of the process: LibTorch gives threads to the devices of one engine only.
[[maybe_unused]] const bool installed = (torch::autograd::set_default_engine_stub(&HookedEngine::instance), true);

class WholeTensor final : public Kept {
public:
    explicit WholeTensor(at::Tensor tensor) : tensor_(std::move(tensor)) {}
    at::Tensor tensor() override { return tensor_; }

private:
    at::Tensor tensor_;
};

}  // namespace

// Without its history: a node that saved its own output would keep itself alive.
std::unique_ptr<Kept> keepWhole(const at::Tensor& saved) { return std::make_unique<WholeTensor>(saved.detach()); }

SaverScope::SaverScope(Saver* saver) : before_(currentSaver) { currentSaver = saver; }
SaverScope::~SaverScope() { currentSaver = before_; }

}  // namespace assay::nn
