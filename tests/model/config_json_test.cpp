#include "model_helpers.h"

namespace assay::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Json llamaJson() {
    return Json{{"model_type", "llama"}, {"vocab_size", 100}, {"max_position_embeddings", 64}, {"hidden_size", 32}, {"intermediate_size", 48},
                {"num_hidden_layers", 2}, {"num_attention_heads", 4}, {"rms_norm_eps", 1e-5}};
}
Json gpt2Json() { return Json{{"model_type", "gpt2"}, {"vocab_size", 100}, {"n_positions", 64}, {"n_embd", 32}, {"n_layer", 2}, {"n_head", 4}}; }

Result<ModelConfig> with(Json json, const std::string& key, Json value) {
    json[key] = std::move(value);
    return configFromHuggingFace(json);
}

TEST(ConfigJson, AbsentKeysHaveTransformersDefaults) {
    auto c = configFromHuggingFace(llamaJson());
    ASSERT_TRUE(c) << errorOf(c);
    EXPECT_EQ(c->kvHeads, 4);
    EXPECT_EQ(c->headDim, 8);
    EXPECT_EQ(c->ropeTheta, 10000);
    EXPECT_FALSE(c->tieEmbeddings);
    EXPECT_FALSE(c->attentionBias);
    EXPECT_EQ(c->bosId, -1);
    EXPECT_TRUE(c->eosIds.empty());
    auto g = configFromHuggingFace(gpt2Json());
    ASSERT_TRUE(g) << errorOf(g);
    EXPECT_EQ(g->ffn, 128);
    EXPECT_TRUE(g->tieEmbeddings);
    EXPECT_EQ(g->activation, "gelu_new");
    EXPECT_EQ(g->normEps, 1e-5);
    EXPECT_EQ(g->dropout, 0.1);
}

TEST(ConfigJson, HeadDimOfItsOwnIsRead) {  // TensorRT-LLM#5912: hidden 64, 4 heads, head_dim 32
    Json j = llamaJson();
    j["hidden_size"] = 64;
    auto c = with(j, "head_dim", 32);
    ASSERT_TRUE(c);
    EXPECT_EQ(c->headDim, 32);
    for (const ParameterInfo& p : parametersOf(*c)) {
        if (p.name.ends_with("q_proj.weight")) {
            EXPECT_EQ(p.shape, (std::vector<int64_t>{128, 64}));
        } else if (p.name.ends_with("o_proj.weight")) {
            EXPECT_EQ(p.shape, (std::vector<int64_t>{64, 128}));
        }
    }
    auto null = with(j, "head_dim", nullptr);
    ASSERT_TRUE(null);
    EXPECT_EQ(null->headDim, 16);
}

TEST(ConfigJson, EosMayBeOneListOrNull) {
    EXPECT_THAT(with(llamaJson(), "eos_token_id", 2)->eosIds, ElementsAre(2));
    EXPECT_THAT(with(llamaJson(), "eos_token_id", Json::array({2, 7, 2}))->eosIds, ElementsAre(2, 7));
    EXPECT_TRUE(with(llamaJson(), "eos_token_id", nullptr)->eosIds.empty());
    EXPECT_THAT(errorOf(with(llamaJson(), "eos_token_id", "2")), HasSubstr("an id or a list of ids"));
    EXPECT_THAT(errorOf(with(llamaJson(), "eos_token_id", 100)), HasSubstr("outside the vocabulary"));
}

TEST(ConfigJson, EveryRopeKindIsRead) {
    auto old = with(llamaJson(), "rope_scaling", Json{{"type", "linear"}, {"factor", 2.0}});
    ASSERT_TRUE(old) << errorOf(old);
    EXPECT_EQ(old->ropeScaling.kind, "linear");
    EXPECT_EQ(old->ropeScaling.factor, 2);
    auto dynamic = with(llamaJson(), "rope_scaling", Json{{"rope_type", "dynamic"}, {"factor", 4}});
    ASSERT_TRUE(dynamic) << errorOf(dynamic);
    EXPECT_EQ(dynamic->ropeScaling.kind, "dynamic");
    EXPECT_EQ(dynamic->ropeScaling.originalContext, 64);
    // What transformers ignores does not count.
    EXPECT_EQ(with(llamaJson(), "rope_scaling", Json{{"type", "dynamic"}, {"factor", 4}, {"original_max_position_embeddings", 8}})->ropeScaling.originalContext, 64);
    Json l3{{"rope_type", "llama3"}, {"factor", 8.0}, {"low_freq_factor", 1.0}, {"high_freq_factor", 4.0}, {"original_max_position_embeddings", 8192}};
    auto llama3 = with(llamaJson(), "rope_scaling", l3);
    ASSERT_TRUE(llama3) << errorOf(llama3);
    EXPECT_EQ(llama3->ropeScaling.originalContext, 8192);
    l3.erase("low_freq_factor");
    EXPECT_THAT(errorOf(with(llamaJson(), "rope_scaling", l3)), HasSubstr("rope_scaling.low_freq_factor is missing"));
    auto yarn = with(llamaJson(), "rope_parameters",
                     Json{{"rope_type", "yarn"}, {"rope_theta", 5e5}, {"factor", 4.0}, {"beta_fast", 16}, {"attention_factor", 1.25}, {"original_max_position_embeddings", 16}});
    ASSERT_TRUE(yarn) << errorOf(yarn);
    EXPECT_EQ(yarn->ropeTheta, 5e5);
    EXPECT_EQ(yarn->ropeScaling.betaFast, 16);
    EXPECT_EQ(yarn->ropeScaling.attentionFactor, 1.25);
    EXPECT_EQ(yarn->ropeScaling.originalContext, 16);
    EXPECT_EQ(with(llamaJson(), "rope_scaling", Json{{"rope_type", "default"}})->ropeScaling.kind, "");
    EXPECT_EQ(with(llamaJson(), "rope_theta", 1e6)->ropeTheta, 1e6);
    EXPECT_THAT(errorOf(with(llamaJson(), "rope_scaling", Json{{"type", "su"}, {"factor", 2}})), HasSubstr("rope_scaling.rope_type \"su\""));
    EXPECT_THAT(errorOf(with(llamaJson(), "rope_scaling", Json{{"type", "longrope"}, {"factor", 2}})), HasSubstr("rope_scaling.short_factor must be a list"));
    EXPECT_THAT(errorOf(with(llamaJson(), "rope_scaling", Json{{"type", "longrope"}, {"factor", 2}, {"short_factor", {1}}, {"long_factor", {1, 2}}})), HasSubstr("half of the head dimension"));
    EXPECT_THAT(errorOf(with(llamaJson(), "partial_rotary_factor", 0.5)), HasSubstr("partial_rotary_factor 0.5 is not supported"));
    EXPECT_THAT(errorOf(with(llamaJson(), "rope_scaling", Json{{"type", "linear"}})), HasSubstr("rope_scaling.factor is missing"));
    EXPECT_THAT(errorOf(with(llamaJson(), "rope_scaling", Json{{"type", "linear"}, {"factor", 0}})), HasSubstr("at least 1"));
    EXPECT_THAT(errorOf(with(llamaJson(), "rope_scaling", 3)), HasSubstr("must be an object"));
}

