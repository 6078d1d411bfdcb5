// Faults that other tokenizers had in public, each with the input that showed it, and files made to do harm. What is right
// follows from the format or is counted by hand; the comparison with the reference libraries is tests/golden/tokenizers.
#include <assay/core/clock.h>
#include <gtest/gtest.h>

#include "support.h"
#include "tokenizer/base64.h"
#include "tokenizer/hf_tokenizer.h"
#include "tokenizer/rank_vocabulary.h"
#include "tokenizer/sentencepiece.h"

namespace assay::data {
namespace {

using Ids = std::vector<int32_t>;

TokenizerPtr made(const std::string& model, const std::string& rest = "") {
    auto t = tokenizerFromJson("{" + rest + R"("model":)" + model + "}", "test");
    EXPECT_TRUE(t) << t.error().text();
    return t ? *t : nullptr;
}
Error refused(const std::string& json) {
    auto t = tokenizerFromJson(json, "test");
    EXPECT_FALSE(t) << json.substr(0, 200);
    return t ? Error() : t.error();
}
// Byte-level BPE: single bytes in their alphabet, then `extra` with merges.
std::string byteModel(const std::string& extra = "", const std::string& merges = "", const std::string& more = "") {
    std::string vocab;
    for (int b = 33; b < 127; ++b) vocab += (vocab.empty() ? "" : ",") + dumpJson(Json(std::string(1, static_cast<char>(b)))) + ":" + std::to_string(b - 33);
    vocab += R"(,"Ġ":94,"Ċ":95,"ħ":96,"Â":97)";
    return R"({"type":"BPE","vocab":{)" + vocab + extra + R"(},"merges":[)" + merges + "]" + more + "}";
}
const std::string kByteLevel = R"("pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,"use_regex":true,"trim_offsets":true},"decoder":{"type":"ByteLevel"},)";
Ids idsOf(const TokenizerPtr& t, std::string_view text, EncodeOptions options = {}) {
    Encoding e;
    t->encode(text, options, e);
    return e.ids;
}
double secondsOf(const TokenizerPtr& t, size_t length) {
    double best = 1e9;
    for (size_t i = 0; i < 3; ++i) {
        const std::string text(length + i, 'a');  // each one new to the word cache
        const double begin = monotonicSeconds();
        idsOf(t, text);
        best = std::min(best, monotonicSeconds() - begin);
    }
    return best;
}

// tiktoken#195, ai-tokenizer#6: time grows with the length of a word, not with its square. tiktoken#245: no stack runs out.
TEST(TokenFaults, LongRunsAreLinear) {
    const auto t = made(byteModel(R"(,"aa":200,"aaaa":201,"__":202)", R"(["a","a"],["aa","aa"],["_","_"])"), kByteLevel);
    EXPECT_EQ(idsOf(t, std::string(100000, 'a')).size(), 25000u);
    EXPECT_EQ(idsOf(t, std::string(50000, '_')).size(), 25000u);
    EXPECT_EQ(idsOf(t, std::string(1000000, '^')).size(), 1000000u);
    const double once = std::max(secondsOf(t, 10000), 1e-4);
    EXPECT_LT(secondsOf(t, 1000000), 1500 * once);  // a hundred times the text; a square would be ten thousand times
}

// llama.cpp#7193: with ignore_merges a word that is a token is that token, whatever the merges make of it.
TEST(TokenFaults, IgnoreMergesTakesTheWholeWord) {
    const std::string extra = R"(,"abc":200)";
    EXPECT_EQ(idsOf(made(byteModel(extra, "", R"(,"ignore_merges":true)"), kByteLevel), "abc"), (Ids{200}));
    EXPECT_EQ(idsOf(made(byteModel(extra), kByteLevel), "abc").size(), 3u);
}

// llama.cpp#29211: a String pattern is no regular expression.
TEST(TokenFaults, StringPatternIsLiteral) {
    const auto t = made(R"x({"type":"WordLevel","unk_token":"?","vocab":{"?":0,"xx":1,"(a|b)":2,"a":3}})x",
                        R"x("pre_tokenizer":{"type":"Split","pattern":{"String":"(a|b)"},"behavior":"Isolated","invert":false},)x");
    EXPECT_EQ(idsOf(t, "xx(a|b)a"), (Ids{1, 2, 3}));
}

// surogate#176: U+0085 is white space.
TEST(TokenFaults, NextLineIsBlank) {
    const auto t = made(R"({"type":"WordLevel","unk_token":"?","vocab":{"?":0,"a":1,"b":2}})", R"("pre_tokenizer":{"type":"WhitespaceSplit"},)");
    EXPECT_EQ(idsOf(t, "a\u0085b"), (Ids{1, 2}));
    EXPECT_EQ(idsOf(t, "a\u180eb"), (Ids{0}));  // and U+180E is none
}

