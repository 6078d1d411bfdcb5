#include <assay/data/loader.h>

#include <sys/resource.h>

#include <csignal>
#include <random>
#include <set>
#include <thread>

#include "prepare/pack.h"
#include "support.h"

namespace assay::data {
namespace {
namespace fs = std::filesystem;

PrepareReport prepared(const config::DataSpec& spec, const PrepareOptions& options) {
    auto report = prepareDataset(spec, options);
    EXPECT_TRUE(report) << report.error().text();
    if (!report) return PrepareReport{};
    // Of every data set: tokens in = tokens out + what is listed as lost.
    int64_t lost = 0;
    for (const auto& [reason, tokens] : report->tokensLost.items()) lost += tokens.get<int64_t>();
    EXPECT_EQ(report->tokensIn, report->tokens + lost);
    return *report;
}

// The held-out rows in file order, one a batch.
std::vector<Batch> evaluation(const std::string& path) {
    auto data = PreparedData::open(path);
    EXPECT_TRUE(data) << data.error().text();
    LoaderOptions options;
    options.evaluation = true;
    auto loader = Loader::create(*data, options);
    std::vector<Batch> out;
    for (;;) {
        Batch b;
        EXPECT_TRUE((*loader)->next(b));
        if (b.rows == 0) break;
        out.push_back(std::move(b));
    }
    return out;
}

TEST(Prepare, CountsTokensAndHoldsOutTheLastDocuments) {
    TempFolder folder;
    std::string text;
    for (int i = 0; i < 20; ++i) text += "line " + std::string(1, static_cast<char>('a' + i)) + "\n";
    auto spec = bytesSpec(folder.write("a.txt", text));
    spec.eval = spec.train[0];
    spec.eval->split = {config::SplitRule::Kind::kLast, 10};
    const auto report = prepared(spec, cacheIn(folder));
    EXPECT_EQ(report.documents, 18);
    EXPECT_EQ(report.evalDocuments, 2);
    EXPECT_EQ(report.tokens, 18 * 7);       // six bytes and the end of text
    EXPECT_EQ(report.lossTokens, 18 * 6);   // the last token of a document predicts nothing
    EXPECT_EQ(report.evalBytes, 12);
    EXPECT_FALSE(report.cacheHit);
    auto data = PreparedData::open(report.path);
    ASSERT_TRUE(data);
    EXPECT_EQ(*readFile((*data)->evalTextPath()), "line s\nline t");
    EXPECT_EQ((*data)->tokenizerPath(), "bytes");
    // 126 tokens in rows of 16: 8 rows, 2 places of padding
    EXPECT_EQ((*data)->sequences(false), 8);
    EXPECT_DOUBLE_EQ(report.paddingFraction, 2.0 / 128);
    EXPECT_TRUE(report.bigramNll.has_value());
}

TEST(Prepare, SecondCallIsAHitAlsoAfterMoving) {
    TempFolder folder;
    auto spec = bytesSpec(folder.write("a.txt", "one\ntwo\nthree\n"));
    const auto first = prepared(spec, cacheIn(folder));
    const auto second = prepared(spec, cacheIn(folder));
    EXPECT_TRUE(second.cacheHit);
    EXPECT_EQ(second.path, first.path);
    EXPECT_EQ(second.tokens, first.tokens);
    fs::create_directories(folder / "moved");
    fs::copy(folder / "a.txt", folder / "moved/b.txt");
    EXPECT_TRUE(prepared(bytesSpec(folder / "moved/b.txt"), cacheIn(folder)).cacheHit);
    // Other content or another declaration: another key
    folder.write("a.txt", "one\ntwo\nthree!\n");
    EXPECT_FALSE(prepared(spec, cacheIn(folder)).cacheHit);
    spec.packing = config::Packing::kNone;
    EXPECT_FALSE(prepared(spec, cacheIn(folder)).cacheHit);
}

TEST(Prepare, DamagedShardIsBuiltAnew) {
    TempFolder folder;
    const auto spec = bytesSpec(folder.write("a.txt", "one\ntwo\nthree\n"));
    const auto first = prepared(spec, cacheIn(folder));
    const std::string shard = first.path + "/train-00000.bin";
    auto bytes = *readFile(shard);
    const std::string good = bytes;
    bytes.back() ^= 1;
    std::ofstream(shard, std::ios::binary) << bytes;
    EXPECT_FALSE(PreparedData::open(first.path));
    const auto again = prepared(spec, cacheIn(folder));
    EXPECT_FALSE(again.cacheHit);
    EXPECT_EQ(*readFile(shard), good);
}

TEST(Prepare, TwoBuildersAtOnceAgree) {
    TempFolder folder;
    std::string text;
    for (int i = 0; i < 2000; ++i) text += "document number " + std::to_string(i) + "\n";
    const auto spec = bytesSpec(folder.write("a.txt", text));
    std::vector<std::string> paths(4);
    {
        std::vector<std::jthread> threads;
        for (auto& path : paths) threads.emplace_back([&] { path = prepared(spec, cacheIn(folder)).path; });
    }
    EXPECT_EQ(std::set<std::string>(paths.begin(), paths.end()).size(), 1u);
    size_t entries = 0;
    for (const auto& e : fs::directory_iterator(folder / "cache/data")) entries += e.is_directory();
    EXPECT_EQ(entries, 1u);
}

TEST(Prepare, CancelLeavesNothing) {
    TempFolder folder;
    const auto spec = bytesSpec(folder.write("a.txt", "one\ntwo\n"));
    std::stop_source stop;
    auto options = cacheIn(folder);
    options.stop = stop.get_token();
    stop.request_stop();
    auto report = prepareDataset(spec, options);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, ErrorCode::kCancelled);
    for (const auto& e : fs::directory_iterator(folder / "cache/data")) EXPECT_FALSE(e.is_directory()) << e.path();
}

TEST(Prepare, DuplicatesKeepTheFirst) {
    TempFolder folder;
    auto spec = bytesSpec(folder.write("a.txt", "a\nb\na\na\nc\n"));
    spec.deduplicate = config::Deduplicate::kExact;
    const auto report = prepared(spec, cacheIn(folder));
    EXPECT_EQ(report.documents, 3);
    EXPECT_EQ(report.dropped.at("duplicate"), 2);
}

TEST(Prepare, HashSplitDependsOnTheDocumentAlone) {
    TempFolder folder;
    std::string text, more;
    for (int i = 0; i < 400; ++i) text += "document " + std::to_string(i) + "\n";
    more = "another line in front\n" + text;
    auto evalLines = [&](const std::string& path) {
        auto spec = bytesSpec(path);
        spec.eval = spec.train[0];
        spec.eval->split = {config::SplitRule::Kind::kHash, 25};
        auto data = PreparedData::open(prepared(spec, cacheIn(folder)).path);
        std::istringstream in(*readFile((*data)->evalTextPath()));
        std::set<std::string> lines;
        for (std::string line; std::getline(in, line);) lines.insert(line);
        lines.erase("another line in front");
        return lines;
    };
    const auto lines = evalLines(folder.write("a.txt", text));
    EXPECT_EQ(lines, evalLines(folder.write("b.txt", more)));
    EXPECT_GT(lines.size(), 65u);  // 100 expected, standard deviation 8.7
    EXPECT_LT(lines.size(), 135u);
}

// Documents [h e l l o EOS] and [a b EOS] in rows of 4, by the three ways of packing.
TEST(Prepare, LabelsStayInsideTheDocument) {
    TempFolder folder;
    auto spec = bytesSpec(folder.write("b.txt", "x\n"), 4);
    spec.eval = bytesSpec(folder.write("a.txt", "hello\nab\n")).train[0];
    spec.packing = config::Packing::kConcat;
    auto rows = evaluation(prepared(spec, cacheIn(folder)).path);
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].ids, (std::vector<int32_t>{'h', 'e', 'l', 'l'}));
    EXPECT_EQ(rows[0].labels, (std::vector<int32_t>{'e', 'l', 'l', 'o'}));  // the document goes on in the next row
    EXPECT_EQ(rows[1].ids, (std::vector<int32_t>{'o', 256, 'a', 'b'}));
    EXPECT_EQ(rows[1].labels, (std::vector<int32_t>{256, -100, 'b', 256}));
    EXPECT_EQ(rows[1].positions, (std::vector<int32_t>{0, 1, 0, 1}));
    EXPECT_EQ(rows[1].segments, (std::vector<int32_t>{0, 0, 1, 1}));
    EXPECT_FALSE(rows[1].oneSegmentPerRow);
    EXPECT_EQ(rows[2].ids, (std::vector<int32_t>{256, 0, 0, 0}));
    EXPECT_EQ(rows[2].labels, (std::vector<int32_t>{-100, -100, -100, -100}));
    EXPECT_EQ(rows[2].segments, (std::vector<int32_t>{0, -1, -1, -1}));

    spec.packing = config::Packing::kNone;
    rows = evaluation(prepared(spec, cacheIn(folder)).path);
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[1].ids, (std::vector<int32_t>{'o', 256}));  // padded to the longest of the batch
    EXPECT_EQ(rows[2].ids, (std::vector<int32_t>{'a', 'b', 256}));
    EXPECT_TRUE(rows[2].oneSegmentPerRow);

    spec.packing = config::Packing::kBestFit;  // 4 | 3 | 2: the 2 finds no room beside the 3
    rows = evaluation(prepared(spec, cacheIn(folder)).path);
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].labels, (std::vector<int32_t>{'e', 'l', 'l', 'o'}));
}

