// What a model is, for lists; broken ones are told with what is known.
#include <assay/core/ids.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "assay/model/summary.h"

namespace assay::model {
namespace {
namespace fs = std::filesystem;

class ModelFolderSummary : public ::testing::Test {
protected:
    ModelFolderSummary() : folder_(fs::temp_directory_path() / ("assay-summary-" + randomHex(8))) { fs::create_directories(folder_); }
    ~ModelFolderSummary() override {
        std::error_code ec;
        fs::remove_all(folder_, ec);
    }
    std::string write(const std::string& name, std::string_view bytes) {
        fs::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
        return (folder_ / name).string();
    }
    fs::path folder_;
};

TEST_F(ModelFolderSummary, CountsWhatAFolderHolds) {
    auto config = describe("llama", 2, 16, 4, 2, 32, 64, 50, true, 0);
    ASSERT_TRUE(config) << config.error().text();
    std::vector<std::string> data;
    std::vector<SafetensorsEntry> weights;
    for (const ParameterInfo& p : parametersOf(*config)) {
        int64_t n = 1;
        for (const int64_t d : p.shape) n *= d;
        data.emplace_back(static_cast<size_t>(n) * 4, '\0');
    }
    size_t i = 0;
    for (const ParameterInfo& p : parametersOf(*config)) weights.push_back({p.name, DType::kF32, p.shape, data[i++]});
    const std::string path = (folder_ / "tiny").string();
    auto written = writeHuggingFaceFolder(path, *config, weights, "");
    ASSERT_TRUE(written) << written.error().text();
    const ModelSummary m = summarizeModel(path);
    ASSERT_FALSE(m.error) << m.error->text();
    // embedding 50·16, per layer q 16·16, k and v 8·16, o 16·16, three MLP matrices 32·16, two norms of 16; the last norm
    EXPECT_EQ(m.parameters, 50 * 16 + 2 * (2 * 256 + 2 * 128 + 3 * 512 + 32) + 16);
    EXPECT_EQ(m.bytes, m.parameters * 4);
    EXPECT_EQ(m.name, "tiny");
    EXPECT_EQ(m.family, "llama");
    EXPECT_EQ(m.dtype, "F32");
    EXPECT_EQ(m.kvHeads, 2);
    EXPECT_EQ(m.tensors.size(), parametersOf(*config).size());
    EXPECT_FALSE(m.chatTemplate);
    write("tiny/chat_template.jinja", "x");
    EXPECT_EQ(findModels(folder_.string()), std::vector<std::string>{path});
    EXPECT_EQ(findModels(path), std::vector<std::string>{path});
}

TEST_F(ModelFolderSummary, BrokenModelsSayWhyAndWhatTheyAre) {
    write("bert/config.json", R"({"model_type":"bert"})");
    write("bert/model.safetensors", "12345678");
    const std::string gguf = write("cut.gguf", "GGUF\3");
    write("notes/config.json", "{}");
    write("readme.txt", "");
    EXPECT_EQ(findModels(folder_.string()), (std::vector<std::string>{(folder_ / "bert").string(), gguf}));
    const ModelSummary bert = summarizeModel((folder_ / "bert").string());
    ASSERT_TRUE(bert.error);
    EXPECT_EQ(bert.error->code, ErrorCode::kUnsupported);
    EXPECT_EQ(bert.family, "bert");
    EXPECT_EQ(bert.bytes, 8);
    const ModelSummary cut = summarizeModel(gguf);
    ASSERT_TRUE(cut.error);
    EXPECT_EQ(cut.error->code, ErrorCode::kInvalidFile);
    EXPECT_EQ(cut.name, "cut");
    EXPECT_TRUE(summarizeModel((folder_ / "nowhere").string()).error);
}

}  // namespace
}  // namespace assay::model