TEST(ConfigJson, RopeSurvivesBothSpellings) {
    for (const char* name : {"tiny/llama3_bias_untied", "tiny/llama_yarn", "tiny/llama_dynamic", "tiny/llama_linear_sharded", "tiny/llama_yarn_set", "tiny/llama_yarn_mscale",
                             "tiny/llama_longrope_short", "tiny/llama_longrope_long"}) {
        auto c = configFromHuggingFace(*readJsonFile(golden(name) + "/config.json"));
        ASSERT_TRUE(c) << errorOf(c);
        for (const char* dropped : {"rope_scaling", "rope_parameters"}) {
            Json j = configToHuggingFace(*c);
            j.erase(dropped);
            auto back = configFromHuggingFace(j);
            ASSERT_TRUE(back) << errorOf(back);
            EXPECT_EQ(configToHuggingFace(*back), configToHuggingFace(*c)) << name << " without " << dropped;
        }
    }
}

TEST(ConfigJson, WhatIsNotSupportedIsSaid) {
    EXPECT_THAT(errorOf(configFromHuggingFace(Json{{"model_type", "bert"}})), HasSubstr("\"bert\" is not supported"));
    EXPECT_THAT(errorOf(configFromHuggingFace(Json(3))), HasSubstr("not a JSON object"));
    EXPECT_THAT(errorOf(with(llamaJson(), "quantization_config", Json{{"quant_method", "gptq"}})), HasSubstr("gptq"));
    EXPECT_TRUE(with(llamaJson(), "quantization_config", nullptr));
    EXPECT_THAT(errorOf(with(llamaJson(), "hidden_act", "relu")), HasSubstr("\"relu\""));
    EXPECT_THAT(errorOf(with(gpt2Json(), "activation_function", "relu")), HasSubstr("\"relu\""));
    EXPECT_THAT(errorOf(with(gpt2Json(), "scale_attn_by_inverse_layer_idx", true)), HasSubstr("scale_attn_by_inverse_layer_idx"));
    EXPECT_THAT(errorOf(with(gpt2Json(), "scale_attn_weights", false)), HasSubstr("scale_attn_weights"));
    EXPECT_THAT(errorOf(with(gpt2Json(), "add_cross_attention", true)), HasSubstr("add_cross_attention"));
}

TEST(ConfigJson, WrongValuesAreNamed) {
    Json j = llamaJson();
    j.erase("hidden_size");
    EXPECT_THAT(errorOf(configFromHuggingFace(j)), HasSubstr("\"hidden_size\" is missing"));
    EXPECT_THAT(errorOf(with(llamaJson(), "hidden_size", "32")), HasSubstr("\"hidden_size\" must be an integer"));
    EXPECT_THAT(errorOf(with(llamaJson(), "num_attention_heads", 5)), HasSubstr("not a multiple of num_attention_heads 5"));
    EXPECT_THAT(errorOf(with(llamaJson(), "num_attention_heads", 0)), HasSubstr("num_attention_heads 0"));
    EXPECT_THAT(errorOf(with(llamaJson(), "num_key_value_heads", 3)), HasSubstr("cannot be shared by 3"));
    EXPECT_THAT(errorOf(with(llamaJson(), "tie_word_embeddings", 1)), HasSubstr("true or false"));
    EXPECT_THAT(errorOf(with(llamaJson(), "rms_norm_eps", 0)), HasSubstr("norm epsilon 0"));
    EXPECT_THAT(errorOf(with(llamaJson(), "num_hidden_layers", int64_t{1} << 40)), HasSubstr("more than the 4096"));
    EXPECT_THAT(errorOf(with(llamaJson(), "hidden_size", 18446744073709551615ull)), HasSubstr("must be an integer"));
    EXPECT_THAT(errorOf(with(gpt2Json(), "n_embd", int64_t{1} << 62)), HasSubstr("n_embd"));
}

}  // namespace
}  // namespace assay::model
