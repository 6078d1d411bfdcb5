#include <assay/infer/scheme.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace assay::infer {
namespace {

std::vector<float> weights(size_t n, uint32_t seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<float> normal(0, 0.02f);
    std::vector<float> out(n);
    for (auto& x : out) x = normal(engine);
    return out;
}
std::vector<float> floats(const LinearWeight& weight) {
    std::vector<float> out(weight.rows() * weight.columns());
    for (int64_t r = 0; r < weight.rows(); ++r) weight.readRow(r, out.data() + r * weight.columns());
    return out;
}
WeightPtr quantized(const std::string& scheme, const std::vector<float>& w, int64_t rows) {
    ThreadPool pool(2);
    auto found = findScheme(scheme);
    EXPECT_TRUE(found);
    auto out = (*found)->fromFloat(w.data(), rows, int64_t(w.size()) / rows, "w", pool);
    EXPECT_TRUE(out) << out.error().text();
    return *out;
}

TEST(Schemes, EveryRegisteredOneHoldsAndStoresWhatItSays) {
    ThreadPool pool(1);
    for (const auto& name : schemeNames()) {
        SCOPED_TRACE(name);
        const auto scheme = *findScheme(name);
        EXPECT_EQ(scheme->name(), name);
        const int64_t rows = 19, columns = 100;  // neither a multiple of a panel nor of a group: a short last group
        const auto w = weights(rows * columns, 4);
        const auto held = quantized(name, w, rows);
        EXPECT_LT(relativeError(*held, w.data(), pool), name.starts_with("int4") ? 0.12 : name == "int8" ? 0.01 : 1e-3);
        int64_t bytes = 0;
        const auto stored = held->store();
        for (const auto& tensor : stored) bytes += int64_t(tensor.bytes.size());
        EXPECT_EQ(bytes, scheme->storedBytes(rows, columns));
        if (scheme->storedAsFloats()) continue;
        const auto again = scheme->fromStored(rows, columns, [&](std::string_view suffix) {
            for (const auto& tensor : stored)
                if (tensor.suffix == suffix) return std::string_view(tensor.bytes);
            return std::string_view();
        }, "w");
        ASSERT_TRUE(again) << again.error().text();
        const auto second = (*again)->store();
        for (size_t i = 0; i < stored.size(); ++i) EXPECT_EQ(stored[i].bytes, second[i].bytes);
    }
}

TEST(Schemes, Int8IsIdempotentScalesAndErrsByHalfAStep) {
    const auto w = weights(16 * 64, 7);
    const auto once = floats(*quantized("int8", w, 16));
    EXPECT_EQ(floats(*quantized("int8", once, 16)), once);
    auto doubled = w;
    for (auto& x : doubled) x *= 2;
    auto twice = once;
    for (auto& x : twice) x *= 2;
    EXPECT_EQ(floats(*quantized("int8", doubled, 16)), twice);
    for (size_t g = 0; g < w.size(); g += 32) {
        float top = 0;
        for (size_t i = g; i < g + 32; ++i) top = std::max(top, std::abs(w[i]));
        for (size_t i = g; i < g + 32; ++i) EXPECT_LE(std::abs(w[i] - once[i]), top / 127 * 0.57f);  // half a step and fp16's rounding of it
    }
}

TEST(Schemes, Int4HoldsAFourBitGridExactly) {
    std::vector<float> w(8 * 64);
    for (size_t i = 0; i < w.size(); ++i) w[i] = 0.125f * float(i % 16) - 1.0f;
    EXPECT_EQ(floats(*quantized("int4-g32", w, 8)), w);
}

// llama.cpp#7313, GPTQModel#1529: groups without spread must not divide by zero.
TEST(Schemes, ZeroTinyAndConstantRowsStayFinite) {
    for (const char* scheme : {"int8", "int4-g32", "int4-g64", "fp16"})
        for (const float value : {0.0f, 1e-40f, 0.3f, -5.0f}) {
            const std::vector<float> w(64, value);
            for (const float x : floats(*quantized(scheme, w, 1))) {
                ASSERT_TRUE(std::isfinite(x));
                ASSERT_NEAR(x, value, std::abs(value) * 0.004f + 1e-7f) << scheme;
            }
        }
}

TEST(Schemes, NonFiniteWeightsAndUnknownNamesAreErrors) {
    ThreadPool pool(2);
    auto w = weights(64, 1);
    w[40] = NAN;
    for (const auto& name : schemeNames()) {
        const auto out = (*findScheme(name))->fromFloat(w.data(), 2, 32, "model.layers.3.mlp", pool);
        ASSERT_FALSE(out);
        EXPECT_EQ(out.error().code, ErrorCode::kNonFinite);
        EXPECT_NE(out.error().message.find("model.layers.3.mlp"), std::string::npos);
        EXPECT_NE(out.error().message.find("row 1, column 8"), std::string::npos);
    }
    w[40] = 70000;
    EXPECT_FALSE((*findScheme("fp16"))->fromFloat(w.data(), 2, 32, "w", pool));
    for (const char* name : {"int3", "int4-g48", "int4-g0", "int8-g", "fp64", ""}) EXPECT_FALSE(findScheme(name)) << name;
}

TEST(Schemes, DamagedFilesAreErrors) {
    const auto int8 = *findScheme("int8");
    const auto none = int8->fromStored(8, 32, [](std::string_view) { return std::string_view(); }, "w");
    EXPECT_FALSE(none);
    const std::string packed(256, '\x80'), scale(16, '\0');
    const auto minus128 = int8->fromStored(8, 32, [&](std::string_view s) { return s == ".packed" ? std::string_view(packed) : std::string_view(scale); }, "w");
    EXPECT_FALSE(minus128);
}

}  // namespace
}  // namespace assay::infer
