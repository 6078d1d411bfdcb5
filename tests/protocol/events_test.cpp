#include <assay/protocol/events.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

using namespace assay;
using namespace assay::protocol;

namespace {

MetricRecord roundTrip(const MetricRecord& record) {
    EventParser parser;
    ParsedEvent out;
    auto done = parser.parse(metricLine(record), out);
    EXPECT_TRUE(done) << (done ? "" : done.error().text());
    EXPECT_TRUE(out.isMetric);
    return out.metric;
}

}  // namespace

TEST(Events, MetricLineHasTheFieldsOfThePage) {
    MetricRecord record{7, 1.5, 4096, {{"train/loss", 2.25}, {"train/lr", 0.001}}};
    auto json = parseJson(metricLine(record), "line");
    ASSERT_TRUE(json) << json.error().text();
    EXPECT_EQ(*json, Json::parse(R"({"type":"metric","step":7,"s":1.5,"tok":4096,"v":{"train/loss":2.25,"train/lr":0.001}})"));
}

TEST(Events, DoublesComeBackBitForBit) {
    std::vector<double> values = {0.0, -0.0, 1.0, -1.0, 0.1, 1e22, 1e-300, 5e-324, std::numeric_limits<double>::max(), 1.0 / 3, 123456789012345678.0, 9007199254740993.0};
    std::mt19937_64 random(5);
    while (values.size() < 20000) {
        uint64_t bits = random();
        double value;
        std::memcpy(&value, &bits, sizeof value);
        if (std::isfinite(value)) values.push_back(value);
    }
    EventParser parser;
    ParsedEvent out;
    for (double value : values) {
        auto line = metricLine({1, 0, 0, {{"x", value}}});
        ASSERT_TRUE(parser.parse(line, out)) << line;
        ASSERT_EQ(std::memcmp(&out.metric.values[0].second, &value, sizeof value), 0) << line;
    }
}

TEST(Events, NonFiniteValuesAreNamed) {
    const double inf = std::numeric_limits<double>::infinity();
    auto line = metricLine({1, 0, 0, {{"a", std::nan("")}, {"b", inf}, {"c", -inf}}});
    EXPECT_NE(line.find(R"("v":{"a":"nan","b":"inf","c":"-inf"})"), std::string::npos) << line;
    auto back = roundTrip({1, inf, 0, {{"a", std::nan("")}, {"b", inf}, {"c", -inf}}});
    EXPECT_TRUE(std::isnan(back.values[0].second));
    EXPECT_EQ(back.values[1].second, inf);
    EXPECT_EQ(back.values[2].second, -inf);
    EXPECT_EQ(back.seconds, inf);
}

TEST(Events, NamesWithQuotesAndUnicodeSurvive) {
    auto back = roundTrip({1, 0, 0, {{"a\"b\\c", 1}, {"verlust/\xc3\xa4", 2}, {"tab\t", 3}}});
    EXPECT_EQ(back.values[0].first, "a\"b\\c");
    EXPECT_EQ(back.values[1].first, "verlust/\xc3\xa4");
    EXPECT_EQ(back.values[2].first, "tab\t");
}

TEST(Events, OtherRecordsAreJson) {
    EventParser parser;
    ParsedEvent out;
    ASSERT_TRUE(parser.parse(R"({"type":"checkpoint","step":5,"path":"checkpoints/step-5","future":[1,{"a":null}]})", out));
    EXPECT_FALSE(out.isMetric);
    EXPECT_EQ(out.record["type"], "checkpoint");
    EXPECT_EQ(out.record["future"][1]["a"], nullptr);
}

TEST(Events, GarbageIsAnErrorAndTheParserGoesOn) {
    EventParser parser;
    ParsedEvent out;
    const std::string lines[] = {
        "", " ", "{", "null", "[]", "7", "\"metric\"", "{}", R"({"type":7})", R"({"type":"metric"})",
        R"({"type":"metric","step":1.5,"s":0,"tok":0,"v":{}})", R"({"type":"metric","step":1,"s":"x","tok":0,"v":{}})",
        R"({"type":"metric","step":1,"s":0,"tok":null,"v":{}})", R"({"type":"metric","step":1,"s":0,"tok":0,"v":[]})",
        R"({"type":"metric","step":1,"s":0,"tok":0,"v":{"a":true}})", R"({"type":"metric","step":1,"s":0,"tok":0,"v":{"":1}})",
        R"({"type":"metric","step":1,"s":0,"tok":0,"v":{"a":1e999}})", R"({"type":"log","text":"a","text":"b"})",
        R"({"type":"log"} {"type":"log"})", std::string("{\"type\":\"log\",\"text\":\"\xff\xfe\"}"), std::string("\0\0\0\0", 4),
        R"({"type":"metric","step":99999999999999999999,"s":0,"tok":0,"v":{}})", std::string(20000, '['),
        "{\"type\":\"metric\",\"step\":1,\"s\":0,\"tok\":0,\"v\":{\"" + std::string(300, 'a') + "\":1}}",
    };
    for (const auto& line : lines) {
        auto done = parser.parse(line, out);
        ASSERT_FALSE(done) << line;
        EXPECT_EQ(done.error().code, ErrorCode::kInvalidFile);
        EXPECT_TRUE(parser.parse(R"({"type":"metric","step":1,"s":0,"tok":0,"v":{"a":1}})", out)) << "after " << line;
    }
}

TEST(Events, WholeNumbersMayBeWrittenAsFractions) {
    EventParser parser;
    ParsedEvent out;
    ASSERT_TRUE(parser.parse(R"({"type":"metric","step":3.0,"s":1,"tok":1e3,"v":{"a":2}})", out));
    EXPECT_EQ(out.metric.step, 3);
    EXPECT_EQ(out.metric.tokens, 1000);
    EXPECT_EQ(out.metric.values[0].second, 2.0);
}
