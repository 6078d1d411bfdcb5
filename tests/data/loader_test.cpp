#include <assay/data/loader.h>

#include <map>
#include <set>

#include "support.h"

namespace assay::data {
namespace {

class LoaderTest : public testing::Test {
protected:
    void SetUp() override {
        std::string text;
        for (int i = 0; i < 37; ++i) text += "document " + std::to_string(i) + "\n";
        auto spec = bytesSpec(folder_.write("a.txt", text), 16);
        spec.packing = config::Packing::kNone;  // one document a row: rows can be told apart
        auto report = prepareDataset(spec, cacheIn(folder_));
        ASSERT_TRUE(report) << report.error().text();
        auto data = PreparedData::open(report->path);
        ASSERT_TRUE(data);
        data_ = *data;
        ASSERT_EQ(data_->sequences(false), 37);
    }
    // The documents that `batches` batches hold, in order.
    std::vector<std::string> rows(const LoaderOptions& options, int batches) {
        auto loader = Loader::create(data_, options);
        EXPECT_TRUE(loader) << loader.error().text();
        std::vector<std::string> out;
        Batch b;
        for (int i = 0; i < batches; ++i) {
            EXPECT_TRUE((*loader)->next(b));
            for (int64_t r = 0; r < b.rows; ++r) {
                std::string text;
                for (int64_t c = 0; c < b.columns; ++c)
                    if (const int32_t id = b.ids[static_cast<size_t>(r * b.columns + c)]; id > 0 && id < 256) text += static_cast<char>(id);
                out.push_back(text);
            }
        }
        return out;
    }
    TempFolder folder_;
    PreparedPtr data_;
};

TEST_F(LoaderTest, WorkersAndQueueDoNotChangeTheOrder) {
    LoaderOptions options;
    options.microBatch = 5;
    options.seed = 7;
    options.workers = 1;
    const auto one = rows(options, 30);
    options.workers = 4;
    EXPECT_EQ(rows(options, 30), one);
    options.queueBytes = 1;
    EXPECT_EQ(rows(options, 30), one);
    options.seed = 8;
    EXPECT_NE(rows(options, 30), one);
}

TEST_F(LoaderTest, EachEpochVisitsEveryRowOnceInItsOwnOrder) {
    LoaderOptions options;
    options.seed = 3;
    const auto all = rows(options, 37 * 3);
    std::vector<std::vector<std::string>> epochs;
    for (int e = 0; e < 3; ++e) {
        epochs.emplace_back(all.begin() + e * 37, all.begin() + (e + 1) * 37);
        std::map<std::string, int> seen;
        for (const auto& row : epochs.back()) ++seen[row];
        EXPECT_EQ(seen.size(), 37u);
    }
    EXPECT_NE(epochs[0], epochs[1]);
    EXPECT_NE(epochs[1], epochs[2]);
}

TEST_F(LoaderTest, ResumeGoesOnWhereItStopped) {
    LoaderOptions options;
    options.microBatch = 4;
    const auto whole = rows(options, 40);
    for (const int done : {1, 7, 20, 33}) {
        options.startSequence = done * 4;
        const auto rest = rows(options, 40 - done);
        EXPECT_TRUE(std::equal(rest.begin(), rest.end(), whole.begin() + done * 4)) << done;
    }
}

TEST_F(LoaderTest, RanksTogetherReadWhatOneRankReads) {
    LoaderOptions options;
    options.microBatch = 6;
    const auto whole = rows(options, 20);
    options.microBatch = 2;
    options.world = 3;
    std::vector<std::string> joined(whole.size());
    for (int64_t rank = 0; rank < 3; ++rank) {
        options.rank = rank;
        const auto part = rows(options, 20);
        ASSERT_EQ(part.size(), 40u);
        for (size_t i = 0; i < part.size(); ++i) joined[i * 3 + static_cast<size_t>(rank)] = part[i];
    }
    EXPECT_EQ(joined, whole);
}

TEST_F(LoaderTest, EvaluationReadsEachRowOnceInOrderAndEnds) {
    LoaderOptions options;
    options.evaluation = true;
    auto spec = bytesSpec(folder_.write("b.txt", "x\ny\n"), 16);
    config::DataSource eval;
    eval.path = folder_ / "a.txt";
    spec.eval = eval;
    spec.packing = config::Packing::kNone;
    auto report = prepareDataset(spec, cacheIn(folder_));
    ASSERT_TRUE(report) << report.error().text();
    data_ = *PreparedData::open(report->path);
    options.microBatch = 5;
    const auto all = rows(options, 9);
    ASSERT_EQ(all.size(), 37u);
    EXPECT_EQ(all.front(), "document 0");
    EXPECT_EQ(all.back(), "document 36");
    options.world = 2;
    std::vector<std::string> joined;
    options.rank = 0;
    const auto even = rows(options, 5);
    options.rank = 1;
    const auto odd = rows(options, 5);
    EXPECT_EQ(even.size() + odd.size(), 37u);
    EXPECT_EQ(odd.front(), "document 1");
}

// Rows of about the same length stand together; each still comes once an epoch, from wherever the run was resumed.
TEST_F(LoaderTest, UnpackedRowsArePaddedToTheLongestOfTheirBatch) {
    std::string text;
    for (int i = 0; i < 2500; ++i) text += "document " + std::to_string(i) + std::string(static_cast<size_t>(i * 7919 % 400), '.') + "\n";
    auto spec = bytesSpec(folder_.write("long.txt", text), 512);
    spec.packing = config::Packing::kNone;
    auto report = prepareDataset(spec, cacheIn(folder_));
    ASSERT_TRUE(report) << report.error().text();
    data_ = *PreparedData::open(report->path);
    LoaderOptions options;
    options.microBatch = 10;
    options.seed = 11;
    auto loader = Loader::create(data_, options);
    ASSERT_TRUE(loader);
    Batch b;
    int64_t places = 0, real = 0;
    for (int i = 0; i < 250; ++i) {
        ASSERT_TRUE((*loader)->next(b));
        places += b.rows * b.columns;
        real += b.realTokens;
        bool full = false;
        for (int64_t r = 0; r < b.rows; ++r) full |= b.segments[static_cast<size_t>((r + 1) * b.columns - 1)] >= 0;
        EXPECT_TRUE(full);  // no column is padding alone
    }
    EXPECT_LT(static_cast<double>(places - real) / static_cast<double>(places), 0.1);  // 0.6 in random order
    const auto two = rows(options, 500);
    EXPECT_EQ((std::set<std::string>(two.begin(), two.begin() + 2500).size()), 2500u);
    EXPECT_EQ((std::set<std::string>(two.begin() + 2500, two.end()).size()), 2500u);
    EXPECT_FALSE(std::equal(two.begin(), two.begin() + 2500, two.begin() + 2500));
    for (const int done : {1, 101, 249, 250, 333}) {
        options.startSequence = done * 10;
        const auto rest = rows(options, 500 - done);
        EXPECT_TRUE(std::equal(rest.begin(), rest.end(), two.begin() + done * 10)) << done;
    }
}

TEST_F(LoaderTest, WrongOptionsAreErrors) {
    LoaderOptions options;
    options.rank = 1;
    EXPECT_FALSE(Loader::create(data_, options));
    options = {};
    options.microBatch = 0;
    EXPECT_FALSE(Loader::create(data_, options));
}

}  // namespace
}  // namespace assay::data
