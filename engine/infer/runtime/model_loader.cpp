// Reads a model file tensor by tensor into the chosen scheme. At most one tensor is in memory in fp32 beside its packed form.
#include <assay/infer/inference_model.h>

#include "runtime/keep_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace assay::infer {

using model::ParameterInfo;
using model::Role;

class ModelLoader {
public:
    ModelLoader(const model::ModelFile& file, const LoadOptions& options, ThreadPool& pool)
        : file_(file), options_(options), pool_(pool) {}

    Result<ModelPtr> run();

private:
    Result<void> chooseScheme();
    Result<void> readWeight(const ParameterInfo& parameter);
    Result<void> readPlain(const ParameterInfo& parameter);
    Result<SchemePtr> schemeFor(const ParameterInfo& parameter);
    Result<void> assemble();
    const model::QuantizedTensorInfo* recorded(const std::string& name) const;
    Result<Linear> linear(const std::string& name) const;
    Norm norm(const std::string& name) const;

    const model::ModelFile& file_;
    const LoadOptions& options_;
    ThreadPool& pool_;
    KeepList keep_;
    std::shared_ptr<InferenceModel> model_{new InferenceModel};
    SchemePtr scheme_;
    bool quantizedFile_ = false, native_ = false;
    model::QuantizationRecord record_;
    std::vector<float> floats_, turned_;
};

const model::QuantizedTensorInfo* ModelLoader::recorded(const std::string& name) const {
    for (const auto& layer : record_.layers)
        if (layer.name == name) return &layer;
    return nullptr;
}

Result<void> ModelLoader::chooseScheme() {
    if (file_.metadata().is_object() && file_.metadata().contains("quantization")) {
        quantizedFile_ = true;
        ASSAY_TRY(record_, model::recordFromJson(file_.metadata()["quantization"]));
    }
    const auto& source = file_.config().sourcePrecision;
    model_->basePrecision_ = quantizedFile_ ? record_.basePrecision : source.empty() ? "fp32" : "dequantized " + source;
    native_ = quantizedFile_ && (options_.scheme == "native" || options_.scheme == record_.scheme);
    if (native_) {
        model_->scheme_ = model_->precision_ = record_.scheme;
        return {};
    }
    ASSAY_TRY(scheme_, findScheme(options_.scheme == "native" ? "fp32" : options_.scheme));
    if (quantizedFile_ && !scheme_->fullPrecision())
        return fail(ErrorCode::kUnsupported,
                    fmt::format("{} is quantized already ({}); it is not quantized again to {}", file_.path(), record_.scheme,
                                scheme_->name()),
                    "Quantize the full-precision model that it was made from.");
    model_->scheme_ = scheme_->name();
    model_->precision_ = !scheme_->fullPrecision() ? scheme_->name()
                         : quantizedFile_          ? "dequantized " + record_.scheme
                                                   : model_->basePrecision_;
    return {};
}

Result<SchemePtr> ModelLoader::schemeFor(const ParameterInfo& parameter) {
    if (native_) {
        const auto* layer = recorded(parameter.name);
        return findScheme(layer != nullptr ? layer->scheme : "fp32");
    }
    const bool kept = keep_.matches(parameter, file_.config().tieEmbeddings);
    // fp16 is high precision itself: a kept weight of that scheme stays as it is.
    if (kept && scheme_->name() != "fp16") return findScheme("fp32");
    const bool table = parameter.role == Role::kEmbedding || parameter.role == Role::kHead;
    return table ? findScheme(scheme_->embeddingScheme()) : Result<SchemePtr>(scheme_);
}

