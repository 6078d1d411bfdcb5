#include <assay/infer/accuracy.h>

#include <gtest/gtest.h>

#include <cmath>

namespace assay::infer {
namespace {

TEST(Accuracy, ArithmeticByHand) {
    // Two windows of 2 and 2 tokens with NLL 2 and 4: mean 1.5; residuals −1 and +1; se = sqrt(2 · 2/1)/4 = 0.5.
    const std::vector<WindowSums> base{{2, 2.0, 0}, {2, 4.0, 0}};
    const auto a = summarize(base, 4);
    EXPECT_EQ(a.tokens, 4);
    EXPECT_DOUBLE_EQ(a.perplexity, std::exp(1.5));
    EXPECT_DOUBLE_EQ(a.perplexitySe, std::exp(1.5) * 0.5);
    EXPECT_DOUBLE_EQ(a.bitsPerByte, 6.0 / std::log(2.0) / 4);
    // Paired differences 0.4 and 0.4: the ratio is exp(0.2) and its error 0.
    const std::vector<WindowSums> other{{2, 2.4, 0.2}, {2, 4.4, 0.6}};
    std::vector<float> kl{0.3f, 0.1f, 0.2f, 0.2f};
    const auto c = compare(base, other, kl, 3);
    EXPECT_NEAR(c.perplexityRatio, std::exp(0.2), 1e-12);
    EXPECT_NEAR(c.perplexityRatioSe, 0, 1e-12);
    EXPECT_DOUBLE_EQ(c.klMean, 0.2);
    EXPECT_DOUBLE_EQ(c.sameTop1, 0.75);
    EXPECT_FLOAT_EQ(float(c.klMax), 0.3f);
    EXPECT_TRUE(std::isnan(c.klMedian));  // 4 values are too few
}

TEST(Accuracy, IdenticalModelsDifferByNothing) {
    const std::vector<WindowSums> base{{3, 2.7, 0}, {3, 3.1, 0}};
    std::vector<float> kl(6, 0.0f);
    const auto c = compare(base, base, kl, 6);
    EXPECT_EQ(c.perplexityRatio, 1.0);
    EXPECT_EQ(c.klMean, 0.0);
    EXPECT_EQ(c.sameTop1, 1.0);
}

TEST(Accuracy, OneWindowHasNoError) { EXPECT_TRUE(std::isnan(summarize(std::vector<WindowSums>{{5, 3, 0}}, 9).perplexitySe)); }

TEST(Accuracy, PercentilesNeedTheirSampleSize) {
    for (const auto& [fraction, least] : {std::pair{0.5, 7}, {0.9, 44}, {0.95, 90}, {0.99, 459}, {0.999, 4603}}) {
        std::vector<float> values(least);
        for (int i = 0; i < least; ++i) values[i] = float(i);
        EXPECT_NEAR(percentile(values, fraction), fraction * (least - 1), 1e-3) << fraction;  // linear interpolation, as numpy
        values.pop_back();
        EXPECT_TRUE(std::isnan(percentile(values, fraction))) << fraction;
    }
}

TEST(Accuracy, WindowsOfTheByteTokenizer) {
    const auto tokenizer = *data::loadTokenizer("bytes");
    const std::string text = "0123456789";
    config::PerplexitySpec spec;
    spec.window = 4;
    auto windows = cutWindows(text, *tokenizer, spec, 16);
    ASSERT_TRUE(windows) << windows.error().text();
    EXPECT_EQ(windows->ids.size(), 3u);       // 4 + 4 + 2
    EXPECT_EQ(windows->scoredTokens, 3 + 3 + 1);
    EXPECT_EQ(windows->scoredBytes, 7);
    spec.maxTokens = 9;                       // the last window would have one token: dropped
    EXPECT_EQ(cutWindows(text, *tokenizer, spec, 16)->scoredTokens, 6);
    spec.mode = config::PerplexityMode::kHalf;
    EXPECT_EQ(cutWindows(text, *tokenizer, spec, 16)->scoredTokens, 2);  // position 3 of two whole windows
    spec.window = 17;
    EXPECT_FALSE(cutWindows(text, *tokenizer, spec, 16));
    spec.window = 12;
    EXPECT_FALSE(cutWindows(text, *tokenizer, spec, 16));                // no whole window
}

}  // namespace
}  // namespace assay::infer