TEST(Prepare, OverLengthPolicies) {
    TempFolder folder;
    auto spec = bytesSpec(folder.write("a.txt", "abcdefghi\nab\n"), 4);
    spec.packing = config::Packing::kNone;
    spec.overLength = config::OverLength::kTruncate;
    auto report = prepared(spec, cacheIn(folder));
    EXPECT_EQ(report.tokens, 4 + 3);
    EXPECT_EQ(report.dropped.at("truncated"), 1);
    spec.overLength = config::OverLength::kDrop;
    report = prepared(spec, cacheIn(folder));
    EXPECT_EQ(report.tokens, 3);
    EXPECT_EQ(report.dropped.at("over_length"), 1);
    spec.overLength = config::OverLength::kError;
    auto failed = prepareDataset(spec, cacheIn(folder));
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::kInvalidFile);
    EXPECT_NE(failed.error().message.find("line 1"), std::string::npos);
}

TEST(Prepare, WrongInputIsNamed) {
    TempFolder folder;
    auto code = [&](const config::DataSpec& spec) {
        auto r = prepareDataset(spec, cacheIn(folder));
        EXPECT_FALSE(r);
        return r ? ErrorCode::kInternal : r.error().code;
    };
    EXPECT_EQ(code(bytesSpec(folder / "absent.txt")), ErrorCode::kNotFound);
    EXPECT_EQ(code(bytesSpec(folder.path())), ErrorCode::kInvalidFile);
    EXPECT_EQ(code(bytesSpec(folder.write("empty.txt", ""))), ErrorCode::kInvalidFile);
    EXPECT_EQ(code(bytesSpec(folder.write("blank.txt", "\n\n \n"))), ErrorCode::kInvalidFile);
    EXPECT_EQ(code(bytesSpec(folder.write("latin1.txt", "caf\xE9\n"))), ErrorCode::kInvalidFile);
    auto same = bytesSpec(folder.write("a.txt", "a\nb\n"));
    same.eval = same.train[0];
    EXPECT_EQ(code(same), ErrorCode::kBadUsage);
}

