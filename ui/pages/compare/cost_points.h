#pragma once
// Set-ups as points of a chart of cost against accuracy: titles and texts of the axes, error bars, frontier.
#include <assay/presenters/compare_figures.h>
#include <assay/widgets/plot.h>

#include <functional>

namespace assay::pages {

// `colorOf` is asked once for each set-up that is drawn; names are cut at `nameLength` characters.
void fillCostPlot(widgets::ScatterPlot& plot, const report::Comparison& comparison, const report::Metric& x, const report::Metric& y,
                  const std::function<int(const report::Setup&)>& colorOf, size_t nameLength);

}  // namespace assay::pages
