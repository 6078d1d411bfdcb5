#include "assay/core/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "assay/core/clock.h"
#include "assay/core/durable.h"
#include "temp_folder.h"

namespace assay {
namespace {

std::string problem(std::string_view text, const JsonLimits& limits = {}) {
    auto parsed = parseJson(text, "input", limits);
    if (parsed) return "accepted";
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidFile);
    return parsed.error().message;
}
bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(Json, readsEveryKindAndKeepsTheOrderOfKeys) {
    Json value =
        parseJson(R"({"z":null,"a":[true,-3,18446744073709551615,0.5,"\u00e9\ud83d\ude00"],"m":{}})", "x")
            .value();
    EXPECT_EQ(dumpJson(value),
              "{\"z\":null,\"a\":[true,-3,18446744073709551615,0.5,\"\u00e9\U0001F600\"],\"m\":{}}");
    EXPECT_EQ(parseJson("7", "x").value(), 7);
    EXPECT_EQ(parseJson(" [ ] ", "x").value(), Json::array());
}

TEST(Json, refusesWhatTheGrammarRefuses) {
    for (const char* text : {"",    " ",     "{",      "[1,]",    "{\"a\":1,}",  "{\"a\" 1}", "{a:1}",
                             "'a'", "01",    "+1",     "1.",      ".5",          "NaN",       "Infinity",
                             "nul", "[1] 2", "\"\t\"", "\"\\x\"", "\"\\ud800\"", "// c\n1",   "\"a"})
        EXPECT_NE(problem(text), "accepted") << text;
    EXPECT_NE(problem("\"\xff\""), "accepted");
    EXPECT_NE(problem("\"\xc0\xaf\""), "accepted");      // overlong
    EXPECT_NE(problem("\"\xed\xa0\x80\""), "accepted");  // surrogate
}

TEST(Json, errorsNameTheInputAndThePlace) {
    EXPECT_TRUE(mentions(problem("{\n  \"a\": tru\n}"), "input: line 2, column 11"))
        << problem("{\n  \"a\": tru\n}");
    const std::string twice = problem("{\"a\":1,\n \"a\":2}");
    EXPECT_TRUE(mentions(twice, "duplicate key \"a\"")) << twice;
    EXPECT_TRUE(mentions(twice, "line 2, column 4")) << twice;
    EXPECT_FALSE(mentions(problem("[1e999]"), "json.exception")) << problem("[1e999]");
}

TEST(Json, duplicateKeysAreErrorsPerObject) {
    EXPECT_TRUE(mentions(problem(R"({"x":{"a":1,"b":2,"a":3}})"), "duplicate key \"a\""));
    EXPECT_TRUE(mentions(problem(R"({"a":1,"\u0061":2})"), "duplicate key"));
    EXPECT_EQ(problem(R"([{"a":1},{"a":2},{"b":{"a":1},"a":1}])"), "accepted");
}

TEST(Json, limitsDepthAndSize) {
    JsonLimits limits;
    limits.maxDepth = 3;
    EXPECT_EQ(problem("[[[1]]]", limits), "accepted");
    EXPECT_TRUE(mentions(problem("[[[[1]]]]", limits), "nested deeper"));
    EXPECT_TRUE(mentions(problem(R"({"a":{"a":{"a":{}}}})", limits), "nested deeper"));
    EXPECT_TRUE(mentions(problem(std::string(1 << 20, '[')), "nested deeper"));
    limits.maxBytes = 4;
    EXPECT_EQ(problem("1234", limits), "accepted");
    EXPECT_TRUE(mentions(problem("12345", limits), "larger than 4"));
}

TEST(Json, wideObjectsTakeLinearTime) {
    std::string text = "{";
    constexpr int kKeys = 200000;
    for (int i = 0; i < kKeys; ++i)
        text += (i ? ",\"k" : "\"k") + std::to_string(i) + "\":" + std::to_string(i);
    text += "}";
    const double start = monotonicSeconds();
    Json value = parseJson(text, "wide").value();
    // A linear search per key took minutes; the bound is loose enough for a sanitizer on a busy machine.
    EXPECT_LT(monotonicSeconds() - start, 10.0);
    EXPECT_EQ(value.size(), size_t{kKeys});
    EXPECT_EQ(value.items().begin().key(), "k0");
}

TEST(Json, nonFiniteNumbersAreStrings) {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    EXPECT_EQ(dumpJson(jsonNumber(kInf)), "\"inf\"");
    EXPECT_EQ(dumpJson(jsonNumber(-kInf)), "\"-inf\"");
    EXPECT_EQ(dumpJson(jsonNumber(std::nan(""))), "\"nan\"");
    EXPECT_EQ(dumpJson(jsonNumber(0.25)), "0.25");
    for (double value : {kInf, -kInf, 0.1, 1e308, 5e-324})
        EXPECT_EQ(numberFromJson(parseJson(dumpJson(jsonNumber(value)), "x").value()), value);
    EXPECT_TRUE(std::isnan(numberFromJson("nan")));
    EXPECT_TRUE(std::isnan(numberFromJson(nullptr)));
    EXPECT_TRUE(std::isnan(numberFromJson("1")));
}

TEST(Json, typedAccessNamesKeyAndType) {
    Json object =
        parseJson(R"({"s":"x","i":-5,"u":18446744073709551615,"d":1.5,"b":true,"n":null})", "x").value();
    EXPECT_EQ(jsonString(object, "s").value(), "x");
    EXPECT_EQ(jsonInteger(object, "i").value(), -5);
    EXPECT_EQ(jsonDouble(object, "i").value(), -5.0);
    EXPECT_EQ(jsonDouble(object, "d").value(), 1.5);
    EXPECT_TRUE(jsonBool(object, "b").value());
    EXPECT_FALSE(jsonInteger(object, "u"));  // above 2^63
    EXPECT_FALSE(jsonInteger(object, "d"));
    EXPECT_FALSE(jsonBool(object, "i"));
    EXPECT_FALSE(jsonString(Json::array(), "s"));
    auto absent = jsonString(object, "gone");
    ASSERT_FALSE(absent);
    EXPECT_TRUE(mentions(absent.error().message, "\"gone\"") && mentions(absent.error().message, "string"));
    EXPECT_EQ(jsonIntegerOr(object, "n", 9), 9);
    EXPECT_EQ(jsonStringOr(object, "i", "other"), "other");
    EXPECT_EQ(jsonDoubleOr(Json(3), "d", 2.0), 2.0);
    EXPECT_FALSE(jsonBoolOr(object, "s", false));
}

TEST(Json, dumpingNeverThrows) {
    EXPECT_EQ(dumpJson(Json{{"a", "x\xff"}}), "{\"a\":\"x\uFFFD\"}");
    EXPECT_EQ(dumpJson(Json{{"a", {1}}}, 2), "{\n  \"a\": [\n    1\n  ]\n}");
}

TEST(Json, errorsTravel) {
    Error error(ErrorCode::kDiskFull, "no space", "delete something");
    error.context = {"checkpoint", "run 7"};
    Error back = errorFromJson(parseJson(dumpJson(errorToJson(error)), "x").value());
    EXPECT_EQ(back.code, ErrorCode::kDiskFull);
    EXPECT_EQ(back.message, "no space");
    EXPECT_EQ(back.hint, "delete something");
    EXPECT_EQ(back.context, error.context);
    EXPECT_EQ(errorFromJson(Json::array({1})).code, ErrorCode::kInternal);
}

TEST(Json, readsFiles) {
    test::TempFolder folder;
    ASSERT_TRUE(writeFileDurably((folder / "bad.json"), "{\"a\":"));
    auto bad = readJsonFile((folder / "bad.json"));
    ASSERT_FALSE(bad);
    EXPECT_TRUE(mentions(bad.error().message, (folder / "bad.json")));
    EXPECT_EQ(readJsonFile((folder / "gone.json")).error().code, ErrorCode::kNotFound);
    EXPECT_EQ(readJsonFile(folder.path()).error().code, ErrorCode::kInvalidFile);
}

}  // namespace
}  // namespace assay
