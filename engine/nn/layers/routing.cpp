#include "layers/routing.h"

#include <assay/torch.h>

#include <algorithm>
#include <cmath>

#include "assay/nn/routing.h"

namespace assay::nn {
namespace {

template <typename F>
void forType(const at::Tensor& x, F run) {
    if (x.scalar_type() == at::kDouble) run(double{});
    else run(float{});
}

constexpr int64_t kRowGrain = 64;

// Softmax of a row in place and its k largest, in order.
template <typename T>
void routeRow(T* p, int64_t experts, int64_t perToken, int32_t* chosen, T* weights) {
    const T largest = *std::max_element(p, p + experts);
    T sum = 0;
    for (int64_t e = 0; e < experts; ++e) sum += p[e] = std::exp(p[e] - largest);
    for (int64_t e = 0; e < experts; ++e) p[e] /= sum;
    T taken = 0;
    for (int64_t s = 0; s < perToken; ++s) {
        int64_t best = -1;
        for (int64_t e = 0; e < experts; ++e)
            if (std::find(chosen, chosen + s, static_cast<int32_t>(e)) == chosen + s && (best < 0 || p[e] > p[best])) best = e;
        chosen[s] = static_cast<int32_t>(best);
        taken += weights[s] = p[best];
    }
    for (int64_t s = 0; s < perToken; ++s) weights[s] /= taken;
}

}  // namespace

at::Tensor routingTable(int64_t layers, int64_t experts) { return at::zeros({layers, 2, experts}, at::kDouble); }

double loadBalanceLoss(const at::Tensor& routing, int64_t perToken) {
    const at::Tensor sums = routing.sum(0);  // [2, experts]
    const double tokens = sums[0].sum().item<double>() / static_cast<double>(perToken);
    return tokens > 0 ? static_cast<double>(sums.size(1)) * at::dot(sums[0], sums[1]).item<double>() / (tokens * tokens) : 0;
}

at::Tensor balanceSlopes(const at::Tensor& table, int64_t perToken, double balance) {
    const at::Tensor counts = table.select(1, 0).sum(0);
    const double tokens = counts.sum().item<double>() / static_cast<double>(perToken);
    if (!(tokens > 0)) return at::zeros_like(counts);
    return counts * (balance * static_cast<double>(counts.size(0)) / (tokens * tokens));
}

void noteRouting(const at::Tensor& table, int64_t layer, const at::Tensor& probabilities, const at::Tensor& chosen, const at::Tensor& counted) {
    at::NoGradGuard noGrad;
    at::Tensor p = probabilities.detach().to(at::kDouble), experts = chosen.to(at::kLong);
    if (counted.defined()) {
        p = p * counted.unsqueeze(1);
        experts = experts.masked_select(counted.unsqueeze(1));
    }
    const int64_t count = table.size(2);
    const at::Tensor tokens = at::bincount(experts.flatten(), {}, count).to(at::kDouble).cpu(), sums = p.sum(0).cpu();
    // By pointer: the table is saved for the backward pass of layers that have run already.
    double* to = table.mutable_data_ptr<double>() + layer * 2 * count;
    std::copy_n(tokens.const_data_ptr<double>(), count, to);
    std::copy_n(sums.const_data_ptr<double>(), count, to + count);
}

Route route(const at::Tensor& logits, int64_t perToken) {
    const int64_t rows = logits.size(0), experts = logits.size(1);
    const auto whole = logits.options().dtype(at::kInt);
    Route out{logits, at::empty({rows, perToken}, whole), at::empty({rows, perToken}, logits.options()), at::empty({rows, perToken}, whole), at::empty({rows * perToken}, whole), {}};
    auto* chosen = out.chosen.mutable_data_ptr<int32_t>();
    forType(logits, [&](auto zero) {
        using T = decltype(zero);
        T *p = logits.mutable_data_ptr<T>(), *w = out.weights.mutable_data_ptr<T>();
        at::parallel_for(0, rows, kRowGrain, [&](int64_t b, int64_t e) {
            for (int64_t r = b; r < e; ++r) routeRow(p + r * experts, experts, perToken, chosen + r * perToken, w + r * perToken);
        });
    });
    // Sorted by expert, then by token: the order of sums does not depend on threads.
    out.first.assign(static_cast<size_t>(experts) + 1, 0);
    for (int64_t i = 0; i < rows * perToken; ++i) ++out.first[static_cast<size_t>(chosen[i]) + 1];
    for (size_t e = 1; e < out.first.size(); ++e) out.first[e] += out.first[e - 1];
    std::vector<int64_t> next(out.first.begin(), out.first.end() - 1);
    auto *places = out.places.mutable_data_ptr<int32_t>(), *source = out.rows.mutable_data_ptr<int32_t>();
    for (int64_t i = 0; i < rows * perToken; ++i) {
        const int64_t place = next[static_cast<size_t>(chosen[i])]++;
        places[i] = static_cast<int32_t>(place);
        source[place] = static_cast<int32_t>(i / perToken);
    }
    return out;
}

at::Tensor gatherRows(const at::Tensor& x, const at::Tensor& rows) {
    const int64_t count = rows.size(0), width = x.size(1), bytes = width * static_cast<int64_t>(x.element_size());
    at::Tensor y = at::empty({count, width}, x.options());
    const auto* from = static_cast<const char*>(x.const_data_ptr());
    auto* to = static_cast<char*>(y.mutable_data_ptr());
    const auto* source = rows.const_data_ptr<int32_t>();
    at::parallel_for(0, count, kRowGrain, [&](int64_t b, int64_t e) {
        for (int64_t i = b; i < e; ++i) std::memcpy(to + i * bytes, from + source[i] * bytes, static_cast<size_t>(bytes));
    });
    return y;
}

at::Tensor mixRows(const at::Tensor& sorted, const Route& route, bool weighted, const at::Tensor& around) {
    const int64_t rows = route.places.size(0), perToken = route.places.size(1), width = sorted.size(1);
    at::Tensor y = at::empty({rows, width}, sorted.options());
    const auto* places = route.places.const_data_ptr<int32_t>();
    forType(sorted, [&](auto zero) {
        using T = decltype(zero);
        const T *from = sorted.const_data_ptr<T>(), *w = route.weights.const_data_ptr<T>(), *pass = around.defined() ? around.const_data_ptr<T>() : nullptr;
        T* to = y.mutable_data_ptr<T>();
        at::parallel_for(0, rows, kRowGrain, [&](int64_t b, int64_t e) {
            for (int64_t r = b; r < e; ++r) {
                T* __restrict out = to + r * width;
                if (pass) std::copy_n(pass + r * width, width, out);
                else std::fill_n(out, width, T(0));
                for (int64_t s = 0; s < perToken; ++s) {
                    const T* __restrict in = from + places[r * perToken + s] * width;
                    const T share = weighted ? w[r * perToken + s] : T(1);
                    for (int64_t i = 0; i < width; ++i) out[i] += share * in[i];
                }
            }
        });
    });
    return y;
}

at::Tensor shareRows(const Route& route, const at::Tensor& a, const at::Tensor& b, const at::Tensor& c, const at::Tensor& up) {
    const int64_t choices = route.rows.size(0), width = a.size(1);
    at::Tensor gradient = at::empty_like(route.weights);
    const auto* places = route.places.const_data_ptr<int32_t>();
    forType(a, [&](auto zero) {
        using T = decltype(zero);
        const T *w = route.weights.const_data_ptr<T>(), *u = up.const_data_ptr<T>();
        T *one = a.mutable_data_ptr<T>(), *two = b.mutable_data_ptr<T>(), *three = c.mutable_data_ptr<T>(), *g = gradient.mutable_data_ptr<T>();
        at::parallel_for(0, choices, kRowGrain, [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) {
                const int64_t at = places[i] * width;
                T *__restrict p = one + at, *__restrict q = two + at, *__restrict r = three + at;
                const T *__restrict v = u + at, share = w[i];
                T sum = 0;
#pragma omp simd reduction(+ : sum)
                for (int64_t k = 0; k < width; ++k) {
                    sum += q[k] * v[k];
                    p[k] *= share;
                    q[k] *= share;
                    r[k] *= share;
                }
                g[i] = sum;
            }
        });
    });
    return gradient;
}