TEST(Prepare, OutIsAWholeCopy) {
    TempFolder folder;
    auto options = cacheIn(folder);
    options.out = folder / "mine";
    const auto spec = bytesSpec(folder.write("a.txt", "one\ntwo\n"));
    EXPECT_EQ(prepared(spec, options).path, folder / "mine");
    EXPECT_TRUE(PreparedData::open(folder / "mine"));
    EXPECT_TRUE(prepared(spec, options).cacheHit);
    fs::create_directories(folder / "other");
    folder.write("other/keep.txt", "mine");
    options.out = folder / "other";
    EXPECT_FALSE(prepareDataset(spec, options));
    EXPECT_TRUE(fs::exists(folder / "other/keep.txt"));
}


// ---- vocabularies that are learned from the data

TEST(PrepareVocabulary, WordPieceAndBpe) {
    TempFolder folder;
    std::string text;
    for (int i = 0; i < 300; ++i) text += "the quick brown fox number " + std::to_string(i) + "\n";
    for (const auto kind : {config::TokenizerSpec::Kind::kTrainBpe, config::TokenizerSpec::Kind::kTrainWordPiece}) {
        auto spec = bytesSpec(folder.write("a.txt", text), 64);
        spec.tokenizer.kind = kind;
        spec.tokenizer.vocab = 400;
        const auto report = prepared(spec, cacheIn(folder));
        EXPECT_EQ(report.documents, 300);
        EXPECT_LT(report.tokens, 300 * 12);  // whole words
        auto data = PreparedData::open(report.path);
        ASSERT_TRUE(data);
        auto tokenizer = loadTokenizer((*data)->tokenizerPath());
        ASSERT_TRUE(tokenizer) << tokenizer.error().text();
        EXPECT_LE((*tokenizer)->vocabSize(), 400);
        EXPECT_TRUE(prepared(spec, cacheIn(folder)).cacheHit);
    }
}

