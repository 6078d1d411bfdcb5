#include <fmt/format.h>

#include "html.h"

namespace assay::report {

std::string runsAndEnvironment(const ReportInput& input) {
    constexpr size_t kMost = 500;
    const std::vector<RunLine> lines = runLines(input, kMost);
    std::string rows;
    for (const RunLine& run : lines) {
        const char* look = run.status == "done" ? "good" : run.status == "failed" ? "bad" : "neu";
        rows += fmt::format("<tr><td class=name style='padding-left:{}px'>{}</td><td class='l mono'>{}</td><td class=l>{}</td><td class=l><span class='chip {}'>{}</span></td><td>{}</td><td class=l>{}</td></tr>",
                            10 + 16 * std::min(run.depth, 4), label(run.name), plain(run.id, 60), plain(run.kind, 30), look, plain(run.status, 30),
                            run.running == "not measured" ? "<span class=no>not measured</span>" : run.running, plain(run.created, 40));
    }
    std::string out = "<section class='card long'><div class=hd><h2>Runs</h2></div><div class=scroll><table><thead><tr><th class=l>Name</th><th class=l>Id</th><th class=l>Kind</th><th class=l>Status</th>"
                      "<th>Running time</th><th class=l>Created</th></tr></thead><tbody>" + rows + "</tbody></table></div>" +
                      (lines.size() == kMost ? "<p class='note pad'>The first 500 runs are shown.</p>" : "") + "</section>";
    for (const EnvironmentBlock& block : environmentsOf(input, kMost)) {
        out += fmt::format("<section class='card long'><div class=hd><h2>Environment</h2><span>{}</span></div><div class=pad><dl class=defs>", label(block.runs, 200));
        for (const Fact& fact : block.facts) out += fmt::format("<dt>{}</dt><dd>{}</dd>", plain(fact.name, 80), plain(fact.value, 500));
        out += "</dl></div></section>";
    }
    return out;
}

}  // namespace assay::report
