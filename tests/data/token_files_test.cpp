// Which file of a folder a tokenizer is read from, and old and small files of every kind. Ids are counted by hand.
#include <sys/stat.h>

#include "support.h"
#include "tokenizer/hf_tokenizer.h"

namespace assay::data {
namespace {

using Ids = std::vector<int32_t>;

const std::string kWordLevel = R"({"added_tokens":[],"pre_tokenizer":{"type":"WhitespaceSplit"},"model":{"type":"WordLevel","unk_token":"?","vocab":{"?":0,"he":7}}})";
const std::string kVocabTxt = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nhe\r\n##l\n##lo\n";

// A SentencePiece BPE model of five pieces: <unk>, ▁, a, b, ▁a. Fields: 1 pieces (1 text, 2 score, 3 type), 2 trainer (3 BPE),
// 3 normalizer (3 dummy prefix, 4 extra white space off).
std::string sentencePieceBytes() {
    const auto piece = [](const std::string& text, float score, char type) {
        std::string p = "\x0A" + std::string(1, static_cast<char>(text.size())) + text + "\x15";
        p.append(reinterpret_cast<const char*>(&score), 4);
        p += std::string("\x18") + type;
        return "\x0A" + std::string(1, static_cast<char>(p.size())) + p;
    };
    return piece("<unk>", 0, 2) + piece("▁", -2, 1) + piece("a", -3, 1) + piece("b", -4, 1) + piece("▁a", -1, 1) + std::string("\x12\x02\x18\x02\x1A\x02\x20\x00", 8);
}

Ids idsIn(const std::string& path, std::string_view text, bool special = false) {
    auto t = loadTokenizer(path);
    EXPECT_TRUE(t) << t.error().text();
    if (!t) return {};
    Encoding e;
    (*t)->encode(text, {.addSpecial = special}, e);
    return e.ids;
}

TEST(TokenFiles, TheFirstOfAFolderCounts) {
    TempFolder folder;
    folder.write("vocab.txt", kVocabTxt);
    EXPECT_EQ(idsIn(folder.path(), "Hello", true), (Ids{2, 4, 5, 6, 3}));
    folder.write("vocab.json", R"({"H":0,"e":1,"He":2,"Ġ":3,"<|endoftext|>":4,"Ġe":5})");
    EXPECT_EQ(idsIn(folder.path(), "Hello", true), (Ids{2, 4, 5, 6, 3}));  // without merges.txt it is no BPE vocabulary
    folder.write("merges.txt", "#version: 0.2\nH e\nĠ e\n");
    EXPECT_EQ(idsIn(folder.path(), "He e"), (Ids{2, 5}));
    folder.write("tokenizer.model", sentencePieceBytes());
    EXPECT_EQ(idsIn(folder.path(), "a b"), (Ids{4, 1, 3}));
    folder.write("tokenizer.json", kWordLevel);
    EXPECT_EQ(idsIn(folder.path(), "he x"), (Ids{7, 0}));
    EXPECT_EQ(idsIn(folder / "tokenizer.model", "a b"), (Ids{4, 1, 3}));  // a file by its own name
}

TEST(TokenFiles, ExportsGiveTheSameIds) {
    TempFolder folder;
    for (const auto& [name, bytes] : {std::pair<std::string, std::string>{"vocab.txt", kVocabTxt}, {"tokenizer.model", sentencePieceBytes()}}) {
        const std::string path = folder.write(name, bytes);
        auto t = loadTokenizer(path);
        ASSERT_TRUE(t) << t.error().text();
        auto json = (*t)->toTokenizerJson();
        ASSERT_TRUE(json) << json.error().text();
        auto exported = tokenizerFromJson(*json, "exported");
        ASSERT_TRUE(exported) << exported.error().text();
        for (const char* text : {"a b  ab", "hello HELLO", "", "   "}) EXPECT_EQ((*exported)->encode(text), (*t)->encode(text)) << name << " " << text;
    }
}

TEST(TokenFiles, AModelThatNeedsSentencePieceIsNotExported) {
    TempFolder folder;
    std::string bytes = sentencePieceBytes();
    bytes[bytes.size() - 5] = 1;  // Unigram
    auto t = loadTokenizer(folder.write("tokenizer.model", bytes));
    ASSERT_TRUE(t) << t.error().text();
    EXPECT_EQ((*t)->encode("a b"), (Ids{4, 1, 3}));
    EXPECT_EQ((*t)->decode(Ids{4, 1, 3}), "a b");
    EXPECT_EQ((*t)->toTokenizerJson().error().code, ErrorCode::kUnsupported);
}

// Files of the first versions say what their parts are by their members alone.
TEST(TokenFiles, APipeWithoutAWriterIsRefusedAtOnce) {
    TempFolder folder;
    for (const char* name : {"tokenizer.json", "vocab.txt", "tokenizer.model", "x.gguf"}) {
        const std::string path = folder / name;
        ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
        auto refused = loadTokenizer(path);  // would wait for ever
        ASSERT_FALSE(refused);
        EXPECT_NE(refused.error().message.find(name), std::string::npos) << refused.error().text();
    }
    ASSERT_FALSE(loadTokenizer(folder.path()));
}

TEST(TokenFiles, PartsWithoutAType) {
    const auto ids = [](const std::string& json, const char* text) {
        auto t = tokenizerFromJson(json, "test");
        EXPECT_TRUE(t) << t.error().text();
        Encoding e;
        if (t) (*t)->encode(text, {.addSpecial = true}, e);
        return e.ids;
    };
    const std::string pre = R"("pre_tokenizer":{"type":"BertPreTokenizer"},)";
    EXPECT_EQ(ids("{" + pre + R"("normalizer":{"clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true},
        "post_processor":{"sep":["[SEP]",1],"cls":["[CLS]",2]},"decoder":{"prefix":"##","cleanup":true},
        "model":{"unk_token":"?","continuing_subword_prefix":"##","max_input_chars_per_word":100,"vocab":{"?":0,"[SEP]":1,"[CLS]":2,"he":3,"##y":4}}})", "HÉY"), (Ids{2, 3, 4, 1}));
    EXPECT_EQ(ids("{" + pre + R"("model":{"unk_token":"?","vocab":{"?":0,"he":3}}})", "he x"), (Ids{3, 0}));
    EXPECT_EQ(ids("{" + pre + R"("model":{"unk_id":0,"vocab":[["?",0.0],["he",-1.0],["h",-2.0]]}})", "hehx"), (Ids{1, 2, 0}));
    EXPECT_EQ(ids("{" + pre + R"("model":{"vocab":{"h":0,"e":1,"he":2},"merges":["h e"]}})", "hee"), (Ids{2, 1}));
}

// Windows of four tokens of which two are added and one is shared: a b | b c | c d.
TEST(TokenFiles, WindowsPairsAndPadding) {
    auto t = tokenizerFromJson(R"({"truncation":{"direction":"Right","max_length":4,"strategy":"LongestFirst","stride":1},
        "padding":{"strategy":{"Fixed":6},"direction":"Left","pad_to_multiple_of":null,"pad_id":9,"pad_type_id":3,"pad_token":"p"},
        "pre_tokenizer":{"type":"WhitespaceSplit"},"post_processor":{"type":"BertProcessing","sep":["s",8],"cls":["c",7]},
        "model":{"type":"WordLevel","unk_token":"?","vocab":{"?":0,"a":1,"b":2,"c":3,"d":4,"é":5,"x":6,"c_":7,"s_":8,"p":9}}})", "test");
    ASSERT_TRUE(t) << t.error().text();
    DetailOptions options;
    options.addSpecial = true;
    options.truncation = (*t)->fileTruncation();
    auto e = (*t)->encodeDetailed("a b c d", options);
    ASSERT_TRUE(e) << e.error().text();
    EXPECT_EQ(e->ids, (Ids{7, 1, 2, 8}));
    ASSERT_EQ(e->overflow.size(), 2u);
    EXPECT_EQ(e->overflow[0].ids, (Ids{7, 2, 3, 8}));
    EXPECT_EQ(e->overflow[1].ids, (Ids{7, 3, 4, 8}));
    const std::string_view second = "é x";
    options.truncation.reset();
    options.padding = (*t)->filePadding();
    options.characterOffsets = true;
    e = (*t)->encodeDetailed("b", options, &second);
    ASSERT_TRUE(e) << e.error().text();
    EXPECT_EQ(e->ids, (Ids{7, 2, 8, 5, 6, 8}));
    EXPECT_EQ(e->typeIds, (Ids{0, 0, 0, 1, 1, 1}));
    EXPECT_EQ(e->special, (std::vector<uint8_t>{1, 0, 1, 0, 0, 1}));
    EXPECT_EQ(e->offsets[4], (std::pair<uint32_t, uint32_t>{2, 3}));  // é is one character
    e = (*t)->encodeDetailed("b", options);
    EXPECT_EQ(e->ids, (Ids{9, 9, 9, 7, 2, 8}));
    EXPECT_EQ(e->typeIds, (Ids{3, 3, 3, 0, 0, 0}));
    EXPECT_EQ(e->attention, (std::vector<uint8_t>{0, 0, 0, 1, 1, 1}));
    options.truncation = Truncation{.maxLength = 1};
    EXPECT_EQ((*t)->encodeDetailed("b", options).error().code, ErrorCode::kBadUsage);
}

}  // namespace
}  // namespace assay::data
