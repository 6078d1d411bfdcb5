// Asymmetric int4 with an fp16 scale and minimum per group of G columns: w ≈ scale · q + minimum, q in 0..15. Embeddings
// and heads go to int8 (SCHEMES.md says what that costs and gains).
#include "kernels/half.h"
#include "schemes/int4_fit.h"
#include "schemes/integer.h"

#include <fmt/format.h>

namespace assay::infer {
namespace {

class Int4Weight final : public LinearWeight {
public:
    Int4Weight(const IntegerShape& shape, IntegerPanels panels)
        : LinearWeight(shape.rows, shape.columns), shape_(shape), panels_(std::move(panels)) {}
    int panelRows() const override { return kIntegerPanel; }
    bool integerActivations() const override { return true; }
    int64_t residentBytes() const override {
        return panels_.packed.bytes() + panels_.scales.bytes() + panels_.minima.bytes();
    }
    void multiplyPanel(const Activations& x, int64_t first, int64_t count, int64_t panel, float* out, int64_t outStride,
                       const float* bias) const override {
        const int valid = int(std::min<int64_t>(kIntegerPanel, rows_ - panel * kIntegerPanel));
        const int64_t groups = panel * kIntegerPanel * shape_.groups();
        kernels().int4Panel({x.values, x.scales, x.sums, shape_.blocks()}, first, count,
                            panels_.packed.as<uint8_t>() + panel * kIntegerPanel * shape_.rowBytes(),
                            panels_.scales.as<uint16_t>() + groups, panels_.minima.as<uint16_t>() + groups,
                            shape_.group / kBlock, out, outStride, valid, bias);
    }
    void readRow(int64_t row, float* out) const override {
        const int64_t lane = row % kIntegerPanel, panel = row / kIntegerPanel;
        const uint8_t* packed = panels_.packed.as<uint8_t>() + panel * kIntegerPanel * shape_.rowBytes() + lane * 4;
        const int64_t groups = panel * kIntegerPanel * shape_.groups() + lane;
        const uint16_t* scales = panels_.scales.as<uint16_t>() + groups;
        const uint16_t* minima = panels_.minima.as<uint16_t>() + groups;
        for (int64_t j = 0; j < columns_; ++j) {
            const int64_t byte = j / kBlock * 16 + j % 16, g = (j / shape_.group) * kIntegerPanel;
            const uint8_t both = packed[(byte / 4) * 32 + byte % 4];
            out[j] = halfToFloat(scales[g]) * float(j % kBlock < 16 ? both & 15 : both >> 4) + halfToFloat(minima[g]);
        }
    }
    std::vector<StoredTensor> store() const override { return storeIntegerPanels(shape_, panels_); }

private:
    IntegerShape shape_;
    IntegerPanels panels_;
};

class Int4Scheme final : public Scheme {
public:
    explicit Int4Scheme(int64_t group) : group_(group) {}
    std::string name() const override { return fmt::format("int4-g{}", group_); }
    std::string embeddingScheme() const override { return "int8"; }
    int64_t storedBytes(int64_t rows, int64_t columns) const override {
        const IntegerShape shape{rows, columns, group_, 4};
        return rows * (shape.rowBytes() + 4 * shape.groups());
    }

    Result<WeightPtr> fromFloat(const float* weights, int64_t rows, int64_t columns, const std::string& what,
                                ThreadPool& pool) const override {
        ASSAY_TRY_VOID(checkFinite(weights, rows, columns, what, pool));
        const IntegerShape shape{rows, columns, group_, 4};
        std::vector<uint8_t> packed(rows * shape.rowBytes());
        std::vector<uint16_t> scales(rows * shape.groups()), minima(scales.size());
        std::vector<std::vector<uint8_t>> work(pool.threads(), std::vector<uint8_t>(shape.blocks() * kBlock));
        std::atomic<int64_t> tooLarge{-1};
        pool.parallelFor(rows, [&](int64_t r, int thread) {
            auto& q = work[thread];
            std::fill(q.begin(), q.end(), uint8_t{0});
            for (int64_t g = 0; g < shape.groups(); ++g) {
                const int64_t n = std::min(group_, columns - g * group_);
                const auto fit = fitInt4(weights + r * columns + g * group_, n, q.data() + g * group_);
                if ((fit.scale & 0x7FFF) == 0x7C00 || (fit.minimum & 0x7FFF) == 0x7C00) tooLarge = r;
                scales[r * shape.groups() + g] = fit.scale;
                minima[r * shape.groups() + g] = fit.minimum;
            }
            uint8_t* out = packed.data() + r * shape.rowBytes();
            for (int64_t b = 0; b < shape.blocks(); ++b)
                for (int64_t i = 0; i < 16; ++i)
                    out[b * 16 + i] = uint8_t(q[b * kBlock + i] | q[b * kBlock + i + 16] << 4);
        });
        if (tooLarge >= 0)
            return fail(ErrorCode::kUnsupported, fmt::format("{}: row {} needs a scale beyond fp16", what, tooLarge.load()),
                        "Keep this layer in high precision with --keep.");
        return make(shape, reinterpret_cast<const char*>(packed.data()), reinterpret_cast<const char*>(scales.data()),
                    reinterpret_cast<const char*>(minima.data()));
    }

    Result<WeightPtr> fromStored(int64_t rows, int64_t columns, const StoredLookup& lookup,
                                 const std::string& what) const override {
        const IntegerShape shape{rows, columns, group_, 4};
        const auto packed = lookup(".packed"), scales = lookup(".scale"), minima = lookup(".minimum");
        ASSAY_TRY_VOID(checkStored(packed, rows * shape.rowBytes(), what, ".packed"));
        ASSAY_TRY_VOID(checkStored(scales, rows * shape.groups() * 2, what, ".scale"));
        ASSAY_TRY_VOID(checkStored(minima, rows * shape.groups() * 2, what, ".minimum"));
        return make(shape, packed.data(), scales.data(), minima.data());
    }

private:
    static Result<WeightPtr> make(const IntegerShape& shape, const char* packed, const char* scales, const char* minima) {
        ASSAY_TRY(auto panels, packIntegerPanels(shape, packed, scales, minima));
        return WeightPtr(std::make_shared<Int4Weight>(shape, std::move(panels)));
    }
    int64_t group_;
};

}  // namespace

Result<SchemePtr> matchInt4(std::string_view name) {
    const auto group = groupOf(name, "int4", 32);
    if (!group) return SchemePtr();
    ASSAY_TRY_VOID(checkGroup(name, *group));
    return SchemePtr(std::make_shared<Int4Scheme>(*group));
}

}  // namespace assay::infer
