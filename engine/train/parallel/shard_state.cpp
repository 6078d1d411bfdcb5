// The optimizer state of shards as that of whole parameters, and back: checkpoints do not depend on the number of ranks.
#include <assay/torch.h>

#include <algorithm>

#include <assay/core/json.h>
#include <assay/nn/device.h>

#include "parallel/bucket_layout.h"
#include "parallel/data_parallel.h"

namespace assay::train {
namespace {

// One state tensor as its rank describes it to the rank that writes.
struct StatePart {
    std::string name;  // "<parameter>.exp_avg"
    size_t part = 0;   // index into the parts of all ranks
    at::ScalarType type = at::kFloat;
    std::vector<int64_t> shape;
    size_t order = 0;  // its place on its rank
};

Json describe(const std::vector<StatePart>& parts) {
    Json out = Json::array();
    for (const StatePart& s : parts) out.push_back({s.name, s.part, static_cast<int>(s.type), s.shape});
    return out;
}

Result<std::vector<StatePart>> read(const std::string& text) {
    ASSAY_TRY(const Json json, parseJson(text, "the description of a rank's state"));
    std::vector<StatePart> out;
    for (const Json& one : json) out.push_back({one[0].get<std::string>(), one[1].get<size_t>(), static_cast<at::ScalarType>(one[2].get<int>()), one[3].get<std::vector<int64_t>>(), out.size()});
    return out;
}

// Texts of all ranks, by rank.
Result<std::vector<std::string>> exchange(const std::string& text, dist::Collective& group) {
    std::vector<double> longest{static_cast<double>(text.size())};
    ASSAY_TRY_VOID(group.allReduce(longest, dist::Reduce::kMax));
    const auto size = static_cast<int64_t>(longest[0]) + 1;
    at::Tensor mine = at::zeros({size}, at::kByte), all = at::zeros({size * group.world()}, at::kByte);
    std::copy(text.begin(), text.end(), mine.mutable_data_ptr<uint8_t>());
    ASSAY_TRY_VOID(group.allGather(all, mine));
    std::vector<std::string> out;
    for (int64_t r = 0; r < group.world(); ++r) out.emplace_back(reinterpret_cast<const char*>(all.const_data_ptr<uint8_t>() + r * size));
    return out;
}

int64_t product(const std::vector<int64_t>& shape) {
    int64_t n = 1;
    for (const int64_t s : shape) n *= s;
    return n;
}

// State is kept by element or by block of kShardAlignment elements. Where a part of `n` elements has its `elements` numbers.
struct Span {
    int64_t begin = 0, total = 0;
};
Result<Span> spanOf(const std::string& name, int64_t elements, const ParameterPart& part, int64_t whole) {
    const int64_t n = part.end - part.begin;
    auto blocks = [](int64_t e) { return (e + kShardAlignment - 1) / kShardAlignment; };
    if (name.ends_with(".absmax") && elements == blocks(n)) return Span{part.begin / kShardAlignment, blocks(whole)};
    if (elements == n) return Span{part.begin, whole};
    return fail(ErrorCode::kInternal, name + " cannot be cut into parts");
}

}  // namespace

// A name begins with that of its parameter; of two that fit ("h.1", "h.1.w") the longer one is meant.
size_t DataParallel::ownedOf(const std::string& stateName) const {
    size_t best = owned_.size(), length = 0;
    for (size_t i = 0; i < owned_.size(); ++i) {
        const std::string& p = owned_[i].info.name;
        if (p.size() >= length && stateName.size() > p.size() && stateName[p.size()] == '.' && stateName.starts_with(p)) best = i, length = p.size();
    }
    ASSAY_CHECK(best < owned_.size(), stateName);
    return best;
}

Result<NamedTensors> DataParallel::gather(const std::vector<const StateTensor*>& mine) {
    at::NoGradGuard noGrad;
    std::vector<StatePart> own;
    for (const StateTensor* s : mine) {
        own.push_back({s->name, mine_[ownedOf(s->name)], s->value.scalar_type(), s->value.sizes().vec(), own.size()});
    }
    ASSAY_TRY(const auto texts, exchange(dumpJson(describe(own)), group_));
    if (group_.rank() != 0) {
        for (const StateTensor* s : mine)
            if (s->value.numel() > 0) ASSAY_TRY_VOID(group_.send(nn::hostCopy(s->value).view({-1}).view(at::kByte), 0));  // written by the host of rank 0
        return NamedTensors{};
    }
    struct Whole {
        std::string name;
        at::Tensor value;
        bool average;
        size_t parameter, order;
    };
    std::vector<Whole> all;
    for (int r = 0; r < group_.world(); ++r) {
        ASSAY_TRY(const auto described, read(texts[static_cast<size_t>(r)]));
        for (const StatePart& s : described) {
            const ParameterPart& part = parts_[s.part];
            const nn::Parameter& p = parameters_[part.parameter];
            const int64_t elements = product(s.shape);
            auto known = std::find_if(all.begin(), all.end(), [&](const Whole& w) { return w.name == s.name; });
            const bool complete = part.begin == 0 && part.end == p.value.numel();
            Span span{0, elements};
            if (!complete) {
                ASSAY_TRY(span, spanOf(s.name, elements, part, p.value.numel()));
            }
            if (known == all.end()) {
                const std::vector<int64_t> shape = complete ? s.shape : span.total == p.value.numel() ? p.value.sizes().vec() : std::vector<int64_t>{span.total};
                all.push_back({s.name, at::empty(shape, at::TensorOptions().dtype(s.type)), s.name.ends_with(".ema"), part.parameter, s.order});
                known = all.end() - 1;
            }
            at::Tensor target = known->value.view({-1}).narrow(0, span.begin, elements);
            if (elements == 0) continue;
            if (r == 0) target.copy_(mine[s.order]->value.view({-1}));
            else ASSAY_TRY_VOID(group_.receive(target.view(at::kByte), r));
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const Whole& a, const Whole& b) {
        if (a.average != b.average) return b.average;
        return a.parameter != b.parameter ? a.parameter < b.parameter : a.order < b.order;
    });
    NamedTensors out;
    for (Whole& w : all) out.emplace_back(w.name, w.value);
    return out;
}

Result<void> DataParallel::restore(const CheckpointTensors& file, const std::vector<const StateTensor*>& mine) const {
    for (const StateTensor* s : mine) {
        if (!options_.shard) {
            ASSAY_TRY_VOID(copyEntry(file, s->name, s->value));
            continue;
        }
        const ParameterPart& part = parts_[mine_[ownedOf(s->name)]];
        const int64_t whole = parameters_[part.parameter].value.numel();
        if (part.begin == 0 && part.end == whole) {
            ASSAY_TRY_VOID(copyEntry(file, s->name, s->value));
            continue;
        }
        ASSAY_TRY(const Span span, spanOf(s->name, s->value.numel(), part, whole));
        ASSAY_TRY_VOID(copyEntryPart(file, s->name, s->value, span.begin, span.total));
    }
    return {};
}

}  // namespace assay::train
