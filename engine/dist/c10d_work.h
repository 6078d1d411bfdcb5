#pragma once
// What the back-ends over c10d share: a transfer under way, and the names of its operations.
#include <assay/torch.h>

#include <torch/csrc/distributed/c10d/Types.hpp>
#include <torch/csrc/distributed/c10d/Work.hpp>

#include "assay/dist/collective.h"

namespace assay::dist {

using WorkError = Error (*)(const char* what);

// On a device `wait` makes the device's stream wait and the host goes on.
struct WorkPending final : Pending {
    explicit WorkPending(WorkError error) : error(error) {}
    ~WorkPending() override {
        if (work) (void)wait();
    }
    Result<void> wait() override {
        if (!work) return result;
        try {
            work->wait();
        } catch (const std::exception& e) {
            result = fail(error(e.what()));
        }
        work.reset();
        held.clear();
        return result;
    }

    WorkError error;
    std::vector<at::Tensor> held;  // until it is done
    c10::intrusive_ptr<c10d::Work> work;
    Result<void> result;
};

template <class Start>
PendingPtr startWork(WorkError error, std::vector<at::Tensor> held, Start start) {
    auto pending = std::make_unique<WorkPending>(error);
    pending->held = std::move(held);
    try {
        pending->work = start();
    } catch (const std::exception& e) {
        pending->result = fail(error(e.what()));
    }
    return pending;
}

inline c10d::ReduceOp reduceOp(Reduce op) {
    switch (op) {
        case Reduce::kMax: return c10d::ReduceOp::MAX;
        case Reduce::kMin: return c10d::ReduceOp::MIN;
        case Reduce::kSum: break;
    }
    return c10d::ReduceOp::SUM;
}

}  // namespace assay::dist
