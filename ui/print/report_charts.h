#pragma once
// The charts of a report, from the same numbers as its tables.

#include <assay/charts/line_chart.h>
#include <assay/charts/scatter_chart.h>
#include <assay/report/present.h>

namespace assay::print {

struct CurveChart {
    QString title, unit;
    charts::LineChart chart;
};
charts::ScatterChart scatterOf(const report::Comparison& comparison);
std::vector<CurveChart> curvesOf(const report::ReportInput& input);
QString fromText(const std::string& text, size_t most = 400);   // cleaned

}  // namespace assay::print
