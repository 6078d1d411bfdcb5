#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "html.h"

namespace assay::report {
namespace {

constexpr size_t kMostLines = 100, kMostReasons = 60;

// Two bars on one scale: the upper one was predicted, the lower one measured.
std::string pairOfBars(const Prediction& row) {
    const double predicted = row.predicted.value_or(0), measured = row.measured.value_or(0), most = std::max(predicted, measured);
    if (!(most > 0)) return {};
    const auto width = [&](double value) { return value > 0 ? std::max(100 * value / most, 1.0) : 0.0; };
    return fmt::format("<div class='pair{}'><i class=was style='width:{:.1f}%'></i><i style='width:{:.1f}%'></i></div>", row.beyond() ? " off" : "", width(predicted), width(measured));
}

std::string cellOf(const Prediction* row) {
    if (!row) return "<td class=no>—</td>";
    const auto number = [](const std::optional<double>& value) { return value ? dumpJson(jsonNumber(*value)) : std::string(); };
    std::string out = fmt::format("<td data-k='{}' data-p='{}' data-m='{}'>{}", row->key, number(row->predicted), number(row->measured), pairOfBars(*row));
    out += row->measured ? shownQuantity(*row, *row->measured) : "<span class=no>not measured</span>";
    out += "<small>" + (row->predicted ? "predicted " + shownQuantity(*row, *row->predicted) : std::string("not predicted")) + "</small>";
    if (const auto off = row->error())
        out += row->beyond() ? fmt::format("<span class='chip warn'>{}</span><small>stated {}</small>", shownChange(*off), shownBound(*row)) : fmt::format("<small>{} · stated {}</small>", shownChange(*off), shownBound(*row));
    return out + "</td>";
}

}  // namespace

std::string predictions(const ReportInput& input) {
    const std::vector<PredictionLine> lines = predictionLines(input, kMostLines);
    // Columns that any run has, in the order of the rows.
    std::vector<std::pair<std::string_view, const char*>> columns;
    for (const char* key : {"static", "peak", "step", "time", "cost", "energy"})
        for (const PredictionLine& line : lines) {
            const auto row = std::find_if(line.rows.begin(), line.rows.end(), [&](const Prediction& one) { return std::string_view(one.key) == key; });
            if (row == line.rows.end()) continue;
            columns.emplace_back(key, row->label);
            break;
        }
    if (columns.empty()) return {};
    std::string head, body, reasons;
    for (const auto& [key, name] : columns) head += fmt::format("<th>{}</th>", name);
    size_t told = 0;
    for (const PredictionLine& line : lines) {
        body += fmt::format("<tr class=d1><td class=name>{}</td>", label(line.name, 60));
        for (const auto& [key, name] : columns) {
            const auto row = std::find_if(line.rows.begin(), line.rows.end(), [&](const Prediction& one) { return one.key == key; });
            body += cellOf(row == line.rows.end() ? nullptr : &*row);
        }
        body += "</tr>";
        for (const Prediction& row : line.rows)
            if (row.why && ++told <= kMostReasons) reasons += fmt::format("<li><b>{} · {}</b> {} {}</li>", label(line.name, 60), row.label, shownChange(*row.error()), plain(row.why->text(), 400));
    }
    if (told > kMostReasons) reasons += fmt::format("<li>and {} more</li>", told - kMostReasons);
    std::string out = "<section class='card long'><div class=hd><h2>Predicted and measured</h2><span>upper bar: predicted before the run; lower bar: measured; marked: off by more than the prediction stated</span></div>"
                      "<div class=scroll><table class='sticky pairs'><thead><tr><th class=l>Experiment</th>" + head + "</tr></thead><tbody>" + body + "</tbody></table></div>";
    if (lines.size() == kMostLines) out += fmt::format("<p class='note pad'>The first {} experiments are shown.</p>", kMostLines);
    if (!reasons.empty()) out += "<div class='pad why'><ul>" + reasons + "</ul></div>";
    return out + "</section>";
}

}  // namespace assay::report
