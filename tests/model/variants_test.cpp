// Models of Llama's shape under other names, and mixtures of experts: config.json both ways, files, refusals.
#include <assay/model/model_file.h>

#include <filesystem>
#include <map>
#include <set>

#include "model_helpers.h"

namespace assay::model {
namespace {

using ::testing::HasSubstr;

Json jsonOf(const char* name) { return *readJsonFile(golden(std::string("tiny/") + name) + "/config.json"); }
Result<ModelConfig> changed(const char* name, const char* key, const Json& value) {
    Json j = jsonOf(name);
    j[key] = value;
    return configFromHuggingFace(j);
}
Result<ModelConfig> without(const char* name, const char* key) {
    Json j = jsonOf(name);
    j.erase(key);
    return configFromHuggingFace(j);
}

TEST(Variants, KeepTheirNamesAndWhatTheySay) {
    const std::map<std::string, std::string> architectures{{"mistral_window", "MistralForCausalLM"}, {"mistral_plain", "MistralForCausalLM"}, {"qwen2", "Qwen2ForCausalLM"},
                                                           {"qwen3", "Qwen3ForCausalLM"}, {"qwen3_tied", "Qwen3ForCausalLM"}, {"mixtral", "MixtralForCausalLM"},
                                                           {"mixtral_top1_tied", "MixtralForCausalLM"}};
    for (const auto& [name, architecture] : architectures) {
        SCOPED_TRACE(name);
        const Json j = jsonOf(name.c_str());
        auto c = configFromHuggingFace(j);
        ASSERT_TRUE(c) << errorOf(c);
        const Json written = configToHuggingFace(*c);
        EXPECT_EQ(written["architectures"], Json::array({architecture}));
        EXPECT_EQ(written["model_type"], j["model_type"]);
        auto back = configFromHuggingFace(written);
        ASSERT_TRUE(back) << errorOf(back);
        EXPECT_EQ(configToHuggingFace(*back), written);
        // The name alone is enough where model_type is missing.
        Json nameless = j;
        nameless.erase("model_type");
        auto implied = configFromHuggingFace(nameless);
        ASSERT_TRUE(implied) << errorOf(implied);
        EXPECT_EQ(configToHuggingFace(*implied), written);
    }
}

TEST(Variants, WindowsAreThoseOfTransformers) {
    EXPECT_EQ(changed("mistral_window", "sliding_window", 5)->window, 5);
    EXPECT_EQ(changed("mistral_window", "sliding_window", nullptr)->window, 0);
    EXPECT_EQ(without("mistral_window", "sliding_window")->window, 4096);  // the default of MistralConfig
    EXPECT_THAT(errorOf(changed("mistral_window", "sliding_window", 0)), HasSubstr("sliding_window is 0"));
    EXPECT_THAT(errorOf(changed("mistral_window", "sliding_window", -3)), HasSubstr("sliding_window is -3"));
    auto c = changed("qwen2", "sliding_window", 6);
    ASSERT_TRUE(c) << errorOf(c);
    EXPECT_EQ(windowOf(*c, 0), 0);
    EXPECT_EQ(windowOf(*c, 1), 6);
    EXPECT_EQ(windowOf(*c, 2), 6);
    EXPECT_THAT(errorOf(changed("qwen2", "use_sliding_window", false)), HasSubstr("layer_types names sliding_attention"));
    EXPECT_THAT(errorOf(changed("qwen2", "layer_types", Json::array({"chunked_attention", "full_attention", "full_attention"}))), HasSubstr("layer_types: \"chunked_attention\""));
    EXPECT_THAT(errorOf(changed("qwen2", "layer_types", Json::array({"full_attention"}))), HasSubstr("each of the 3 layers"));
    Json j = jsonOf("qwen2");
    j.erase("layer_types");
    EXPECT_EQ(configFromHuggingFace(j)->windowLayers, (std::vector<bool>{false, true, true}));
    j["use_sliding_window"] = false;
    EXPECT_EQ(configFromHuggingFace(j)->window, 0);
}

TEST(Variants, BiasesAndNormsOfTheHeads) {
    auto names = [](const Result<ModelConfig>& c) {
        std::set<std::string> out;
        for (const ParameterInfo& p : parametersOf(*c))
            if (p.layer == 0) out.insert(p.name.substr(std::string("model.layers.0.").size()));
        return out;
    };
    const auto qwen2 = names(configFromHuggingFace(jsonOf("qwen2"))), qwen3 = names(configFromHuggingFace(jsonOf("qwen3"))), tied = names(configFromHuggingFace(jsonOf("qwen3_tied")));
    for (const char* name : {"self_attn.q_proj.bias", "self_attn.k_proj.bias", "self_attn.v_proj.bias"}) {
        EXPECT_TRUE(qwen2.contains(name) && qwen3.contains(name)) << name;
        EXPECT_FALSE(tied.contains(name)) << name;
    }
    EXPECT_FALSE(qwen2.contains("self_attn.o_proj.bias"));
    EXPECT_TRUE(qwen3.contains("self_attn.o_proj.bias"));
    EXPECT_TRUE(qwen3.contains("self_attn.q_norm.weight") && qwen3.contains("self_attn.k_norm.weight"));
    EXPECT_FALSE(qwen2.contains("self_attn.q_norm.weight"));
    // head_dim that is neither given nor hidden / heads: Qwen3's default.
    EXPECT_EQ(without("qwen3", "head_dim")->headDim, 128);
}

TEST(Mixtral, CountsAreThoseOfThePaper) {
    // Mixtral 8×7B: 46,702,792,704 parameters, 12,879,925,248 of them active for a token (46.7 B and 12.9 B in the paper).
    auto c = describe("mixtral", 32, 4096, 32, 8, 14336, 32768, 32000, false, 0);
    ASSERT_TRUE(c) << errorOf(c);
    EXPECT_EQ(c->experts, 8);
    EXPECT_EQ(c->expertsPerToken, 2);
    EXPECT_EQ(parameterCount(*c), 46702792704);
    EXPECT_EQ(activeParameterCount(*c), 12879925248);
    // hidden 32, ffn 48, kv dim 16, 8 experts of which 2, vocabulary 100: 2·(2·32² + 2·32·16 + 32·8 + 2·3·32·48) + 3,200 = 28,288.
    auto small = describe("mixtral", 2, 32, 4, 2, 48, 16, 100, true, 0);
    ASSERT_TRUE(small) << errorOf(small);
    EXPECT_EQ(findFamily("mixtral")->forwardFlopsPerToken(*small, 16), 2 * 28288 + 2048);
}

TEST(Mixtral, OnlyTheRouterIsNeverQuantized) {
    const auto c = configFromHuggingFace(jsonOf("mixtral"));
    for (const ParameterInfo& p : parametersOf(*c)) {
        EXPECT_EQ(p.role == Role::kRouter, p.name.ends_with(".gate.weight")) << p.name;
        EXPECT_EQ(p.linearWeight, p.role == Role::kAttention || p.role == Role::kMlp || p.role == Role::kHead) << p.name;
    }
}

TEST(Mixtral, BothLayoutsOfTransformersAreRead) {
    const std::string folder = golden("tiny/mixtral_fused");
    auto fused = openModel(folder);
    ASSERT_TRUE(fused) << errorOf(fused);
    EXPECT_EQ((*fused)->tensors().size(), parametersOf((*fused)->config()).size());
    auto whole = SafetensorsFile::open(folder + "/model.safetensors");
    ASSERT_TRUE(whole);
    const auto bytesOf = [&](const std::string& name) {
        for (const SafetensorsEntry& e : (*whole)->entries())
            if (e.name == name) return e.bytes;
        return std::string_view();
    };
    const ModelConfig& c = (*fused)->config();
    const auto matrix = static_cast<size_t>(c.ffn * c.hidden * 4);
    // Gate and up of an expert lie one behind the other, then those of the next.
    const std::string_view pairs = bytesOf("model.layers.1.mlp.experts.gate_up_proj"), downs = bytesOf("model.layers.1.mlp.experts.down_proj");
    ASSERT_EQ(pairs.size(), 6 * matrix);
    for (size_t e = 0; e < 3; ++e) {
        const std::string p = "model.layers.1.block_sparse_moe.experts." + std::to_string(e) + ".";
        EXPECT_EQ((*fused)->find(p + "w1.weight")->bytes, pairs.substr(2 * e * matrix, matrix));
        EXPECT_EQ((*fused)->find(p + "w3.weight")->bytes, pairs.substr((2 * e + 1) * matrix, matrix));
        EXPECT_EQ((*fused)->find(p + "w2.weight")->bytes, downs.substr(e * matrix, matrix));
    }
    EXPECT_TRUE((*fused)->find("model.layers.0.block_sparse_moe.gate.weight"));
    // A configuration with other experts than the file.
    const TempFolder temp;
    const std::string other = temp.path();
    std::filesystem::copy(folder + "/model.safetensors", other + "/model.safetensors");
    Json j = jsonOf("mixtral_fused");
    j["num_local_experts"] = 4;
    std::ofstream(other + "/config.json") << dumpJson(j);
    EXPECT_THAT(errorOf(openModel(other)), HasSubstr("down_proj is [3, 16, 24] of F32"));
}

TEST(Mixtral, WhatCannotBeIsNamed) {
    EXPECT_THAT(errorOf(changed("mixtral", "num_experts_per_tok", 5)), HasSubstr("num_experts_per_tok 5 is more than num_local_experts 4"));
    EXPECT_THAT(errorOf(changed("mixtral", "num_experts_per_tok", 0)), HasSubstr("num_experts_per_tok is 0"));
    EXPECT_THAT(errorOf(changed("mixtral", "num_local_experts", 0)), HasSubstr("num_local_experts is 0"));
    EXPECT_THAT(errorOf(changed("mixtral", "num_local_experts", 1 << 20)), HasSubstr("num_local_experts is 1048576"));
    EXPECT_THAT(errorOf(changed("mixtral", "router_jitter_noise", 0.1)), HasSubstr("router_jitter_noise 0.1 is not supported"));
    EXPECT_THAT(errorOf(changed("mixtral", "router_aux_loss_coef", -1)), HasSubstr("router_aux_loss_coef -1"));
    EXPECT_THAT(errorOf(changed("mixtral", "norm_topk_prob", false)), HasSubstr("norm_topk_prob"));
    EXPECT_THAT(errorOf(changed("mixtral", "hidden_act", "gelu")), HasSubstr("activation \"gelu\""));
    EXPECT_THAT(errorOf(describe("mixtral", 1, 8, 2, 2, 8, 8, 8, true, 0.0, {.count = 2, .perToken = 3})), HasSubstr("num_experts_per_tok 3 is more than"));
    EXPECT_THAT(errorOf(describe("llama", 1, 8, 2, 2, 8, 8, 8, true, 0.0, {.count = 2, .perToken = 1})), HasSubstr("has no experts"));
}

}  // namespace
}  // namespace assay::model
