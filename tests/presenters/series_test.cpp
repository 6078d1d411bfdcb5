// One metric as a curve: first answer, live points, resumes, zoom, numbers that are none.
#include <assay/presenters/series_source.h>
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include "context.h"

namespace assay {
namespace {

using presenters::SeriesSource;
using test::Context;

struct Series : testing::Test {
    Context context;
    Json points = Json::array();
    bool sampled = false;
    int64_t total = -1;

    Series() {
        context.prepare = [this](client::FakeEngineClient& engine) {
            engine.on("runs.list", [](const Json&) { return Result<Json>(test::runList({})); });
            engine.on("metrics.query", [this](const Json& params) {
                Json list = Json::array();
                for (const Json& point : points)
                    if (!params.contains("from_step") || (point[0] >= params["from_step"] && point[0] <= params["to_step"])) list.push_back(point);
                const int64_t count = total < 0 ? static_cast<int64_t>(list.size()) : total;
                return Result<Json>(Json{{"name", params["name"]}, {"points", list}, {"sampled", sampled}, {"total", count}});
            });
        };
    }
    void add(int step, Json value) { points.push_back({step, step * 0.5, step * 100, std::move(value)}); }
    void live(std::initializer_list<std::pair<int, Json>> rows) {
        Json list = Json::array();
        for (const auto& [step, value] : rows) list.push_back({step, step * 0.5, step * 100, {{"train/loss", value}}});
        context.engine->emitEvent({{"run", "r"}, {"type", "metrics"}, {"points", list}, {"latest", {{"train/loss", 1}}}});
    }
    bool waitFor(SeriesSource& series, size_t count) {
        return QTest::qWaitFor([&] {
            context.settle();
            return series.curve().points.size() == count;
        });
    }
    static std::vector<double> xs(const SeriesSource& series) {
        std::vector<double> list;
        for (const auto& point : series.curve().points) list.push_back(point.x);
        return list;
    }
};

TEST_F(Series, IsAskedForAndFollowsTheRun) {
    add(1, 3.0);
    add(2, 2.5);
    context.connect();
    SeriesSource series(context.session, QStringLiteral("r"), QStringLiteral("train/loss"));
    context.settle();
    EXPECT_EQ(xs(series), (std::vector<double>{1, 2}));
    EXPECT_EQ(context.lastOf("metrics.query")["max_points"], 2000);
    live({{3, 2.0}, {4, 1.5}});
    ASSERT_TRUE(waitFor(series, 4));
    EXPECT_DOUBLE_EQ(series.curve().points[3].y, 1.5);
    EXPECT_EQ(series.curve().total, 4);
    EXPECT_EQ(context.countOf("metrics.query"), 1);   // live points need no question
}

TEST_F(Series, OtherRunsAndOtherMetricsLeaveItAlone) {
    add(1, 3.0);
    context.connect();
    SeriesSource series(context.session, QStringLiteral("r"), QStringLiteral("eval/loss"));
    context.settle();
    QSignalSpy changed(&series, &SeriesSource::changed);
    live({{3, 2.0}});
    context.engine->emitEvent({{"run", "other"}, {"type", "metrics"}, {"points", {{2, 1, 1, {{"eval/loss", 1}}}}}});
    context.settle();
    EXPECT_FALSE(changed.wait(250));
}

TEST_F(Series, ResumeReplacesWhatItRepeats) {
    for (int step = 1; step <= 6; ++step) add(step, 3.0);
    context.connect();
    SeriesSource series(context.session, QStringLiteral("r"), QStringLiteral("train/loss"));
    context.settle();
    live({{4, 9.0}, {5, 8.0}});   // resumed at 3: the steps 4 … 6 of before are no longer the run's
    ASSERT_TRUE(waitFor(series, 5));
    EXPECT_EQ(xs(series), (std::vector<double>{1, 2, 3, 4, 5}));
    EXPECT_DOUBLE_EQ(series.curve().points[3].y, 9.0);
}

TEST_F(Series, NonFiniteValuesStandApart) {
    add(1, 3.0);
    add(2, "nan");
    add(3, "inf");
    add(4, 2.0);
    context.connect();
    SeriesSource series(context.session, QStringLiteral("r"), QStringLiteral("train/loss"));
    context.settle();
    EXPECT_EQ(xs(series), (std::vector<double>{1, 4}));
    EXPECT_EQ(series.curve().nonFinite, (std::vector<double>{2, 3}));
}

TEST_F(Series, ZoomAsksForItsRangeAndIgnoresLivePoints) {
    for (int step = 1; step <= 10; ++step) add(step, 3.0);
    context.connect();
    SeriesSource series(context.session, QStringLiteral("r"), QStringLiteral("train/loss"));
    context.settle();
    series.setRange(3.2, 6.5);
    context.settle();
    EXPECT_EQ(context.lastOf("metrics.query")["from_step"], 3);
    EXPECT_EQ(context.lastOf("metrics.query")["to_step"], 7);
    EXPECT_EQ(xs(series), (std::vector<double>{3, 4, 5, 6, 7}));
    live({{11, 1.0}});
    context.settle();
    EXPECT_EQ(series.curve().points.size(), 5U);
    add(11, 1.0);
    const double none = std::numeric_limits<double>::quiet_NaN();
    series.setRange(none, none);
    context.settle();
    EXPECT_EQ(series.curve().points.size(), 11U);
}

TEST_F(Series, ZoomOnOtherAxesAsksForTheStepsAroundTheRange) {
    for (int step = 0; step <= 100; step += 10) add(step, 3.0);   // seconds = step / 2
    sampled = true;
    total = 1'000'000;
    context.connect();
    SeriesSource series(context.session, QStringLiteral("r"), QStringLiteral("train/loss"));
    series.setXAxis(presenters::XAxis::kTime);
    context.settle();
    series.setXRange(11, 24);   // between steps 20 (10 s) and 50 (25 s)
    context.settle();
    EXPECT_EQ(context.lastOf("metrics.query")["from_step"], 20);
    EXPECT_EQ(context.lastOf("metrics.query")["to_step"], 50);
    EXPECT_DOUBLE_EQ(series.curve().low, 0);
    EXPECT_DOUBLE_EQ(series.curve().high, 50);   // the way out of the zoom
    series.setXRange(16, 19);   // deeper: between what was known of the whole and what is known now, the finer
    context.settle();
    EXPECT_EQ(context.lastOf("metrics.query")["from_step"], 30);
    EXPECT_EQ(context.lastOf("metrics.query")["to_step"], 40);
    series.setXRange(6, 46);    // out again, past what is on screen
    context.settle();
    EXPECT_EQ(context.lastOf("metrics.query")["from_step"], 10);
    EXPECT_EQ(context.lastOf("metrics.query")["to_step"], 100);
    series.setXRange(-5, 1000);
    context.settle();
    EXPECT_EQ(context.lastOf("metrics.query")["from_step"], 0);
    EXPECT_EQ(context.lastOf("metrics.query")["to_step"], 100);
    const double none = std::numeric_limits<double>::quiet_NaN();
    series.setXRange(none, none);
    context.settle();
    EXPECT_FALSE(context.lastOf("metrics.query").contains("from_step"));
    EXPECT_DOUBLE_EQ(series.curve().low, series.curve().high);
}

TEST_F(Series, AMetricThatBeginsAtStepAMillionAndOneThatIsNeverANumber) {
    for (int step = 1'000'000; step < 1'000'003; ++step) add(step, "nan");
    context.connect();
    SeriesSource series(context.session, QStringLiteral("r"), QStringLiteral("train/loss"));
    context.settle();
    EXPECT_TRUE(series.curve().points.empty());
    EXPECT_EQ(series.curve().nonFinite, (std::vector<double>{1e6, 1e6 + 1, 1e6 + 2}));
    live({{1'000'003, 2.0}});
    ASSERT_TRUE(waitFor(series, 1));
    EXPECT_EQ(xs(series), (std::vector<double>{1e6 + 3}));
    series.setXAxis(presenters::XAxis::kTime);
    series.setXRange(500'000, 500'001);   // steps 1,000,000 to 1,000,002
    context.settle();
    EXPECT_EQ(context.lastOf("metrics.query")["from_step"], 1'000'000);
    EXPECT_EQ(context.lastOf("metrics.query")["to_step"], 1'000'002);
}

TEST_F(Series, AxesAreWorkedOutFromTheSamePoints) {
    add(10, 3.0);
    add(20, 2.0);
    context.connect();
    SeriesSource series(context.session, QStringLiteral("r"), QStringLiteral("train/loss"));
    context.settle();
    const auto onAxis = [&](presenters::XAxis axis, double usd = 0, double joules = 0) {
        QSignalSpy changed(&series, &SeriesSource::changed);
        series.setXAxis(axis, usd, joules);
        EXPECT_TRUE(changed.wait(2000));
        return xs(series);
    };
    EXPECT_EQ(onAxis(presenters::XAxis::kTime), (std::vector<double>{5, 10}));
    EXPECT_EQ(onAxis(presenters::XAxis::kTokens), (std::vector<double>{1000, 2000}));
    EXPECT_EQ(onAxis(presenters::XAxis::kCost, 0.5), (std::vector<double>{2.5, 5}));
    EXPECT_EQ(onAxis(presenters::XAxis::kEnergy, 0, 40), (std::vector<double>{200, 400}));
    EXPECT_EQ(onAxis(presenters::XAxis::kStep), (std::vector<double>{10, 20}));
}

TEST_F(Series, ABatchWithoutPointsAndAGapAskAgain) {
    add(1, 3.0);
    context.connect();
    SeriesSource series(context.session, QStringLiteral("r"), QStringLiteral("train/loss"));
    context.settle();
    add(2, 2.0);
    context.engine->emitEvent({{"run", "r"}, {"type", "metrics"}, {"latest", {{"train/loss", 2.0}}}});
    context.settle();
    EXPECT_EQ(series.curve().points.size(), 2U);
    add(3, 1.0);
    context.engine->endStream(Error(ErrorCode::kGone, "older than what is kept"));
    context.settle();
    EXPECT_EQ(series.curve().points.size(), 3U);
}

TEST_F(Series, GrownPastTheChartItIsSampledAnew) {
    for (int step = 1; step <= 64; ++step) add(step, 1.0);
    context.connect();
    SeriesSource series(context.session, QStringLiteral("r"), QStringLiteral("train/loss"));
    series.setMaxPoints(64);
    context.settle();
    const int before = context.countOf("metrics.query");
    sampled = true;
    total = 97;
    for (int step = 65; step <= 97; ++step) live({{step, 1.0}});
    context.settle();
    EXPECT_EQ(context.countOf("metrics.query"), before + 1);
    EXPECT_TRUE(series.curve().sampled);
    EXPECT_EQ(series.curve().total, 97);
}

TEST_F(Series, AMetricWithoutPointsIsAnEmptyCurveNotAnError) {
    context.prepare = [](client::FakeEngineClient& engine) {
        engine.on("runs.list", [](const Json&) { return Result<Json>(test::runList({})); });
        engine.on("metrics.query", [](const Json&) { return Result<Json>(fail(ErrorCode::kNotFound, "no such metric")); });
    };
    context.connect();
    SeriesSource series(context.session, QStringLiteral("r"), QStringLiteral("eval/loss"));
    context.settle();
    EXPECT_FALSE(series.error());
    EXPECT_TRUE(series.curve().points.empty());
}

}  // namespace
}  // namespace assay
