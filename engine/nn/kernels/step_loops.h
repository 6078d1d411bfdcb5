// Included inside an anonymous namespace by each instruction set's file, so that no function compiled for one processor is ever
// linked into another's table. Plain loops the compiler vectorizes.
#ifndef ASSAY_NN_STEP_LOOPS
#define ASSAY_NN_STEP_LOOPS

inline double exponential(double x) { return __builtin_exp(x); }
// 2^n · e^r with n = round(x/ln 2): relative error below 2e-7 (a polynomial of degree 6 on |r| ≤ ln 2 / 2).
inline float exponential(float x) {
    x = x < -87.3f ? -87.3f : x;
    x = x > 88.3f ? 88.3f : x;
    const float n = __builtin_rintf(x * 1.44269504f);
    const float r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    const int bits = (static_cast<int>(n) + 127) << 23;
    float scale;
    __builtin_memcpy(&scale, &bits, 4);
    return p * scale;
}

template <typename T>
void normLoop(const T* x, const T* weight, const T* bias, T eps, T* y, T* mean, T* inverse, int64_t rows, int64_t width) {
    for (int64_t r = 0; r < rows; ++r) {
        const T* in = x + r * width;
        T* out = y + r * width;
        T middle = 0;
        if (mean) {
#pragma omp simd reduction(+ : middle)
            for (int64_t i = 0; i < width; ++i) middle += in[i];
            middle /= static_cast<T>(width);
            mean[r] = middle;
        }
        T square = 0;
#pragma omp simd reduction(+ : square)
        for (int64_t i = 0; i < width; ++i) square += (in[i] - middle) * (in[i] - middle);
        const T factor = T(1) / static_cast<T>(__builtin_sqrt(static_cast<double>(square / static_cast<T>(width) + eps)));
        inverse[r] = factor;
        if (bias)
            for (int64_t i = 0; i < width; ++i) out[i] = (in[i] - middle) * factor * weight[i] + bias[i];
        else
            for (int64_t i = 0; i < width; ++i) out[i] = (in[i] - middle) * factor * weight[i];
    }
}

template <typename T>
void normAgainLoop(const T* x, const T* weight, const T* bias, const T* mean, const T* inverse, T* y, int64_t rows, int64_t width) {
    for (int64_t r = 0; r < rows; ++r) {
        const T* in = x + r * width;
        T* out = y + r * width;
        const T middle = mean ? mean[r] : T(0), factor = inverse[r];
        if (bias)
            for (int64_t i = 0; i < width; ++i) out[i] = (in[i] - middle) * factor * weight[i] + bias[i];
        else
            for (int64_t i = 0; i < width; ++i) out[i] = (in[i] - middle) * factor * weight[i];
    }
}

// With h = g·w: ∂x = r·(h − mean(h) − x̂·mean(h·x̂)), the middle term for LayerNorm only; ∂w = Σ g·x̂, ∂b = Σ g.
template <typename T>
void normBackwardLoop(const NormGradient<T>& n, int64_t rows, int64_t width) {
    for (int64_t r = 0; r < rows; ++r) {
        const T *x = n.x + r * width, *g = n.gradient + r * width, *weight = n.weight;
        const T* pass = n.passing ? n.passing + r * width : nullptr;
        T* out = n.out + r * width;
        const T middle = n.mean ? n.mean[r] : T(0), factor = n.inverse[r];
        T plain = 0, along = 0;
#pragma omp simd reduction(+ : plain, along)
        for (int64_t i = 0; i < width; ++i) {
            const T h = g[i] * weight[i];
            plain += h;
            along += h * ((x[i] - middle) * factor);
        }
        plain = n.mean ? plain / static_cast<T>(width) : T(0);
        along /= static_cast<T>(width);
        if (n.weightGradient) {
            T* sum = n.weightGradient;
            for (int64_t i = 0; i < width; ++i) sum[i] += g[i] * ((x[i] - middle) * factor);
        }
        if (n.biasGradient) {
            T* sum = n.biasGradient;
            for (int64_t i = 0; i < width; ++i) sum[i] += g[i];
        }
        if (pass)
            for (int64_t i = 0; i < width; ++i) out[i] = pass[i] + factor * (g[i] * weight[i] - plain - (x[i] - middle) * factor * along);
        else
            for (int64_t i = 0; i < width; ++i) out[i] = factor * (g[i] * weight[i] - plain - (x[i] - middle) * factor * along);
    }
}

