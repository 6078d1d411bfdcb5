// Differences in the configuration as a reader wants them: once each, by section, without names.
#include <assay/report/present.h>
#include <gtest/gtest.h>

#include "sample.h"

namespace assay::report {
namespace {

Comparison four() {
    Comparison c;
    for (const char* name : {"base", "a", "b", "c"}) {
        Setup s;
        s.id = s.name = name;
        c.setups.push_back(std::move(s));
    }
    c.baseline = "base";
    return c;
}

std::vector<std::string> lines(const Comparison& c) {
    std::vector<std::string> out;
    for (const ConfigDifference& one : configDifferences(c)) out.push_back(one.key + ": " + one.base + " -> " + one.here + " (" + setupNames(c, one) + ")");
    return out;
}

TEST(ConfigRows, TheSameDifferenceIsOneRow) {
    Comparison c = four();
    c.setups[1].configDiff = {{"train.steps", {100, 200}}, {"name", {"x", "y"}}, {"data.packing", {"none", "best_fit"}}};
    c.setups[2].configDiff = {{"train.steps", {100, 200}}, {"tags", {nullptr, {"t"}}}};
    c.setups[3].configDiff = {{"train.steps", {100, 300}}};
    EXPECT_EQ(lines(c), (std::vector<std::string>{"data.packing: none -> best_fit (a)", "train.steps: 100 -> 200 (a, b)", "train.steps: 100 -> 300 (c)"}));
}

TEST(ConfigRows, ASectionThatOneSideLacksIsOneRow) {
    Comparison c = four();
    for (size_t i = 1; i < 4; ++i) c.setups[i].configDiff = {{"quantize.group", {nullptr, 32}}, {"quantize.scheme", {nullptr, "int4"}}};
    c.setups[3].configDiff["benchmark.batch"] = {1, nullptr};
    c.setups[3].configDiff["benchmark.depth"] = {0, nullptr};
    c.setups[3].configDiff["seed"] = {1, 2};
    EXPECT_EQ(lines(c), (std::vector<std::string>{"quantize: — -> group: 32, scheme: int4 (all but the baseline)", "benchmark: batch: 1, depth: 0 -> — (c)", "seed: 1 -> 2 (c)"}));
}

TEST(ConfigRows, HalfASectionIsItsSettings) {
    Comparison c = four();
    c.setups[1].configDiff = {{"train.ema", {nullptr, 0.9}}, {"train.steps", {100, 200}}};
    EXPECT_EQ(lines(c), (std::vector<std::string>{"train.ema: — -> 0.9 (a)", "train.steps: 100 -> 200 (a)"}));
}

TEST(ConfigRows, UnrelatedExperimentsStayShort) {
    Comparison c = four();
    Json many = Json::object();
    for (int i = 0; i < 200; ++i) many["train.key" + std::to_string(1000 + i)] = {nullptr, i};
    c.setups[1].configDiff = many;
    const auto rows = lines(c);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_NE(rows[0].find("and 188 more"), std::string::npos);
}

// Figures side by side fit a window of 1280 pixels and a sheet: more of them follow below, and none is lost.
TEST(SetupTables, AreCutBeforeTheyAreTooWide) {
    ReportInput input;
    input.runs = {sample::pipeline(), sample::pipeline("p2", "other", 1.5)};
    input.comparison = *buildComparison(input.runs);
    ASSERT_EQ(input.comparison.setups.size(), 8u);
    const std::string html = htmlReport(input);
    const auto count = [](std::string_view text, std::string_view part) {
        size_t found = 0;
        for (size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; ++at) ++found;
        return found;
    };
    const std::string_view head = "<table class='sticky figures'><thead>";
    size_t tables = 0, figures = 0;
    for (size_t at = 0; (at = html.find(head, at)) != std::string::npos; ++tables) {
        const size_t end = html.find("</thead>", at);
        const size_t columns = count(std::string_view(html).substr(at, end - at), "<th>");
        EXPECT_LE(columns, 10u);   // nine figures, and the change of one of them
        figures += columns;
        at = end;
    }
    EXPECT_GE(tables, 1u);
    EXPECT_EQ(figures, tableColumns(input.comparison).shown.size() + 1);
}

}  // namespace
}  // namespace assay::report
