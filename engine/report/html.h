#pragma once
// Pieces that the parts of the HTML report share. Every text from a run goes through `plain` or `label`.

#include <assay/report/present.h>

#include <string>
#include <string_view>
#include <vector>

namespace assay::report {

// Escaped for element content and attribute values. Control and direction-changing characters are shown as \uXXXX,
// at most `most` characters are kept.
std::string plain(std::string_view text, size_t most = 400);
std::string label(std::string_view text, size_t most = 80);  // the same, isolated against right-to-left text (<bdi>)

std::string shownWithError(const Metric& metric, const Value& value);  // "not measured" when missing

int colourOf(size_t index);                                                      // 1-7: class d1 … d7
std::string marker(size_t index, double x, double y, double size, bool hollow);  // shapes differ as well as colours
std::string legendMark(size_t index);                                            // a small inline svg

struct Axis {
    double low = 0, high = 1;
    bool logarithmic = false;
    std::vector<double> ticks;
    double place(double value) const;  // 0 … 1
};
// `fromZero`: start at 0 unless that would hide the differences.
Axis makeAxis(double low, double high, bool fromZero, bool mayBeLogarithmic, int wanted);

std::string scatterChart(const Comparison& comparison, int width, int height);
std::string curves(const ReportInput& input);
std::string setupTable(const Comparison& comparison);
std::string bars(const Comparison& comparison);
std::string sensitivity(const Comparison& comparison);
std::string predictions(const ReportInput& input);
std::string configDiffs(const Comparison& comparison);
std::string runsAndEnvironment(const ReportInput& input);
std::string definitions(const Comparison& comparison);
extern const char* const kStyle;

}  // namespace assay::report