// ½x(1 + tanh(s)) = x·σ(2s) with s = √(2/π)(x + 0.044715x³).
template <typename T>
void geluLoop(const T* __restrict x, T* __restrict y, int64_t count) {
    const T a = T(2 * 0.7978845608028654), b = T(2 * 0.7978845608028654 * 0.044715);
    for (int64_t i = 0; i < count; ++i) {
        const T v = x[i], z = v * (a + b * v * v);
        y[i] = v / (T(1) + exponential(-z));
    }
}
template <typename T>
void geluBackwardLoop(const T* __restrict x, T* __restrict gradient, T* __restrict y, int64_t count) {
    const T a = T(2 * 0.7978845608028654), b = T(2 * 0.7978845608028654 * 0.044715);
    for (int64_t i = 0; i < count; ++i) {
        const T v = x[i], z = v * (a + b * v * v), s = T(1) / (T(1) + exponential(-z));
        y[i] = v * s;
        gradient[i] *= s + v * s * (T(1) - s) * (a + T(3) * b * v * v);
    }
}

template <typename T>
void swigluLoop(const T* __restrict gate, const T* __restrict up, T* __restrict y, int64_t count) {
    for (int64_t i = 0; i < count; ++i) y[i] = gate[i] / (T(1) + exponential(-gate[i])) * up[i];
}
template <typename T>
void swigluBackwardLoop(const T* __restrict gate, const T* __restrict up, T* __restrict gradient, T* __restrict gateGradient, T* __restrict upGradient, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
        const T g = gate[i], u = up[i], d = gradient[i], s = T(1) / (T(1) + exponential(-g)), silu = g * s;
        upGradient[i] = d * silu;
        gateGradient[i] = d * u * s * (T(1) + g * (T(1) - s));
        gradient[i] = silu * u;
    }
}

template <typename T>
void rotateLoop(T* x, int64_t stride, const T* cosine, const T* sine, int64_t rows, int64_t heads, int64_t half, bool back) {
    const T sign = back ? T(-1) : T(1);
    for (int64_t r = 0; r < rows; ++r) {
        const T *__restrict c = cosine + r * half, *__restrict s = sine + r * half;
        for (int64_t h = 0; h < heads; ++h) {
            T *__restrict one = x + r * stride + h * 2 * half, *__restrict two = one + half;
            for (int64_t i = 0; i < half; ++i) {
                const T u = one[i], v = two[i], t = sign * s[i];
                one[i] = u * c[i] - v * t;
                two[i] = v * c[i] + u * t;
            }
        }
    }
}

template <typename T>
void addRowsLoop(const T* x, int64_t stride, T* __restrict sum, int64_t rows, int64_t width) {
    for (int64_t r = 0; r < rows; ++r) {
        const T* __restrict in = x + r * stride;
        for (int64_t i = 0; i < width; ++i) sum[i] += in[i];
    }
}

template <typename T>
double crossEntropyRowLoop(T* __restrict logits, int64_t width, int64_t label, T scale, bool gradient) {
    T largest = logits[0];
#pragma omp simd reduction(max : largest)
    for (int64_t i = 1; i < width; ++i) largest = logits[i] > largest ? logits[i] : largest;
    const double shifted = static_cast<double>(logits[label]) - static_cast<double>(largest);
    // Sums of 2,048 in T, those in float64: a vocabulary of 100,000 would cost digits.
    double total = 0;
    for (int64_t first = 0; first < width; first += 2048) {
        const int64_t last = first + 2048 < width ? first + 2048 : width;
        T sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int64_t k = first; k < last; ++k) {
            const T e = exponential(logits[k] - largest);
            logits[k] = e;
            sum += e;
        }
        total += static_cast<double>(sum);
    }
    if (gradient) {
        const T factor = static_cast<T>(static_cast<double>(scale) / total);
        for (int64_t k = 0; k < width; ++k) logits[k] *= factor;
        logits[label] -= scale;
    }
    return __builtin_log(total) - shifted;
}

template <typename T>
constexpr StepLoops<T> loopsNamed(const char* name) {
    return {name,           normLoop<T>,   normAgainLoop<T>,      normBackwardLoop<T>, geluLoop<T>,  geluBackwardLoop<T>,
            swigluLoop<T>, swigluBackwardLoop<T>, rotateLoop<T>, addRowsLoop<T>, crossEntropyRowLoop<T>};
}

#endif
