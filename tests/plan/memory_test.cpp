#include <assay/plan/memory.h>
#include <assay/plan/plan.h>
#include <gtest/gtest.h>

#include <cmath>

namespace assay::plan {
namespace {

model::ModelConfig describe(std::string_view family, int64_t layers, int64_t hidden, int64_t heads, int64_t kvHeads, int64_t ffn, int64_t context, int64_t vocab, bool tied) {
    auto config = model::describe(family, layers, hidden, heads, kvHeads, ffn, context, vocab, tied, 0);
    EXPECT_TRUE(config.has_value());
    return *config;
}

model::ModelConfig gpt2Small() { return describe("gpt2", 12, 768, 12, 12, 3072, 1024, 50257, true); }
model::ModelConfig llama2() { return describe("llama", 32, 4096, 32, 32, 11008, 4096, 32000, false); }

model::ModelConfig qwen3() {  // norms of the heads, a window in the second of three layers
    auto c = describe("llama", 3, 64, 4, 2, 192, 64, 1000, false);
    c.variant = "qwen3";
    c.queryKeyNorm = true;
    c.window = 16;
    c.windowLayers = {false, true, false};
    return c;
}

TEST(PlanMemory, WeightsGradientsAndMomentsOfPublishedModels) {
    const Memory gpt2 = trainMemory(gpt2Small(), {.rows = 1, .columns = 1024, .masked = false, .saves = false});
    EXPECT_EQ(gpt2.weights, 4 * int64_t{124'439'808});
    EXPECT_EQ(gpt2.gradients, gpt2.weights);
    EXPECT_EQ(gpt2.optimizer, 8 * int64_t{124'439'808});
    EXPECT_EQ(*schemeBytes(llama2(), "fp32"), 4 * int64_t{6'738'415'616});
    EXPECT_EQ(*schemeFileBytes(llama2(), "fp16"), 2 * int64_t{6'738'415'616} + 2 * int64_t{65 * 4096});  // 65 norms stay fp32
}

TEST(PlanMemory, TotalsAreThoseOfEveryLayerListed) {
    for (const char* family : {"gpt2", "llama", "mixtral"})
        for (const int64_t layers : {1, 2, 7})
            for (const bool tied : {false, true}) {
                const auto config = describe(family, layers, 96, 4, 4, 200, 64, 300, tied);
                EXPECT_EQ(parameterTotals(config).elements, model::parameterCount(config));
                EXPECT_EQ(parameterTotals(config).tensors, static_cast<int64_t>(model::parametersOf(config).size()));
            }
}

TEST(PlanMemory, EveryOptimizersStateByHand) {
    // gpt2 with 1 layer of width 64 and an inner width of 256, 100 tokens, 32 positions. Matrices: 100·64, 32·64, 64·192, 64·64,
    // 64·256, 256·64; vectors: 6 norms of 64, biases 192, 64, 256, 64.
    const auto config = describe("gpt2", 1, 64, 4, 4, 256, 32, 100, true);
    const int64_t table = 6400, positions = 2048, qkv = 12288, out = 4096, mlp = 16384, vectors = 6 * 64 + 192 + 64 + 256 + 64;
    const int64_t n = table + positions + qkv + out + 2 * mlp + vectors;
    auto bytes = [&](const char* name, double momentum = 0.9) {
        TrainShape shape;
        shape.optimizer.name = name;
        shape.optimizer.momentum = momentum;
        return staticBytes(config, shape);
    };
    EXPECT_EQ(bytes("adamw").weights, 4 * n);
    EXPECT_EQ(bytes("adamw").gradients, 4 * n);
    EXPECT_EQ(bytes("adamw").optimizer, 8 * n);
    EXPECT_EQ(bytes("adam").optimizer, 8 * n);
    EXPECT_EQ(bytes("sgd").optimizer, 4 * n);
    EXPECT_EQ(bytes("sgd", 0).optimizer, 0);
    EXPECT_EQ(bytes("lion").optimizer, 4 * n);
    // A number for each row and each column of a matrix.
    EXPECT_EQ(bytes("adafactor").optimizer, 4 * ((100 + 64) + (32 + 64) + (64 + 192) + (64 + 64) + 2 * (64 + 256) + vectors));
    // Two codes an element and two scales for 256 of them; under 4,096 elements fp32.
    const int64_t large = table + qkv + out + 2 * mlp;
    EXPECT_EQ(bytes("adamw_8bit").optimizer, 2 * large + 8 * (large / 256) + 8 * (positions + vectors));

    TrainShape narrow;
    narrow.precision.kind = config::PrecisionSpec::Kind::kBf16;
    EXPECT_EQ(staticBytes(config, narrow).weights, 2 * n);
    EXPECT_EQ(staticBytes(config, narrow).gradients, 2 * n);
    EXPECT_EQ(staticBytes(config, narrow).optimizer, 8 * n + 4 * n);  // with the master copy
    narrow.precision.stochastic = true;
    narrow.averaged = true;
    narrow.accumulation = 2;
    EXPECT_EQ(staticBytes(config, narrow).gradients, 4 * n);
    EXPECT_EQ(staticBytes(config, narrow).optimizer, 8 * n + 4 * n);  // with the average
    TrainShape mixed;
    mixed.precision.kind = config::PrecisionSpec::Kind::kAmpBf16;
    EXPECT_EQ(staticBytes(config, mixed).weights, 4 * n);
}

TEST(PlanMemory, WhatAForwardPassKeepsByHand) {
    // gpt2, 1 layer of width 8 with 2 heads and an inner width of 32, 2 rows of 4: R = 8 positions.
    // One hidden state is 8·8·4 = 256 bytes. Kept: x₀, q|k|v (3), attention, x₂, x₃ and the last norm's result: 8 of
    // them = 2048; u: 8·32·4 = 1024; a number for each head and position: 64; two statistics of three norms: 192.
    const Memory m = trainMemory(describe("gpt2", 1, 8, 2, 2, 32, 4, 16, true), {.rows = 2, .columns = 4, .masked = false, .saves = false});
    EXPECT_EQ(m.saved, 2048 + 1024 + 64 + 192);
}

TEST(PlanMemory, LlamaKeepsGateAndUpByHand) {
    // width 8, 2 heads of 4 over 1 key/value head, inner width 16, R = 4. Hidden 128 bytes. Kept: x₀, q, attention, x₂, x₃,
    // last norm: 6 = 768; k and v of one head: 2·64 = 128; gate and up: 2·4·16·4 = 512; heads: 32; three
    // norms' deviations: 48.
    const Memory m = trainMemory(describe("llama", 1, 8, 2, 1, 16, 4, 16, false), {.rows = 1, .columns = 4, .masked = false, .saves = false});
    EXPECT_EQ(m.saved, 768 + 128 + 512 + 32 + 48);
}

TEST(PlanMemory, MixturesKeepTheirChoicesByHand) {
    // As the test before with 3 experts of inner width 16, of which 2: 8 choices. Hidden states, attention and deviations as there; gate
    // and up: 2·8·16·4 = 1024; probabilities 4·3·4 = 48; expert, share, place and row of a choice: 4·8·4 = 128.
    auto config = model::describe("mixtral", 1, 8, 2, 1, 16, 4, 16, false, 0, {.count = 3, .perToken = 2});
    ASSERT_TRUE(config.has_value());
    const Memory m = trainMemory(*config, {.rows = 1, .columns = 4, .masked = false, .saves = false});
    EXPECT_EQ(m.saved, 768 + 128 + 1024 + 32 + 48 + 48 + 128);
}

TEST(PlanMemory, WhatCheckpointingKeepsByHand) {
    // As in the two tests before, with 4 layers. gpt2: a hidden state is 256 bytes; outside the layers stay the last norm's result and two
    // statistics, 256 + 64. llama: 128 bytes; outside 128 + 16.
    const auto gpt2 = describe("gpt2", 4, 8, 2, 2, 32, 4, 16, true), llama = describe("llama", 4, 8, 2, 1, 16, 4, 16, false);
    using Kind = config::CheckpointingSpec::Kind;
    auto saved = [](const model::ModelConfig& c, int64_t rows, Kind kind, int64_t every = 0) {
        TrainShape shape{.rows = rows, .columns = 4, .masked = false, .saves = false};
        shape.checkpointing = {kind, every};
        return trainMemory(c, shape).saved;
    };
    EXPECT_EQ(saved(gpt2, 2, Kind::kFull), 5 * 256 + 256 + 64);  // the input of each layer, and of the last norm
    EXPECT_EQ(saved(gpt2, 2, Kind::kEvery, 3), 3 * 256 + 256 + 64);
    EXPECT_EQ(saved(gpt2, 2, Kind::kEvery, 9), 2 * 256 + 256 + 64);
    EXPECT_EQ(saved(llama, 1, Kind::kFull), 5 * 128 + 128 + 16);
    // Not kept by selective in fp32: what attention gave and a number for each head and position.
    EXPECT_EQ(saved(gpt2, 2, Kind::kNone) - saved(gpt2, 2, Kind::kSelective), 4 * (256 + 64));
    EXPECT_EQ(saved(llama, 1, Kind::kNone) - saved(llama, 1, Kind::kSelective), 4 * (128 + 32));
}

TEST(PlanFlops, RecomputationByHand) {
    // The layer of OneStepByHand: 1856 FLOP a token less the head's 256 is 1600; its last product, 2·32·8 = 512, is not needed again.
    auto config = describe("gpt2", 1, 8, 2, 2, 32, 4, 16, true);
    using Kind = config::CheckpointingSpec::Kind;
    auto flops = [&](Kind kind) {
        TrainShape shape{.rows = 25, .columns = 4, .masked = false, .saves = false};
        shape.checkpointing = {kind, 1};
        return recomputedFlops(config, shape);
    };
    EXPECT_DOUBLE_EQ(flops(Kind::kNone), 0);
    EXPECT_DOUBLE_EQ(flops(Kind::kFull), 100 * (1600.0 - 512));
    EXPECT_DOUBLE_EQ(flops(Kind::kSelective), 0);
    config.dropout = 0.1;
    EXPECT_DOUBLE_EQ(flops(Kind::kFull), 100 * 1600.0);
    EXPECT_DOUBLE_EQ(flops(Kind::kSelective), 100 * 4.0 * 8 * 4);  // scores and their product with the values, for every position
}

TEST(PlanMemory, PartsAddUpToThePeak) {
    for (const int64_t rows : {1, 4, 16})
        for (const int64_t accumulation : {1, 3})
            for (const bool saves : {false, true})
                for (const auto& config : {describe("gpt2", 3, 64, 4, 4, 256, 64, 1000, true), describe("llama", 3, 64, 4, 2, 192, 64, 1000, false), qwen3(), describe("mixtral", 3, 64, 4, 2, 96, 64, 1000, false)})
                    for (const auto precision : {config::PrecisionSpec::Kind::kFp32, config::PrecisionSpec::Kind::kAmpBf16, config::PrecisionSpec::Kind::kBf16})
                        for (const config::CheckpointingSpec& checkpointing : {config::CheckpointingSpec{}, {config::CheckpointingSpec::Kind::kFull, 0}, {config::CheckpointingSpec::Kind::kEvery, 2}, {config::CheckpointingSpec::Kind::kSelective, 0}})
                            for (const double dropout : {0.0, 0.1}) {
                                TrainShape shape{.rows = rows, .columns = 64, .accumulation = accumulation, .threads = 2, .saves = saves};
                                shape.precision.kind = precision;
                                shape.checkpointing = checkpointing;
                                model::ModelConfig c = config;
                                c.dropout = dropout;
                                const Memory m = trainMemory(c, shape);  // checks that the tape is even at the end
                                EXPECT_EQ(m.weights + m.gradients + m.optimizer + m.activations + m.other, m.peak);
                                EXPECT_GE(m.activations, 0);
                                EXPECT_GE(m.other, 0);
                            }
}

TEST(PlanMemory, ACheckpointOfASmallBatchIsThePeak) {
    // Weights, gradients, two moments, and a copy of weights and moments: 7 numbers a parameter.
    const Memory m = trainMemory(gpt2Small(), {.rows = 1, .columns = 64, .masked = false});
    EXPECT_EQ(m.moment, "checkpoint");
    EXPECT_EQ(m.peak, 28 * int64_t{124'439'808});
}

struct Measured {
    const char* name;
    model::ModelConfig config;
    TrainShape shape;
    int64_t peak;  // of tensors in steps of these sizes with a label at every position (tests/bench/train_step.cpp)
};

TEST(PlanMemory, PeaksThatRunsReported) {
    const Measured runs[] = {
        {"gpt2, bytes", describe("gpt2", 4, 128, 4, 4, 512, 128, 257, true), {.rows = 8, .columns = 128, .masked = false, .saves = false}, 36'360'724},
        {"gpt2, larger", describe("gpt2", 6, 256, 8, 8, 1024, 256, 2048, true), {.rows = 4, .columns = 256, .masked = false, .saves = false}, 140'812'300},
        {"llama, grouped heads", describe("llama", 4, 256, 8, 2, 704, 256, 2048, false), {.rows = 8, .columns = 256, .masked = false, .saves = false}, 155'880'460},
        {"llama, long rows", describe("llama", 8, 192, 6, 6, 512, 512, 257, true), {.rows = 4, .columns = 512, .masked = false, .saves = false}, 201'074'708},
    };
    for (const Measured& run : runs) {
        const double planned = static_cast<double>(trainMemory(run.config, run.shape).peak);
        EXPECT_NEAR(planned / static_cast<double>(run.peak), 1.0, 0.03) << run.name;  // the plan leaves room for rows without a label
    }
}

TEST(PlanMemory, SchemesByTheirBits) {
    // A llama of one layer: bits by SCHEMES.md. Matrices 64×64 ×4 + 3·64·128, table 128·64 (tied), norms 3·64.
    const auto config = describe("llama", 1, 64, 4, 4, 128, 64, 128, true);
    const int64_t matrices = 4 * 64 * 64 + 3 * 64 * 128, table = 128 * 64, norms = 3 * 64 * 4;
    EXPECT_EQ(*schemeBytes(config, "fp16"), 2 * (matrices + table) + norms);
    EXPECT_EQ(*schemeBytes(config, "int8"), (matrices + table) * 34 / 32 + norms);              // 8.5 bits
    EXPECT_EQ(*schemeBytes(config, "int4-g32"), matrices * 20 / 32 + table * 34 / 32 + norms);  // 5 bits, the table in int8
    EXPECT_EQ(*schemeBytes(config, "int4-g64"), matrices * 36 / 64 + table * 34 / 32 + norms);
    EXPECT_FALSE(schemeBytes(config, "int4-g48").has_value());
    EXPECT_FALSE(schemeBytes(config, "w8a8-smooth").has_value());
}

TEST(PlanMemory, CacheOfLlama2) {
    // 2 · 32 layers · 32 heads · 128 · 4096 positions · 2 bytes = 2 GiB for one sequence of the full context.
    EXPECT_EQ(cacheBytes(llama2(), {1, 4096, 1, 1, 1, true}), int64_t{2} << 30);
    EXPECT_EQ(cacheBytes(llama2(), {4, 1024, 1, 1, 1, false}), int64_t{4} << 30);
}

TEST(PlanFlops, Gpt3TrainingCompute) {
    // Brown et al. 2020, table D.1: 174.6 B parameters × 300 B tokens: 3.14e23 FLOP. Theirs is 6·N·D; the attention term and
    // the head add a few per cent.
    const auto gpt3 = describe("gpt2", 96, 12288, 96, 96, 49152, 2048, 50257, true);
    EXPECT_NEAR(static_cast<double>(model::parameterCount(gpt3)), 175e9, 1e9);
    EXPECT_NEAR(6.0 * static_cast<double>(model::parameterCount(gpt3)) * 300e9 / 3.14e23, 1.0, 0.01);
    EXPECT_NEAR(trainingFlops(gpt3, 300e9, 2048) / 3.14e23, 1.0, 0.04);
}

TEST(PlanFlops, OneStepByHand) {
    // gpt2 with 1 layer of width 8: 12·64 multiply-adds in the layer, 16·8 in the head, 2·8·T/2·2… a token: forward 2·(768+128)
    // + 2·8·4 = 1856; with the backward pass three times as much.
    EXPECT_DOUBLE_EQ(trainingFlops(describe("gpt2", 1, 8, 2, 2, 32, 4, 16, true), 100, 4), 3 * 1856.0 * 100);
}

}  // namespace
}  // namespace assay::plan
