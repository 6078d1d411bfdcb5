#include <assay/data/loader.h>

#include <set>
#include <thread>

#include "prepare_support.h"

namespace assay::data {
namespace {
namespace fs = std::filesystem;

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
    // The first one is told, though the documents are compared in the order of their hashes.
    spec = bytesSpec(folder.write("b.txt", [] {
        std::string text;
        for (int i = 0; i < 700; ++i) text += "document " + std::to_string(i % 7) + "\n";
        return text;
    }()));
    spec.deduplicate = config::Deduplicate::kExact;
    const auto many = prepared(spec, cacheIn(folder));
    ASSERT_EQ(many.problems.size(), 1u);
    EXPECT_EQ(many.problems[0]["row"], 8);
    EXPECT_TRUE(many.problems[0]["line"].is_null());
    EXPECT_EQ(many.problems[0]["count"], 693);
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
    EXPECT_NE(failed.error().text().find(spec.train[0].path), std::string::npos) << failed.error().text();
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

}  // namespace
}  // namespace assay::data
