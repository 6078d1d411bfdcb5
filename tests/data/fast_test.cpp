// The path for ids alone gives the ids of the exact path, which asking for offsets takes.
#include "tokenizer/fast_encoder.h"

#include <assay/core/durable.h>
#include <assay/core/random.h>
#include <assay/data/encoding.h>
#include <assay/data/tokenizer.h>
#include <gtest/gtest.h>

#include <ctime>

#include "tokenizer/hf_tokenizer.h"
#include "tokenizer/normalizer.h"
#include "tokenizer/splitter.h"
#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

std::string anyText(uint64_t key) {
    static const char32_t kRanges[][2] = {{0x20, 0x7E}, {0x61, 0x7A}, {0x61, 0x7A}, {0x41, 0x5A}, {0x30, 0x39}, {0x00, 0x20}, {0x20, 0x20}, {0x80, 0x24F}, {0x300, 0x36F},
                                          {0x370, 0x52F}, {0x600, 0x6FF}, {0x900, 0x97F}, {0xE00, 0xE7F}, {0x1100, 0x11FF}, {0x1E00, 0x206F}, {0x3000, 0x30FF}, {0x4E00, 0x4EFF},
                                          {0x3400, 0x34FF}, {0xAC00, 0xACFF}, {0xF900, 0xFA6D}, {0xFE00, 0xFEFF}, {0xFFF0, 0xFFFD}, {0x1F600, 0x1F64F}, {0x20000, 0x200FF}, {0x1D400, 0x1D4FF}};
    static const char* const kWords[] = {"'ll", "the", "Straße", "don't", "<|endoftext|>", "<tool>", "  ", "\r\n", "unaffable", "ÀÉ", "[UNK]", "é", "e\u0301", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
    std::string out;
    const uint64_t parts = 1 + mixBits(key, 1) % 24;
    for (uint64_t i = 0; i < parts; ++i) {
        const uint64_t kind = mixBits(key, 10 + 5 * i);
        if (kind % 5 == 0) {
            out += kWords[mixBits(key, 11 + 5 * i) % std::size(kWords)];
            continue;
        }
        const auto& range = kRanges[mixBits(key, 12 + 5 * i) % std::size(kRanges)];
        for (uint64_t k = 0; k <= mixBits(key, 13 + 5 * i) % 9; ++k) appendUtf8(out, range[0] + static_cast<char32_t>(mixBits(key, 1000 * i + k) % (range[1] - range[0] + 1)));
        if (kind % 3 == 0) out += ' ';
        if (kind % 97 == 0) out += "\xFF\xC3\xE4\xB8";  // what is no UTF-8
    }
    return out;
}

Json vocabulary(const std::string& name) {
    auto json = readJsonFile(std::string(ASSAY_SOURCE_DIR) + "/tests/golden/tokenizers/vocab/" + name + ".json");
    EXPECT_TRUE(json) << json.error().text();
    return json ? *json : Json();
}
Json split(const char* pattern) { return Json{{"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", "Isolated"}, {"invert", false}}; }
Json sequence(Json::array_t steps) { return Json{{"type", "Sequence"}, {"pretokenizers", std::move(steps)}}; }
Json byteLevel(bool prefixSpace, bool regex) { return Json{{"type", "ByteLevel"}, {"add_prefix_space", prefixSpace}, {"trim_offsets", true}, {"use_regex", regex}}; }

Json bert(bool lower, Json accents, bool ideographs) {
    Json vocab = Json::object();
    const auto add = [&](const std::string& token) { vocab.emplace(token, vocab.size()); };
    for (const char* token : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "un", "##aff", "##able", "und", "stra", "##ße", "##sse", "don", "中", "一丁", "##\u0301", "é", "##é", "àé", "tool", "。", "\u0301"}) add(token);
    for (char c = '!'; c <= '~'; ++c)
        if (c != 'q' && c != '^') {  // some words are unknown
            add(std::string(1, c));
            add("##" + std::string(1, c));
        }
    for (char32_t c = 0x4E01; c < 0x4E80; ++c) {
        std::string token;
        appendUtf8(token, c);
        add(token);
        if (c % 2) add("##" + token);
    }
    return Json{{"normalizer", {{"type", "BertNormalizer"}, {"clean_text", true}, {"handle_chinese_chars", ideographs}, {"strip_accents", std::move(accents)}, {"lowercase", lower}}},
                {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
                {"added_tokens", Json::array({Json{{"id", 1}, {"content", "[UNK]"}, {"special", true}, {"normalized", false}}})},
                {"model", {{"type", "WordPiece"}, {"unk_token", "[UNK]"}, {"continuing_subword_prefix", "##"}, {"max_input_chars_per_word", 30}, {"vocab", vocab}}}};
}

std::vector<std::pair<std::string, Json>> families() {
    std::vector<std::pair<std::string, Json>> out;
    const auto byteBpe = [&](const std::string& name, Json preTokenizer, Json normalizer = {}, bool ignoreMerges = false) {
        Json j = vocabulary("gpt2_type");
        j["pre_tokenizer"] = std::move(preTokenizer);
        j["normalizer"] = std::move(normalizer);
        j["model"]["ignore_merges"] = ignoreMerges;
        // A plain token on the raw text and one on the normalized text.
        const auto next = static_cast<int64_t>(j["model"]["vocab"].size());
        j["added_tokens"].push_back(Json{{"id", next}, {"content", "<tool>"}, {"special", false}, {"normalized", false}, {"rstrip", true}});
        j["added_tokens"].push_back(Json{{"id", next + 1}, {"content", "ÀÉ"}, {"special", false}, {"normalized", true}});
        j["added_tokens"].push_back(Json{{"id", next + 2}, {"content", "unaffable"}, {"special", true}, {"normalized", true}});
        out.emplace_back(name, std::move(j));
    };
    const Json nfc{{"type", "NFC"}};
    byteBpe("gpt2", byteLevel(false, true));
    byteBpe("gpt2 with a space", byteLevel(true, true));
    byteBpe("digits and gpt2", sequence({Json{{"type", "Digits"}, {"individual_digits", true}}, byteLevel(false, true)}));
    byteBpe("llama3", sequence({split(kLlama3Pattern), byteLevel(false, false)}), {}, true);
    byteBpe("qwen2", sequence({split(kQwen2Pattern), byteLevel(false, false)}), nfc);
    byteBpe("qwen3.5", sequence({split(kQwen35Pattern), byteLevel(false, false)}), nfc);
    byteBpe("o200k", sequence({split(kO200kPattern), byteLevel(false, false)}));
    byteBpe("tekken", sequence({split(kTekkenPattern), byteLevel(false, false)}), {}, true);
    byteBpe("deepseek", sequence({split(kDeepSeekNumbers), split(kDeepSeekCjk), split(kDeepSeekInner), byteLevel(false, false)}), Json{{"type", "Sequence"}, {"normalizers", Json::array()}});
    out.emplace_back("bert", bert(true, nullptr, true));
    out.emplace_back("bert cased", bert(false, nullptr, true));
    out.emplace_back("bert with accents", bert(true, false, true));
    out.emplace_back("bert without ideographs", bert(true, nullptr, false));
    out.emplace_back("llama2", vocabulary("llama2_type"));
    return out;
}

TEST(FastEncoder, EqualsTheExactPath) {
    for (auto& [name, json] : families()) {
        auto t = tokenizerFromJson(json.dump(), name);
        ASSERT_TRUE(t) << t.error().text();
        for (uint64_t key = 0; key < 1200; ++key) {
            const std::string text = anyText(key);
            const auto third = static_cast<uint32_t>(text.size() / 3);
            const std::vector<std::pair<uint32_t, uint32_t>> plain{{0, third}, {2 * third, 2 * third + 1}};
            for (int how = 0; how < 3; ++how) {
                EncodeOptions options{.parseSpecial = how > 0};
                if (how == 2) options.plain = plain;
                Encoding fast, exact;
                (*t)->encode(text, options, fast);
                options.offsets = true;
                (*t)->encode(text, options, exact);
                ASSERT_EQ(fast.ids, exact.ids) << name << " " << key << " " << how << "\n" << text;
            }
        }
    }
}

// The families above do go the fast way: a test that compares a path with itself shows nothing.
TEST(FastEncoder, KnowsTheShapes) {
    class Nothing : public WordModel {
        void encode(std::string_view, std::vector<int32_t>& ids, std::vector<uint32_t>*) const override { ids.push_back(0); }
    };
    const Nothing nothing;
    EXPECT_TRUE(makeFastEncoder({Json{{"type", "BertNormalizer"}}, Json{{"type", "BertPreTokenizer"}}, nothing, true, {}}));
    EXPECT_FALSE(makeFastEncoder({Json(), Json{{"type", "BertPreTokenizer"}}, nothing, true, {}}));
    ModelData bytes;
    bytes.byteLevel = true;
    bytes.tokens = {"a"};
    bytes.present = {true};
    auto bpe = makeBpe(bytes);
    ASSERT_TRUE(bpe);
    for (const auto& [name, json] : families()) {
        if (json["model"]["type"] != "BPE" || name == "llama2") continue;
        EXPECT_TRUE(makeFastEncoder({json["normalizer"], json["pre_tokenizer"], **bpe, false, {}})) << name;
    }
    EXPECT_FALSE(makeFastEncoder({Json(), sequence({split("x"), byteLevel(false, false)}), **bpe, false, {}}));
    EXPECT_FALSE(makeFastEncoder({Json(), sequence({split(kLlama3Pattern), byteLevel(true, false)}), **bpe, false, {}}));
}

// What surelyNfc() lets through is what the normalizer leaves alone, whatever stands before it.
TEST(FastEncoder, NfcRangesNeedNoNormalizing) {
    auto nfc = makeNormalizer(Json{{"type", "NFC"}});
    ASSERT_TRUE(nfc);
    size_t safe = 0;
    for (char32_t c = 0x80; c < 0x110000; ++c) {
        if (c >= 0xD800 && c < 0xE000) continue;
        std::string one;
        appendUtf8(one, c);
        if (!surelyNfc(one)) continue;
        ++safe;
        std::string around;
        for (const char32_t before : {U'a', U'O', U'か', U'가', U'ᄀ', U'α', U'ʹ', U'и', U'ا', U'न'}) {
            appendUtf8(around, before);
            around += one;
        }
        Text text = Text::of(around, 0, false);
        (*nfc)->apply(text);
        ASSERT_EQ(text.bytes, around) << std::hex << static_cast<uint32_t>(c);
    }
    EXPECT_GT(safe, 30'000u);  // CJK and Hangul
    EXPECT_FALSE(surelyNfc("e\u0301"));
    EXPECT_FALSE(surelyNfc("\u212B"));
    EXPECT_FALSE(surelyNfc("\xFF"));
}

// Without a pre-tokenizer a whole text is a word. It is cut before ▁ except where a token of the vocabulary crosses.
TEST(FastEncoder, CutsAtMetaspaceOnlyWhereNoTokenCrosses) {
    Json j{{"normalizer", {{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", "▁"}}},
           {"pre_tokenizer", nullptr},
           {"model", {{"type", "BPE"}, {"unk_token", "?"}, {"fuse_unk", true}, {"vocab", Json::object()}, {"merges", Json::array()}}}};
    for (const char* token : {"?", "▁", "a", "b", ">", "<", "ab", "▁a", ">▁", ">▁<", "▁▁"}) j["model"]["vocab"][token] = j["model"]["vocab"].size();
    for (const auto& [a, b] : std::vector<std::pair<const char*, const char*>>{{"a", "b"}, {"▁", "▁"}, {"▁", "a"}, {">", "▁"}, {">▁", "<"}}) j["model"]["merges"].push_back({a, b});
    auto t = tokenizerFromJson(j.dump(), "crossing");
    ASSERT_TRUE(t) << t.error().text();
    const auto tokens = [&](const char* text) {
        std::string out;
        for (const int32_t id : (*t)->encode(text)) out += (out.empty() ? "" : "|") + (*t)->tokenText(id);
        return out;
    };
    EXPECT_EQ(tokens("ab ab"), "ab|▁|ab");  // by hand: a b first, wherever; ▁ ab is no merge
    EXPECT_EQ(tokens("a> <b"), "a|>▁<|b");
    EXPECT_EQ(tokens("a>  <"), "a|>|▁▁|<");
    EXPECT_EQ(tokens("x x"), "?|▁|?");
}

// A vocabulary on which the longest match looks at half the word again for each of its letters.
TEST(WordPiece, AVocabularyMadeToBeSlowIsStopped) {
    ModelData d;
    d.kind = ModelData::Kind::kWordPiece;
    d.unknown = "?";
    d.continuingPrefix = "##";
    d.maxWordCharacters = 1'000'000'000;
    d.tokens = {"?", "a", "##a", "##" + std::string(100'000, 'a') + "b"};
    d.present.assign(d.tokens.size(), true);
    auto model = makeWordPiece(d);
    ASSERT_TRUE(model) << model.error().text();
    std::vector<int32_t> ids;
    EXPECT_THROW((*model)->encode(std::string(200'000, 'a'), ids, nullptr), EncodeError);
    ids.clear();
    (*model)->encode(std::string(1000, 'a'), ids, nullptr);
    EXPECT_EQ(ids.size(), 1000u);
}

double secondsOf(const Tokenizer& t, const std::string& text, size_t atLeast) {
    const std::clock_t start = std::clock();
    EXPECT_GE(t.encode(text).size(), atLeast);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// 250 kB of one shape take well under 25 ms (tests/bench/tokenize.sh); a path that is quadratic takes minutes. The bound
// leaves room for sanitizers.
TEST(FastEncoder, NoShapeOfTextIsSlow) {
    const auto repeated = [](std::string_view part) {
        std::string out(250'000 / part.size() * part.size(), ' ');
        for (size_t i = 0; i < out.size(); i += part.size()) part.copy(out.data() + i, part.size());
        return out;
    };
    for (auto& [name, json] : families()) {
        auto t = tokenizerFromJson(json.dump(), name);
        ASSERT_TRUE(t) << t.error().text();
        for (const char* part : {"a", " ", "\n", "^", "1", "é", "中", "\U0001F600", "A", "e\u0301", "a\u00A0"}) {
            const double seconds = secondsOf(**t, repeated(part), part[0] == ' ' || part[0] == '\n' ? 0 : 1);
            EXPECT_LT(seconds, 1.0) << name << ": 250 kB of \"" << part << "\"";
        }
    }
}

}  // namespace
}  // namespace assay::data
