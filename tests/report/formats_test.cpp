// The three formats: equal numbers, hostile text, RFC 4180.
#include <gtest/gtest.h>

#include <algorithm>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "sample.h"

namespace assay::report {
namespace {

std::vector<std::vector<std::string>> parseCsv(const std::string& text) {  // RFC 4180, as a reader would
    std::vector<std::vector<std::string>> rows{{""}};
    bool quoted = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '"' && i + 1 < text.size() && text[i + 1] == '"') rows.back().back() += text[++i];
            else if (c == '"') quoted = false;
            else rows.back().back() += c;
        } else if (c == '"') {
            quoted = true;
        } else if (c == ',') {
            rows.back().emplace_back();
        } else if (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
            ++i;
            rows.push_back({""});
        } else {
            rows.back().back() += c;
        }
    }
    rows.pop_back();
    return rows;
}

ReportInput input(std::vector<Json> runs, const std::string& target = "") {
    ReportInput in;
    in.runs = std::move(runs);
    in.comparison = *buildComparison(in.runs, {"", target});
    in.series = sample::series();
    return in;
}

TEST(Formats, sameNumbersInAllThree) {
    const ReportInput in = input({sample::pipeline()}, "perplexity_ratio<=1.01");
    const Json json = jsonReport(in);
    const auto csv = parseCsv(csvReport(in));
    const std::string html = htmlReport(in);
    ASSERT_EQ(csv.size(), 1 + json["setups"].size());
    size_t compared = 0;
    for (size_t row = 0; row < json["setups"].size(); ++row)
        for (size_t column = 0; column < csv[0].size(); ++column) {
            const std::string& name = csv[0][column];
            const size_t dot = name.find('.');
            if (dot == std::string::npos || name.ends_with("_se")) continue;
            const Json& value = json["setups"][row][name.substr(0, dot)][name.substr(dot + 1)];
            const std::string& field = csv[row + 1][column];
            if (value.is_null()) {
                EXPECT_EQ(field, "") << name;
                continue;
            }
            EXPECT_EQ(std::strtod(field.c_str(), nullptr), value.get<double>()) << name;
            EXPECT_NE(html.find("data-m='" + name + "' data-v='" + field + "'"), std::string::npos) << name << field;
            ++compared;
        }
    EXPECT_GT(compared, 40u);
    EXPECT_EQ(json["cheapest_meeting_target"], "p1/int8");
    EXPECT_EQ(json["series"].size(), 3u);
}

TEST(Formats, hostileTextStaysText) {
    const std::string name = "</title><script>alert(1)</script>\"' onload=x \u202E\u0001& <img src=x onerror=y>";
    Json run = sample::pipeline("p1", name);
    run["environment"]["os"] = name;
    run["spec"]["x<y"] = name;
    Json other = sample::pipeline("p<2>", std::string(4096, 'w'));
    other["spec"]["x<y"] = "<b>";
    const std::string html = htmlReport(input({run, other}));
    for (const char* bad : {"<script", "<img", "<b>", "\u202E", "p<2>"}) EXPECT_EQ(html.find(bad), std::string::npos) << bad;
    EXPECT_NE(html.find("&lt;script&gt;alert(1)"), std::string::npos);
    EXPECT_NE(html.find("\\u202e"), std::string::npos);
    EXPECT_EQ(html.find(std::string(400, 'w')), std::string::npos) << "long names are cut";
    for (const char* outside : {"http://", "https://", "url(", "@import", "<link", "<iframe"}) EXPECT_EQ(html.find(outside), std::string::npos) << outside << " loads something";
}

TEST(Formats, csvQuotesAndNeutralisesFormulas) {
    Json run = sample::pipeline("p1", "x");
    for (const char* name : {"=1+1", "+1", "-1", "@x", "\t=1", " =1", "a\n=1", "\u00A0=1", "\uFF1D1"}) {
        run["children"][2]["setups"][0]["name"] = name;
        const auto rows = parseCsv(csvReport(input({run})));
        const bool found = std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row[1] == std::string("'") + name; });
        EXPECT_TRUE(found) << name;
        for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
    }
    run["children"][2]["setups"][0]["name"] = "plain, \"quoted\"\r\nnext";
    const std::string csv = csvReport(input({run}));
    EXPECT_NE(csv.find("\"\"quoted\"\""), std::string::npos);
    EXPECT_TRUE(csv.ends_with("\r\n"));
}

TEST(Formats, nothingIsShownAsZero) {
    Json run{{"id", "r"}, {"name", "r"}, {"kind", "evaluate"}, {"status", "done"}, {"setups", Json::array({Json{{"name", "fp32"}, {"bytes", {{"weights", 5}}}}, Json{{"name", "int8"}}})}};
    const std::string html = htmlReport(input({run}));
    EXPECT_NE(html.find("not measured"), std::string::npos);
    EXPECT_EQ(html.find("$0<"), std::string::npos);
}

TEST(Formats, filesByEnding) {
    const std::string folder = (std::filesystem::temp_directory_path() / ("assay-report-" + std::to_string(getpid()))).string();
    std::filesystem::create_directories(folder);
    const ReportInput in = input({sample::pipeline()});
    for (const char* name : {"/a.html", "/a.CSV", "/a.json"}) {
        auto written = writeReport(folder + name, in);
        ASSERT_TRUE(written) << name;
        EXPECT_EQ(written->sha256.size(), 64u);
        EXPECT_GT(std::filesystem::file_size(written->path), 100u);
    }
    EXPECT_EQ(writeReport(folder + "/a.pdf", in).error().code, ErrorCode::kUnsupported);
    EXPECT_EQ(writeReport(folder + "/a.doc", in).error().code, ErrorCode::kBadUsage);
    EXPECT_FALSE(writeReport(folder + "/none/a.html", in));
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace assay::report
