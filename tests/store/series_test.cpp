#include <assay/store/store.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "series_codec.h"
#include "temp_folder.h"

using namespace assay;
using namespace assay::store;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

bool same(const Point& a, const Point& b) {
    return a.step == b.step && a.tokens == b.tokens && std::abs(a.seconds - b.seconds) <= 5e-7 && (a.value == b.value || (std::isnan(a.value) && std::isnan(b.value)));
}

struct StoreFixture : ::testing::Test {
    void SetUp() override {
        auto opened = Store::open(folder / "store");
        ASSERT_TRUE(opened) << opened.error().text();
        store = std::move(*opened);
        RunRow row;
        row.id = "0000000000001";
        row.kind = row.name = "train";
        row.spec = Json::object();
        ASSERT_TRUE(store->write(Promise::kDurable, [&](Writer& w) { return w.insertRun(row); }));
    }
    void append(int64_t from, int64_t to, double (*value)(int64_t) = [](int64_t s) { return 1.0 / static_cast<double>(s + 1); }, const std::string& prefix = "") {
        std::vector<protocol::MetricRecord> rows;
        for (int64_t s = from; s <= to; ++s) rows.push_back({s, s * 0.25, s * 10, {{"train/loss", value(s)}, {"train/lr", 1e-3}}});
        auto done = store->write(Promise::kBatch, [&](Writer& w) { return w.appendMetrics(run, prefix, rows); });
        ASSERT_TRUE(done) << done.error().text();
    }
    SeriesAnswer series(int64_t maxPoints = 0, const std::string& name = "train/loss", int64_t from = INT64_MIN, int64_t to = INT64_MAX) {
        SeriesAnswer out;
        auto done = store->read([&](Reader& r) -> Result<void> {
            ASSAY_TRY(out, r.series(run, name, maxPoints, from, to));
            return {};
        });
        EXPECT_TRUE(done) << done.error().text();
        return out;
    }
    test::TempFolder folder;
    std::unique_ptr<Store> store;
    const std::string run = "0000000000001";
};

}  // namespace

