// What becomes of rows on their way into a prepared folder: shapes and loss masks, cleaning, mixtures, packing, trouble.
#include <sys/resource.h>

#include <csignal>
#include <random>

#include "prepare/pack.h"
#include "prepare_support.h"

namespace assay::data {
namespace {
namespace fs = std::filesystem;

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
    spec.contamination = config::Contamination::kKeep;  // the two files are the same on purpose
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

TEST(PrepareShapes, HeldOutLossMayCountOtherTokens) {
    TempFolder folder;
    const std::string rows = "{\"prompt\":\"q:\",\"completion\":\"ab\"}\n{\"prompt\":\"r:\",\"completion\":\"c\"}\n";
    auto spec = bytesSpec(folder.write("x.txt", "x\n"), 16);
    spec.packing = config::Packing::kNone;
    spec.train = bytesSpec(folder.write("t.jsonl", rows)).train;
    spec.eval = spec.train[0];
    const auto labels = [&] {
        const auto report = prepared(spec, cacheIn(folder));
        const auto found = evaluation(report.path);
        EXPECT_EQ(found.size(), 1u);
        return std::pair(report.lossTokens, found.empty() ? std::vector<int32_t>{} : std::vector<int32_t>(found[0].labels.begin(), found[0].labels.begin() + 4));
    };
    // A share of the training file, and a file of its own.
    for (const bool share : {true, false}) {
        if (share) spec.eval->split = {config::SplitRule::Kind::kLast, 50};
        else spec.eval = config::DataSource{.path = folder.write("e.jsonl", "{\"prompt\":\"s:\",\"completion\":\"c\"}\n")};
        spec.lossOn = config::LossOn::kAll;
        spec.eval->lossOn.reset();
        EXPECT_EQ(labels().second, (std::vector<int32_t>{':', 'c', 256, -100})) << "as what is learned";
        spec.eval->lossOn = config::LossOn::kCompletion;
        const auto [learned, counted] = labels();
        EXPECT_EQ(learned, share ? 4 : 4 + 3) << "what is learned stays";
        EXPECT_EQ(counted, (std::vector<int32_t>{-100, 'c', 256, -100})) << "only the answer is scored";
        spec.lossOn = config::LossOn::kCompletion;
        spec.eval->lossOn = config::LossOn::kAll;
        EXPECT_EQ(labels().second, (std::vector<int32_t>{':', 'c', 256, -100}));
    }
    spec.train = bytesSpec(folder.write("p.txt", "plain\n")).train;
    spec.lossOn = config::LossOn::kAll;
    spec.eval = spec.train[0];
    spec.eval->split = {config::SplitRule::Kind::kLast, 50};
    spec.eval->lossOn = config::LossOn::kCompletion;
    const auto refused = prepareDataset(spec, cacheIn(folder));
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("data.eval.loss_on"), std::string::npos) << refused.error().message;
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
    spec.contamination = config::Contamination::kKeep;
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
