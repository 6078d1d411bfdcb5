#pragma once
// Activations that wait for the backward pass in the host's memory (Rhu et al. 2016, "vDNN"). What a layer keeps is copied out on a stream of its own while the next layer runs, and fetched back
// while the backward pass is still one layer later; the last layer is needed first and stays. What is cheap to compute again
// does not travel (recompute.h). Same numbers, so gradients are those of the plain pass bit by bit.

#include <c10/core/Event.h>
#include <c10/core/Stream.h>

#include <memory>
#include <unordered_set>
#include <vector>

#include "assay/nn/model.h"
#include "recompute.h"
#include "saved_tensors.h"

namespace assay::nn {

// The way between a device and the host, for as long as the model lives. Streams work beside the one that computes.
struct OffloadLane {
    explicit OffloadLane(at::Device device);
    const at::Device device;
    const c10::Stream out, in;
    OffloadTally tally;
};

// One forward pass. Made, used and destroyed by the thread that runs it; the backward pass may run on another.
class Offload {
public:
    // `stays`: tensors that lie on the device anyway, as weights do; they, and views of them, are not moved.
    Offload(std::shared_ptr<OffloadLane> lane, const std::vector<at::Tensor>& stays);
    ~Offload();
    Offload(const Offload&) = delete;
    Offload& operator=(const Offload&) = delete;

    class Layer {  // around the forward pass of one layer
    public:
        Layer(Offload& owner, bool last);
        ~Layer();
        Layer(const Layer&) = delete;
        Layer& operator=(const Layer&) = delete;

    private:
        Offload& owner_;
        std::unique_ptr<SelectiveScope> scope_;
    };

private:
    class Moved;
    class Group;
    class MovedPart;
    class StayingPart;
    class LayerSaver;
    struct Known {  // the weak handle reserves the address
        c10::weak_intrusive_ptr<c10::StorageImpl> memory;
        uint32_t version;
        at::ScalarType type;
        std::weak_ptr<Moved> moved;
    };
    struct UnderWay {  // the source is held until the computing stream waits for its copy: then it may be used anew there
        at::Tensor source;
        c10::Event done;
    };
    std::unique_ptr<Kept> keep(const at::Tensor& saved);
    std::shared_ptr<Moved> move(const at::Tensor& saved);
    static void release(std::vector<UnderWay>& copies, at::Device device);

    std::shared_ptr<OffloadLane> lane_;
    std::unordered_set<const c10::StorageImpl*> stays_;
    std::vector<Known> known_;
    std::vector<UnderWay> before_, now_;  // copies of the layer before and of this one
    std::shared_ptr<Group> group_;
    std::unique_ptr<Saver> saver_;
    bool last_ = false;
};

}  // namespace assay::nn
