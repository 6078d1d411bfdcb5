#include <fmt/format.h>

#include <cmath>

#include "collect.h"
#include "html.h"

namespace assay::report {
namespace {

void runRows(const Json& run, int depth, size_t& left, std::string& out, std::vector<std::pair<Json, std::string>>& environments) {
    if (!run.is_object() || left == 0) return;
    --left;
    const std::string name = jsonStringOr(run, "name", ""), status = jsonStringOr(run, "status", "");
    const char* look = status == "done" ? "good" : status == "failed" ? "bad" : "neu";
    const double seconds = jsonDoubleOr(run, "running_seconds", std::nan(""));
    std::string created;
    if (const Json* at = member(run, "created_at")) created = at->is_string() ? at->get<std::string>() : dumpJson(*at);
    out += fmt::format("<tr><td class=name style='padding-left:{}px'>{}</td><td class='l mono'>{}</td><td class=l>{}</td><td class=l><span class='chip {}'>{}</span></td><td>{}</td><td class=l>{}</td></tr>",
                       10 + 16 * std::min(depth, 4), label(name), plain(jsonStringOr(run, "id", ""), 60), plain(jsonStringOr(run, "kind", ""), 30), look, plain(status, 30),
                       std::isnan(seconds) ? "<span class=no>not measured</span>" : duration(seconds), plain(created, 40));
    if (const Json* environment = member(run, "environment"); environment && environment->is_object()) {
        Json key = *environment;  // what changes from run to run on one machine is left out
        for (const char* name : {"time", "load", "rank", "libtorch_config", "parallel"}) key.erase(name);
        bool known = false;
        for (auto& [other, names] : environments)
            if (other == key) {
                known = true;
                if (names.size() < 300) names += ", " + name;
            }
        if (!known) environments.emplace_back(std::move(key), name);
    }
    if (const Json* children = member(run, "children"); children && children->is_array() && depth < 8)
        for (const Json& child : *children) runRows(child, depth + 1, left, out, environments);
}

std::string valueText(const std::string& key, const Json& value) {
    if (value.is_null()) return "—";
    if (value.is_number() && key.ends_with("_bytes")) return figure(value.get<double>() / 1e9, 3) + " GB";
    if (value.is_string()) return plain(value.get<std::string>(), 200);
    if (value.is_array()) {
        std::string out;
        for (const Json& item : value) out += (out.empty() ? "" : ", ") + (item.is_string() ? item.get<std::string>() : dumpJson(item));
        return plain(out, 300);
    }
    if (value.is_object()) {
        std::string out;
        for (const auto& [name, item] : value.items())
            if (!item.is_null() && out.size() < 600) out += (out.empty() ? "" : "; ") + name + " " + (item.is_string() ? item.get<std::string>() : dumpJson(item));
        return plain(out, 400);
    }
    return plain(dumpJson(value), 100);
}

}  // namespace

std::string runsAndEnvironment(const ReportInput& input) {
    std::string rows;
    std::vector<std::pair<Json, std::string>> environments;
    size_t left = 500;
    for (const Json& run : input.runs) runRows(run, 0, left, rows, environments);
    std::string out = "<section class='card long'><div class=hd><h2>Runs</h2></div><div class=scroll><table><thead><tr><th class=l>Name</th><th class=l>Id</th><th class=l>Kind</th><th class=l>Status</th>"
                      "<th>Running time</th><th class=l>Created</th></tr></thead><tbody>" + rows + "</tbody></table></div>" +
                      (left == 0 ? "<p class='note pad'>The first 500 runs are shown.</p>" : "") + "</section>";
    for (const auto& [environment, names] : environments) {
        out += fmt::format("<section class='card long'><div class=hd><h2>Environment</h2><span>{}</span></div><div class=pad><dl class=defs>", label(names, 200));
        for (const auto& [key, value] : environment.items()) {
            if (value.is_object() && key == "cpu") {
                for (const auto& [name, part] : value.items()) out += fmt::format("<dt>cpu {}</dt><dd>{}</dd>", plain(name, 60), valueText(name, part));
            } else {
                std::string name = key;
                for (char& ch : name)
                    if (ch == '_') ch = ' ';
                if (name.ends_with(" bytes")) name.resize(name.size() - 6);
                const std::string text = valueText(key, value);
                if (!text.empty()) out += fmt::format("<dt>{}</dt><dd>{}</dd>", plain(name, 60), text);
            }
        }
        out += "</dl></div></section>";
    }
    return out;
}

}  // namespace assay::report
