#include <unistd.h>

#include <filesystem>

#include "model_helpers.h"

namespace assay::model {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

ModelConfig small(const std::string& family, bool tie) {
    auto c = describe(family, 2, 16, 2, 2, 24, 8, 20, tie, 0.0);
    EXPECT_TRUE(c) << errorOf(c);
    return *c;
}

// A folder written by hand: config.json and the given tensors.
void writeFolder(const std::string& folder, const ModelConfig& config, const std::vector<SafetensorsEntry>& entries) {
    fs::create_directories(folder);
    put(folder + "/config.json", dumpJson(configToHuggingFace(config)));
    auto written = writeSafetensors(folder + "/model.safetensors", entries, Json{{"format", "pt"}});
    ASSERT_TRUE(written) << errorOf(written);
}

std::vector<float> values(const ModelFile& model, const std::string& name) {
    const TensorView* t = model.find(name);
    if (!t) return {};
    size_t n = 1;
    for (int64_t d : t->shape) n *= static_cast<size_t>(d);
    std::vector<float> out(n);
    auto read = model.readF32(*t, out.data(), 3);
    EXPECT_TRUE(read) << errorOf(read);
    return out;
}

class TinyModel : public ::testing::TestWithParam<const char*> {};
TEST_P(TinyModel, FolderOfTransformersOpens) {
    const std::string folder = golden(std::string("tiny/") + GetParam());
    auto model = openModel(folder);
    ASSERT_TRUE(model) << errorOf(model);
    auto expected = readJsonFile(folder + "/golden.json");
    ASSERT_TRUE(expected);
    EXPECT_EQ(parameterCount((*model)->config()), (*expected)["parameters"]);
    EXPECT_EQ((*model)->tensors().size(), (*expected)["gradients"].size());
    for (const auto& [name, gradient] : (*expected)["gradients"].items()) EXPECT_TRUE((*model)->find(name)) << name;
    EXPECT_EQ((*model)->path(), folder);
    EXPECT_EQ((*model)->tokenizerPath(), "");
}
INSTANTIATE_TEST_SUITE_P(Folder, TinyModel,
                         ::testing::Values("gpt2", "gpt2_untied", "llama", "llama3_bias_untied", "llama_linear_sharded", "llama_dynamic", "llama_yarn"),
                         [](const auto& i) { return std::string(i.param); });

TEST(Folder, WrittenFoldersComeBackEqual) {
    for (const char* family : {"gpt2", "llama"})
        for (bool tie : {true, false}) {
            TempFolder folder;
            ModelConfig config = small(family, tie);
            config.eosIds = {2, 7};
            config.bosId = 1;
            config.sourcePrecision = "Q4_1";
            const Weights w = weightsOf(config);
            put(folder.file("tokenizer.json"), "{}");
            put(folder.file("tokenizer_config.json"), "{\"a\":1}");
            auto written = writeHuggingFaceFolder(folder.file("out"), config, w.entries, folder.file("tokenizer.json"));
            ASSERT_TRUE(written) << errorOf(written);
            uint64_t bytes = 0;
            for (const auto& e : fs::directory_iterator(folder.file("out"))) bytes += e.file_size();
            EXPECT_EQ(static_cast<uint64_t>(*written), bytes);
            auto model = openModel(folder.file("out"));
            ASSERT_TRUE(model) << errorOf(model);
            EXPECT_EQ(configToHuggingFace((*model)->config()), configToHuggingFace(config));
            EXPECT_EQ((*model)->config().sourcePrecision, "Q4_1");
            EXPECT_EQ((*model)->tokenizerPath(), folder.file("out/tokenizer.json"));
            EXPECT_EQ(*readFile(folder.file("out/tokenizer_config.json")), "{\"a\":1}");
            for (const auto& [name, want] : w.storage) EXPECT_EQ(values(**model, name), want) << name;
            EXPECT_EQ(test::entriesIn(folder.path()), 3u);
        }
}

TEST(Folder, WriterRefusesWrongWeightsAndLeavesNothing) {
    TempFolder folder;
    const ModelConfig config = small("llama", true);
    Weights w = weightsOf(config);
    EXPECT_THAT(errorOf(writeHuggingFaceFolder(folder.path(), config, w.entries, "")), HasSubstr("exists already"));
    EXPECT_THAT(errorOf(writeHuggingFaceFolder(folder.file("a"), config, w.entries, "/x/model.gguf")), HasSubstr("GGUF"));
    EXPECT_THAT(errorOf(writeHuggingFaceFolder(folder.file("a"), config, w.entries, folder.file("no/tokenizer.json"))), HasSubstr("no tokenizer.json"));
    w.entries.pop_back();
    EXPECT_THAT(errorOf(writeHuggingFaceFolder(folder.file("a"), config, w.entries, "")), HasSubstr("model.norm.weight is missing"));
    EXPECT_EQ(test::entriesIn(folder.path()), 0u);
}

TEST(Folder, MissingExtraAndMisshapenTensorsAreNamed) {
    TempFolder folder;
    const ModelConfig config = small("llama", true);
    Weights w = weightsOf(config);
    std::string bytes(16 * 4, '\0');
    for (SafetensorsEntry& e : w.entries) {
        if (e.name == "model.layers.0.input_layernorm.weight") e.name = "model.layers.7.input_layernorm.weight";
        if (e.name == "model.layers.1.self_attn.v_proj.weight") e.shape = {8, 32};
        if (e.name == "model.norm.weight") e = {e.name, DType::kI32, {16}, bytes};
    }
    writeFolder(folder.file("m"), config, w.entries);
    const std::string message = errorOf(openModel(folder.file("m")));
    EXPECT_THAT(message, HasSubstr("missing: model.layers.0.input_layernorm.weight"));
    EXPECT_THAT(message, HasSubstr("unexpected: model.layers.7.input_layernorm.weight"));
    EXPECT_THAT(message, HasSubstr("model.layers.1.self_attn.v_proj.weight is [8, 32], expected [16, 16]"));
    EXPECT_THAT(message, HasSubstr("model.norm.weight has the type I32"));
}

TEST(Folder, TiedHeadMayBeStoredAgainButNotDiffer) {  // transformers#33807, safetensors#98
    TempFolder folder;
    const ModelConfig config = small("llama", true);
    Weights w = weightsOf(config);
    SafetensorsEntry head = w.entries[0];
    ASSERT_EQ(head.name, "model.embed_tokens.weight");
    head.name = "lm_head.weight";
    auto entries = w.entries;
    entries.push_back(head);
    writeFolder(folder.file("same"), config, entries);
    auto model = openModel(folder.file("same"));
    ASSERT_TRUE(model) << errorOf(model);
    EXPECT_EQ((*model)->find("lm_head.weight"), nullptr);
    std::string other(head.bytes);
    other[0] ^= 1;
    entries.back().bytes = other;
    writeFolder(folder.file("other"), config, entries);
    EXPECT_THAT(errorOf(openModel(folder.file("other"))), HasSubstr("lm_head.weight differs from model.embed_tokens.weight"));
    // Untied, the head is needed.
    writeFolder(folder.file("untied"), small("llama", false), w.entries);
    EXPECT_THAT(errorOf(openModel(folder.file("untied"))), HasSubstr("missing: lm_head.weight"));
}

TEST(Folder, BareModelNamesAndOldBuffersAreUnderstood) {
    for (const char* family : {"gpt2", "llama"}) {
        TempFolder folder;
        const ModelConfig config = small(family, true);
        const Weights w = weightsOf(config);
        auto entries = w.entries;
        const std::string prefix = findFamily(family)->basePrefix;
        for (SafetensorsEntry& e : entries) e.name = e.name.substr(prefix.size());
        const std::string mask(8 * 8, '\1'), table(4 * 4, '\0');
        if (config.family == "gpt2") {
            entries.push_back({"h.0.attn.bias", DType::kU8, {1, 1, 8, 8}, mask});
            entries.push_back({"h.1.attn.masked_bias", DType::kF32, {}, std::string_view(table).substr(0, 4)});
        } else {
            entries.push_back({"layers.0.self_attn.rotary_emb.inv_freq", DType::kF32, {4}, table});
        }
        writeFolder(folder.file("m"), config, entries);
        auto model = openModel(folder.file("m"));
        ASSERT_TRUE(model) << errorOf(model);
        EXPECT_EQ((*model)->tensors().size(), w.entries.size());
        for (const auto& [name, want] : w.storage) EXPECT_EQ(values(**model, name), want) << name;
    }
}

TEST(Folder, EosIdsAreTheUnion) {  // vllm#4180
    TempFolder folder;
    ModelConfig config = small("llama", true);
    config.eosIds = {2, 7};
    writeFolder(folder.file("m"), config, weightsOf(config).entries);
    put(folder.file("m/generation_config.json"), R"({"eos_token_id": [9, 2]})");
    auto model = openModel(folder.file("m"));
    ASSERT_TRUE(model) << errorOf(model);
    EXPECT_THAT((*model)->config().eosIds, ::testing::ElementsAre(2, 7, 9));
    put(folder.file("m/generation_config.json"), R"({"eos_token_id": 9000})");
    EXPECT_THAT(errorOf(openModel(folder.file("m"))), HasSubstr("generation_config.json"));
}

// transformers#46097, #47176, diffusers#14175: names in the index that leave the folder.
TEST(Folder, IndexCannotLeaveTheFolder) {
    TempFolder folder;
    const ModelConfig config = small("llama", true);
    const Weights w = weightsOf(config);
    writeFolder(folder.file("m"), config, w.entries);
    fs::rename(folder.file("m/model.safetensors"), folder.file("outside.safetensors"));
    fs::create_directories(folder.file("m/sub"));
    fs::copy(folder.file("outside.safetensors"), folder.file("m/sub/inside.safetensors"));
    auto errorFor = [&](const std::string& name) {
        Json map = Json::object();
        for (const SafetensorsEntry& e : w.entries) map[e.name] = name;
        put(folder.file("m/model.safetensors.index.json"), dumpJson(Json{{"weight_map", map}}));
        return errorOf(openModel(folder.file("m")));
    };
    for (const std::string& name : {std::string("../outside.safetensors"), folder.file("outside.safetensors"), std::string("sub/../../outside.safetensors"),
                                    std::string("sub/inside.safetensors"), std::string("sub\\inside.safetensors"), std::string("a\0.safetensors", 14),
                                    std::string(""), std::string(".."), std::string(".hidden.safetensors"), std::string("/etc/passwd"), std::string("config.json")})
        EXPECT_THAT(errorFor(name), HasSubstr("not the plain name")) << name;
    EXPECT_THAT(errorFor("absent.safetensors"), HasSubstr("is missing"));
    fs::create_symlink(folder.file("outside.safetensors"), folder.file("m/link.safetensors"));
    EXPECT_THAT(errorFor("link.safetensors"), HasSubstr("link that leads out"));
    fs::rename(folder.file("outside.safetensors"), folder.file("m/inside.safetensors"));
    EXPECT_EQ(errorFor("inside.safetensors"), "");
}

TEST(Folder, LinksIntoTheBlobsOfAHubCacheAreFollowed) {
    TempFolder folder;
    const ModelConfig config = small("llama", true);
    writeFolder(folder.file("snapshots/abc"), config, weightsOf(config).entries);
    fs::create_directories(folder.file("blobs"));
    fs::rename(folder.file("snapshots/abc/model.safetensors"), folder.file("blobs/0123"));
    fs::create_symlink("../../blobs/0123", folder.file("snapshots/abc/model.safetensors"));
    EXPECT_EQ(errorOf(openModel(folder.file("snapshots/abc"))), "");
}

TEST(Folder, IndexAndShardsMustAgree) {
    TempFolder folder;
    const std::string from = golden("tiny/llama_linear_sharded");
    fs::copy(from, folder.file("m"));
    Json index = *readJsonFile(from + "/model.safetensors.index.json");
    auto write = [&](const Json& changed) { put(folder.file("m/model.safetensors.index.json"), dumpJson(changed)); };
    Json extra = index;
    extra["weight_map"]["model.extra.weight"] = "model-00001-of-00003.safetensors";
    write(extra);
    EXPECT_THAT(errorOf(openModel(folder.file("m"))), HasSubstr("names 21 tensors, the files hold 20"));
    Json fewer = index;
    fewer["weight_map"].erase("model.norm.weight");
    write(fewer);
    EXPECT_THAT(errorOf(openModel(folder.file("m"))), HasSubstr("model.norm.weight, which model.safetensors.index.json does not place there"));
    write(Json{{"metadata", 1}});
    EXPECT_THAT(errorOf(openModel(folder.file("m"))), HasSubstr("\"weight_map\" is missing"));
    write(Json{{"weight_map", {{"a", 1}}}});
    EXPECT_THAT(errorOf(openModel(folder.file("m"))), HasSubstr("must be a file name"));
    write(index);
    fs::remove(folder.file("m/model-00002-of-00003.safetensors"));
    EXPECT_THAT(errorOf(openModel(folder.file("m"))), HasSubstr("model-00002-of-00003.safetensors is missing"));
}

TEST(Folder, CheckpointsOpenOnceTheyAreCommitted) {
    TempFolder folder;
    const ModelConfig config = small("gpt2", true);
    const Weights w = weightsOf(config);
    const std::string step = folder.file("checkpoints/step-10");
    writeFolder(step, config, w.entries);
    ASSERT_TRUE(writeSafetensors(step + "/optimizer.safetensors", {}, {}));
    EXPECT_THAT(errorOf(openModel(step)), HasSubstr("never completed"));
    put(folder.file("tok.json"), "{}");
    put(step + "/manifest.json", R"({"tokenizer": "../../tok.json"})");
    auto model = openModel(step);
    ASSERT_TRUE(model) << errorOf(model);
    EXPECT_TRUE(fs::equivalent((*model)->tokenizerPath(), folder.file("tok.json")));
    put(step + "/manifest.json", R"({"tokenizer": "bytes"})");
    EXPECT_EQ((*openModel(step))->tokenizerPath(), "bytes");
    // Shards without an index.
    std::vector<SafetensorsEntry> first(w.entries.begin(), w.entries.begin() + 5), second(w.entries.begin() + 5, w.entries.end());
    fs::remove(step + "/model.safetensors");
    ASSERT_TRUE(writeSafetensors(step + "/model-00001-of-00002.safetensors", first, {}));
    EXPECT_THAT(errorOf(openModel(step)), HasSubstr("missing: "));
    ASSERT_TRUE(writeSafetensors(step + "/model-00002-of-00002.safetensors", second, {}));
    model = openModel(step);
    ASSERT_TRUE(model) << errorOf(model);
    for (const auto& [name, want] : w.storage) EXPECT_EQ(values(**model, name), want) << name;
}

TEST(Folder, CheckpointsWithOptimizerShardsOpenOnceTheyAreCommitted) {
    const ModelConfig config = small("gpt2", true);
    const Weights w = weightsOf(config);
    // Written until here, then the power went: after the first shard, and after the index.
    for (const char* last : {"optimizer-00001-of-00002.safetensors", "optimizer.safetensors.index.json"}) {
        TempFolder folder;
        const std::string step = folder.file("checkpoints/step-10");
        writeFolder(step, config, w.entries);
        EXPECT_EQ(errorOf(openModel(step)), "") << "weights alone are a model";
        put(step + "/" + last, "{}");
        EXPECT_THAT(errorOf(openModel(step)), HasSubstr("never completed")) << last;
        put(step + "/manifest.json", R"({"tokenizer": "bytes"})");
        EXPECT_EQ(errorOf(openModel(step)), "") << last;
    }
}

TEST(Folder, WidensHalfPrecisionTensors) {
    TempFolder folder;
    const ModelConfig config = small("llama", true);
    Weights w = weightsOf(config);
    std::string half, brain;  // 1.5 in both formats
    for (int i = 0; i < 16; ++i) {
        append<uint16_t>(half, 0x3E00);
        append<uint16_t>(brain, 0x3FC0);
    }
    for (SafetensorsEntry& e : w.entries) {
        if (e.name == "model.norm.weight") e = {e.name, DType::kF16, {16}, half};
        if (e.name == "model.layers.0.input_layernorm.weight") e = {e.name, DType::kBF16, {16}, brain};
    }
    writeFolder(folder.file("m"), config, w.entries);
    auto model = openModel(folder.file("m"));
    ASSERT_TRUE(model) << errorOf(model);
    EXPECT_EQ(values(**model, "model.norm.weight"), std::vector<float>(16, 1.5f));
    EXPECT_EQ(values(**model, "model.layers.0.input_layernorm.weight"), std::vector<float>(16, 1.5f));
}

TEST(OpenModel, ResolvesAndSaysWhatIsMissing) {
    TempFolder folder;
    using ::testing::HasSubstr;
    auto missing = openModel(folder.file("no"));
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
    auto asset = openModel("asset:no_such_asset/model.gguf");
    ASSERT_FALSE(asset);
    EXPECT_EQ(asset.error().code, ErrorCode::kNotFound);
    EXPECT_THAT(errorOf(openModel("asset:../x.gguf")), HasSubstr("leaves the asset folder"));
    EXPECT_THAT(errorOf(openModel("")), HasSubstr("no model is given"));
    EXPECT_THAT(errorOf(openModel(folder.path())), HasSubstr("config.json does not exist"));
    put(folder.file("m.bin"), "x");
    EXPECT_THAT(errorOf(openModel(folder.file("m.bin"))), HasSubstr("no model file that Assay reads"));
    put(folder.file("config.json"), dumpJson(configToHuggingFace(small("llama", true))));
    EXPECT_THAT(errorOf(openModel(folder.path())), HasSubstr("neither model.safetensors nor"));
    put(folder.file("pytorch_model.bin"), "x");
    EXPECT_THAT(errorOf(openModel(folder.path())), HasSubstr("pickled weights"));
    put(folder.file("config.json"), "{");
    EXPECT_THAT(errorOf(openModel(folder.path())), HasSubstr("config.json"));
    auto file = openModel(golden("tiny/llama/model.safetensors"));
    ASSERT_TRUE(file) << errorOf(file);
    EXPECT_EQ((*file)->tensors().size(), 20u);
    EXPECT_EQ(*resolveModel(golden("tiny/llama/")), golden("tiny/llama"));
}

}  // namespace
}  // namespace assay::model
