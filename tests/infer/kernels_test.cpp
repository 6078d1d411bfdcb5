// Every AVX2 kernel against the scalar reference: equal where integers decide, 1e-5 where floats are summed.
#include "kernels/half.h"
#include "kernels/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace assay::infer {
namespace {

std::vector<float> noise(size_t n, uint32_t seed, float scale = 1) {
    std::mt19937 engine(seed);
    std::normal_distribution<float> normal(0, scale);
    std::vector<float> out(n);
    for (auto& x : out) x = normal(engine);
    return out;
}
void expectClose(const std::vector<float>& a, const std::vector<float>& b, float tolerance = 1e-5f) {
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance * (1 + std::abs(b[i]))) << i;
}
const Kernels& fast() {
    EXPECT_NE(avx2Kernels(), nullptr) << "these tests need a processor with AVX2, FMA and F16C";
    return *avx2Kernels();
}

TEST(Kernels, DensePanelsOfAllRowCountsAndWidths) {
    for (const int64_t k : {1, 7, 64, 100})
        for (int64_t m = 1; m <= 13; ++m)
            for (const int columns : {1, 8, 11, 16}) {
                const auto a = noise(m * k, 1), panel = noise(k * kFloatPanel, 2), bias = noise(16, 3);
                std::vector<float> x(m * 16, 7), y = x;
                scalarKernels().floatPanel(a.data(), k, m, k, panel.data(), x.data(), 16, columns, bias.data());
                fast().floatPanel(a.data(), k, m, k, panel.data(), y.data(), 16, columns, bias.data());
                expectClose(y, x);  // cells beyond the columns stay untouched
                std::vector<uint16_t> half(panel.size());
                fast().floatToHalf(panel.data(), panel.size(), half.data());
                scalarKernels().halfPanel(a.data(), k, m, k, half.data(), x.data(), 16, columns, nullptr);
                fast().halfPanel(a.data(), k, m, k, half.data(), y.data(), 16, columns, nullptr);
                expectClose(y, x);
            }
}

// onnxruntime#6004, oneDNN#476: 16-bit pair sums that saturate. ±127 × ±127 in every place is the worst case.
TEST(Kernels, Int8AtTheExtremesIsExact) {
    for (const int w : {127, -127})
        for (const int x : {127, -127})
            for (int64_t m = 1; m <= 5; ++m) {
                const int64_t blocks = 3;
                std::vector<int8_t> values(m * blocks * kBlock, int8_t(x)), panel(blocks * kBlock * kIntegerPanel, int8_t(w));
                std::vector<float> scales(m * blocks, 1.0f), sums(m * blocks, float(32 * x)), out(m * 8);
                const std::vector<uint16_t> one(blocks * 8, floatToHalf(1.0f));
                fast().int8Panel({values.data(), scales.data(), sums.data(), blocks}, 0, m, panel.data(), one.data(), 1, out.data(), 8, 8, nullptr);
                for (const float y : out) EXPECT_EQ(y, float(blocks * kBlock * w * x));
            }
}
TEST(Kernels, Int4AtTheExtremesIsExact) {
    for (const int x : {127, -127})
        for (int64_t m = 1; m <= 5; ++m) {
            const int64_t blocks = 2;
            std::vector<int8_t> values(m * blocks * kBlock, int8_t(x));
            std::vector<uint8_t> panel(blocks * kBlock * kIntegerPanel / 2, 0xFF);
            std::vector<float> scales(m * blocks, 1.0f), sums(m * blocks, float(32 * x)), out(m * 8);
            const std::vector<uint16_t> one(blocks * 8, floatToHalf(1.0f)), minimum(blocks * 8, floatToHalf(-8.0f));
            fast().int4Panel({values.data(), scales.data(), sums.data(), blocks}, 0, m, panel.data(), one.data(), minimum.data(), 1, out.data(), 8, 8, nullptr);
            for (const float y : out) EXPECT_EQ(y, float(blocks * kBlock * x * (15 - 8)));
        }
}

TEST(Kernels, IntegerPanelsEqualTheReference) {
    std::mt19937 engine(5);
    const int64_t blocks = 6, group = 2;
    for (int64_t m = 1; m <= 9; ++m) {
        const auto x = noise(m * blocks * kBlock, 11);
        std::vector<int8_t> values(x.size()), panel(blocks * kBlock * 8);
        std::vector<uint8_t> nibbles(blocks * kBlock * 4);
        std::vector<float> scales(m * blocks), sums(scales.size()), a(m * 8), b(m * 8);
        for (int64_t i = 0; i < m; ++i)
            fast().quantizeRow(x.data() + i * blocks * kBlock, blocks * kBlock, values.data() + i * blocks * kBlock, scales.data() + i * blocks, sums.data() + i * blocks);
        for (auto& w : panel) w = int8_t(int(engine() % 255) - 127);
        for (auto& w : nibbles) w = uint8_t(engine());
        std::vector<uint16_t> s(blocks / group * 8), lows(s.size());
        for (auto& h : s) h = floatToHalf(0.001f * float(1 + engine() % 100));
        for (auto& h : lows) h = floatToHalf(-0.01f * float(engine() % 100));
        const QuantizedRows rows{values.data(), scales.data(), sums.data(), blocks};
        scalarKernels().int8Panel(rows, 0, m, panel.data(), s.data(), group, a.data(), 8, 8, nullptr);
        fast().int8Panel(rows, 0, m, panel.data(), s.data(), group, b.data(), 8, 8, nullptr);
        expectClose(b, a);
        scalarKernels().int4Panel(rows, 0, m, nibbles.data(), s.data(), lows.data(), group, a.data(), 8, 8, nullptr);
        fast().int4Panel(rows, 0, m, nibbles.data(), s.data(), lows.data(), group, b.data(), 8, 8, nullptr);
        expectClose(b, a);
    }
}

