// A step's seconds from kernels: a machine whose figures are round, so that a step can be reckoned by hand.
#include <assay/plan/calibration.h>
#include <assay/plan/step_seconds.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

namespace assay::plan {
namespace {

constexpr double kRate = 1e11;           // FLOP/s of every product
constexpr double kAttention = 1e-10;     // seconds for columns² · width of a head, forward; twice that backward
constexpr double kByte = 1e-10;          // 10 GB/s, fresh memory as fast
constexpr double kLayerByte = 2e-10;     // of what a layer keeps, forward; twice that backward
constexpr double kLogit = 3e-9;
constexpr double kAdamCall = 1e-6, kAdamElement = 2e-9;

double productSeconds(double m, double n, double k) { return 2 * m * n * k / kRate; }

model::ModelConfig gpt2(int64_t layers, int64_t hidden, int64_t heads, int64_t columns, int64_t vocab, bool tied = true, double dropout = 0) {
    return *model::describe("gpt2", layers, hidden, heads, heads, 0, columns, vocab, tied, dropout);
}

// Layers as `assay-worker --calibrate` would find them on such a machine: products, attention, and the rest by its bytes.
Json layerPoint(int64_t rows, int64_t columns, int64_t hidden) {
    const auto config = gpt2(2, hidden, 2, columns, 64);
    TrainShape shape{.rows = rows, .columns = columns};
    shape.masked = false;
    const double r = static_cast<double>(rows * columns), h = static_cast<double>(hidden), t = static_cast<double>(columns);
    const double products = productSeconds(r, 12 * h, h), attention = kAttention * t * t * h / 2 * 2 * static_cast<double>(rows), rest = kLayerByte * layerSaved(config, shape);
    return {{"family", "gpt2"}, {"rows", rows}, {"columns", columns}, {"hidden", hidden}, {"heads", 2}, {"ffn", 4 * hidden}, {"layers", 2}, {"vocab", 64},
            {"forward", 2 * (products + attention) + 2.5 * rest}, {"backward", 2 * (2 * products + 2 * attention) + 2.5 * 2 * rest}};
}

Json machine() {
    Json products = Json::array(), attention = Json::array(), losses = Json::array(), optimizers = Json::array();
    for (const int64_t m : {16, 128, 1024})
        for (const int64_t n : {16, 128, 1024})
            for (const int64_t k : {16, 128, 1024}) products.push_back({{"m", m}, {"n", n}, {"k", k}, {"seconds", productSeconds(double(m), double(n), double(k))}});
    for (const int64_t t : {32, 512})
        for (const int64_t w : {16, 128})
            for (const char* kind : {"causal", "masked", "dropout"}) {
                const double unit = kAttention * double(t * t * w) * 8;
                attention.push_back({{"columns", t}, {"width", w}, {"heads", 8}, {"kind", kind}, {"forward", unit}, {"backward", 2 * unit}});
            }
    for (const auto& [rows, vocab] : {std::pair{256, 64}, {1024, 1024}})
        losses.push_back({{"rows", rows}, {"hidden", 64}, {"vocab", vocab}, {"seconds", 3 * productSeconds(rows, vocab, 64) + kLogit * rows * vocab}});
    for (const char* name : {"adamw", "gradient_norm", "clipping"})
        for (const auto& [tensors, elements] : {std::pair{16, 1024}, {8, 65536}, {6, 6 << 20}}) {
            const double factor = name == std::string_view("adamw") ? 1 : 0.25;
            optimizers.push_back({{"name", name}, {"rounding", "none"}, {"tensors", tensors}, {"elements", elements},
                                  {"seconds", factor * (tensors * kAdamCall + (elements > 1024 ? kAdamElement * elements : 0))}});
        }
    const Json passes = {{{"name", "memory"}, {"elements", 1000}, {"seconds", 8000 * kByte}}, {{"name", "fresh_memory"}, {"elements", 1000}, {"seconds", 4000 * kByte}},
                         {{"name", "mask"}, {"elements", 1000}, {"seconds", 1e-6}}, {{"name", "dropout"}, {"elements", 1000}, {"seconds", 5e-6}}};
    return {{"schema", 1}, {"threads", 2}, {"disturbed", false}, {"passes", passes}, {"optimizers", optimizers},
            {"types", {{"fp32", {{"products", products}, {"attention", attention}, {"layers", {layerPoint(2, 32, 64), layerPoint(8, 64, 128), layerPoint(64, 64, 64)}}, {"losses", losses}}}}}};
}

TEST(StepSeconds, OneByHand) {
    const auto rates = KernelRates::parse(machine());
    ASSERT_TRUE(rates);
    EXPECT_NEAR(rates->bytesPerS(), 1e10, 1);
    EXPECT_NEAR(rates->product("fp32", 300, 700, 90), productSeconds(300, 700, 90), 1e-9);
    EXPECT_NEAR(rates->largestProductRate(), kRate, 1);
    // gpt2 of 4 layers, width 256, 8 heads; 8 rows of 128, a vocabulary of 1,000: R = 1024.
    const auto config = gpt2(4, 256, 8, 128, 1000);
    TrainShape shape{.rows = 8, .columns = 128};
    shape.masked = false;
    const StepParts parts = stepParts(*rates, config, shape);
    const double rest = 3 * kLayerByte * layerSaved(config, shape), products = 3 * productSeconds(1024, 12 * 256, 256), attention = 3 * kAttention * 128 * 128 * 32 * 64;
    EXPECT_NEAR(parts.layers / (4 * products + 4.5 * rest), 1, 1e-6);
    EXPECT_NEAR(parts.attention / (4 * attention), 1, 1e-6);
    EXPECT_NEAR(parts.loss / (3 * productSeconds(1024, 1000, 256) + kLogit * 1024 * 1000), 1, 1e-6);
    EXPECT_EQ(parts.tables, 0);  // a tied head's gradient takes the rows of the lookup
    const double parameters = 1000 * 256 + 128 * 256 + 4 * (12 * 256 * 256 + 13 * 256) + 2 * 256, tensors = 2 + 4 * 12 + 2;
    EXPECT_EQ(static_cast<double>(parameterTotals(config).elements), parameters);
    EXPECT_EQ(static_cast<double>(parameterTotals(config).tensors), tensors);
    EXPECT_NEAR(parts.update / (1.5 * (tensors * kAdamCall + parameters * kAdamElement)), 1, 1e-6);
    EXPECT_EQ(parts.recompute, 0);
    EXPECT_EQ(parts.exchange, 0);
}

TEST(StepSeconds, WhatAddsToAStep) {
    const auto rates = KernelRates::parse(machine());
    ASSERT_TRUE(rates);
    const auto config = gpt2(4, 256, 8, 128, 1000);
    TrainShape shape{.rows = 8, .columns = 128};
    shape.masked = false;
    const StepParts once = stepParts(*rates, config, shape);
    shape.accumulation = 3;
    const StepParts thrice = stepParts(*rates, config, shape);
    EXPECT_NEAR(thrice.layers, 3 * once.layers, 1e-9);
    EXPECT_NEAR(thrice.update - once.update, 2 * 3 * 4 * double(parameterTotals(config).elements) * kByte, 1e-9);  // read twice, written once
    shape.accumulation = 1;
    // A third of the products and of the rest is the forward pass.
    shape.checkpointing.kind = config::CheckpointingSpec::Kind::kFull;
    EXPECT_NEAR(stepParts(*rates, config, shape).recompute / ((once.layers * 4 / 4 - 0.5 * 3 * kLayerByte * layerSaved(config, shape) + once.attention) / 3), 1, 1e-6);
    shape.checkpointing = {};
    shape.ranks = 2;
    const double flat = 4 * double(parameterTotals(config).elements);
    EXPECT_GT(stepParts(*rates, config, shape).exchange, flat * kByte);
    shape.ranks = 1;
    shape.averaged = true;
    EXPECT_NEAR(stepParts(*rates, config, shape).update - once.update, 3 * flat * kByte, 1e-9);
    shape.averaged = false;
    shape.masked = true;
    EXPECT_GT(stepParts(*rates, config, shape).sum(), once.sum());
    const auto wet = gpt2(4, 256, 8, 128, 1000, true, 0.1);
    EXPECT_NEAR(stepParts(*rates, wet, {.rows = 8, .columns = 128, .masked = false}).layers - once.layers, 9 * 1024 * 256 * 5e-9, 1e-9);  // two places a layer, and the embedding
}

TEST(StepSeconds, ShapesWithoutAPointTakeTheRateOfSmallerOnes) {
    Json document = machine();
    auto& products = document["types"]["fp32"]["products"];
    for (size_t i = products.size(); i-- > 0;)
        if (products[i]["m"] == 1024 || products[i]["n"] == 1024 || products[i]["k"] == 1024) products.erase(i);
    auto rates = KernelRates::parse(document);
    ASSERT_TRUE(rates);
    EXPECT_NEAR(rates->product("fp32", 2048, 2048, 2048) / productSeconds(2048, 2048, 2048), 1, 1e-9);
    auto& attention = document["types"]["fp32"]["attention"];
    for (size_t i = attention.size(); i-- > 0;)
        if (attention[i]["columns"] == 512 && attention[i]["width"] == 128) attention.erase(i);
    rates = KernelRates::parse(document);
    ASSERT_TRUE(rates);
    EXPECT_NEAR(rates->attention("fp32", "masked", 512, 128, 4).forward / (kAttention * 512 * 512 * 128 * 4), 1, 1e-9);
    EXPECT_GT(rates->attention("bf16", "causal", 512, 128, 4).forward, 0);  // a type that was not measured: fp32
    EXPECT_FALSE(rates->knows("bf16"));
}

TEST(StepSeconds, DocumentsThatAreNotInOrderAreRefused) {
    EXPECT_FALSE(KernelRates::parse(Json()));
    EXPECT_FALSE(KernelRates::parse(Json::array()));
    EXPECT_FALSE(KernelRates::parse({{"schema", 2}}));
    const Json whole = machine();
    for (const char* key : {"schema", "passes", "optimizers", "types"}) {
        Json part = whole;
        part.erase(key);
        EXPECT_FALSE(KernelRates::parse(part)) << key;
        part[key] = "nonsense";
        EXPECT_FALSE(KernelRates::parse(part)) << key;
    }
    for (const char* key : {"products", "attention", "layers"})
        for (const Json& wrong : {Json(), Json(3), Json::array({1, "x", Json::object()}), Json::array({{{"m", -1}, {"n", 0}, {"k", 1e300}, {"seconds", 1}}})}) {
            Json part = whole;
            part["types"]["fp32"][key] = wrong;
            EXPECT_FALSE(KernelRates::parse(part)) << key << " " << wrong.dump();
        }
    // Values that make no sense are left out, whatever they are.
    for (const Json& value : {Json(0), Json(-5), Json(1e300), Json("a"), Json(), Json::array()})
        for (const char* key : {"rows", "columns", "hidden", "heads", "layers", "vocab", "ffn", "forward"}) {
            Json part = whole;
            part["types"]["fp32"]["layers"][0][key] = value;
            const auto parsed = KernelRates::parse(part);
            if (parsed) { EXPECT_GT(stepParts(*parsed, gpt2(2, 64, 2, 64, 100), {.rows = 2, .columns = 64}).sum(), 0); }
        }
}

TEST(Calibration, KeepsKernelsOfItsWorkerOnly) {
    const std::string path = ::testing::TempDir() + "assay-kernels-" + std::to_string(::getpid()) + ".json";
    Calibration c{"A", 2, {{96, 1e9}}, 5e9, 1};
    c.kernels = KernelRates::parse(machine());
    c.worker = "one";
    ASSERT_TRUE(c.kernels);
    ASSERT_TRUE(storeCalibration(path, c));
    EXPECT_FALSE(loadCalibration(path, "A", 2));
    EXPECT_FALSE(loadCalibration(path, "A", 2, "two"));
    const auto loaded = loadCalibration(path, "A", 2, "one");
    ASSERT_TRUE(loaded && loaded->kernels);
    EXPECT_EQ(loaded->kernels->document(), c.kernels->document());
    // One that was disturbed, long ago, is measured again.
    Json document = machine();
    document["disturbed"] = true;
    c.kernels = KernelRates::parse(document);
    ASSERT_TRUE(storeCalibration(path, c));
    EXPECT_FALSE(loadCalibration(path, "A", 2, "one"));
    ::unlink(path.c_str());
}

}  // namespace
}  // namespace assay::plan
