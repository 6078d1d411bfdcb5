#include "html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace assay::report {
namespace {

std::string titleOf(const ReportInput& input) {
    if (!input.title.empty()) return input.title;
    std::vector<std::string> names;
    for (const Json& run : input.runs) {
        const std::string name = jsonStringOr(run, "name", jsonStringOr(run, "id", ""));
        if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    std::string out;
    for (size_t i = 0; i < names.size() && i < 3; ++i) out += (i ? ", " : "") + (names[i].size() > 48 && names.size() > 1 ? names[i].substr(0, 48) + "…" : names[i]);
    if (names.size() > 3) out += fmt::format(" and {} more", names.size() - 3);
    return out.empty() ? "Comparison" : out;
}

std::string inSentence(const Metric& metric) {
    std::string text = metric.label;
    if (text.size() > 1 && text[1] >= 'a' && text[1] <= 'z') text[0] = static_cast<char>(text[0] | 0x20);
    return text;
}

std::string percent(double share) { return fmt::format("{}{:.{}f} %", share < -5e-5 ? "−" : share > 5e-5 ? "+" : "", std::abs(100 * share), std::abs(share) < 0.01 ? 2 : 1); }

// The card beside the chart: the cheapest set-up that meets the target, or without a target the cheapest on the frontier.
std::string answer(const Comparison& c) {
    const Setup* base = c.baselineSetup();
    if (!base) return {};
    const auto x = findMetric(c.x)->value, y = findMetric(c.y)->value;
    const Setup* best = c.find(c.cheapest);
    std::string why;
    if (c.target) {
        const Metric& metric = *findMetric(c.target->metric);
        const std::string target = fmt::format("{} {} {}", inSentence(metric), relationSign(c.target->relation), exact(c.target->value));
        if (!best) return fmt::format("<div class=big>No set-up meets the target</div><p class=note>{}</p>", target);
        why = "cheapest set-up with " + target;
    } else {
        for (const Setup& s : c.setups)
            if (s.onFrontier && (!best || *(s.*x).value < *(best->*x).value)) best = &s;
        if (!best) return "<div class=big>No frontier</div><p class=note>Cost or accuracy was not measured.</p>";
        why = "lowest " + inSentence(*findMetric(c.x)) + " on the frontier; no target was set";
    }
    std::string facts;
    auto fact = [&](const char* name, const std::string& value) { facts += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, value); };
    auto ratio = [](const Value& a, const Value& b) -> std::optional<double> {
        if (!a.value || !b.value || !std::isfinite(*a.value) || !std::isfinite(*b.value) || *b.value == 0) return {};
        return *a.value / *b.value;
    };
    fact(c.x == "bytes.weights" ? "weights" : "cost", (best->*x).value ? shown(*findMetric(c.x), *(best->*x).value) : "not measured");
    if (best->id != base->id) {
        if (auto r = ratio(best->*x, base->*x)) fact("to the baseline", percent(*r - 1));
        if (auto r = ratio(best->*y, base->*y)) fact(c.y == "accuracy.bits_per_byte" ? "bits per byte" : "perplexity", percent(*r - 1));
        if (auto r = ratio(best->decodeTokensPerS, base->decodeTokensPerS)) fact("decode speed", figure(*r, 3) + "×");
        if (c.x != "bytes.weights")
            if (auto r = ratio(best->weightBytes, base->weightBytes)) fact("weights", percent(*r - 1));
    }
    std::string out = fmt::format("<div class=big>{}</div><p class=note>{}</p><dl class=facts>{}</dl>", label(shortName(*best, 60)), why, facts);
    std::string note = fmt::format("Baseline: {}.", label(shortName(*base, 60)));
    if (c.usdPerHour) note += fmt::format(" Assumed price: ${} per hour.", exact(*c.usdPerHour));
    else if (!base->usdPer1mOutputTokens.value) note += " No price was given, so there is no cost in USD.";
    return out + "<p class=note>" + note + "</p>";
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
        for (const std::string& warning : c.warnings) {
            if (left-- == 0) {
                out += fmt::format("<li>and {} more</li>", c.warnings.size() - 100);
                break;
            }
            out += "<li>" + plain(warning, 400) + "</li>";
        }
        out += "</ul></div></section>";
    }
    out += fmt::format("<section class='card long'><div class=hd><h2>Set-ups</h2></div>{}</section>", setupTable(c));
    out += bars(c) + curves(input) + sensitivity(c) + configDiffs(c) + runsAndEnvironment(input) + definitions(c);
    out += "<footer>Made by Assay. This page holds no script and loads nothing.</footer></main></body></html>\n";
    return out;
}

}  // namespace assay::report