Result<void> ModelLoader::readWeight(const ParameterInfo& parameter) {
    // GPT-2 keeps [in, out]; everything here is [out, in].
    const bool transposed = file_.config().family == "gpt2" && (parameter.role == Role::kAttention || parameter.role == Role::kMlp);
    const int64_t rows = parameter.shape[transposed ? 1 : 0], columns = parameter.shape[transposed ? 0 : 1];
    ASSAY_TRY(auto scheme, schemeFor(parameter));
    const auto* stored = quantizedFile_ ? recorded(parameter.name) : nullptr;
    InferenceModel::Named named{parameter.name, nullptr, scheme->name(), transposed};
    double error = 0;
    SchemePtr held;
    if (stored != nullptr) {
        ASSAY_TRY(held, findScheme(stored->scheme));
        error = stored->relativeError;
    }
    if (held && !held->storedAsFloats()) {
        const StoredLookup lookup = [&](std::string_view suffix) {
            const auto* view = file_.find(parameter.name + std::string(suffix));
            return view != nullptr ? view->bytes : std::string_view();
        };
        ASSAY_TRY(named.weight, held->fromStored(rows, columns, lookup, parameter.name));
        if (!native_) {
            floats_.resize(rows * columns);
            pool_.parallelFor(rows, [&](int64_t r, int) { named.weight->readRow(r, floats_.data() + r * columns); });
            ASSAY_TRY(named.weight, scheme->fromFloat(floats_.data(), rows, columns, parameter.name, pool_));
        }
    } else {
        const auto* view = file_.find(parameter.name);
        if (view == nullptr) return fail(ErrorCode::kInvalidFile, fmt::format("{}: tensor {} is missing", file_.path(), parameter.name));
        floats_.resize(rows * columns);
        ASSAY_TRY_VOID(file_.readF32(*view, floats_.data(), pool_.threads()));
        if (transposed) {
            turned_.resize(floats_.size());
            pool_.parallelFor(rows, [&](int64_t r, int) {
                for (int64_t c = 0; c < columns; ++c) turned_[r * columns + c] = floats_[c * rows + r];
            });
            floats_.swap(turned_);
        }
        ASSAY_TRY(named.weight, scheme->fromFloat(floats_.data(), rows, columns, parameter.name, pool_));
        if (options_.measureError && !scheme->fullPrecision()) error = relativeError(*named.weight, floats_.data(), pool_);
    }
    model_->layersInfo_.push_back({parameter.name, scheme->name(), parameter.shape, error});
    model_->named_.push_back(std::move(named));
    return {};
}

Result<void> ModelLoader::readPlain(const ParameterInfo& parameter) {
    const auto* view = file_.find(parameter.name);
    if (view == nullptr) return fail(ErrorCode::kInvalidFile, fmt::format("{}: tensor {} is missing", file_.path(), parameter.name));
    int64_t count = 1;
    for (const int64_t n : parameter.shape) count *= n;
    ASSAY_TRY(auto buffer, Buffer::allocate(count * 4));
    ASSAY_TRY_VOID(file_.readF32(*view, buffer.as<float>(), pool_.threads()));
    model_->plain_.emplace(parameter.name, buffer);
    model_->plainShape_.emplace(parameter.name, parameter.shape);
    return {};
}

Result<Linear> ModelLoader::linear(const std::string& name) const {
    Linear out;
    for (const auto& named : model_->named_)
        if (named.name == name + ".weight") out.weight = named.weight;
    if (!out.weight) return fail(ErrorCode::kInternal, fmt::format("the family does not name {}.weight", name));
    if (const auto bias = model_->plain_.find(name + ".bias"); bias != model_->plain_.end()) out.bias = bias->second;
    return out;
}

Norm ModelLoader::norm(const std::string& name) const {
    Norm out;
    if (const auto weight = model_->plain_.find(name + ".weight"); weight != model_->plain_.end()) out.weight = weight->second;
    if (const auto bias = model_->plain_.find(name + ".bias"); bias != model_->plain_.end()) out.bias = bias->second;
    return out;
}