// Of shares w = p / Σ p over the chosen: ∂p = (∂w − Σ ∂w·w) / Σ p; of the softmax: ∂logit = p·(∂p − Σ ∂p·p).
at::Tensor routeBackward(const Route& route, const at::Tensor& shareGradient, const at::Tensor& slopes, const at::Tensor& counted) {
    const int64_t rows = route.chosen.size(0), perToken = route.chosen.size(1), experts = route.probabilities.size(1);
    at::Tensor gradient = at::empty_like(route.probabilities);
    const auto* chosen = route.chosen.const_data_ptr<int32_t>();
    const double* balance = slopes.defined() ? slopes.const_data_ptr<double>() : nullptr;
    const bool* counts = counted.defined() ? counted.const_data_ptr<bool>() : nullptr;
    forType(gradient, [&](auto zero) {
        using T = decltype(zero);
        const T *p = route.probabilities.const_data_ptr<T>(), *w = route.weights.const_data_ptr<T>(), *dw = shareGradient.const_data_ptr<T>();
        T* out = gradient.mutable_data_ptr<T>();
        at::parallel_for(0, rows, kRowGrain, [&](int64_t begin, int64_t end) {
            for (int64_t r = begin; r < end; ++r) {
                const T* probability = p + r * experts;
                T *g = out + r * experts, taken = 0, along = 0;
                const bool balanced = balance && (!counts || counts[r]);
                for (int64_t e = 0; e < experts; ++e) g[e] = balanced ? static_cast<T>(balance[e]) : T(0);
                for (int64_t s = r * perToken; s < (r + 1) * perToken; ++s) {
                    taken += probability[chosen[s]];
                    along += dw[s] * w[s];
                }
                for (int64_t s = r * perToken; s < (r + 1) * perToken; ++s) g[chosen[s]] += (dw[s] - along) / taken;
                T mean = 0;
                for (int64_t e = 0; e < experts; ++e) mean += g[e] * probability[e];
                for (int64_t e = 0; e < experts; ++e) g[e] = probability[e] * (g[e] - mean);
            }
        });
    });
    return gradient;
}

}  // namespace assay::nn