// ---- shapes and what is learned of them

TEST(PrepareShapes, OnlyTheAnswerIsLearned) {
    TempFolder folder;
    auto spec = bytesSpec(folder.write("x.txt", "x\n"), 16);
    spec.train = bytesSpec(folder.write("t.jsonl", "{\"prompt\":\"q:\",\"completion\":\"ab\"}\n{\"prompt\":\"r:\",\"completion\":\"c\"}\n")).train;
    spec.eval = spec.train[0];
    spec.eval->path = folder.write("e.jsonl", "{\"prompt\":\"q:\",\"completion\":\"ab\"}\n{\"prompt\":\"r:\",\"completion\":\"c\"}\n");
    spec.lossOn = config::LossOn::kCompletion;
    for (const auto packing : {config::Packing::kConcat, config::Packing::kBestFit}) {
        spec.packing = packing;
        const auto report = prepared(spec, cacheIn(folder));
        EXPECT_EQ(report.tokens, 5 + 4);
        EXPECT_EQ(report.lossTokens, 3 + 2);  // a b EOS, c EOS
        const auto rows = evaluation(report.path);
        ASSERT_EQ(rows.size(), 1u);
        EXPECT_EQ((std::vector<int32_t>(rows[0].labels.begin(), rows[0].labels.begin() + 9)), (std::vector<int32_t>{-100, 'a', 'b', 256, -100, -100, 'c', 256, -100}));
        EXPECT_EQ(rows[0].labelledTokens, 5);
    }
    // A row that is cut where the answer begins: the last position of the first row predicts its first token.
    spec.packing = config::Packing::kConcat;
    spec.sequenceLength = 2;
    const auto rows = evaluation(prepared(spec, cacheIn(folder)).path);
    EXPECT_EQ(rows[0].labels, (std::vector<int32_t>{-100, 'a'}));
    EXPECT_EQ(rows[1].labels, (std::vector<int32_t>{'b', 256}));
}

TEST(PrepareShapes, TruncationCutsTheMaskToo_axolotl3401_trl6668) {
    TempFolder folder;
    auto spec = bytesSpec(folder.write("t.jsonl", "{\"prompt\":\"qq\",\"completion\":\"abcdef\"}\n{\"prompt\":\"a long prompt\",\"completion\":\"x\"}\n"), 5);
    spec.lossOn = config::LossOn::kCompletion;
    spec.overLength = config::OverLength::kTruncate;
    spec.packing = config::Packing::kBestFit;
    const auto report = prepared(spec, cacheIn(folder));
    EXPECT_EQ(report.tokens, 5);
    EXPECT_EQ(report.lossTokens, 3);
    EXPECT_EQ(report.dropped.at("truncated"), 2);
    EXPECT_EQ(report.dropped.at("no_loss"), 1);  // of the second only the prompt was left
    EXPECT_EQ(report.tokensLost["truncated"], 4 + 10);
    EXPECT_EQ(report.tokensLost["no_loss"], 5);
}

