#include <assay/data/export.h>
#include <fmt/format.h>

#include "command.h"
#include "registry.h"
#include "run/job.h"
#include "run/local_work.h"
#include "text/format.h"
#include "text/table.h"

namespace assay::cli {
namespace {

struct ExportArguments {
    std::string folder, to, out;
};

std::string exportForPeople(const data::ExportReport& report) {
    std::string splits, text;
    for (const auto& [name, rows] : report.splits) splits += fmt::format("{}{} {}", splits.empty() ? "" : ", ", name, formatInteger(rows));
    text = keyValues({{"folder", report.path}, {"rows", splits}, {"tokens", formatInteger(report.tokens)}, {"size", formatBytes(static_cast<double>(report.bytes))}});
    for (const std::string& warning : report.warnings) text += "warning: " + warning + "\n";
    return text;
}

Result<int> exportData(Context& context, const ExportArguments& arguments) {
    data::ExportOptions options;
    ASSAY_TRY(options.format, data::exportFormatOf(arguments.to));
    options.out = outputFolder(arguments.out);
    auto report = doLocally(context, "export", options, [&] { return data::exportPrepared(arguments.folder, options); });
    if (!report) return fail(std::move(report).error());
    context.out.result(data::reportToJson(*report), [&] { return exportForPeople(*report); });
    return 0;
}

}  // namespace

void addDataExport(Commands& commands) {
    auto arguments = std::make_shared<ExportArguments>();
    CLI::App* app = commands.add("data export", "write a prepared folder in the format of another program", [arguments](Context& c) { return exportData(c, *arguments); });
    app->add_option("DIR", arguments->folder, "folder that `assay data prepare` made")->required();
    app->add_option("--to", arguments->to, "arrow, parquet, hf, megatron or nanogpt")->required();
    app->add_option("--out", arguments->out, "new folder to write")->required();
}

}  // namespace assay::cli
