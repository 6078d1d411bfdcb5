// Writes sample reports for people to look at when ASSAY_REPORT_SAMPLES names a folder; always checks that they can be
// made.
#include <assay/core/durable.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "sample.h"

namespace assay::report {
namespace {

void keep(const std::string& name, const ReportInput& input) {
    const std::string html = htmlReport(input);
    EXPECT_GT(html.size(), 5000u);
    if (const char* folder = std::getenv("ASSAY_REPORT_SAMPLES")) {
        ASSERT_TRUE(writeFileDurably(std::string(folder) + "/" + name + ".html", html));
    }
}

TEST(Samples, quickstart) {
    ReportInput input;
    input.runs = {sample::pipeline()};
    input.comparison = *buildComparison(input.runs, {"", "perplexity_ratio<=1.01"});
    input.series = sample::series();
    input.time = "2026-01-02 03:04";
    input.version = "0.1.0";
    keep("quickstart", input);
}

TEST(Samples, twoExperimentsWithHostileNames) {
    ReportInput input;
    std::string longName = "very-long-name-";
    while (longName.size() < 4096) longName += "0123456789abcdef";
    Json second = sample::pipeline("p2", "</title><script>alert(1)</script><img src=x onerror=alert(2)> \u202Egnp.exe \u05D0\u05D1\u05D2", 1.5);
    Json third = sample::pipeline("p3", longName, -1);
    third["spec"].erase("cost");
    second["spec"]["train"]["optimizer"]["lr"] = 0.001;
    input.runs = {sample::pipeline(), second, third};
    input.comparison = *buildComparison(input.runs);
    input.series = sample::series();
    for (Series& s : sample::series("p2-2", jsonStringOr(second, "name", ""))) input.series.push_back(s);
    keep("hostile", input);
}

TEST(Samples, fiftySetups) {
    ReportInput input;
    for (int i = 0; i < 50; ++i) {
        Json run = sample::stage("r" + std::to_string(i), "evaluate", 10);
        run["spec"] = Json{{"cost", {{"price", {{"usd_per_hour", 0.08}}}}}};
        run["setups"] = Json::array({sample::setup(i ? "scheme-" + std::to_string(i) : "fp32", 20 + 4 * std::fabs(std::sin(i * 1.3)), 0.2, 100 + 400 * std::fabs(std::cos(i * 0.7)), 1e6 * (5 + i))});
        input.runs.push_back(run);
    }
    input.comparison = *buildComparison(input.runs, {"", "accuracy.perplexity<=21"});
    keep("fifty", input);
}

TEST(Samples, almostNothingMeasured) {
    ReportInput input;
    input.runs = {Json{{"id", "t1"}, {"name", "train-only"}, {"kind", "train"}, {"status", "failed"}, {"summary", {{"eval/perplexity", "nan"}}}}};
    input.comparison = *buildComparison(input.runs);
    keep("sparse", input);
}

}  // namespace
}  // namespace assay::report