TEST(PrepareShapes, WhatIsNotTrainedOnIsSaid_llamafactory9600) {
    TempFolder folder;
    auto code = [&](const std::string& rows, config::LossOn loss) {
        auto spec = bytesSpec(folder.write("t.jsonl", rows));
        spec.lossOn = loss;
        auto r = prepareDataset(spec, cacheIn(folder));
        EXPECT_FALSE(r);
        return r ? ErrorCode::kInternal : r.error().code;
    };
    EXPECT_EQ(code("{\"prompt\":\"p\",\"chosen\":\"c\",\"rejected\":\"r\"}\n", config::LossOn::kAll), ErrorCode::kUnsupported);
    EXPECT_EQ(code("{\"text\":\"t\",\"label\":1}\n", config::LossOn::kAll), ErrorCode::kUnsupported);
    EXPECT_EQ(code("{\"prompt\":\"p\",\"completion\":\"c\",\"label\":true}\n", config::LossOn::kAll), ErrorCode::kUnsupported);
    EXPECT_EQ(code("{\"text\":\"t\"}\n", config::LossOn::kAssistant), ErrorCode::kBadUsage);
}

TEST(PrepareShapes, ConversationsByTheTemplate) {
    TempFolder folder;
    const std::string rows = "{\"messages\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"assistant\",\"content\":\"a1\"},{\"role\":\"user\",\"content\":\"r\"},{\"role\":\"assistant\",\"content\":\"a2\"}]}\n"
                             "{\"conversations\":[{\"from\":\"human\",\"value\":\"q\"},{\"from\":\"gpt\",\"value\":\"a1\"}]}\n"
                             "{\"instruction\":\"q\",\"input\":\"\",\"output\":\"a1\"}\n"
                             "{\"messages\":[{\"role\":\"user\",\"content\":\"no answer\"}]}\n";
    auto spec = bytesSpec(folder.write("t.jsonl", rows), 512);
    spec.chatTemplate = "chatml";
    spec.lossOn = config::LossOn::kAssistant;
    spec.packing = config::Packing::kNone;
    spec.eval = spec.train[0];
    spec.eval->path = folder.write("e.jsonl", rows);
    const auto report = prepared(spec, cacheIn(folder));
    EXPECT_EQ(report.documents, 3);
    const auto batches = evaluation(report.path);
    ASSERT_EQ(batches.size(), 3u);
    std::vector<std::string> learned;
    for (const Batch& b : batches) {
        std::string text;
        for (const int32_t label : b.labels)
            if (label >= 0 && label < 256) text += static_cast<char>(label);
        learned.push_back(text);
    }
    // Both answers, each with its terminator (axolotl#1761, #3754).
    EXPECT_NE(learned[0].find("a1"), std::string::npos) << learned[0];
    EXPECT_NE(learned[0].find("a2"), std::string::npos) << learned[0];
    EXPECT_EQ(learned[0].find("q"), std::string::npos) << learned[0];
    EXPECT_EQ(learned[1], learned[2]);
    // Another template, another key (axolotl#341, #885).
    spec.chatTemplate = "plain";
    EXPECT_FALSE(prepared(spec, cacheIn(folder)).cacheHit);
}

// ---- cleaning

TEST(PrepareClean, LengthFilters) {
    TempFolder folder;
    auto spec = bytesSpec(folder.write("a.txt", "a\nh\xC3\xA9h\xC3\xA9\nlonger than that\n"));
    spec.minChars = 2;
    spec.maxChars = 4;
    const auto report = prepared(spec, cacheIn(folder));
    EXPECT_EQ(report.documents, 1);
    EXPECT_EQ(report.dropped, (std::map<std::string, int64_t>{{"below_min_chars", 1}, {"above_max_chars", 1}}));
    EXPECT_EQ(report.tokens, 7);
}

TEST(PrepareClean, OneOfEachClusterStays_textdedup129_datajuicer1051) {
    TempFolder folder;
    const std::string base = "the quick brown fox jumps over the lazy dog and then goes home to sleep until the next morning comes around again";
    auto spec = bytesSpec(folder.write("a.txt", base + "\n" + base + "!\n\xF0\x9F\x98\x80\n" + base + "?\nsomething else altogether stands here\n\xF0\x9F\x98\x81\n\xF0\x9F\x98\x80\n"), 512);
    spec.deduplicate = config::Deduplicate::kNear;
    spec.packing = config::Packing::kNone;
    const auto report = prepared(spec, cacheIn(folder));
    EXPECT_EQ(report.documents, 4);  // the first of the three, the other text, two signs
    EXPECT_EQ(report.dropped, (std::map<std::string, int64_t>{{"near_duplicate", 2}, {"duplicate", 1}}));
    EXPECT_EQ(report.nearDuplicates["clusters"], 2);
    EXPECT_EQ(report.nearDuplicates["largest"][0]["row"], 1);
    EXPECT_EQ(report.nearDuplicates["largest"][0]["left_out"], 2);
}

