#include <set>

#include "model_helpers.h"

namespace assay::model {
namespace {

ModelConfig described(const std::string& family, bool tie = true) {
    auto c = describe(family, 2, 32, 4, family == "gpt2" ? 4 : 2, 48, 16, 100, tie, 0.0);
    EXPECT_TRUE(c) << errorOf(c);
    return *c;
}

// Checks that hold for every family of the registry.
TEST(Families, RegistryKeepsItsPromises) {
    for (const Family& family : families()) {
        SCOPED_TRACE(family.name);
        EXPECT_EQ(findFamily(family.name), &family);
        EXPECT_EQ(familyOfHuggingFace(Json{{"model_type", family.name}}), &family);
        EXPECT_EQ(familyOfHuggingFace(Json{{"architectures", Json::array({family.architecture})}}), &family);
        for (bool tie : {true, false}) {
            const ModelConfig config = described(family.name, tie);
            const auto parameters = family.parameters(config);
            std::set<std::string> names;
            for (const ParameterInfo& p : parameters) {
                EXPECT_TRUE(names.insert(p.name).second) << p.name;
                EXPECT_EQ(p.decay, p.shape.size() >= 2) << p.name;
                EXPECT_EQ(p.role == Role::kNorm, p.name.find("norm") != p.name.npos || p.name.find(".ln_") != p.name.npos) << p.name;
                EXPECT_TRUE(!p.linearWeight || p.shape.size() == 2) << p.name;
                EXPECT_LT(p.shardDim, static_cast<int>(p.shape.size())) << p.name;
                const bool inLayer = p.name.find("layers.") != p.name.npos || p.name.find(".h.") != p.name.npos;
                EXPECT_EQ(p.layer >= 0, inLayer) << p.name;
                EXPECT_TRUE(!inLayer || p.name.find("." + std::to_string(p.layer) + ".") != p.name.npos) << p.name;
                EXPECT_FALSE(family.isBuffer(p.name)) << p.name;
            }
            EXPECT_EQ(names.contains("lm_head.weight"), !tie);
            EXPECT_EQ(parameterCount(config) - (tie ? 0 : 3200), parameterCount(described(family.name)));
            // config.json carries everything there and back.
            auto back = configFromHuggingFace(configToHuggingFace(config));
            ASSERT_TRUE(back) << errorOf(back);
            EXPECT_EQ(configToHuggingFace(*back), configToHuggingFace(config));
        }
    }
    EXPECT_EQ(findFamily("bert"), nullptr);
    EXPECT_EQ(familyOfHuggingFace(Json{{"model_type", "bert"}, {"architectures", Json::array({"LlamaForCausalLM"})}}), nullptr);
    EXPECT_EQ(familyOfHuggingFace(Json::array()), nullptr);
}

TEST(Families, CountsAreThoseOfTheKnownModels) {
    // GPT-2 small: 124,439,808 parameters (Hugging Face's num_parameters; 124M in the paper's later count).
    auto gpt2 = describe("gpt2", 0, 0, 0, 0, 0, 0, 50257, true, 0.1);
    ASSERT_TRUE(gpt2) << errorOf(gpt2);
    EXPECT_EQ(parameterCount(*gpt2), 124439808);
    EXPECT_EQ(nonEmbeddingParameterCount(*gpt2), 124439808 - 50257 * 768 - 1024 * 768);
    // SmolLM2-135M: 134,515,008. TinyLlama 1.1B: 1,100,048,384.
    auto smol = describe("llama", 30, 576, 9, 3, 1536, 8192, 49152, true, 0);
    ASSERT_TRUE(smol);
    EXPECT_EQ(parameterCount(*smol), 134515008);
    auto tiny = describe("llama", 22, 2048, 32, 4, 5632, 2048, 32000, false, 0);
    ASSERT_TRUE(tiny);
    EXPECT_EQ(parameterCount(*tiny), 1100048384);
}

TEST(Families, FlopsAreTwicePerMultiplyAdd) {
    // gpt2, hidden 32, ffn 48, vocab 100, 2 layers: weights of matrix products 2·(4·32² + 2·32·48) + 100·32 = 17,536;
    // attention over on average 8 of 16 keys: 2 layers · 2 products · 2 · 8 · 32 = 2,048.
    EXPECT_EQ(findFamily("gpt2")->forwardFlopsPerToken(described("gpt2"), 16), 2 * 17536 + 2048);
    // llama, kv dim 16: 2·(2·32² + 2·32·16 + 3·32·48) + 3,200 = 18,560.
    EXPECT_EQ(findFamily("llama")->forwardFlopsPerToken(described("llama"), 16), 2 * 18560 + 2048);
}

TEST(Families, DefaultsFillWhatIsNotGiven) {
    auto llama = describe("llama", 4, 256, 0, 0, 0, 0, 1000, false, 0);
    ASSERT_TRUE(llama) << errorOf(llama);
    EXPECT_EQ(llama->heads, 4);
    EXPECT_EQ(llama->kvHeads, 4);
    EXPECT_EQ(llama->headDim, 64);
    EXPECT_EQ(llama->ffn, 704);  // 8/3·256 = 682.7, up to a multiple of 64
    EXPECT_EQ(llama->context, 2048);
    EXPECT_EQ(llama->activation, "silu");
    auto gpt2 = describe("gpt2", 4, 256, 8, 0, 0, 0, 1000, true, 0);
    ASSERT_TRUE(gpt2);
    EXPECT_EQ(gpt2->ffn, 1024);
    EXPECT_EQ(gpt2->context, 1024);
    EXPECT_EQ(gpt2->activation, "gelu_new");
}

TEST(Families, ImpossibleDescriptionsAreNamed) {
    using ::testing::HasSubstr;
    auto error = [](auto... v) { return errorOf(describe(v...)); };
    EXPECT_THAT(error("bert", 1, 8, 1, 1, 8, 8, 8, true, 0.0), HasSubstr("known families: gpt2, llama"));
    EXPECT_THAT(error("llama", 1, 8, 2, 2, 8, 8, 0, true, 0.0), HasSubstr("vocabulary size is 0"));
    EXPECT_THAT(error("llama", -1, 8, 2, 2, 8, 8, 8, true, 0.0), HasSubstr("number of layers is -1"));
    EXPECT_THAT(error("llama", 1, 8, 3, 2, 8, 8, 8, true, 0.0), HasSubstr("3 heads cannot be shared by 2"));
    EXPECT_THAT(error("llama", 1, 6, 2, 2, 8, 8, 8, true, 0.0), HasSubstr("head dimension 3 is odd"));
    EXPECT_THAT(error("gpt2", 1, 10, 4, 4, 8, 8, 8, true, 0.0), HasSubstr("hidden size 10 is not a multiple of 4"));
    EXPECT_THAT(error("gpt2", 1, 8, 4, 2, 8, 8, 8, true, 0.0), HasSubstr("2 key/value heads for 4 heads"));
    EXPECT_THAT(error("gpt2", 1, 8, 2, 2, 8, 8, 8, true, 1.0), HasSubstr("dropout 1"));
    EXPECT_THAT(error("gpt2", 1, int64_t{1} << 62, 2, 2, 0, 8, 8, true, 0.0), HasSubstr("hidden size"));
}

}  // namespace
}  // namespace assay::model