TEST(Block, RoundTripsEveryKindOfNumber) {
    std::mt19937_64 random(3);
    for (size_t n : {size_t{0}, size_t{1}, size_t{15}, size_t{16}, size_t{1000}, kMaxBlockPoints}) {
        std::vector<Point> points;
        for (size_t i = 0; i < n; ++i) {
            uint64_t bits = random();
            double value;
            std::memcpy(&value, &bits, sizeof value);
            points.push_back({static_cast<int64_t>(random()), static_cast<double>(random() % 1'000'000'000) / 1000, static_cast<int64_t>(random()), value});
        }
        std::vector<Point> back;
        auto done = decodeBlock(encodeBlock(points), back);
        ASSERT_TRUE(done) << done.error().text();
        ASSERT_EQ(back.size(), n);
        for (size_t i = 0; i < n; ++i) ASSERT_TRUE(same(points[i], back[i])) << i;
    }
}

TEST(Block, SecondsThatAreNotFiniteSurvive) {
    std::vector<Point> points{{1, kInf, 0, 1}, {2, std::nan(""), 0, 2}, {3, 1e300, 0, 3}}, back;
    ASSERT_TRUE(decodeBlock(encodeBlock(points), back));
    EXPECT_EQ(back[0].seconds, kInf);
    EXPECT_TRUE(std::isnan(back[1].seconds));
    EXPECT_EQ(back[2].seconds, 1e300);
}

TEST(Block, DamagedBytesAreErrorsNotCrashes) {
    std::vector<Point> points;
    for (int i = 0; i < 500; ++i) points.push_back({i, i * 0.1, i, std::sin(i)});
    const std::string good = encodeBlock(points);
    std::vector<Point> out;
    for (size_t cut = 0; cut < good.size(); cut += 7) EXPECT_FALSE(decodeBlock(good.substr(0, cut), out)) << cut;
    std::mt19937 random(1);
    for (int i = 0; i < 2000; ++i) {
        std::string bad = good;
        bad[random() % bad.size()] = static_cast<char>(random());
        out.clear();
        (void)decodeBlock(bad, out);  // any answer, but within bounds
        EXPECT_LE(out.size(), kMaxBlockPoints);
    }
}

TEST(M4, KeepsFirstLastMinimumAndMaximumOfEachBucket) {
    std::vector<Point> points;
    for (int i = 0; i < 1000; ++i) points.push_back({i, 0, 0, 0.0});
    points[137].value = 5;   // one spike up and one down in the same bucket
    points[140].value = -5;
    auto out = sampleM4(points, 40);
    ASSERT_LE(out.size(), 40u);
    EXPECT_EQ(out.front().step, 0);
    EXPECT_EQ(out.back().step, 999);
    auto has = [&](int64_t step) { return std::any_of(out.begin(), out.end(), [&](const Point& p) { return p.step == step; }); };
    EXPECT_TRUE(has(137));
    EXPECT_TRUE(has(140));
    for (size_t i = 1; i < out.size(); ++i) EXPECT_LT(out[i - 1].step, out[i].step);
}

TEST(M4, NanHidesNothingAndIsShown) {
    std::vector<Point> points;
    for (int i = 0; i < 1000; ++i) points.push_back({i, 0, 0, i % 2 ? std::nan("") : i});
    auto out = sampleM4(points, 100);
    EXPECT_LE(out.size(), 100u);
    const auto strange = std::count_if(out.begin(), out.end(), [](const Point& p) { return std::isnan(p.value); });
    EXPECT_EQ(strange, 25);
    EXPECT_EQ(out.front().step, 0);
    EXPECT_EQ(std::find_if(out.rbegin(), out.rend(), [](const Point& p) { return !std::isnan(p.value); })->step, 998);
}

TEST_F(StoreFixture, PointsComeBackAcrossPiecesAndBlocks) {
    int64_t at = 0;
    for (int64_t size : {1, 3, 100, 1000, 5, 5000, 2, 1022, 1}) {
        append(at, at + size - 1);
        at += size;
    }
    auto answer = series();
    ASSERT_EQ(static_cast<int64_t>(answer.points.size()), at);
    EXPECT_EQ(answer.total, at);
    EXPECT_FALSE(answer.sampled);
    for (int64_t s = 0; s < at; ++s) ASSERT_TRUE(same(answer.points[static_cast<size_t>(s)], {s, s * 0.25, s * 10, 1.0 / static_cast<double>(s + 1)})) << s;
    EXPECT_EQ(series(0, "train/loss", 10, 19).points.size(), 10u);
    EXPECT_TRUE(series(100).sampled);
    EXPECT_LE(series(100).points.size(), 100u);
    EXPECT_EQ(series(100).total, at);
}

TEST_F(StoreFixture, ResumedSessionSupersedesLaterSteps) {
    append(0, 2999);
    int64_t removed = 0;
    ASSERT_TRUE(store->write(Promise::kBatch, [&](Writer& w) -> Result<void> {
        ASSAY_TRY(removed, w.cutMetrics(run, "", 1499));
        return {};
    }));
    EXPECT_EQ(removed, 2 * 1500);
    append(1500, 2000, [](int64_t) { return 7.0; });
    auto answer = series();
    ASSERT_EQ(answer.points.size(), 2001u);
    for (int64_t s = 0; s <= 2000; ++s) {
        ASSERT_EQ(answer.points[static_cast<size_t>(s)].step, s);
        ASSERT_EQ(answer.points[static_cast<size_t>(s)].value, s < 1500 ? 1.0 / static_cast<double>(s + 1) : 7.0);
    }
}

TEST_F(StoreFixture, CutOfOneRankLeavesTheOthers) {
    append(0, 9);
    append(0, 9, [](int64_t) { return 2.0; }, "rank1/");
    ASSERT_TRUE(store->write(Promise::kBatch, [&](Writer& w) -> Result<void> {
        ASSAY_TRY(auto removed, w.cutMetrics(run, "rank1/", 4));
        EXPECT_EQ(removed, 10);
        return {};
    }));
    EXPECT_EQ(series(0, "train/loss").total, 10);
    EXPECT_EQ(series(0, "rank1/train/loss").total, 5);
}

TEST_F(StoreFixture, StepWrittenTwiceAppearsOnce) {
    append(0, 9);
    append(5, 5, [](int64_t) { return 9.0; });
    auto answer = series();
    ASSERT_EQ(answer.points.size(), 10u);
    EXPECT_EQ(answer.points[5].value, 9.0);
}

TEST_F(StoreFixture, NonFiniteValuesAreCountedApart) {
    append(0, 99, [](int64_t s) { return s == 3 ? std::nan("") : s == 4 ? kInf : 1.0; });
    auto answer = series();
    EXPECT_EQ(answer.nonFinite, 2);
    EXPECT_TRUE(std::isnan(answer.points[3].value));
    EXPECT_EQ(answer.points[4].value, kInf);
}

TEST_F(StoreFixture, RolledBackTransactionLeavesNothing) {
    append(0, 9);
    std::vector<protocol::MetricRecord> rows{{10, 0, 0, {{"train/loss", 1}, {"new/metric", 1}}}};
    auto done = store->write(Promise::kBatch, [&](Writer& w) -> Result<void> {
        ASSAY_TRY_VOID(w.appendMetrics(run, "", rows));
        return fail(ErrorCode::kIo, "stop here");
    });
    ASSERT_FALSE(done);
    EXPECT_EQ(series().total, 10);
    append(10, 20);
    EXPECT_EQ(series().total, 21);
    auto missing = store->read([&](Reader& r) -> Result<void> {
        ASSAY_TRY(auto answer, r.series(run, "new/metric", 0, INT64_MIN, INT64_MAX));
        return {};
    });
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
}
