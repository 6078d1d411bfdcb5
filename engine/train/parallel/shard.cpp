// ZeRO stage 1: who updates what, the norm over all shards, and the new weights on their way to the other ranks.
#include <assay/torch.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "parallel/bucket_layout.h"
#include "parallel/data_parallel.h"

namespace assay::train {
namespace {

constexpr int64_t kSmallPartBytes = 64 << 10;

// A rank for every parameter, the largest first, each to whoever has least.
std::vector<int> owners(const std::vector<nn::Parameter>& parameters, int world) {
    std::vector<size_t> order(parameters.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return parameters[a].value.numel() > parameters[b].value.numel(); });
    std::vector<int64_t> load(static_cast<size_t>(world), 0);
    std::vector<int> out(parameters.size(), 0);
    for (const size_t i : order) {
        const auto least = std::min_element(load.begin(), load.end());
        out[i] = static_cast<int>(least - load.begin());
        *least += parameters[i].value.numel();
    }
    return out;
}

at::Tensor partOf(const at::Tensor& whole, int64_t begin, int64_t end) {
    const at::Tensor flat = whole.detach();
    return begin == 0 && end == whole.numel() ? flat : flat.view({-1}).narrow(0, begin, end - begin);
}

}  // namespace

void DataParallel::makeOwned() {
    if (!options_.shard) {
        owned_ = parameters_;
        for (size_t i = 0; i < parameters_.size(); ++i) places_.push_back({i, 0});
        return;
    }
    const int world = group_.world();
    if (options_.wholeParameters) {
        const std::vector<int> owner = owners(parameters_, world);
        for (size_t i = 0; i < parameters_.size(); ++i) parts_.push_back({i, 0, parameters_[i].value.numel(), owner[i]});
    } else {
        for (const Bucket& b : buckets_) {
            const int64_t chunk = b.flat.numel() / world;
            for (size_t n = 0; n < b.parameters.size(); ++n) {
                const int64_t first = b.offsets[n], last = first + parameters_[b.parameters[n]].value.numel();
                for (int64_t at = first; at < last;) {
                    const int64_t until = std::min(last, (at / chunk + 1) * chunk);
                    parts_.push_back({b.parameters[n], at - first, until - first, static_cast<int>(at / chunk)});
                    at = until;
                }
            }
        }
    }
    std::sort(parts_.begin(), parts_.end(), [](const ParameterPart& a, const ParameterPart& b) { return a.owner != b.owner ? a.owner < b.owner : a.parameter < b.parameter; });
    for (size_t n = 0; n < parts_.size(); ++n) {
        const ParameterPart& part = parts_[n];
        if (part.owner != group_.rank()) continue;
        const nn::Parameter& p = parameters_[part.parameter];
        nn::Parameter own{p.info, partOf(p.value, part.begin, part.end)};
        own.value.mutable_grad() = partOf(slots_[part.parameter].view, part.begin, part.end);
        owned_.push_back(std::move(own));
        places_.push_back({part.parameter, part.begin});
        mine_.push_back(n);
    }
}

Result<GradientNorm> DataParallel::norm(const GradientNorm& mine) {
    if (!options_.shard) return mine;
    std::vector<double> sum{mine.norm * mine.norm};
    ASSAY_TRY_VOID(group_.allReduce(sum));
    GradientNorm all{std::sqrt(sum[0]), {}};
    if (std::isfinite(all.norm)) return all;
    // Which one it was: the first in the order of the model, on all ranks the same.
    std::vector<double> first{std::numeric_limits<double>::max()};
    for (size_t i = 0; i < owned_.size(); ++i)
        if (owned_[i].info.name == mine.notFinite) first[0] = std::min(first[0], static_cast<double>(places_[i].parameter));
    ASSAY_TRY_VOID(group_.allReduce(first, dist::Reduce::kMin));
    if (first[0] < static_cast<double>(parameters_.size())) all.notFinite = parameters_[static_cast<size_t>(first[0])].info.name;
    return all;
}

// An all-gather whose parts differ in size: a broadcast for each large part, in place, and one for the small ones of a rank.
Result<void> DataParallel::shareParts(const std::vector<at::Tensor>& tensors) {
    at::NoGradGuard noGrad;
    std::vector<dist::PendingPtr> all;
    std::vector<at::Tensor> packed(static_cast<size_t>(group_.world()));
    auto bytesOf = [&](const ParameterPart& part) { return partOf(tensors[part.parameter], part.begin, part.end).view({-1}).view(at::kByte); };
    auto eachSmall = [&](int owner, const std::function<void(at::Tensor, int64_t)>& work) {
        int64_t at = 0;
        for (const ParameterPart& part : parts_) {
            if (part.owner != owner) continue;
            const at::Tensor bytes = bytesOf(part);
            if (bytes.numel() > kSmallPartBytes) continue;
            if (work) work(bytes, at);
            at += bytes.numel();
        }
        return at;
    };
    for (int owner = 0; owner < group_.world(); ++owner) {
        at::Tensor& buffer = packed[static_cast<size_t>(owner)];
        buffer = at::empty({eachSmall(owner, {})}, tensors[0].options().dtype(at::kByte).requires_grad(false));
        if (owner == group_.rank()) eachSmall(owner, [&](const at::Tensor& bytes, int64_t at) { buffer.narrow(0, at, bytes.numel()).copy_(bytes); });
        if (buffer.numel() > 0) all.push_back(group_.broadcastAsync(buffer, owner));
    }
    for (const ParameterPart& part : parts_)
        if (const at::Tensor bytes = bytesOf(part); bytes.numel() > kSmallPartBytes) all.push_back(group_.broadcastAsync(bytes, part.owner));
    Result<void> done;
    for (auto& pending : all)
        if (auto one = pending->wait(); !one && done) done = std::move(one);
    for (int owner = 0; owner < group_.world(); ++owner)
        if (owner != group_.rank()) eachSmall(owner, [&](const at::Tensor& bytes, int64_t at) { at::Tensor(bytes).copy_(packed[static_cast<size_t>(owner)].narrow(0, at, bytes.numel())); });
    return done;
}

Result<void> DataParallel::shareWeights() {
    if (!options_.shard) return {};
    std::vector<at::Tensor> weights;
    for (const nn::Parameter& p : parameters_) weights.push_back(p.value);
    return shareParts(weights);
}

Result<std::vector<at::Tensor>> DataParallel::whole(const std::vector<StateTensor>& mine) {
    at::NoGradGuard noGrad;
    if (!options_.shard) {
        std::vector<at::Tensor> out;
        for (const StateTensor& s : mine) out.push_back(s.value);
        return out;
    }
    ASSAY_CHECK(mine.size() == owned_.size(), "one state tensor for each part");
    std::vector<at::Tensor> out;
    for (const nn::Parameter& p : parameters_) out.push_back(at::empty(p.value.sizes(), p.value.options().dtype(sumTypeOf(p)).requires_grad(false)));
    size_t own = 0;
    for (const ParameterPart& part : parts_)
        if (part.owner == group_.rank()) partOf(out[part.parameter], part.begin, part.end).view({-1}).copy_(mine[own++].value.view({-1}));
    ASSAY_TRY_VOID(shareParts(out));
    return out;
}

}  // namespace assay::train