// Where the parts of a family are; the one place besides session.cpp that knows families.
Result<void> ModelLoader::assemble() {
    auto& m = *model_;
    const auto& config = m.config_;
    const bool mixture = config.experts > 0, llama = config.family == "llama" || config.family == "mixtral";
    if (!llama && config.family != "gpt2")
        return fail(ErrorCode::kUnsupported, fmt::format("inference for the family '{}' is not there yet", config.family));
    m.rms_ = llama;
    ASSAY_TRY(auto embedding, linear(llama ? "model.embed_tokens" : "transformer.wte"));
    m.embedding_ = embedding.weight;
    m.head_ = m.embedding_;
    if (!config.tieEmbeddings) {
        ASSAY_TRY(auto head, linear("lm_head"));
        m.head_ = head.weight;
    }
    if (!llama) m.positions_ = m.plain_.at("transformer.wpe.weight");
    m.finalNorm_ = norm(llama ? "model.norm" : "transformer.ln_f");
    for (int64_t i = 0; i < config.layers; ++i) {
        LayerWeights layer;
        const auto p = fmt::format("{}.{}.", llama ? "model.layers" : "transformer.h", i);
        layer.attentionNorm = norm(p + (llama ? "input_layernorm" : "ln_1"));
        layer.mlpNorm = norm(p + (llama ? "post_attention_layernorm" : "ln_2"));
        const std::vector<std::string> input = llama ? std::vector<std::string>{"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"}
                                                     : std::vector<std::string>{"attn.c_attn"};
        const std::vector<std::string> up = llama ? std::vector<std::string>{"mlp.gate_proj", "mlp.up_proj"}
                                                  : std::vector<std::string>{"mlp.c_fc"};
        for (const auto& name : input) {
            ASSAY_TRY(auto part, linear(p + name));
            layer.input.push_back(std::move(part));
        }
        ASSAY_TRY(layer.output, linear(p + (llama ? "self_attn.o_proj" : "attn.c_proj")));
        if (config.queryKeyNorm) {
            layer.queryNorm = norm(p + "self_attn.q_norm");
            layer.keyNorm = norm(p + "self_attn.k_norm");
        }
        if (mixture) {
            layer.router = m.plain_.at(p + "block_sparse_moe.gate.weight");
            for (int64_t e = 0; e < config.experts; ++e) {
                const auto prefix = fmt::format("{}block_sparse_moe.experts.{}.", p, e);
                Expert expert;
                ASSAY_TRY(expert.gate, linear(prefix + "w1"));
                ASSAY_TRY(expert.down, linear(prefix + "w2"));
                ASSAY_TRY(expert.up, linear(prefix + "w3"));
                layer.experts.push_back(std::move(expert));
            }
            m.layers_.push_back(std::move(layer));
            continue;
        }
        for (const auto& name : up) {
            ASSAY_TRY(auto part, linear(p + name));
            layer.up.push_back(std::move(part));
        }
        ASSAY_TRY(layer.down, linear(p + (llama ? "mlp.down_proj" : "mlp.c_proj")));
        m.layers_.push_back(std::move(layer));
    }
    return {};
}

Result<ModelPtr> ModelLoader::run() {
    MemoryCounter counter;
    model_->config_ = file_.config();
    ASSAY_TRY_VOID(chooseScheme());
    ASSAY_TRY(keep_, KeepList::compile(options_.keep));
    const auto parameters = model::parametersOf(file_.config());
    ProgressMeter meter(options_.progress ? options_.progress : ProgressSink([](const Progress&) {}),
                        scheme_ && !scheme_->fullPrecision() ? "quantizing " + scheme_->name() : "loading", "tensors",
                        double(parameters.size()));
    double done = 0;
    for (const auto& parameter : parameters) {
        if (options_.stop.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled while loading the model");
        const bool matrix = parameter.linearWeight || parameter.role == Role::kEmbedding || parameter.role == Role::kHead;
        ASSAY_TRY_VOID(matrix ? readWeight(parameter) : readPlain(parameter));
        meter.update(++done);
    }
    meter.finish();
    if (!native_) ASSAY_TRY_VOID(keep_.requireAllUsed());
    floats_ = {};
    turned_ = {};
    ASSAY_TRY_VOID(assemble());
    model_->residentBytes_ = counter.liveBytes();
    for (const auto& named : model_->named_) {
        ASSAY_TRY(auto scheme, findScheme(named.scheme));
        model_->storedBytes_ += scheme->storedBytes(named.weight->rows(), named.weight->columns());
    }
    for (const auto& [name, buffer] : model_->plain_) model_->storedBytes_ += buffer.bytes();
    return ModelPtr(model_);
}

Result<ModelPtr> InferenceModel::load(const model::ModelFile& file, const LoadOptions& options, ThreadPool& pool) {
    return ModelLoader(file, options, pool).run();
}

double InferenceModel::bitsPerWeight() const {
    return double(storedBytes_) * 8 / double(model::parameterCount(config_));
}

}  // namespace assay::infer