// transformers#23818, tokenizers#1613: what follows a special token gets no second ▁ with prepend_scheme first.
TEST(TokenFaults, NoSpaceIsPutAfterASpecialToken) {
    const std::string model = R"({"type":"WordLevel","unk_token":"?","vocab":{"?":0,"▁a:":1,"->":2,"▁->":3}})";
    const std::string added = R"("added_tokens":[{"id":9,"content":"<s>","special":true,"normalized":false}],)";
    const auto scheme = [&](const char* name) { return added + R"("pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":")" + name + R"(","split":true},)"; };
    EXPECT_EQ(idsOf(made(model, scheme("first")), "a:<s>->", {.parseSpecial = true}), (Ids{1, 9, 2}));
    EXPECT_EQ(idsOf(made(model, scheme("always")), "a:<s>->", {.parseSpecial = true}), (Ids{1, 9, 3}));
}

// transformers#29279, vllm#31735: the name of a control token in what people wrote is text.
TEST(TokenFaults, ControlTextStaysText) {
    const auto t = made(byteModel(), kByteLevel + R"("added_tokens":[{"id":300,"content":"<|im_end|>","special":true,"normalized":false}],)");
    EXPECT_EQ(idsOf(t, "<|im_end|>").size(), 10u);
    EXPECT_EQ(idsOf(t, "<|im_end|>", {.parseSpecial = true}), (Ids{300}));
}

// transformers#32136, llama.cpp#7375: rstrip takes the newline after the token; lstrip and single_word.
TEST(TokenFaults, TokensTakeTheBlanksBesideThem) {
    const auto t = made(byteModel(), kByteLevel + R"("added_tokens":[{"id":300,"content":"<|user|>","special":true,"normalized":false,"rstrip":true},
        {"id":301,"content":"<|end|>","special":true,"normalized":false,"rstrip":true},{"id":302,"content":"the","special":false,"normalized":false,"single_word":true},
        {"id":303,"content":"<m>","special":true,"normalized":false,"lstrip":true}],)");
    const EncodeOptions parse{.parseSpecial = true};
    EXPECT_EQ(idsOf(t, "<|user|>\nHi<|end|>\n", parse), (Ids{300, 'H' - 33, 'i' - 33, 301}));
    EXPECT_EQ(idsOf(t, "the", parse), (Ids{302}));
    EXPECT_EQ(idsOf(t, "them", parse).size(), 4u);
    EXPECT_EQ(idsOf(t, "a \n<m>", parse), (Ids{'a' - 33, 303}));
}

// transformers#38417: an empty text has no ids, and what is added around it is still added.
TEST(TokenFaults, EmptyText) {
    const auto t = made(byteModel(), kByteLevel + R"("post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"!","type_id":0}},{"Sequence":{"id":"A","type_id":0}}],
        "pair":[{"Sequence":{"id":"A","type_id":0}},{"Sequence":{"id":"B","type_id":1}}],"special_tokens":{"!":{"id":"!","ids":[0],"tokens":["!"]}}},)");
    EXPECT_EQ(idsOf(t, ""), Ids{});
    EXPECT_EQ(idsOf(t, "", {.addSpecial = true}), (Ids{0}));
    EXPECT_EQ(t->decode(Ids{}), "");
}

// tokenizers#2154, #2239: the decoder Strip on pieces that are shorter than what it takes away.
TEST(TokenFaults, StripOfShortPieces) {
    const auto t = made(R"({"type":"WordLevel","unk_token":"?","vocab":{"?":0," ":1,"":2,"a":3}})", R"("decoder":{"type":"Strip","content":" ","start":2,"stop":3},)");
    EXPECT_EQ(t->decode(Ids{1}), "");
    EXPECT_EQ(t->decode(Ids{2}), "");
    EXPECT_EQ(t->decode(Ids{3}), "a");
}