TEST(Kernels, ActivationsQuantizeAsTheReferenceAndZeroRowsStayZero) {  // pytorch/ao#4714
    for (const float size : {0.0f, 1e-40f, 1e-3f, 1.0f, 1e30f})
        for (const int64_t k : {32, 33, 96, 100}) {
            const auto x = noise(k, 9, size);
            const int64_t blocks = (k + 31) / 32;
            std::vector<int8_t> a(blocks * 32, 99), b = a;
            std::vector<float> sa(blocks), sb(blocks), ta(blocks), tb(blocks);
            scalarKernels().quantizeRow(x.data(), k, a.data(), sa.data(), ta.data());
            fast().quantizeRow(x.data(), k, b.data(), sb.data(), tb.data());
            EXPECT_EQ(a, b);
            EXPECT_EQ(sa, sb);
            EXPECT_EQ(ta, tb);
            if (size < 1e-30f) { EXPECT_EQ(*std::max_element(sb.begin(), sb.end()), 0.0f); }
        }
}

TEST(Kernels, HalfRoundTripsAllValues) {
    for (uint32_t h = 0; h < 65536; ++h) {
        const float f = halfToFloat(uint16_t(h));
        if (std::isnan(f)) continue;
        ASSERT_EQ(floatToHalf(f), h);
        uint16_t again[8];
        const float eight[8] = {f, f, f, f, f, f, f, f};
        fast().floatToHalf(eight, 8, again);
        ASSERT_EQ(again[0], h);
    }
    EXPECT_EQ(floatToHalf(65520.0f), 0x7C00);               // ties to even: infinity
    EXPECT_EQ(floatToHalf(1.0f + 1.0f / 2048), 0x3C00);     // a tie goes to the even neighbour
}

TEST(Kernels, NormsActivationsAndRotation) {
    for (const int64_t n : {1, 5, 16, 100, 576}) {
        const auto x = noise(n, 20, 3), w = noise(n, 21), bias = noise(n, 22);
        std::vector<float> a(n), b(n);
        scalarKernels().rmsNorm(x.data(), w.data(), n, 1e-5f, a.data());
        fast().rmsNorm(x.data(), w.data(), n, 1e-5f, b.data());
        expectClose(b, a);
        scalarKernels().layerNorm(x.data(), w.data(), bias.data(), n, 1e-5f, a.data());
        fast().layerNorm(x.data(), w.data(), bias.data(), n, 1e-5f, b.data());
        expectClose(b, a);
        scalarKernels().siluMultiply(x.data(), w.data(), n, a.data());
        fast().siluMultiply(x.data(), w.data(), n, b.data());
        expectClose(b, a);
        a = b = x;
        scalarKernels().geluTanh(a.data(), n);
        fast().geluTanh(b.data(), n);
        expectClose(b, a);
        a = b = x;
        scalarKernels().softmax(a.data(), n);
        fast().softmax(b.data(), n);
        expectClose(b, a);
        EXPECT_NEAR(scalarKernels().logSumExp(x.data(), n), fast().logSumExp(x.data(), n), 1e-6);
        const double z = fast().logSumExp(x.data(), n), q = fast().logSumExp(w.data(), n);
        EXPECT_EQ(fast().klDivergence(x.data(), x.data(), n, z, z), 0.0);
        EXPECT_NEAR(fast().klDivergence(x.data(), w.data(), n, z, q), scalarKernels().klDivergence(x.data(), w.data(), n, z, q), 1e-5);
        if (n % 2 == 0) {
            a = b = x;
            scalarKernels().rotate(a.data(), w.data(), bias.data(), n / 2);
            fast().rotate(b.data(), w.data(), bias.data(), n / 2);
            expectClose(b, a);
        }
    }
}

TEST(Kernels, AttentionPieces) {
    for (const bool half : {false, true})
        for (const int64_t width : {4, 16, 20, 64})
            for (const int64_t count : {1, 2, 3, 7})
                for (const int64_t rows : {1, 2, 5, 33}) {
                    const auto q = noise(count * width, 30), kv = noise(rows * width, 31), p = noise(count * rows, 32);
                    std::vector<uint16_t> stored(kv.size());
                    fast().floatToHalf(kv.data(), kv.size(), stored.data());
                    const HeadRows head{half ? static_cast<const void*>(stored.data()) : kv.data(), half, rows, width};
                    std::vector<float> a(count * rows), b = a, x(count * width, 1), y = x;
                    scalarKernels().scores(q.data(), width, count, head, 0.5f, a.data(), rows);
                    fast().scores(q.data(), width, count, head, 0.5f, b.data(), rows);
                    expectClose(b, a);
                    scalarKernels().mixValues(p.data(), rows, count, head, x.data(), width);
                    fast().mixValues(p.data(), rows, count, head, y.data(), width);
                    expectClose(y, x);
                }
}

}  // namespace
}  // namespace assay::infer
