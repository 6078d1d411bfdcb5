// fp32 and fp16: weights as they are, widened while multiplying.
#include "kernels/half.h"
#include "kernels/kernels.h"
#include "schemes/panels.h"
#include "schemes/schemes.h"

#include <fmt/format.h>

#include <cmath>

namespace assay::infer {
namespace {

template <class T>
class DenseWeight final : public LinearWeight {
public:
    DenseWeight(int64_t rows, int64_t columns, Buffer panels) : LinearWeight(rows, columns), panels_(std::move(panels)) {}
    int panelRows() const override { return kFloatPanel; }
    bool integerActivations() const override { return false; }
    int64_t residentBytes() const override { return panels_.bytes(); }
    void multiplyPanel(const Activations& x, int64_t first, int64_t count, int64_t panel, float* out, int64_t outStride,
                       const float* bias) const override {
        const int valid = int(std::min<int64_t>(kFloatPanel, rows_ - panel * kFloatPanel));
        const T* weights = panels_.template as<T>() + panel * columns_ * kFloatPanel;
        if constexpr (sizeof(T) == 4)
            kernels().floatPanel(x.x + first * x.stride, x.stride, count, columns_, weights, out, outStride, valid, bias);
        else
            kernels().halfPanel(x.x + first * x.stride, x.stride, count, columns_, weights, out, outStride, valid, bias);
    }
    void readRow(int64_t row, float* out) const override {
        const T* in = panels_.template as<T>() + (row / kFloatPanel) * columns_ * kFloatPanel + row % kFloatPanel;
        for (int64_t j = 0; j < columns_; ++j) {
            if constexpr (sizeof(T) == 4) out[j] = in[j * kFloatPanel];
            else out[j] = halfToFloat(in[j * kFloatPanel]);
        }
    }
    std::vector<StoredTensor> store() const override {
        StoredTensor tensor{"", sizeof(T) == 4 ? model::DType::kF32 : model::DType::kF16, {rows_, columns_}, {}};
        tensor.bytes.resize(rows_ * columns_ * sizeof(T));
        for (int64_t r = 0; r < rows_; ++r)
            unpackRow(panels_.template as<T>(), columns_, kFloatPanel, r, reinterpret_cast<T*>(tensor.bytes.data()) + r * columns_);
        std::vector<StoredTensor> all;
        all.push_back(std::move(tensor));
        return all;
    }

private:
    Buffer panels_;
};

template <class T>
class DenseScheme final : public Scheme {
public:
    std::string name() const override { return sizeof(T) == 4 ? "fp32" : "fp16"; }
    bool fullPrecision() const override { return sizeof(T) == 4; }
    bool storedAsFloats() const override { return true; }
    int64_t storedBytes(int64_t rows, int64_t columns) const override { return rows * columns * int64_t(sizeof(T)); }

    Result<WeightPtr> fromFloat(const float* weights, int64_t rows, int64_t columns, const std::string& what,
                                ThreadPool& pool) const override {
        ASSAY_TRY_VOID(checkFinite(weights, rows, columns, what, pool));
        const int64_t panels = (rows + kFloatPanel - 1) / kFloatPanel;
        ASSAY_TRY(auto buffer, Buffer::allocate(panels * columns * kFloatPanel * int64_t(sizeof(T))));
        T* out = buffer.template as<T>();
        if constexpr (sizeof(T) == 4) {
            pool.parallelFor(panels, [&](int64_t p, int) { packPanel(weights, rows, columns, kFloatPanel, p, out); });
        } else {
            std::vector<std::vector<uint16_t>> work(pool.threads(), std::vector<uint16_t>(kFloatPanel * columns));
            std::atomic<int64_t> tooLarge{-1};
            pool.parallelFor(panels, [&](int64_t p, int thread) {
                uint16_t* half = work[thread].data();
                const int64_t first = p * kFloatPanel, count = std::min<int64_t>(kFloatPanel, rows - first);
                kernels().floatToHalf(weights + first * columns, count * columns, half);
                for (int64_t i = 0; i < count * columns; ++i)
                    if ((half[i] & 0x7FFF) == 0x7C00) tooLarge = first * columns + i;
                packPanel(half, count, columns, kFloatPanel, 0, out + p * columns * kFloatPanel);
            });
            if (tooLarge >= 0)
                return fail(ErrorCode::kUnsupported,
                            fmt::format("{}: the weight {} in row {} is larger than fp16 can hold (65504)", what,
                                        weights[tooLarge.load()], tooLarge / columns),
                            "Keep this layer in high precision with --keep, or use int8.");
        }
        return WeightPtr(std::make_shared<DenseWeight<T>>(rows, columns, std::move(buffer)));
    }
};

}  // namespace

Result<SchemePtr> matchFp32(std::string_view name) {
    return name == "fp32" ? std::make_shared<DenseScheme<float>>() : SchemePtr();
}
Result<SchemePtr> matchFp16(std::string_view name) {
    return name == "fp16" ? std::make_shared<DenseScheme<uint16_t>>() : SchemePtr();
}

}  // namespace assay::infer
