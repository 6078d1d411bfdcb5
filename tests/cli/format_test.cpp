// How values, tables and progress lines look. Expected texts are written out by hand.
#include "text/format.h"

#include <gtest/gtest.h>

#include <cmath>

#include "system/machine.h"
#include "text/progress_view.h"
#include "text/table.h"

namespace assay::cli {
namespace {

TEST(Format, Numbers) {
    EXPECT_EQ(formatNumber(3.41159), "3.412");
    EXPECT_EQ(formatNumber(0.00123456), "0.001235");
    EXPECT_EQ(formatNumber(0.000021), "2.10e-05");
    EXPECT_EQ(formatNumber(123456.7), "123,457");
    EXPECT_EQ(formatNumber(12.0), "12");
    EXPECT_EQ(formatNumber(-0.5), "-0.5000");
    EXPECT_EQ(formatNumber(std::nan("")), "nan");
    EXPECT_EQ(formatNumber(-INFINITY), "-inf");
    EXPECT_EQ(formatNumber(0), "0");
    EXPECT_EQ(formatInteger(-1234567), "-1,234,567");
    EXPECT_EQ(formatInteger(999), "999");
    EXPECT_EQ(formatInteger(INT64_MIN), "-9,223,372,036,854,775,808");
}

TEST(Format, BytesAndTimes) {
    EXPECT_EQ(formatBytes(999), "999 B");
    EXPECT_EQ(formatBytes(1000), "1.00 kB");
    EXPECT_EQ(formatBytes(999999), "1.00 MB");
    EXPECT_EQ(formatBytes(1.5e9), "1.50 GB");
    EXPECT_EQ(formatBytes(123.4e6), "123 MB");
    EXPECT_EQ(formatSeconds(0.84), "0.84 s");
    EXPECT_EQ(formatSeconds(59.99), "1:00");
    EXPECT_EQ(formatSeconds(247), "4:07");
    EXPECT_EQ(formatSeconds(7390), "2:03:10");
    EXPECT_EQ(formatSeconds(NAN), "-");
}

TEST(Format, ValuesOfDocuments) {
    EXPECT_EQ(formatValue(nullptr), "-");
    EXPECT_EQ(formatValue("nan"), "nan");
    EXPECT_EQ(formatValue(true), "yes");
    EXPECT_EQ(formatValue(Json{{"a", 1}}), R"({"a":1})");
}

TEST(SafeText, ShowsWhatWouldMoveTheCursorOrReorderText) {
    EXPECT_EQ(safeText("plain ünïcode 漢字"), "plain ünïcode 漢字");
    EXPECT_EQ(safeText("a\x1b[2Jb"), "a\\x1b[2Jb");
    EXPECT_EQ(safeText("a\nb\tc\r"), "a\\nb\\tc\\r");
    EXPECT_EQ(safeText("a\nb", true), "a\nb");
    EXPECT_EQ(safeText("\xe2\x80\xae" "evil"), "\\u202eevil");   // right-to-left override
    EXPECT_EQ(safeText("\xc2\x9b" "31m"), "\\x9b31m");           // C1 control sequence introducer
    EXPECT_EQ(safeText("caf\xe9!"), "caf\\xe9!");                // Latin-1
    EXPECT_EQ(safeText("\xc0\xaf"), "\\xc0\\xaf");               // overlong
    EXPECT_EQ(safeText("\xed\xa0\x80"), "\\xed\\xa0\\x80");      // a surrogate half
    EXPECT_EQ(safeText(std::string("\0", 1)), "\\x00");
    EXPECT_EQ(safeText("\xf0\x9f"), "\\xf0\\x9f");               // cut short
}

TEST(Width, CountsColumns) {
    EXPECT_EQ(displayWidth("abc"), 3);
    EXPECT_EQ(displayWidth("漢字"), 4);
    EXPECT_EQ(displayWidth("e\xcc\x81"), 1);  // e and a combining accent
    EXPECT_EQ(cutToWidth("abcdef", 4), "abc…");
    EXPECT_EQ(cutToWidth("漢字漢", 4), "漢…");
    EXPECT_EQ(cutToWidth("abc", 3), "abc");
    EXPECT_EQ(cutToWidth("abc", 0), "");
}

TEST(TableText, AlignsNumbersRight) {
    Table table({{"name"}, {"loss", Table::Align::kRight}});
    table.row({"a", "3.5"});
    table.row({"longer", "12.25"});
    EXPECT_EQ(table.text(), "name     loss\na         3.5\nlonger  12.25\n");
}

TEST(TableText, CutsTextNotNumbersToTheTerminal) {
    Table table({{"name"}, {"count", Table::Align::kRight}});
    table.row({"a name that is far too long", "1,234,567"});
    EXPECT_EQ(table.text(24), "name               count\na name that …  1,234,567\n");
}

TEST(KeyValues, AlignsTheValues) { EXPECT_EQ(keyValues({{"a", "1"}, {"longer", "2"}}), "a       1\nlonger  2\n"); }

StageProgress training() {
    StageProgress stage;
    stage.name = "train";
    stage.phase = "training";
    stage.unit = "steps";
    stage.done = 186;
    stage.total = 300;
    stage.rate = 2.1;
    stage.etaSeconds = 54.3;
    stage.loss = 3.412;
    return stage;
}

TEST(ProgressLine, ShowsBarShareRateLossAndTimeLeft) {
    // The texts take 5 + 2 + 61 columns, so 88 leave 20 for the bar: 62 % of them are 12.
    EXPECT_EQ(progressLine(training(), 5, 88, false), "train  ━━━━━━━━━━━━────────   62 %  186/300 steps  2.100 steps/s  loss 3.412  ETA 54.3 s");
}

TEST(ProgressLine, FitsAnyWidth) {
    for (int columns = 1; columns < 160; ++columns) EXPECT_LE(displayWidth(progressLine(training(), 5, columns, false)), columns) << columns;
    EXPECT_EQ(progressLine(training(), 5, 40, false), "train  ━━━━━━─────   62 %  186/300 steps");  // 6.8 of 11 cells
    EXPECT_EQ(progressLine(training(), 5, 36, false), "train   62 %  186/300 steps");              // a bar of 7 says little
}

TEST(ProgressLine, WithoutATotalShowsThePhase) {
    StageProgress stage;
    stage.name = "prepare";
    stage.phase = "tokenize";
    stage.unit = "bytes";
    stage.done = 1.5e6;
    stage.rate = 25e6;
    EXPECT_EQ(progressLine(stage, 7, 80, false), "prepare  tokenize  1.50 MB  25.0 MB/s");
}

TEST(ProgressLine, NamesCannotDrawOnTheTerminal) {
    StageProgress stage = training();
    stage.name = "\x1b[31mred";
    EXPECT_EQ(progressLine(stage, 10, 100, false).find('\x1b'), std::string::npos);
}

TEST(Machine, ReadsTheKernelsProcessorText) {
    const Cpu cpu = cpuFrom(
        "processor\t: 0\nmodel name\t: Example 9000\nphysical id\t: 0\ncore id\t\t: 0\nflags\t\t: fpu avx avx2 fma xx\n\n"
        "processor\t: 1\nmodel name\t: Example 9000\nphysical id\t: 0\ncore id\t\t: 0\nflags\t\t: fpu avx avx2 fma xx\n\n"
        "processor\t: 2\nmodel name\t: Example 9000\nphysical id\t: 1\ncore id\t\t: 0\nflags\t\t: fpu\n",
        2);
    EXPECT_EQ(cpu.model, "Example 9000");
    EXPECT_EQ(cpu.features, (std::vector<std::string>{"avx", "avx2", "fma"}));
    EXPECT_EQ(cpu.physicalCores, 2);
    EXPECT_EQ(cpu.cores, 2);
    EXPECT_EQ(cpuFrom("", 3).model, "unknown");
}

}  // namespace
}  // namespace assay::cli
