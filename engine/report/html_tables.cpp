#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "collect.h"
#include "html.h"

namespace assay::report {
namespace {

// data-v holds the exact number, so that a reader of the page can take the same figures as from CSV and JSON.
std::string cell(const Metric& metric, const Value& value, bool reference) {
    const std::string_view name = metric.name;  // the baseline is what these two compare with
    if (reference && !value.value && (name == "accuracy.kl_divergence" || name == "accuracy.same_top1"))
        return fmt::format("<td data-m='{}' data-v=''>—</td>", name);
    const std::string exact = value.value ? dumpJson(jsonNumber(*value.value)) : "";
    return fmt::format("<td data-m='{}' data-v='{}'>{}</td>", metric.name, plain(exact), shownWithError(metric, value));
}

// A window of 1280 pixels and a sheet of A4 hold so many figures side by side.
constexpr size_t kAcross = 9;

std::string figuresTable(const Comparison& c, std::span<const Metric* const> columns, bool first) {
    const Setup* base = c.baselineSetup();
    const Metric& x = *findMetric(c.x);
    std::string out = "<div class=scroll><table class='sticky figures'><thead><tr><th class=l>Set-up</th>";
    for (const Metric* metric : columns) {
        std::string unit = metric->unit;
        if (unit == "bytes" || unit == "USD" || unit == "bit") unit.clear();  // written with each figure
        out += fmt::format("<th>{}<small>{}</small></th>", metric->label, unit);
        if (metric == &x && c.setups.size() > 1) out += "<th>to the<small>baseline</small></th>";
    }
    out += "</tr></thead><tbody>";
    for (size_t i = 0; i < c.setups.size(); ++i) {
        const Setup& s = c.setups[i];
        std::string chips;
        auto chip = [&](const char* look, const std::string& text) { chips += fmt::format(" <span class='chip {}'>{}</span>", look, text); };
        if (first)
            for (const std::string& badge : badgesOf(c, s))
                chip(badge == "cheapest at target" ? "acc" : badge == "not comparable" ? "warn" : badge == "frontier" ? "good" : "neu", badge);
        out += fmt::format("<tr class='d{}{}'><td class=name>{}{}{}</td>", colourOf(i), s.id == c.cheapest ? " best" : "", legendMark(i), label(shortName(s, 48)), chips);
        for (const Metric* metric : columns) {
            std::string text = cell(*metric, s.*metric->value, s.id == c.baseline);
            if (std::string_view(metric->name).starts_with("speed.") && !metric->lowerIsBetter && s.id != c.baseline)
                if (const std::string factor = times(s.*metric->value, base->*metric->value); !factor.empty()) {
                    const std::string_view end = "</small></td>";  // behind the error, in its line
                    if (text.ends_with(end)) text.insert(text.size() - end.size(), " · " + factor);
                    else text.insert(text.size() - 5, " <small>" + factor + "</small>");
                }
            // What the seeds say of the difference, once, where accuracy stands.
            if (metric == findMetric(c.y))
                if (const auto found = s.differences.find(metric->name); found != s.differences.end()) {
                    const Difference& d = found->second;
                    const std::string difference = d.mean == 0 && d.se == 0 ? "the same" : !d.separable ? "not separable" : std::string(d.mean < 0 ? "−" : "+") + figure(std::abs(d.mean), 3) + " ± " + figure(d.se, 2);
                    text.insert(text.size() - 5, "<br><small>" + difference + "</small>");
                }
            out += text;
            if (metric == &x && c.setups.size() > 1) out += fmt::format("<td>{}</td>", s.id == c.baseline ? "—" : change(s.*metric->value, base->*metric->value));
        }
        out += "</tr>";
    }
    return out + "</tbody></table></div>";
}

}  // namespace

std::string setupTable(const Comparison& c) {
    if (!c.baselineSetup()) return "<p class='note pad'>There is no set-up to show.</p>";
    const TableColumns chosen = tableColumns(c);
    // Tables of about the same width, rather than a full one and a rest of one column.
    const size_t tables = std::max<size_t>(1, (chosen.shown.size() + kAcross - 1) / kAcross);
    const size_t across = (chosen.shown.size() + tables - 1) / tables;
    std::string out;
    for (size_t begin = 0; begin < chosen.shown.size(); begin += across)
        out += figuresTable(c, std::span(chosen.shown).subspan(begin, std::min(across, chosen.shown.size() - begin)), begin == 0);
    return out + "<p class='note pad' style='border-top:1px solid var(--line)'>" + plain(measuredHow(c), 4000) + "</p>";
}

std::string bars(const Comparison& c) {
    std::string out;
    auto card = [&](const Metric& metric, const std::string& title, const std::string& hint, auto&& valueOf, auto&& textOf) {
        double most = 0;
        size_t known = 0;
        for (const Setup& s : c.setups)
            if (auto v = valueOf(s); v && std::isfinite(*v)) most = std::max(most, std::abs(*v)), ++known;
        if (known == 0) return;
        out += fmt::format("<section class='card{}'><div class=hd><h2>{}</h2><span>{}</span></div><div class='pad bars'>", c.setups.size() > 24 ? " long" : "", title, hint);
        for (size_t i = 0; i < c.setups.size(); ++i) {
            auto v = valueOf(c.setups[i]);
            const double share = v && std::isfinite(*v) && most > 0 ? 100 * std::abs(*v) / most : 0;
            out += fmt::format("<div class=n>{}</div><div class='track d{}'><i style='width:{:.1f}%'></i></div><div class=v>{}</div>", label(shortName(c.setups[i], 40)), colourOf(i),
                               share > 0 ? std::max(share, 0.7) : 0, v ? textOf(*v) : "<span class=no>not measured</span>");
        }
        out += "</div></section>";
        (void)metric;
    };
    auto direct = [&](const char* name, const std::string& hint) {
        const Metric& metric = *findMetric(name);
        card(metric, std::string(metric.label) + (*metric.unit && std::string_view(metric.unit) != "bytes" ? std::string(", ") + metric.unit : ""), hint,
             [&](const Setup& s) { return (s.*metric.value).value; }, [&](double v) { return shown(metric, v); });
    };
    direct("speed.decode_tokens_per_s", "more is better");
    direct("bytes.weights", "less is better");
    const Metric& ratio = *findMetric("accuracy.perplexity_ratio");
    card(ratio, "Perplexity against the baseline", "less is better",
         [](const Setup& s) -> std::optional<double> { return s.perplexityRatio.value ? std::optional<double>(100 * (*s.perplexityRatio.value - 1)) : std::nullopt; },
         [](double v) { return fmt::format("{}{:.2f} %", v < -0.005 ? "−" : v > 0.005 ? "+" : "", std::abs(v)); });
    direct("speed.prefill_tokens_per_s", "more is better");
    return out.empty() ? out : "<div class=four>" + out + "</div>";
}

std::string sensitivity(const Comparison& c) {
    const Metric& metric = *findMetric("cost.usd_per_1m_output_tokens");
    if (!measuredAnywhere(c, metric)) return {};
    std::string out =
        "<section class=card><div class=hd><h2>If the price or the load were other</h2><span>USD per 1M output tokens; assumed prices, measured speeds</span></div><div class=scroll><table class=sticky>"
        "<thead><tr><th class=l>Set-up</th><th>price −20 %</th><th>as stated</th><th>price +20 %</th><th>90 % busy</th><th>60 % busy</th><th>30 % busy</th></tr></thead><tbody>";
    for (size_t i = 0; i < c.setups.size(); ++i) {
        const Value& v = c.setups[i].*metric.value;
        out += fmt::format("<tr class=d{}><td class=name>{}{}</td>", colourOf(i), legendMark(i), label(shortName(c.setups[i], 40)));
        for (double factor : {0.8, 1.0, 1.2, 1 / 0.9, 1 / 0.6, 1 / 0.3}) out += v.value ? fmt::format("<td>{}</td>", shown(metric, *v.value * factor)) : "<td class=no>not measured</td>";
        out += "</tr>";
    }
    return out + fmt::format("</tbody></table></div><p class='note pad' style='border-top:1px solid var(--line)'>{}All set-ups scale alike, so their order by cost stays the same.</p></section>",
                             c.usdPerHour ? fmt::format("Stated price: ${} per hour. ", exact(*c.usdPerHour)) : "");
}

std::string configDiffs(const Comparison& c) {
    constexpr size_t kMost = 400, kOpen = 12;  // rows; rows of a section that stands open
    const std::vector<ConfigDifference> all = configDifferences(c);
    if (all.empty()) return {};
    std::string out = "<section class='card long'><div class=hd><h2>Differences in the configuration</h2><span>to the baseline; — means absent; what all set-ups have alike is left out</span></div>";
    for (size_t begin = 0, end = 0; begin < all.size() && begin < kMost; begin = end) {
        while (end < all.size() && end < kMost && all[end].section == all[begin].section) ++end;
        out += fmt::format("<details{}><summary>{} <span>{} difference{}</span></summary><table class=diff><thead><tr><th class=l>Setting</th><th class=l>Baseline</th><th class=l>Otherwise</th><th class=l>In</th></tr></thead><tbody>",
                           end - begin <= kOpen ? " open" : "", plain(all[begin].section, 60), end - begin, end - begin == 1 ? "" : "s");
        for (size_t i = begin; i < end; ++i)
            out += fmt::format("<tr><td class='l mono wrap'>{}</td><td class='l mono wrap'>{}</td><td class='l mono wrap'>{}</td><td class='l wrap'>{}</td></tr>", plain(all[i].key, 120), plain(all[i].base, 300),
                               plain(all[i].here, 300), label(setupNames(c, all[i]), 400));
        out += "</tbody></table></details>";
    }
    if (all.size() > kMost) out += fmt::format("<p class='note pad'>and {} more</p>", all.size() - kMost);
    return out + "</section>";
}

std::string definitions(const Comparison& c) {
    std::string out = "<section class='card long'><div class=hd><h2>What the numbers mean</h2></div><div class=pad><dl class=defs>";
    for (const Fact& fact : definitionsOf(c)) out += fmt::format("<dt>{}</dt><dd>{}</dd>", plain(fact.name), plain(fact.value, 2000));
    return out + "</dl></div></section>";
}

}  // namespace assay::report
