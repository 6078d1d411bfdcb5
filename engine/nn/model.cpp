#include "assay/nn/model.h"

#include <assay/torch.h>

#include <algorithm>
#include <utility>

#include <assay/core/hash.h>
#include <assay/core/random.h>

#include "assay/nn/layers.h"
#include "assay/nn/linear_cross_entropy.h"
#include "assay/nn/routing.h"
#include "checkpointing/offload.h"
#include "checkpointing/recompute.h"
#include "layers/tied_embedding.h"

namespace assay::nn {
namespace {

bool endsWithPart(std::string_view name, std::string_view suffix) {  // whole dotted parts only
    return name.ends_with(suffix) && (name.size() == suffix.size() || name[name.size() - suffix.size() - 1] == '.');
}

}  // namespace

Model::Model(const model::ModelConfig& config, const ModelOptions& options)
    : config_(config), first_(options.layers.first), last_(options.layers.last < 0 ? config.layers : options.layers.last), device_(options.device) {
    for (model::ParameterInfo& info : model::parametersOf(config)) {
        bool held = info.layer >= 0 ? info.layer >= first_ && info.layer < last_ : false;
        if (info.layer < 0) {
            const bool embedding = info.role == model::Role::kEmbedding || info.role == model::Role::kPositionEmbedding;
            const bool tiedHead = info.role == model::Role::kEmbedding && config.tieEmbeddings;
            held = embedding ? holdsEmbedding() || (tiedHead && holdsHead()) : holdsHead();
        }
        if (!held) continue;
        at::Tensor value = at::empty(info.shape, at::TensorOptions(options.device).dtype(options.dtype));
        value.requires_grad_();
        if (info.role == model::Role::kEmbedding) embedding_ = value;
        if (info.role == model::Role::kHead) head_ = value;
        parameters_.push_back({std::move(info), value});
    }
}

const Parameter* Model::find(std::string_view name) const {
    for (const Parameter& p : parameters_)
        if (p.info.name == name) return &p;
    return nullptr;
}

bool Model::holds(std::string_view suffix) const {
    return std::any_of(parameters_.begin(), parameters_.end(), [&](const Parameter& p) { return p.info.layer < 0 && endsWithPart(p.info.name, suffix); });
}

const at::Tensor& Model::outside(std::string_view suffix) const {
    for (const Parameter& p : parameters_)
        if (p.info.layer < 0 && endsWithPart(p.info.name, suffix)) return p.value;
    ASSAY_CHECK(false, "the family's description has no parameter " + std::string(suffix));
}

const at::Tensor& Model::inLayer(int64_t layer, std::string_view suffix) const {
    for (const Parameter& p : parameters_)
        if (p.info.layer == layer && endsWithPart(p.info.name, suffix)) return p.value;
    ASSAY_CHECK(false, "the family's description has no parameter " + std::string(suffix) + " in layer " + std::to_string(layer));
}

at::Tensor Model::head() const {
    ASSAY_CHECK(holdsHead(), "this part of the model has no head");
    if (tiedHead_.defined()) return std::exchange(tiedHead_, {});
    return head_.defined() ? head_ : embedding_;
}

at::Tensor Model::lookUp(const at::Tensor& ids) const {
    tiedHead_.reset();
    if (head_.defined() || !holdsHead() || !at::GradMode::is_enabled() || !embedding_.requires_grad()) return at::embedding(embedding_, ids);
    TiedRows tied = tiedEmbedding(embedding_, ids);
    tiedHead_ = std::move(tied.head);
    return tied.rows;
}

at::Tensor Model::hidden(const Inputs& inputs) const {
    Batch batch;
    const at::Tensor& shape = inputs.hidden.defined() ? inputs.hidden : inputs.ids;
    batch.rows = shape.size(0);
    batch.columns = shape.size(1);
    batch.positions = inputs.positions;
    batch.positionsEnd = inputs.positionsEnd;
    batch.training = training_;
    const at::ScalarType dtype = parameters_.front().value.scalar_type();
    makeMasks(inputs, batch, dtype);
    if (config_.experts > 0) {
        batch.routing = inputs.routing.defined() ? inputs.routing : routingTable(last_ - first_, config_.experts);
        batch.balance = inputs.balance * config_.routerAuxCoef;
        if (inputs.counted.defined()) batch.counted = inputs.counted.flatten();
    }
    at::Tensor x = holdsEmbedding() ? embed(inputs.ids, batch) : inputs.hidden.reshape({batch.rows * batch.columns, config_.hidden});
    prepare(batch, x.scalar_type());
    x = runLayers(std::move(x), batch);
    return holdsHead() ? finalNorm(x) : x;
}

void Model::makeMasks(const Inputs& inputs, Batch& batch, at::ScalarType type) const {
    bool whole = false;
    int64_t window = 0;
    for (int64_t l = first_; l < last_; ++l) {
        const int64_t w = model::windowOf(config_, l);
        if (w > 0 && w < batch.columns) window = w;
        else whole = true;
    }
    if (inputs.segments.defined() && whole) batch.mask = causalMask(inputs.segments, type);
    if (window > 0)
        batch.windowMask = inputs.segments.defined() ? causalMask(inputs.segments, type, window) : windowMask(batch.columns, window, parameters_.front().value.options().dtype(type));
}

const at::Tensor& Model::maskOf(int64_t layer, const Batch& batch) const {
    const int64_t window = model::windowOf(config_, layer);
    return window > 0 && window < batch.columns ? batch.windowMask : batch.mask;
}

void Model::setCheckpointing(const Checkpointing& checkpointing) {
    checkpointing_ = checkpointing;
    if (checkpointing.kind != Checkpointing::Kind::kOffload || lane_) return;
    TORCH_CHECK(!device_.is_cpu(), "activations of a model on the CPU are in the host's memory already");
    lane_ = std::make_shared<OffloadLane>(device_);
}

const OffloadTally* Model::offloaded() const { return lane_ ? &lane_->tally : nullptr; }

at::Tensor Model::runLayers(at::Tensor x, const Batch& batch) const {
    using Kind = Checkpointing::Kind;
    const Kind kind = at::GradMode::is_enabled() ? checkpointing_.kind : Kind::kNone;
    std::optional<Offload> offload;
    if (kind == Kind::kOffload) {
        std::vector<at::Tensor> stays{batch.mask, batch.windowMask, batch.cosine, batch.sine};
        for (const Parameter& p : parameters_) stays.push_back(p.value);
        offload.emplace(lane_, stays);
    }
    const int64_t together = kind == Kind::kGroups ? std::max<int64_t>(1, checkpointing_.layers) : 1;
    for (int64_t first = first_; first < last_; first += together) {
        const int64_t last = std::min(first + together, last_);
        if (kind == Kind::kGroups) {
            auto group = [this, first, last, batch](const std::vector<at::Tensor>& inputs) {
                at::Tensor y = inputs.front();
                for (int64_t l = first; l < last; ++l) y = runLayer(l, std::move(y), batch);
                return y;
            };
            x = checkpointed({std::move(x)}, batch.training && config_.dropout > 0, std::move(group));
        } else if (kind == Kind::kSelective) {
            const SelectiveScope scope;
            x = runLayer(first, std::move(x), batch);
        } else if (kind == Kind::kOffload) {
            const Offload::Layer scope(*offload, last == last_);
            x = runLayer(first, std::move(x), batch);
        } else {
            x = runLayer(first, std::move(x), batch);
        }
    }
    return x;
}

at::Tensor Model::logits(const Inputs& inputs) const {
    const at::Tensor x = hidden(inputs);
    const at::Tensor& shape = inputs.hidden.defined() ? inputs.hidden : inputs.ids;
    return at::linear(x, head()).view({shape.size(0), shape.size(1), config_.vocab});
}

at::Tensor Model::loss(const Inputs& inputs, const at::Tensor& labels, double scale) const {
    return linearCrossEntropy(hidden(inputs), head(), labels.flatten(), scale);
}

void Model::initialize(uint64_t seed) {
    at::NoGradGuard noGrad;
    for (Parameter& p : parameters_) {
        if (p.info.role == model::Role::kNorm && p.info.name.ends_with("weight")) {
            p.value.fill_(1);
            continue;
        }
        const double deviation = p.info.role == model::Role::kNorm ? 0 : initialDeviation(p.info);
        if (deviation == 0) {
            p.value.zero_();
            continue;
        }
        at::Generator generator = at::detail::createCPUGenerator(mixBits(seed, xxh3(p.info.name)));
        // Drawn on the host and in fp32 whatever the model's device and precision, so that all start from the same numbers.
        p.value.copy_(at::empty(p.value.sizes(), at::kFloat).normal_(0, deviation, generator));
    }
}

Result<void> Model::load(const model::ModelFile& file, int threads) {
    at::NoGradGuard noGrad;
    for (Parameter& p : parameters_) {
        const model::TensorView* view = file.find(p.info.name);
        if (!view) return fail(ErrorCode::kInvalidFile, file.path() + " has no tensor " + p.info.name);
        if (view->shape != p.info.shape) return fail(ErrorCode::kInvalidFile, file.path() + ": tensor " + p.info.name + " has another shape than the model");
        at::Tensor target = p.value.scalar_type() == at::kFloat && device_.is_cpu() ? p.value : at::empty(p.value.sizes(), at::kFloat);
        ASSAY_TRY_VOID(file.readF32(*view, target.data_ptr<float>(), threads));
        if (!target.is_same(p.value)) p.value.copy_(target);
    }
    return {};
}

}  // namespace assay::nn
