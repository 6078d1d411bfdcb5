#include "layers/row_loops.h"

#include <assay/torch.h>

#include <algorithm>
#include <type_traits>
#include <vector>

#include "kernels/step_kernels.h"

namespace assay::nn {
namespace {

template <typename T>
const StepLoops<T>& loopsOf() {
    if constexpr (std::is_same_v<T, double>) return scalarLoopsDouble();
    else return bestLoops();
}

template <typename F>
decltype(auto) byType(const at::Tensor& x, F run) {
    if (x.scalar_type() == at::kDouble) return run(double{});
    return run(float{});
}

template <typename T>
const T* read(const at::Tensor& x) { return x.defined() ? x.const_data_ptr<T>() : nullptr; }
template <typename T>
T* write(const at::Tensor& x) { return x.defined() ? x.mutable_data_ptr<T>() : nullptr; }

constexpr int64_t kGrain = 8192;  // elements worth a thread
int64_t grainOf(int64_t width) { return std::max<int64_t>(1, kGrain / std::max<int64_t>(width, 1)); }

// Sums over rows are made of parts whose number depends on the shape alone: the same bits for any number of threads.
int64_t partsOf(int64_t rows) { return std::clamp<int64_t>(rows / 32, 1, 32); }

}  // namespace

bool loopsTake(const at::Tensor& x) { return (x.scalar_type() == at::kFloat || x.scalar_type() == at::kDouble) && x.device().is_cpu(); }

at::Tensor normForward(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, double eps, NormStatistics& statistics) {
    const int64_t rows = x.size(0), width = x.size(1);
    at::Tensor y = at::empty_like(x);
    statistics.inverse = at::empty({rows}, x.options());
    if (bias.defined()) statistics.mean = at::empty({rows}, x.options());
    byType(x, [&](auto zero) {
        using T = decltype(zero);
        const T* in = read<T>(x);
        T *out = write<T>(y), *mean = write<T>(statistics.mean), *inverse = write<T>(statistics.inverse);
        at::parallel_for(0, rows, grainOf(width), [&](int64_t b, int64_t e) {
            loopsOf<T>().norm(in + b * width, read<T>(weight), read<T>(bias), static_cast<T>(eps), out + b * width, mean ? mean + b : nullptr, inverse + b, e - b, width);
        });
    });
    return y;
}

at::Tensor normAgain(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, const NormStatistics& statistics) {
    const int64_t rows = x.size(0), width = x.size(1);
    at::Tensor y = at::empty_like(x);
    byType(x, [&](auto zero) {
        using T = decltype(zero);
        const T *in = read<T>(x), *mean = read<T>(statistics.mean), *inverse = read<T>(statistics.inverse);
        T* out = write<T>(y);
        at::parallel_for(0, rows, grainOf(width), [&](int64_t b, int64_t e) {
            loopsOf<T>().normAgain(in + b * width, read<T>(weight), read<T>(bias), mean ? mean + b : nullptr, inverse + b, out + b * width, e - b, width);
        });
    });
    return y;
}

NormGradients normBackward(const at::Tensor& gradient, const at::Tensor& passing, const at::Tensor& x, const at::Tensor& weight, bool hasBias, const NormStatistics& statistics) {
    const int64_t rows = x.size(0), width = x.size(1), parts = partsOf(rows);
    const at::Tensor sums = at::zeros({hasBias ? 2 : 1, parts, width}, x.options());
    byType(x, [&](auto zero) {
        using T = decltype(zero);
        const T *in = read<T>(x), *pass = read<T>(passing), *mean = read<T>(statistics.mean), *inverse = read<T>(statistics.inverse);
        T *g = write<T>(gradient), *sum = write<T>(sums);
        at::parallel_for(0, parts, std::max<int64_t>(1, grainOf(width) * parts / std::max<int64_t>(rows, 1)), [&](int64_t b, int64_t e) {
            for (int64_t part = b; part < e; ++part) {
                const int64_t first = rows * part / parts, last = rows * (part + 1) / parts;
                const NormGradient<T> n{in + first * width, g + first * width, read<T>(weight), mean ? mean + first : nullptr, inverse + first,
                                        pass ? pass + first * width : nullptr, g + first * width, sum + part * width, hasBias ? sum + (parts + part) * width : nullptr};
                loopsOf<T>().normBackward(n, last - first, width);
            }
        });
    });
    return {gradient, sums[0].sum(0), hasBias ? sums[1].sum(0) : at::Tensor()};
}

at::Tensor geluForward(const at::Tensor& x) {
    at::Tensor y = at::empty_like(x);
    byType(x, [&](auto zero) {
        using T = decltype(zero);
        const T* in = read<T>(x);
        T* out = write<T>(y);
        at::parallel_for(0, x.numel(), kGrain, [&](int64_t b, int64_t e) { loopsOf<T>().gelu(in + b, out + b, e - b); });
    });
    return y;
}

at::Tensor geluBackward(const at::Tensor& x, const at::Tensor& gradient) {
    at::Tensor y = at::empty_like(x);
    byType(x, [&](auto zero) {
        using T = decltype(zero);
        const T* in = read<T>(x);
        T *out = write<T>(y), *g = write<T>(gradient);
        at::parallel_for(0, x.numel(), kGrain, [&](int64_t b, int64_t e) { loopsOf<T>().geluBackward(in + b, g + b, out + b, e - b); });
    });
    return y;
}

at::Tensor swigluForward(const at::Tensor& gate, const at::Tensor& up) {
    at::Tensor y = at::empty_like(gate);
    byType(gate, [&](auto zero) {
        using T = decltype(zero);
        const T *g = read<T>(gate), *u = read<T>(up);
        T* out = write<T>(y);
        at::parallel_for(0, y.numel(), kGrain, [&](int64_t b, int64_t e) { loopsOf<T>().swiglu(g + b, u + b, out + b, e - b); });
    });
    return y;
}

void swigluBackward(const at::Tensor& gate, const at::Tensor& up, const at::Tensor& gradient, at::Tensor& gateGradient, at::Tensor& upGradient) {
    gateGradient = at::empty_like(gate);
    upGradient = at::empty_like(gate);
    byType(gate, [&](auto zero) {
        using T = decltype(zero);
        const T *g = read<T>(gate), *u = read<T>(up);
        T *d = write<T>(gradient), *dg = write<T>(gateGradient), *du = write<T>(upGradient);
        at::parallel_for(0, gate.numel(), kGrain, [&](int64_t b, int64_t e) { loopsOf<T>().swigluBackward(g + b, u + b, d + b, dg + b, du + b, e - b); });
    });
}

void rotate(const at::Tensor& x, const at::Tensor& cosine, const at::Tensor& sine, int64_t columns, int64_t width, bool back) {
    const int64_t rows = x.size(0), stride = x.stride(0), half = width / 2, heads = x.size(1) / width;
    const bool ownAngles = cosine.numel() == rows * half;  // one for each row, else for each column
    byType(x, [&](auto zero) {
        using T = decltype(zero);
        const T *c = read<T>(cosine), *s = read<T>(sine);
        T* data = write<T>(x);
        at::parallel_for(0, rows, grainOf(x.size(1)), [&](int64_t b, int64_t e) {
            while (b < e) {
                const int64_t at = ownAngles ? b : b % columns, count = ownAngles ? e - b : std::min(e - b, columns - at);
                loopsOf<T>().rotate(data + b * stride, stride, c + at * half, s + at * half, count, heads, half, back);
                b += count;
            }
        });
    });
}

at::Tensor sumRows(const at::Tensor& x) {
    const int64_t rows = x.size(0), width = x.size(1), parts = partsOf(rows);
    const at::Tensor sums = at::zeros({parts, width}, x.options());
    byType(x, [&](auto zero) {
        using T = decltype(zero);
        const T* in = read<T>(x);
        T* sum = write<T>(sums);
        at::parallel_for(0, parts, std::max<int64_t>(1, grainOf(width) * parts / std::max<int64_t>(rows, 1)), [&](int64_t b, int64_t e) {
            for (int64_t part = b; part < e; ++part) {
                const int64_t first = rows * part / parts, last = rows * (part + 1) / parts;
                loopsOf<T>().addRows(in + first * x.stride(0), x.stride(0), sum + part * width, last - first, width);
            }
        });
    });
    return parts == 1 ? sums[0] : sums.sum(0);
}

void addRowsAt(const at::Tensor& table, const at::Tensor& ids, const at::Tensor& rows) {
    const int64_t count = rows.size(0), width = rows.size(1);
    const auto* id = ids.const_data_ptr<int64_t>();
    byType(table, [&](auto zero) {
        using T = decltype(zero);
        const T* from = read<T>(rows);
        T* to = write<T>(table);
        // Threads take columns, so that equal ids meet in one order whatever their number.
        at::parallel_for(0, width, std::max<int64_t>(16, kGrain / std::max<int64_t>(count, 1)), [&](int64_t b, int64_t e) {
            for (int64_t i = 0; i < count; ++i) loopsOf<T>().addRows(from + i * width + b, width, to + id[i] * width + b, 1, e - b);
        });
    });
}

double crossEntropyRows(const at::Tensor& logits, const at::Tensor& labels, double scale, bool gradient) {
    const int64_t rows = logits.size(0), width = logits.size(1);
    const auto* label = labels.const_data_ptr<int64_t>();
    std::vector<double> losses(static_cast<size_t>(rows));
    byType(logits, [&](auto zero) {
        using T = decltype(zero);
        T* data = write<T>(logits);
        at::parallel_for(0, rows, grainOf(width), [&](int64_t b, int64_t e) {
            for (int64_t r = b; r < e; ++r) losses[static_cast<size_t>(r)] = loopsOf<T>().crossEntropyRow(data + r * width, width, label[r], static_cast<T>(scale), gradient);
        });
    });
    double total = 0;  // in the order of the rows
    for (const double loss : losses) total += loss;
    return total;
}

}  // namespace assay::nn
