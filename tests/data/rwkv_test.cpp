// RWKV's World vocabulary: literals of Python, the longest token from the left, and files that are not as they should be.
#include "prepare_support.h"
#include "tokenizer/hf_tokenizer.h"
#include "tokenizer/python_literal.h"
#include "tokenizer/rwkv.h"

namespace assay::data {
namespace {

using Ids = std::vector<int32_t>;

// Ids 1 to 256 are the bytes, as in the published file; `more` follows from id 257.
std::string worldVocabulary(const std::string& more) {
    std::string out;
    for (int b = 0; b < 256; ++b) {
        char line[32];
        std::snprintf(line, sizeof line, b < 128 ? "%d '\\x%02x' 1\n" : "%d b'\\x%02x' 1\n", b + 1, b);
        out += line;
    }
    return out + more;
}
Ids bytesPlusOne(std::string_view text) {
    Ids out;
    for (const char c : text) out.push_back(static_cast<unsigned char>(c) + 1);
    return out;
}

TEST(PythonLiteral, WhatReprWrites) {
    const auto value = [](std::string_view text) { return pythonLiteral(text).value_or("(error)"); };
    EXPECT_EQ(value("'a b'"), "a b");
    EXPECT_EQ(value("\"it's\""), "it's");
    EXPECT_EQ(value(R"('\\\'\"\n\r\t\a\b\f\v')"), "\\'\"\n\r\t\a\b\f\v");
    EXPECT_EQ(value(R"('\xe9\u2009\U0001F600')"), "é\u2009😀");
    EXPECT_EQ(value(R"(b'\xe9\x00A')"), std::string("\xE9\0A", 3));
    EXPECT_EQ(value(R"('\0\101\1012')"), std::string("\0AA2", 4));
    EXPECT_EQ(value("'字'"), "字");
    EXPECT_EQ(value("''"), "");
    for (const char* bad : {"", "'", "a", "'a", "'a\"", "'a'b'", "'\\'", "'\\x4'", "'\\xg0'", "'\\u12'", "'\\ud800'", "'\\U00110000'", "'\\N{DASH}'", "b'é'", "b'\\u0041'", "b'\\777'", "r'a'", "'a' 'b'", "'\xFF'", "'\\q'", "'\\x-1'"})
        EXPECT_FALSE(pythonLiteral(bad)) << bad;
}

TEST(Rwkv, TheLongestTokenFromTheLeft) {
    TempFolder folder;
    const std::string path = folder.write("rwkv_vocab_v20230424.txt", worldVocabulary("257 'ab' 2\n258 'abcd' 4\r\n259 ' a' 2\n300 b'\\xe5\\xad' 2\n301 '字' 3\n"));
    auto t = loadTokenizer(folder.path());
    ASSERT_TRUE(t) << t.error().text();
    EXPECT_EQ((*t)->encode("abcabcd a"), (Ids{257, 100, 258, 259}));  // "abc" begins a token and is none
    EXPECT_EQ((*t)->encode("字\xE5\xAD!"), (Ids{301, 300, 34}));
    EXPECT_EQ((*t)->encode("\xFF\n"), bytesPlusOne("\xFF\n"));
    EXPECT_EQ((*t)->encode(""), Ids{});
    Encoding e;
    (*t)->encode("ab 字", {.offsets = true}, e);
    EXPECT_EQ(e.offsets, (std::vector<std::pair<uint32_t, uint32_t>>{{0, 2}, {2, 3}, {3, 6}}));
    EXPECT_EQ((*t)->decode(Ids{301, 258}), "字abcd");
    EXPECT_EQ((*t)->decode(Ids{300}), "\uFFFD");
    EXPECT_EQ((*t)->decodeBytes(Ids{300}), "\xE5\xAD");
    EXPECT_EQ((*t)->decode(Ids{-1, 299, 1 << 30}), "");
    EXPECT_EQ((*t)->vocabSize(), 302);
    EXPECT_EQ(loadTokenizer(path).value()->contentKey(), (*t)->contentKey());
}

TEST(Rwkv, IdZeroEndsADocument) {
    auto t = tokenizerFromRwkv(worldVocabulary(""), "test", {});
    ASSERT_TRUE(t) << t.error().text();
    EXPECT_EQ((*t)->eosId(), 0);
    EXPECT_TRUE((*t)->isControl(0));
    const std::string text = "a" + (*t)->tokenText(0) + "b";
    EXPECT_EQ((*t)->encode(text), bytesPlusOne(text));
    Encoding e;
    (*t)->encode(text, {.parseSpecial = true, .offsets = true}, e);
    EXPECT_EQ(e.ids, (Ids{98, 0, 99}));
    EXPECT_EQ((*t)->decode(e.ids), text);
    EXPECT_EQ((*t)->decode(e.ids, true), "ab");
    e = {};
    const std::pair<uint32_t, uint32_t> plain[] = {{0, 4}};
    (*t)->encode(text, {.parseSpecial = true, .plain = plain}, e);
    EXPECT_EQ(e.ids, bytesPlusOne(text));
}

TEST(Rwkv, TheExportGivesTheSameIds) {
    auto t = tokenizerFromRwkv(worldVocabulary("257 'ab' 2\n258 '##' 2\n259 '  a' 3\n260 '字字' 6\n"), "test", {});
    ASSERT_TRUE(t) << t.error().text();
    auto json = (*t)->toTokenizerJson();
    ASSERT_TRUE(json) << json.error().text();
    auto exported = tokenizerFromJson(*json, "exported");
    ASSERT_TRUE(exported) << exported.error().text();
    EXPECT_EQ((*exported)->vocabSize(), (*t)->vocabSize());
    for (const std::string& text : {std::string("ab##ab   a"), std::string("字字字\0é", 12), std::string("<|end of text|>"), std::string(5000, ' ') + "a"}) {
        EXPECT_EQ((*exported)->encode(text), (*t)->encode(text)) << text;
        EXPECT_EQ((*exported)->decode((*t)->encode(text)), text);
    }
    Encoding e;
    (*exported)->encode("a<|end of text|>", {.parseSpecial = true}, e);
    EXPECT_EQ(e.ids, (Ids{98, 0}));
}

TEST(Rwkv, PreparedDataEndsItsDocumentsAndKeepsTheTokenizer) {
    TempFolder folder;
    std::string text;
    for (int i = 0; i < 20; ++i) text += "ab ab\n";
    auto spec = bytesSpec(folder.write("a.txt", text));
    spec.tokenizer.kind = config::TokenizerSpec::Kind::kPath;
    spec.tokenizer.path = folder.write("rwkv_vocab_v20230424.txt", worldVocabulary("257 'ab' 2\n258 ' ab' 3\n"));
    const auto report = prepared(spec, cacheIn(folder));
    EXPECT_EQ(report.documents, 20);
    EXPECT_EQ(report.tokens, 20 * 3);  // ab, " ab" and the end
    auto data = PreparedData::open(report.path);
    ASSERT_TRUE(data) << data.error().text();
    auto kept = loadTokenizer((*data)->tokenizerPath());
    ASSERT_TRUE(kept) << kept.error().text();
    EXPECT_EQ((*kept)->encode("ab ab"), (Ids{257, 258}));
    EXPECT_EQ((*kept)->eosId(), 0);
}

TEST(Rwkv, WrongFiles) {
    const auto error = [](const std::string& more) {
        auto t = tokenizerFromRwkv(worldVocabulary(more), "vocabulary", {});
        return t ? std::string() : t.error().message;
    };
    EXPECT_NE(error("257 'ab'\n").find("line 257"), std::string::npos);
    EXPECT_NE(error("257 'ab' 3\n").find("says 3 bytes and holds 2"), std::string::npos);
    EXPECT_NE(error("257 '' 0\n"), "");
    EXPECT_NE(error("1 'ab' 2\n").find("once more"), std::string::npos);
    EXPECT_NE(error("257 'a' 1\n").find("has the bytes of id 98"), std::string::npos);
    EXPECT_NE(error("99999999999 'ab' 2\n").find("99999999999"), std::string::npos);
    EXPECT_NE(error("-1 'ab' 2\n"), "");
    EXPECT_NE(error("257 'ab' 99999999999999999999\n"), "");
    EXPECT_NE(error("257 '" + std::string(2000, 'a') + "' 2000\n").find("2000 bytes"), std::string::npos);
    EXPECT_NE(error("257 __import__('os') 2\n").find("line 257"), std::string::npos);
    EXPECT_NE(error("\n"), "");
    EXPECT_EQ(tokenizerFromRwkv("1 'a' 1\n2 'b' 1\n", "vocabulary", {}).error().code, ErrorCode::kInvalidFile);  // bytes are missing
    EXPECT_EQ(tokenizerFromRwkv("", "vocabulary", {}).error().code, ErrorCode::kInvalidFile);
    EXPECT_FALSE(looksLikeRwkv("[PAD]\n[UNK]\n"));
    EXPECT_FALSE(looksLikeRwkv(""));
}

}  // namespace
}  // namespace assay::data
