#include "html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace assay::report {
namespace {

// The card beside the chart.
std::string answer(const Comparison& c) {
    const Answer a = answerOf(c);
    if (a.headline.empty()) return {};
    std::string facts;
    for (const Fact& fact : a.facts) facts += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", plain(fact.name), plain(fact.value));
    std::string out = fmt::format("<div class=big>{}</div><p class=note>{}</p>", label(a.headline), plain(a.why));
    if (!facts.empty()) out += "<dl class=facts>" + facts + "</dl>";
    if (!a.note.empty()) out += "<p class=note>" + plain(a.note) + "</p>";
    return out;
}

}  // namespace

std::string htmlReport(const ReportInput& input) {
    const Comparison& c = input.comparison;
    const std::string title = titleOf(input);
    std::string out = "<!doctype html>\n<html lang=en><head><meta charset=utf-8><meta name=viewport content='width=device-width,initial-scale=1'>"
                      "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\"><meta name=generator content='Assay'>";
    out += fmt::format("<title>{} · Assay</title><style>{}</style></head><body><main>", plain(title, 120), kStyle);
    out += "<header><svg class=mark viewBox='0 0 22 22' aria-hidden=true><rect width=22 height=22 rx=6 fill='#2563EB'/><path d='M5 7h12M5 11h12M5 15h12' stroke='#fff' stroke-width=2 stroke-linecap=round /></svg>";
    out += fmt::format("<h1>{}</h1><span class='chip neu'>{} set-up{}</span>", label(title, 160), c.setups.size(), c.setups.size() == 1 ? "" : "s");
    std::string sub = "Cost against accuracy";
    if (!input.time.empty()) sub += " · " + plain(input.time, 40);
    if (!input.version.empty()) sub += " · Assay " + plain(input.version, 40);
    out += "<div class=sub>" + sub + "</div></header>";
    if (!c.setups.empty()) {
        out += fmt::format("<div class=top><section class=card><div class=hd><h2>Cost against accuracy</h2><span>lower left is better · bars: 95 % · line: frontier{}</span></div>"
                           "<div class=pad><div class=wide>{}</div><div class=narrow>{}</div></div></section>",
                           c.target ? " · ring: cheapest at the target" : "", scatterChart(c, 760, 400), scatterChart(c, 380, 340));
        out += fmt::format("<section class=card><div class=hd><h2>Answer</h2></div><div class=pad>{}</div></section></div>", answer(c));
    }
    if (!c.warnings.empty()) {
        out += "<section class='card long'><div class=hd><h2>Mind this</h2></div><div class=pad><ul>";
        size_t left = 100;
        for (const Warning& warning : c.warnings) {
            if (left-- == 0) {
                out += fmt::format("<li>and {} more</li>", c.warnings.size() - 100);
                break;
            }
            out += "<li>" + plain(warning.text(), 400) + "</li>";
        }
        out += "</ul></div></section>";
    }
    out += fmt::format("<section class='card long'><div class=hd><h2>Set-ups</h2></div>{}</section>", setupTable(c));
    out += bars(c) + curves(input) + sensitivity(c) + predictions(input) + configDiffs(c) + runsAndEnvironment(input) + definitions(c);
    out += "<footer>Made by Assay. This page holds no script and loads nothing.</footer></main></body></html>\n";
    return out;
}

}  // namespace assay::report
