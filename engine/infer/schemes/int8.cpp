// Symmetric int8 with one fp16 scale per group of G columns (default 32): w ≈ scale · q, |q| ≤ 127. −128 is never used.
#include "kernels/half.h"
#include "schemes/integer.h"

#include <fmt/format.h>

#include <cmath>

namespace assay::infer {
namespace {

class Int8Weight final : public LinearWeight {
public:
    Int8Weight(const IntegerShape& shape, IntegerPanels panels)
        : LinearWeight(shape.rows, shape.columns), shape_(shape), panels_(std::move(panels)) {}
    int panelRows() const override { return kIntegerPanel; }
    bool integerActivations() const override { return true; }
    int64_t residentBytes() const override { return panels_.packed.bytes() + panels_.scales.bytes(); }
    void multiplyPanel(const Activations& x, int64_t first, int64_t count, int64_t panel, float* out, int64_t outStride,
                       const float* bias) const override {
        const int valid = int(std::min<int64_t>(kIntegerPanel, rows_ - panel * kIntegerPanel));
        kernels().int8Panel({x.values, x.scales, x.sums, shape_.blocks()}, first, count,
                            panels_.packed.as<int8_t>() + panel * kIntegerPanel * shape_.rowBytes(),
                            panels_.scales.as<uint16_t>() + panel * kIntegerPanel * shape_.groups(), shape_.group / kBlock,
                            out, outStride, valid, bias);
    }
    void readRow(int64_t row, float* out) const override {
        const int64_t lane = row % kIntegerPanel, panel = row / kIntegerPanel;
        const int8_t* packed = panels_.packed.as<int8_t>() + panel * kIntegerPanel * shape_.rowBytes() + lane * 4;
        const uint16_t* scales = panels_.scales.as<uint16_t>() + panel * kIntegerPanel * shape_.groups() + lane;
        for (int64_t j = 0; j < columns_; ++j)
            out[j] = halfToFloat(scales[(j / shape_.group) * kIntegerPanel]) * float(packed[(j / 4) * 32 + j % 4]);
    }
    std::vector<StoredTensor> store() const override { return storeIntegerPanels(shape_, panels_); }

private:
    IntegerShape shape_;
    IntegerPanels panels_;
};

class Int8Scheme final : public Scheme {
public:
    explicit Int8Scheme(int64_t group) : group_(group) {}
    std::string name() const override { return group_ == 32 ? "int8" : fmt::format("int8-g{}", group_); }
    int64_t storedBytes(int64_t rows, int64_t columns) const override {
        const IntegerShape shape{rows, columns, group_, 8};
        return rows * (shape.rowBytes() + 2 * shape.groups());
    }

    Result<WeightPtr> fromFloat(const float* weights, int64_t rows, int64_t columns, const std::string& what,
                                ThreadPool& pool) const override {
        ASSAY_TRY_VOID(checkFinite(weights, rows, columns, what, pool));
        const IntegerShape shape{rows, columns, group_, 8};
        std::vector<uint8_t> packed(rows * shape.rowBytes());
        std::vector<uint16_t> scales(rows * shape.groups());
        std::atomic<int64_t> tooLarge{-1};
        pool.parallelFor(rows, [&](int64_t r, int) {
            for (int64_t g = 0; g < shape.groups(); ++g) {
                const float* w = weights + r * columns + g * group_;
                const int64_t n = std::min(group_, columns - g * group_);
                float top = 0;
                for (int64_t i = 0; i < n; ++i) top = std::max(top, std::fabs(w[i]));
                const uint16_t half = floatToHalf(top / 127.0f);
                if ((half & 0x7FFF) == 0x7C00) tooLarge = r;
                const float scale = halfToFloat(half);
                scales[r * shape.groups() + g] = half;
                auto* out = reinterpret_cast<int8_t*>(packed.data()) + r * shape.rowBytes() + g * group_;
                for (int64_t i = 0; i < n; ++i)
                    out[i] = scale > 0 ? int8_t(std::clamp(std::nearbyint(w[i] / scale), -127.0f, 127.0f)) : int8_t{0};
            }
        });
        if (tooLarge >= 0)
            return fail(ErrorCode::kUnsupported, fmt::format("{}: row {} needs a scale beyond fp16", what, tooLarge.load()),
                        "Keep this layer in high precision with --keep.");
        return make(shape, reinterpret_cast<const char*>(packed.data()), reinterpret_cast<const char*>(scales.data()));
    }

    Result<WeightPtr> fromStored(int64_t rows, int64_t columns, const StoredLookup& lookup,
                                 const std::string& what) const override {
        const IntegerShape shape{rows, columns, group_, 8};
        const auto packed = lookup(".packed"), scales = lookup(".scale");
        ASSAY_TRY_VOID(checkStored(packed, rows * shape.rowBytes(), what, ".packed"));
        ASSAY_TRY_VOID(checkStored(scales, rows * shape.groups() * 2, what, ".scale"));
        if (packed.find('\x80') != std::string_view::npos)  // −128 would saturate the 16-bit sums of the kernels
            return fail(ErrorCode::kInvalidFile, fmt::format("{}.packed holds −128, which this scheme never writes", what),
                        "The quantized folder is damaged; make it again with assay quantize.");
        return make(shape, packed.data(), scales.data());
    }

private:
    static Result<WeightPtr> make(const IntegerShape& shape, const char* packed, const char* scales) {
        ASSAY_TRY(auto panels, packIntegerPanels(shape, packed, scales, nullptr));
        return WeightPtr(std::make_shared<Int8Weight>(shape, std::move(panels)));
    }
    int64_t group_;
};

}  // namespace

Result<SchemePtr> matchInt8(std::string_view name) {
    const auto group = groupOf(name, "int8", 32);
    if (!group) return SchemePtr();
    ASSAY_TRY_VOID(checkGroup(name, *group));
    return SchemePtr(std::make_shared<Int8Scheme>(*group));
}

}  // namespace assay::infer