TEST(PrepareClean, HashSplitKeepsSimilarDocumentsTogether) {
    TempFolder folder;
    std::string text;
    const auto sentence = [](int i, const char* end) {
        std::string out;
        for (int w = 0; w < 40; ++w) out += "word" + std::to_string(i * 1000 + w) + " ";
        return out + end;
    };
    for (int i = 0; i < 200; ++i)
        for (const char* end : {"a", "b", "c"}) text += sentence(i, end) + "\n";
    auto spec = bytesSpec(folder.write("a.txt", text), 512);
    spec.eval = spec.train[0];
    spec.eval->split = {config::SplitRule::Kind::kHash, 30};
    const auto report = prepared(spec, cacheIn(folder));
    EXPECT_EQ(report.documents + report.evalDocuments, 600);
    std::map<std::string, int> held;
    std::istringstream in(*readFile((*PreparedData::open(report.path))->evalTextPath()));
    for (std::string line; std::getline(in, line);) ++held[line.substr(0, line.find(' '))];
    EXPECT_GT(held.size(), 30u);
    for (const auto& [first, count] : held) EXPECT_EQ(count, 3) << first;
}

TEST(PrepareClean, WeightsAreSharesOfTheTokens) {
    TempFolder folder;
    std::string a, b;
    for (int i = 0; i < 300; ++i) a += "aaaa" + std::to_string(100 + i) + "\n";  // 8 tokens each: 2400
    for (int i = 0; i < 100; ++i) b += "bbbb" + std::to_string(100 + i) + "\n";  // 800
    auto spec = bytesSpec(folder.write("a.txt", a));
    spec.train.push_back(bytesSpec(folder.write("b.txt", b)).train[0]);
    EXPECT_TRUE(prepared(spec, cacheIn(folder)).mixture.is_null());
    spec.train[1].weight = 3;
    // An epoch of 3200 tokens: 800 of a, 2400 of b, which is three times all of it.
    const auto report = prepared(spec, cacheIn(folder));
    EXPECT_EQ(report.tokens, 3200);
    EXPECT_EQ(report.mixture[0]["epoch_tokens"], 800);
    EXPECT_EQ(report.mixture[1]["epoch_tokens"], 2400);
    EXPECT_EQ(report.mixture[1]["epochs"], 3.0);
    EXPECT_EQ(report.dropped.at("over_weight"), 200);
    EXPECT_EQ(report.documents, 100 + 300);
}

// ---- packing

TEST(PreparePack, LimitPlusOneIsOverLength_axolotl1867_2332) {
    TempFolder folder;
    auto spec = bytesSpec(folder.write("a.txt", "abc\nabcd\nabcde\n"), 4);  // 4, 5 and 6 tokens
    for (const auto packing : {config::Packing::kNone, config::Packing::kConcat, config::Packing::kBestFit}) {
        spec.packing = packing;
        spec.overLength = config::OverLength::kDrop;
        auto report = prepared(spec, cacheIn(folder));
        EXPECT_EQ(report.dropped.at("over_length"), 2);
        EXPECT_EQ(report.tokens, 4);
        spec.overLength = config::OverLength::kTruncate;  // the same policy however documents are packed
        report = prepared(spec, cacheIn(folder));
        EXPECT_EQ(report.dropped.at("truncated"), 2);
        EXPECT_EQ(report.tokens, 12);
    }
}

TEST(PreparePack, TooLittleForOneRowIsPadded_autotrain827) {
    TempFolder folder;
    auto spec = bytesSpec(folder.write("a.txt", "a\nb\nc\n"), 2048);
    const auto report = prepared(spec, cacheIn(folder));
    EXPECT_EQ(report.tokens, 6);
    EXPECT_EQ((*PreparedData::open(report.path))->sequences(false), 1);
}

