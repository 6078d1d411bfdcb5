// A group of one rank: every collective is a copy at most.
#include <assay/torch.h>

#include "backends.h"

namespace assay::dist {
namespace {

struct Done final : Pending {
    Result<void> result;
    Result<void> wait() override { return result; }
};
PendingPtr done(Result<void> result = {}) {
    auto pending = std::make_unique<Done>();
    pending->result = std::move(result);
    return pending;
}

PendingPtr copied(at::Tensor& out, const at::Tensor& in) {
    if (out.numel() != in.numel()) return done(fail(ErrorCode::kInternal, "a collective over one rank got buffers of different sizes"));
    at::NoGradGuard noGrad;
    if (!out.is_same(in)) out.copy_(in.view_as(out));
    return done();
}

class Single final : public Collective {
public:
    std::string_view name() const override { return "single"; }
    int rank() const override { return 0; }
    int world() const override { return 1; }
    PendingPtr allReduceAsync(at::Tensor, Reduce) override { return done(); }
    PendingPtr reduceScatterAsync(at::Tensor out, at::Tensor in, Reduce) override { return copied(out, in); }
    PendingPtr allGatherAsync(at::Tensor out, at::Tensor in) override { return copied(out, in); }
    PendingPtr broadcastAsync(at::Tensor, int root) override { return done(check(root)); }
    PendingPtr allToAllAsync(at::Tensor out, at::Tensor in) override { return copied(out, in); }
    // A message of a rank to itself waits here under its tag.
    PendingPtr sendAsync(at::Tensor tensor, int to, int tag) override {
        if (auto ok = check(to); !ok) return done(std::move(ok));
        messages_.emplace_back(tag, tensor.detach().clone());
        return done();
    }
    PendingPtr receiveAsync(at::Tensor tensor, int from, int tag) override {
        if (auto ok = check(from); !ok) return done(std::move(ok));
        for (size_t i = 0; i < messages_.size(); ++i) {
            if (messages_[i].first != tag) continue;
            at::Tensor message = messages_[i].second;
            messages_.erase(messages_.begin() + static_cast<std::ptrdiff_t>(i));
            return copied(tensor, message);
        }
        return done(fail(ErrorCode::kInternal, "receive of tag " + std::to_string(tag) + " in a group of one rank before it was sent"));
    }
    Result<void> barrier() override { return {}; }

private:
    static Result<void> check(int peer) {
        if (peer != 0) return fail(ErrorCode::kInternal, "rank " + std::to_string(peer) + " does not exist in a group of one");
        return {};
    }
    std::vector<std::pair<int, at::Tensor>> messages_;
};

}  // namespace

Result<std::unique_ptr<Collective>> makeSingle(const GroupOptions& options) {
    if (options.world != 1) return fail(ErrorCode::kBadUsage, "back-end single has one rank, not " + std::to_string(options.world), "use gloo");
    return std::make_unique<Single>();
}

}  // namespace assay::dist
