#include "tokenizer/bpe_trainer.h"

#include <assay/core/durable.h>
#include <assay/core/json.h>
#include <assay/core/paths.h>
#include <gtest/gtest.h>

#include "tokenizer/hf_tokenizer.h"

namespace assay::data {
namespace {

// Worked out by hand: "aaab" × 2 and "b" alone. (a,a) occurs 4 times, then (aa,a) 2, then (aaa,b) 2.
TEST(BpeTrainer, MergesTheMostFrequentPairFirst) {
    auto json = trainBpe({"aaab", "aaab", "b"}, 300);
    ASSERT_TRUE(json) << json.error().text();
    auto parsed = parseJson(*json, "trained");
    ASSERT_TRUE(parsed);
    const Json merges = (*parsed)["model"]["merges"];
    ASSERT_GE(merges.size(), 3u);
    EXPECT_EQ(merges[0], (Json::array({"a", "a"})));
    EXPECT_EQ((*parsed)["model"]["vocab"]["<|endoftext|>"], 0);
    EXPECT_EQ((*parsed)["model"]["vocab"].size(), 257 + merges.size());
    auto t = tokenizerFromJson(*json, "trained");
    ASSERT_TRUE(t) << t.error().text();
    EXPECT_EQ((*t)->encode("aaab").size(), 1u);
    EXPECT_EQ((*t)->eosId(), 0);
}

// The trainer of the Hugging Face library on the same text (tests/golden/tokenizers/make.py, gpt2_type).
TEST(BpeTrainer, LearnsWhatTheReferenceLearns) {
    const std::string folder = std::string(ASSAY_SOURCE_DIR) + "/tests/golden/tokenizers/";
    auto corpus = readJsonFile(folder + "trainer_texts.json");
    auto golden = readJsonFile(folder + "vocab/gpt2_type.json");
    auto kjv = resolveAsset("asset:kjv/kjv.txt");
    ASSERT_TRUE(corpus && golden && kjv) << "packaging/dev deps fetches the assets";
    const std::string text = *readFile(*kjv);
    std::vector<std::string_view> documents;
    for (size_t at = 0; documents.size() < 3000;) {
        const size_t end = text.find('\n', at);
        documents.push_back(std::string_view(text).substr(at, end - at));
        at = end + 1;
    }
    std::vector<std::string> extra;
    for (int i = 0; i < 3; ++i)
        for (const Json& line : *corpus) extra.push_back(line.get<std::string>());
    documents.insert(documents.end(), extra.begin(), extra.end());
    auto trained = trainBpe(documents, 700);
    ASSERT_TRUE(trained) << trained.error().text();
    auto parsed = parseJson(*trained, "trained");
    EXPECT_EQ((*parsed)["model"]["merges"], (*golden)["model"]["merges"]);
    EXPECT_EQ(nlohmann::json((*parsed)["model"]["vocab"]), nlohmann::json((*golden)["model"]["vocab"]));
}

TEST(BpeTrainer, RefusesAVocabularyWithoutRoomForTheBytes) {
    EXPECT_EQ(trainBpe({"a"}, 256).error().code, ErrorCode::kBadUsage);
}

}  // namespace
}  // namespace assay::data
