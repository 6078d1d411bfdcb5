#include "tokenizer/wordpiece_trainer.h"

#include <assay/core/json.h>
#include <gtest/gtest.h>

#include "tokenizer/hf_tokenizer.h"

namespace assay::data {
namespace {

// Worked out by hand: "low" 3, "lower" 2. Characters e l o r w; within words ##e ##o ##r ##w. The pairs (l,##o) and (##o,##w)
// occur five times each, (l,##o) has the smaller ids; then (lo,##w) 5; then (##e,##r), (low,##e) 2 each.
TEST(WordPieceTrainer, MergesTheMostFrequentPairFirst) {
    auto json = trainWordPiece({"low low Low", "lower LOWER"}, 100);
    ASSERT_TRUE(json) << json.error().text();
    auto parsed = parseJson(*json, "trained");
    ASSERT_TRUE(parsed);
    std::vector<std::string> tokens;
    for (const auto& [token, id] : (*parsed)["model"]["vocab"].items()) {
        EXPECT_EQ(id, tokens.size());
        tokens.push_back(token);
    }
    ASSERT_GE(tokens.size(), 16u);
    EXPECT_EQ(std::vector<std::string>(tokens.begin(), tokens.begin() + 16),
              (std::vector<std::string>{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "e", "l", "o", "r", "w", "##e", "##o", "##r", "##w", "lo", "low"}));
    auto t = tokenizerFromJson(*json, "trained");
    ASSERT_TRUE(t) << t.error().text();
    EXPECT_EQ((*t)->encode("Lower").size(), 1u);
    EXPECT_EQ((*t)->encode("x"), (std::vector<int32_t>{1}));
    EXPECT_EQ((*t)->tokenText((*t)->eosId()), "[SEP]");
    EXPECT_EQ(*trainWordPiece({"low low Low", "lower LOWER"}, 100), *json);
}

TEST(WordPieceTrainer, KeepsItsSize) {
    std::string text;
    for (int i = 0; i < 3000; ++i) text += std::to_string(i * 7919) + " ";
    auto json = trainWordPiece({text}, 150);
    ASSERT_TRUE(json);
    EXPECT_EQ((*parseJson(*json, "trained"))["model"]["vocab"].size(), 150u);
    EXPECT_EQ(trainWordPiece({"a"}, 10).error().code, ErrorCode::kBadUsage);
}

TEST(WordPieceTrainer, CanBeCancelled) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(trainWordPiece({"a b c"}, 200, {}, stop.get_token()).error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace assay::data
