// Layers, losses and updates by the code that trains: what is fused there is fused here.
#include <assay/torch.h>

#include <assay/nn/linear_cross_entropy.h>
#include <assay/nn/model.h>

#include "assay/train/autocast.h"
#include "assay/train/optimizer.h"
#include "measurements.h"

namespace assay::train::calibrate {
namespace {

struct ModelShape {
    int64_t rows, columns, hidden, heads;
};
constexpr int64_t kLayers = 2, kVocabulary = 64;

std::vector<nn::Parameter> parametersFor(int64_t tensors, int64_t rows, int64_t columns, at::ScalarType type) {
    std::vector<nn::Parameter> out;
    for (int64_t i = 0; i < tensors; ++i) {
        nn::Parameter p;
        p.info.name = "layer." + std::to_string(i) + ".weight";
        p.info.shape = {rows, columns};
        p.info.decay = true;
        p.value = at::full({rows, columns}, 0.02, at::TensorOptions().dtype(type)).requires_grad_();
        p.value.mutable_grad() = at::full({rows, columns}, 1e-3, at::TensorOptions().dtype(type));
        out.push_back(std::move(p));
    }
    return out;
}

}  // namespace

Json layers(const Budget& budget, at::ScalarType weights, at::ScalarType compute, double dropout) {
    Json out = Json::array();
    double last = 0;  // seconds for a position and unit of the width
    for (const ModelShape& s : {ModelShape{2, 32, 64, 2}, ModelShape{8, 64, 128, 4}, ModelShape{64, 64, 64, 2}})
        for (const char* family : {"gpt2", "llama"}) {
            const double work = static_cast<double>(s.rows * s.columns * s.hidden);
            if (!budget.allows(2 * last * work)) continue;
            const auto described = model::describe(family, kLayers, s.hidden, s.heads, s.heads, 0, s.columns, kVocabulary, true, dropout);
            if (!described) continue;
            auto made = nn::createModel(*described, {.dtype = weights});
            if (!made) continue;
            nn::Model& model = **made;
            model.initialize(1);
            model.setTraining(true);
            nn::Inputs inputs;
            inputs.ids = at::arange(s.rows * s.columns, at::kLong).remainder_(kVocabulary).view({s.rows, s.columns});
            const auto forward = [&] {
                if (weights == compute) return model.hidden(inputs);
                const AutocastGuard region(compute);
                return model.hidden(inputs);
            };
            const at::Tensor gradient = at::full({s.rows * s.columns, s.hidden}, 1e-3, forward().options());
            const Budget::Two took = budget.best(
                [&] {
                    for (const nn::Parameter& p : model.parameters()) at::Tensor(p.value).mutable_grad().reset();
                    return forward();
                },
                [&](at::Tensor& y) { y.backward(gradient); }, 3);
            last = took.sum() / work;
            out.push_back({{"family", family}, {"rows", s.rows}, {"columns", s.columns}, {"hidden", s.hidden}, {"heads", s.heads}, {"ffn", described->ffn}, {"layers", kLayers}, {"vocab", kVocabulary},
                           {"dropout", dropout}, {"forward", took.first}, {"backward", took.second}});
        }
    return out;
}

Json losses(const Budget& budget, at::ScalarType type) {
    struct LossShape {
        int64_t rows, hidden, vocab;
    };
    Json out = Json::array();
    double last = 0;
    for (const LossShape& s : {LossShape{256, 64, 64}, LossShape{1024, 64, 512}, LossShape{384, 64, 8192}}) {
        const double work = static_cast<double>(s.rows * s.vocab);
        if (!budget.allows(2 * last * work)) break;
        const auto options = at::TensorOptions().dtype(type);
        const at::Tensor hidden = at::full({s.rows, s.hidden}, 0.1, options).requires_grad_(), head = at::full({s.vocab, s.hidden}, 0.02, options).requires_grad_();
        const at::Tensor labels = at::arange(s.rows, at::kLong).remainder_(s.vocab);
        const double seconds = budget.best([&] { nn::linearCrossEntropy(hidden, head, labels, 1.0 / static_cast<double>(s.rows)); }, 2);
        last = seconds / work;
        out.push_back({{"rows", s.rows}, {"hidden", s.hidden}, {"vocab", s.vocab}, {"seconds", seconds}});
    }
    return out;
}

Json optimizers(const Budget& budget, bool half) {
    Json out = Json::array();
    struct Set {
        int64_t tensors, rows, columns;
    };
    double last = 0;  // seconds an element
    for (const Set& set : {Set{16, 8, 8}, Set{8, 64, 128}, Set{3, 512, 1024}, Set{6, 1024, 1024}}) {  // calls, within the caches, beyond them
        const int64_t elements = set.tensors * set.rows * set.columns;
        const auto measure = [&](std::string_view name, const char* rounding) {
            if (!budget.allows(2 * last * static_cast<double>(elements))) return;
            const bool narrow = rounding != std::string_view("none");
            const std::vector<nn::Parameter> parameters = parametersFor(set.tensors, set.rows, set.columns, narrow ? at::kBFloat16 : at::kFloat);
            config::OptimizerSpec spec;
            spec.name = name;
            auto made = makeOptimizer(spec, parameters, {.lowPrecision = rounding == std::string_view("stochastic") ? LowPrecision::kStochastic : LowPrecision::kMaster});
            if (!made) return;
            const double seconds = budget.best([&] { (*made)->step(1e-4); }, 2);
            last = seconds / static_cast<double>(elements);
            out.push_back({{"name", name}, {"rounding", rounding}, {"tensors", set.tensors}, {"elements", elements}, {"seconds", seconds}});
        };
        const std::vector<nn::Parameter> parameters = parametersFor(set.tensors, set.rows, set.columns, at::kFloat);
        const auto shared = [&](const char* name, double seconds) { out.push_back({{"name", name}, {"rounding", "none"}, {"tensors", set.tensors}, {"elements", elements}, {"seconds", seconds}}); };
        shared("gradient_norm", budget.best([&] { gradientNorm(parameters); }, 2));
        shared("clipping", budget.best([&] { clipGradients(parameters, 2, 1.999); }, 2));
        for (const std::string_view name : optimizerNames()) measure(name, "none");
        if (half) {  // of the others by the difference to adamw
            measure("adamw", "master");
            measure("adamw", "stochastic");
        }
    }
    return out;
}

}  // namespace assay::train::calibrate
