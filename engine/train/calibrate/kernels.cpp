// Products, attention, single passes over memory.
#include <assay/torch.h>

#include <map>
#include <string_view>

#include <assay/nn/layer_parts.h>
#include <assay/nn/layers.h>

#include "assay/train/optimizer.h"
#include "measurements.h"

namespace assay::train::calibrate {
namespace {

struct Shape {
    int64_t m, n, k;
    double flops() const { return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k); }
};

at::Tensor filled(at::IntArrayRef sizes, at::ScalarType type, double value = 0.5) { return at::full(sizes, value, at::TensorOptions().dtype(type)); }

}  // namespace

Json products(const Budget& budget, at::ScalarType type) {
    const at::NoGradGuard noGrad;
    constexpr int64_t kSides[] = {16, 64, 192, 512, 1152}, kVocabulary = 8192;
    std::vector<Shape> shapes;
    for (const int64_t m : kSides)
        for (const int64_t n : kSides)
            for (const int64_t k : kSides) shapes.push_back({m, n, k});
    for (const int64_t hidden : {64, 192})  // a loss: logits, and the gradients of hidden states and of the head
        for (const Shape& s : {Shape{512, kVocabulary, hidden}, Shape{512, hidden, kVocabulary}, Shape{kVocabulary, hidden, 512}}) shapes.push_back(s);
    std::stable_sort(shapes.begin(), shapes.end(), [](const Shape& a, const Shape& b) { return a.flops() < b.flops(); });
    Json out = Json::array();
    double rate = 1e9;
    for (const Shape& s : shapes) {
        if (!budget.allows(2 * s.flops() / rate)) break;
        const at::Tensor a = filled({s.m, s.k}, type), b = filled({s.k, s.n}, type, 0.01);
        // Of the numbers that blocks take, their own product; elsewhere LibTorch's.
        const double seconds = budget.best([&] { type == at::kFloat ? nn::layerProduct(a, b) : at::mm(a, b); }, 2);
        rate = s.flops() / seconds;
        out.push_back({{"m", s.m}, {"n", s.n}, {"k", s.k}, {"seconds", seconds}});
    }
    return out;
}

Json attention(const Budget& budget, at::ScalarType type) {
    Json out = Json::array();
    std::map<std::string_view, double> last;  // seconds for heads · columns² · width, by kind
    for (const int64_t columns : {32, 128, 512})
        for (const int64_t width : {16, 64, 128})
            for (const std::string_view kind : {"causal", "masked", "dropout"}) {
                const int64_t heads = 2 * 512 / columns;  // some work in one call, as a batch is
                const double work = static_cast<double>(heads * columns * columns * (width + 16));
                if (!budget.allows(2 * last[kind] * work)) continue;
                // As layers hand them over: heads lie behind positions.
                std::vector<at::Tensor> qkv;
                for (int i = 0; i < 3; ++i) qkv.push_back(filled({1, columns, heads, width}, type, 0.1).requires_grad_());
                at::Tensor mask;
                if (kind == "masked") mask = nn::causalMask(at::zeros({1, columns}, at::kLong), type);
                const at::Tensor gradient = filled({columns, heads * width}, type, 0.1);
                const auto add = [&](const Budget::Two& took) {
                    last[kind] = took.sum() / work;
                    out.push_back({{"columns", columns}, {"width", width}, {"heads", heads}, {"kind", kind}, {"forward", took.first}, {"backward", took.second}});
                };
                if (type == at::kFloat && kind != "dropout") {  // as blocks do it
                    const at::NoGradGuard noGrad;
                    const auto flat = [&](const at::Tensor& x) { return x.detach().view({columns, heads * width}); };
                    nn::LayerAttention own(flat(qkv[0]), flat(qkv[1]), flat(qkv[2]), mask, heads);
                    add(budget.best([&] { own.forward(); return 0; }, [&](int) { own.backward(gradient); }, 2));
                    continue;
                }
                const auto forward = [&] {
                    for (at::Tensor& t : qkv) t.mutable_grad().reset();
                    return nn::causalAttention(qkv[0].transpose(1, 2), qkv[1].transpose(1, 2), qkv[2].transpose(1, 2), mask, kind == "dropout" ? 0.1 : 0);
                };
                add(budget.best(forward, [&](at::Tensor& y) { y.backward(gradient); }, 2));
            }
    return out;
}

Json passes(const Budget& budget) {
    Json out = Json::array();
    const auto add = [&](const char* name, int64_t elements, double seconds) { out.push_back({{"name", name}, {"elements", elements}, {"seconds", seconds}}); };
    {
        const at::NoGradGuard noGrad;
        constexpr int64_t kLarge = int64_t{20} << 20;  // 80 MiB: more than caches hold
        at::Tensor large = filled({kLarge}, at::kFloat);
        add("memory", kLarge, budget.best([&] { large.mul_(0.5); }));
        add("fresh_memory", kLarge, budget.best([&] { filled({kLarge}, at::kFloat); }));
        const at::Tensor segments = at::zeros({2, 256}, at::kLong);
        add("mask", 2 * 256 * 256, budget.best([&] { nn::causalMask(segments, at::kFloat); }));
    }
    const at::Tensor x = filled({1 << 18}, at::kFloat).requires_grad_(), gradient = filled({1 << 18}, at::kFloat);
    add("dropout", 1 << 18, budget.best([&] {
        x.mutable_grad().reset();
        nn::applyDropout(x, 0.1, true).backward(gradient);
    }));
    return out;
}

}  // namespace assay::train::calibrate
