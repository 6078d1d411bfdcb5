#include <assay/core/paths.h>
#include <assay/data/prepare.h>
#include <fmt/format.h>

#include "command.h"
#include "registry.h"
#include "text/format.h"
#include "text/table.h"
#include "text/terminal.h"

namespace assay::cli {
namespace {

std::string forPeople(const Json& report) {
    std::string columns;
    if (auto list = report.find("columns"); list != report.end() && list->is_array())
        for (const Json& column : *list) columns += (columns.empty() ? "" : ", ") + formatValue(column);
    const auto value = [&](const char* key) { return report.contains(key) ? formatValue(report[key]) : std::string("-"); };
    std::string mapping;
    if (auto roles = report.find("mapping"); roles != report.end() && roles->is_object())
        for (const auto& [role, column] : roles->items()) mapping += (mapping.empty() ? "" : ", ") + safeText(role) + ": " + formatValue(column);
    std::string text = keyValues({{"format", value("format")}, {"rows", value("rows")}, {"usable", value("usable")}, {"columns", columns.empty() ? "-" : columns},
                                  {"shape", value("shape")}, {"read as", mapping.empty() ? "-" : mapping}});
    auto problems = report.find("problems");
    if (problems == report.end() || !problems->is_array() || problems->empty()) return text + "\nno problems found\n";
    Table table({{"row", Table::Align::kRight}, {"line", Table::Align::kRight}, {"count", Table::Align::kRight}, {"reason"}, {"hint"}});
    for (const Json& p : *problems) {
        const auto cell = [&](const char* key) { return p.contains(key) ? formatValue(p[key]) : std::string("-"); };
        table.row({cell("row"), cell("line"), cell("count"), cell("reason"), cell("hint")});
    }
    return text + "\n" + table.text(tableWidth());
}

Result<int> inspect(Context& context, const std::vector<std::string>& files) {
    std::vector<std::string> paths;
    for (const std::string& file : files) {
        ASSAY_TRY(std::string path, resolveAsset(file));
        paths.push_back(std::move(path));
    }
    ASSAY_TRY(const Json report, data::inspectFiles(paths));
    context.out.result(report, [&] { return forPeople(report); });
    return 0;
}

}  // namespace

void addDataInspect(Commands& commands) {
    auto files = std::make_shared<std::vector<std::string>>();
    CLI::App* app = commands.add("data inspect", "what is in a dataset, and what is wrong with it row by row", [files](Context& c) { return inspect(c, *files); });
    app->add_option("FILE", *files, "files of one dataset, or a folder")->required();
}

}  // namespace assay::cli