// tokenizers#626: characters that the rules of T5 turn into shorter ones. ＿ → _, ／ → /, and — has no rule.
TEST(TokenFaults, PrecompiledRules) {
    // Two rules over bytes EF BC BF and EF BC 8F, laid out by hand: unit 0 is the root; offsets are exclusive-ors.
    std::vector<uint32_t> units(1024, 0);
    const auto link = [&](uint32_t from, uint32_t base, uint32_t label) { units[from] = (units[from] & ~(0x3FFFFFu << 10 | 0xFFu)) | base << 10 | (units[from] & 0xFF); return (from ^ base) ^ label; };
    const uint32_t ef = link(0, 256, 0xEF);  // 0x1EF
    units[ef] = 0xEF;
    const uint32_t bc = link(ef, 512, 0xBC);
    units[bc] = 0xBC;
    const uint32_t bf = link(bc, 256, 0xBF), f8 = link(bc, 256, 0x8F);
    for (const auto& [node, label, value, base] : {std::tuple{bf, 0xBFu, 0u, 1u}, std::tuple{f8, 0x8Fu, 2u, 2u}}) {
        units[node] = label | 1u << 8 | base << 10;
        units[node ^ base] = 1u << 31 | value;
    }
    std::string blob(4, '\0');
    const auto bytes = static_cast<uint32_t>(units.size() * 4);
    std::memcpy(blob.data(), &bytes, 4);
    blob.append(reinterpret_cast<const char*>(units.data()), bytes);
    blob.append("_\0/\0", 4);
    const auto t = made(R"({"type":"WordLevel","unk_token":"?","vocab":{"?":0,"_/—":1}})", R"("normalizer":{"type":"Precompiled","precompiled_charsmap":")" + toBase64(blob) + R"("},)");
    EXPECT_EQ(idsOf(t, "＿／—"), (Ids{1}));
    // Rules that are cut off or point nowhere.
    EXPECT_EQ(refused(R"({"normalizer":{"type":"Precompiled","precompiled_charsmap":"AAA="},"model":)" + byteModel() + "}").code, ErrorCode::kInvalidFile);
    std::string wild(12, '\xFF');
    wild[0] = 8;
    wild[1] = wild[2] = wild[3] = 0;
    const auto w = made(R"({"type":"WordLevel","unk_token":"?","vocab":{"?":0}})", R"("normalizer":{"type":"Precompiled","precompiled_charsmap":")" + toBase64(wild) + R"("},)");
    EXPECT_EQ(idsOf(w, "＿"), (Ids{0}));
}

// tokenizers#2028: two tokenizers in one thread never answer for each other.
TEST(TokenFaults, CachesAreNotShared) {
    const auto a = made(byteModel(R"(,"hi":200)", R"(["h","i"])"), kByteLevel), b = made(byteModel(), kByteLevel);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(idsOf(a, "hi"), (Ids{200}));
        EXPECT_EQ(idsOf(b, "hi").size(), 2u);
    }
}

TEST(HostileTokenizer, PatternsThatNeverEndAreAnErrorAndNoSplit) {
    const auto t = made(byteModel(), R"("pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":"(a|a)*(a|a)*(a|a)*b|x"},"behavior":"Isolated","invert":false},
        {"type":"ByteLevel","add_prefix_space":false,"use_regex":false,"trim_offsets":true}]},)");
    Encoding e;
    auto done = tryEncode(*t, std::string(5000, 'a'), {}, e);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::kUnsupported);
    EXPECT_NE(done.error().message.find("match limit"), std::string::npos) << done.error().message;
    EXPECT_FALSE(t->encodeDetailed(std::string(5000, 'a'), {}));
    EXPECT_TRUE(tryEncode(*t, "xyz", {}, e));  // other texts go on
}

TEST(HostileTokenizer, IdsMergesAndDepth) {
    const auto bpe = [](const std::string& vocab, const std::string& merges) { return R"({"model":{"type":"BPE","vocab":{)" + vocab + R"(},"merges":[)" + merges + "]}}"; };
    EXPECT_EQ(refused(bpe(R"("a":4294967296)", "")).code, ErrorCode::kInvalidFile);
    EXPECT_EQ(refused(bpe(R"("a":-1)", "")).code, ErrorCode::kInvalidFile);
    EXPECT_EQ(refused(bpe(R"("a":0,"b":7999999)", "")).code, ErrorCode::kInvalidFile);
    EXPECT_NE(refused(bpe(R"("a":0,"b":1)", R"(["a","b"])")).message.find("\"ab\""), std::string::npos);  // a merge without result
    EXPECT_EQ(refused(bpe(R"("a":0)", R"(["a"])")).code, ErrorCode::kInvalidFile);
    // Merges that go in a circle through an empty token end all the same.
    auto circle = tokenizerFromJson(bpe(R"("a":0,"":1)", R"(["a",""],["","a"])"), "test");
    if (circle) {
        EXPECT_EQ(idsOf(*circle, "aaaa"), (Ids{0, 0, 0, 0}));
    }
    std::string deep = R"({"normalizer":)";
    for (int i = 0; i < 1000000; ++i) deep += R"({"type":"Sequence","normalizers":[)";
    EXPECT_EQ(refused(deep).code, ErrorCode::kInvalidFile);
    EXPECT_EQ(refused(R"({"model":{"type":"BPE","vocab":{"\ud83d":0},"merges":[]}})").code, ErrorCode::kInvalidFile);  // a lone surrogate
    EXPECT_EQ(refused(R"({"added_tokens":[{"id":0,"content":"x"},{"id":3000000000,"content":"y"}],"model":{"type":"BPE","vocab":{"a":0},"merges":[]}})").code, ErrorCode::kInvalidFile);
}