TEST(PreparePack, BestFitWastesLittle_nanochat544) {
    TempFolder folder;
    std::mt19937 random(5);
    std::lognormal_distribution<double> lengths(4.5, 1.0);
    std::string text;
    for (int i = 0; i < 5000; ++i) text += std::string(std::clamp<size_t>(static_cast<size_t>(lengths(random)), 1, 2000), 'x') + "\n";
    auto spec = bytesSpec(folder.write("a.txt", text), 1024);
    spec.packing = config::Packing::kBestFit;
    const auto report = prepared(spec, cacheIn(folder));
    EXPECT_LE(report.paddingFraction, 0.02);
    EXPECT_EQ(report.tokens, report.tokensIn);
}

// Windows of a stream pack what one window would: every token once, little waste.
TEST(PreparePack, WindowsLoseNothing) {
    for (const auto packing : {config::Packing::kNone, config::Packing::kConcat, config::Packing::kBestFit}) {
        Packer packer({1 << 19, config::OverLength::kSplit, packing});  // windows of 2^25 tokens
        std::mt19937 random(9);
        std::vector<int64_t> seen(256), put(256);
        int64_t rows = 0, windows = 0;
        const auto drain = [&](bool last) {
            const Rows out = packer.take(last);
            for (const Segment& s : out.segments) {  // each document is of one id
                EXPECT_EQ(packer.ids()[s.start], packer.ids()[s.start + s.length - 1]);
                seen[static_cast<size_t>(packer.ids()[s.start])] += s.length;
            }
            rows += static_cast<int64_t>(out.size());
            ++windows;
            packer.release();
        };
        for (int d = 0; d < 500; ++d) {
            const std::vector<int32_t> ids(1 + random() % 300000, static_cast<int32_t>(d % 256));
            put[static_cast<size_t>(d % 256)] += static_cast<int64_t>(ids.size());
            ASSERT_TRUE(packer.add(ids.data(), nullptr, ids.size(), 1));
            if (packer.full()) drain(false);
        }
        drain(true);
        EXPECT_GT(windows, 2);
        EXPECT_EQ(seen, put);
        EXPECT_EQ(packer.counts().sequences, rows);
        const double fill = static_cast<double>(packer.counts().tokens) / (static_cast<double>(rows) * (1 << 19));
        if (packing == config::Packing::kConcat) {
            EXPECT_EQ(rows, (packer.counts().tokens + (1 << 19) - 1) / (1 << 19));
        }
        if (packing == config::Packing::kBestFit) {
            EXPECT_GT(fill, 0.9);
        }
    }
}

// ---- trouble

TEST(PrepareTrouble, FullDiskLeavesNothing) {
    TempFolder folder;
    std::string text;
    for (int i = 0; i < 5000; ++i) text += "document number " + std::to_string(i) + "\n";
    const auto spec = bytesSpec(folder.write("a.txt", text));
    struct rlimit before {};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    struct rlimit small = before;
    small.rlim_cur = 20000;  // files end there: writing on is an error, as on a full disk
    ::setrlimit(RLIMIT_FSIZE, &small);
    auto report = prepareDataset(spec, cacheIn(folder));
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_FALSE(report);
    for (const auto& e : fs::directory_iterator(folder / "cache/data")) EXPECT_FALSE(e.is_directory()) << e.path();
    EXPECT_TRUE(prepareDataset(spec, cacheIn(folder)));
}

TEST(PrepareTrouble, ProblemsAreListedWithTheirPlace) {
    TempFolder folder;
    const auto report = prepared(bytesSpec(folder.write("a.jsonl", "{\"text\":\"a\"}\n{\n{\"text\":\"\"}\n{\n")), cacheIn(folder));
    ASSERT_EQ(report.problems.size(), 2u);
    EXPECT_EQ(report.problems[0]["reason"], "bad_json");
    EXPECT_EQ(report.problems[0]["line"], 2);
    EXPECT_EQ(report.problems[0]["count"], 2);
    EXPECT_EQ(report.dropped, (std::map<std::string, int64_t>{{"bad_json", 2}, {"empty", 1}}));
}

}  // namespace
}  // namespace assay::data
