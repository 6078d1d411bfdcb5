#include "tokenizer/splitter.h"

#include <assay/core/random.h>
#include <gtest/gtest.h>

#include "tokenizer/pre_tokenizer.h"
#include "tokenizer/regex.h"
#include "tokenizer/split_rules.h"
#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

std::string randomText(uint64_t key) {
    static const char32_t kRanges[][2] = {{0x20, 0x7E}, {0x41, 0x7A}, {0x30, 0x39}, {0x09, 0x0D}, {0x20, 0x20}, {0xA0, 0x24F}, {0x300, 0x36F}, {0x2000, 0x206F}, {0x4E00, 0x4EFF}, {0x1F600, 0x1F64F}, {0x17F, 0x17F}, {0x27, 0x27}, {0x40, 0x5A}, {0x1C5, 0x1C6},
                                          {0x3040, 0x30FF}, {0xAA, 0xAA}, {0x2160, 0x2169}, {0x00, 0x1F}, {0x0A, 0x0D}, {0x660, 0x669}, {0x400, 0x44F}};
    std::string out;
    for (uint64_t i = 0; i < 40; ++i) {
        const auto& range = kRanges[mixBits(key, 3 * i) % std::size(kRanges)];
        const uint64_t run = 1 + mixBits(key, 3 * i + 1) % 4;
        for (uint64_t k = 0; k < run; ++k) appendUtf8(out, range[0] + static_cast<char32_t>(mixBits(key, 1000 * i + k) % (range[1] - range[0] + 1)));
        if (mixBits(key, 3 * i + 2) % 5 == 0) out += "'ll";
    }
    return out;
}

// The hand-written splitters cut as their patterns say.
TEST(Splitter, KnownPatternsEqualPcre2) {
    for (const char* pattern : {kGpt2Pattern, kLlama3Pattern, kQwen2Pattern, kQwen35Pattern, kO200kPattern, kTekkenPattern, kDeepSeekInner}) {
        ASSERT_NE(knownPattern(pattern), KnownPattern::kNone) << pattern;
        auto fast = makeRegexSplitter(pattern), general = makeRegexSplitter(pattern, true);
        ASSERT_TRUE(fast && general);
        for (uint64_t key = 0; key < 3000; ++key) {
            const std::string text = randomText(key);
            std::vector<Span> a, b;
            (*fast)->matches(text, 0, static_cast<uint32_t>(text.size()), a);
            (*general)->matches(text, 0, static_cast<uint32_t>(text.size()), b);
            ASSERT_EQ(a.size(), b.size()) << pattern << "\n" << text;
            for (size_t i = 0; i < a.size(); ++i) ASSERT_TRUE(a[i].begin == b[i].begin && a[i].end == b[i].end) << pattern << "\n" << text;
        }
    }
}

template <class Rule>
std::vector<Span> piecesOf(std::string_view text) {
    std::vector<Span> out;
    forPieces<Rule>(text, 0, static_cast<uint32_t>(text.size()), [&](uint32_t i, uint32_t j) { out.push_back({i, j}); });
    return out;
}

// Rules that stand for several steps of a pre-tokenizer cut as the steps do, one after the other.
TEST(Splitter, RulesEqualTheStepsTheyStandFor) {
    auto split = [](const char* pattern) { return Json{{"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", "Isolated"}, {"invert", false}}; };
    const Json byteLevel{{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", true}};
    const Json deepSeek{{"type", "Sequence"}, {"pretokenizers", Json::array({split(kDeepSeekNumbers), split(kDeepSeekCjk), split(kDeepSeekInner)})}};
    const Json smol{{"type", "Sequence"}, {"pretokenizers", Json::array({Json{{"type", "Digits"}, {"individual_digits", true}}, byteLevel})}};
    for (const bool deep : {true, false}) {
        auto plan = makePreTokenizer(deep ? deepSeek : smol);
        ASSERT_TRUE(plan) << plan.error().text();
        for (uint64_t key = 0; key < 3000; ++key) {
            const std::string text = randomText(key + 5000);
            Pieces pieces;
            pieces.text = Text::of(text, 0, false);
            pieces.spans.push_back({0, static_cast<uint32_t>(text.size())});
            for (const auto& step : plan->steps) step->apply(pieces);
            const std::vector<Span> fast = deep ? piecesOf<DeepSeekRule>(text) : piecesOf<Gpt2Rule<true>>(text);
            ASSERT_EQ(fast.size(), pieces.spans.size()) << deep << "\n" << text;
            for (size_t i = 0; i < fast.size(); ++i)
                ASSERT_TRUE(fast[i].begin == pieces.spans[i].begin && fast[i].end == pieces.spans[i].end) << deep << "\n" << text;
        }
    }
}

TEST(Regex, TranslatesWhatTheEnginesReadDifferently) {
    auto matches = [](const char* pattern, const char* text) {
        auto regex = Regex::compile(pattern);
        EXPECT_TRUE(regex) << regex.error().text();
        size_t b, e;
        return regex && (*regex)->find(text, 0, b, e);
    };
    EXPECT_TRUE(matches("\\s", "\u0085"));
    EXPECT_FALSE(matches("\\s", "\u180e"));
    EXPECT_TRUE(matches("\\w", "\u0301"));
    EXPECT_TRUE(matches("^\\h$", "f"));
    EXPECT_TRUE(matches("^[a-z&&[^x]]$", "y"));
    EXPECT_FALSE(matches("^[a-z&&[^x]]$", "x"));
    EXPECT_EQ(Regex::compile("\\X").error().code, ErrorCode::kUnsupported);
    EXPECT_EQ(Regex::compile("(").error().code, ErrorCode::kInvalidFile);
}

}  // namespace
}  // namespace assay::data