TEST(HostileTokenizer, NulAndInvalidTextPassThrough) {
    const auto t = made(byteModel(R"(,"Ā":250,"ÿ":251)"), kByteLevel);
    const std::string text{'a', '\0', 'b', '\xFF', 'c'};
    EXPECT_EQ(idsOf(t, text), (Ids{'a' - 33, 250, 'b' - 33, 251, 'c' - 33}));
    EXPECT_EQ(t->decodeBytes(idsOf(t, text)), text);
    EXPECT_EQ(t->decode(idsOf(t, text)), std::string("a\0b\uFFFDc", 7));
}

TEST(HostileTokenizer, UnigramWithoutAnUnknownPieceSaysWhatIsMissing) {
    const auto t = made(R"({"type":"Unigram","vocab":[["a",-1.0]]})");
    EXPECT_EQ(idsOf(t, "aa"), (Ids{0, 0}));
    Encoding e;
    auto done = tryEncode(*t, "ab", {}, e);
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().message.find("\"b\""), std::string::npos);
}

TEST(HostileFiles, SentencePieceTiktokenAndTekken) {
    const auto model = [](std::string bytes) { return tokenizerFromSentencePiece(std::move(bytes), "test", {}, {}); };
    EXPECT_EQ(model("").error().code, ErrorCode::kInvalidFile);
    EXPECT_EQ(model("\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F").error().code, ErrorCode::kInvalidFile);     // a length beyond the end
    EXPECT_EQ(model(std::string("\x0A\x03\x0A\x01\x61", 5)).error().code, ErrorCode::kInvalidFile);              // no unknown piece
    const std::string unknown("\x0A\x09\x0A\x05<unk>\x18\x02", 11);
    EXPECT_TRUE(model(unknown + std::string("\x0A\x08\x0A\x01\x61\x15\x00\x00\x80\xBF", 10)));
    EXPECT_EQ(model(unknown + std::string("\x0A\x08\x0A\x01\x61\x15\x00\x00\xC0\x7F", 10)).error().code, ErrorCode::kInvalidFile);  // a score that is no number
    EXPECT_EQ(model(unknown + unknown).error().code, ErrorCode::kInvalidFile);
    const auto ranks = [](std::string_view text) { return tokenizerFromTiktoken(text, "test", {}); };
    EXPECT_EQ(ranks("YQ== 0\nYg== 1\n").error().code, ErrorCode::kUnsupported);  // of no known family
    EXPECT_EQ(ranks("YQ== 0\nYg==\n").error().code, ErrorCode::kInvalidFile);
    EXPECT_EQ(ranks("YQ== 99999999999\n").error().code, ErrorCode::kInvalidFile);
    EXPECT_EQ(ranks("Y*== 0\n").error().code, ErrorCode::kInvalidFile);
    EXPECT_EQ(ranks("YQ== 0\nYg== 0\n").error().code, ErrorCode::kInvalidFile);
    EXPECT_EQ(tokenizerFromTekken(R"({"config":{"pattern":"a","default_vocab_size":10,"default_num_special_tokens":20},"vocab":[]})", "test", {}).error().code, ErrorCode::kInvalidFile);
    EXPECT_EQ(tokenizerFromTekken(R"({"config":{"pattern":"a","default_vocab_size":1000,"default_num_special_tokens":20},"vocab":[{"rank":0,"token_bytes":"AA=="}]})", "test", {}).error().code, ErrorCode::kInvalidFile);
}

// A few replacements in a row that each make a text a thousand times longer end with an error, not with the memory.
TEST(TokenFaults, ReplacementsThatGrowWithoutEnd) {
    const std::string rule = R"({"type":"Replace","pattern":{"String":"a"},"content":")" + std::string(1000, 'a') + "\"}";
    const std::string six = rule + "," + rule + "," + rule + "," + rule + "," + rule + "," + rule;
    const auto t = made(R"({"type":"BPE","vocab":{"a":0},"merges":[]})", R"("normalizer":{"type":"Sequence","normalizers":[)" + six + "]},");
    ASSERT_TRUE(t);
    Encoding e;
    const auto done = tryEncode(*t, "ab", {}, e);
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().message.find("replacements"), std::string::npos) << done.error().text();
}

// What a pattern may not hold is said with the file it stands in.
TEST(TokenFaults, PatternErrorsNameTheFile) {
    for (const char* pattern : {"(?C1)a", "a\\\\K", "[z-a]"}) {
        const Error e = refused(std::string(R"({"pre_tokenizer":{"type":"Split","pattern":{"Regex":")") + pattern + R"("},"behavior":"Isolated","invert":false},"model":{"type":"BPE","vocab":{"a":0},"merges":[]}})");
        EXPECT_TRUE(e.message.starts_with("test: ")) << e.text();
        EXPECT_FALSE(e.hint.empty()) << e.text();
    }
}

}  // namespace
}  // namespace assay::data
