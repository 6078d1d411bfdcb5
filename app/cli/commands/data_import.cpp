#include <assay/config/config.h>
#include <assay/data/import_ids.h>

#include "command.h"
#include "registry.h"
#include "run/job.h"
#include "run/local_work.h"
#include "text/format.h"
#include "text/table.h"

namespace assay::cli {
namespace {

struct ImportArguments {
    data::ImportIdsOptions options;
    std::string from = "auto", overLength = "split", packing = "concat";
};

std::string importForPeople(const data::PrepareReport& report) {
    std::string dropped;
    for (const auto& [reason, count] : report.dropped) dropped += (dropped.empty() ? "" : ", ") + safeText(reason) + " " + formatInteger(count);
    return keyValues({{"documents", formatInteger(report.documents)},
                      {"tokens", formatInteger(report.tokens)},
                      {"loss tokens", formatInteger(report.lossTokens)},
                      {"dropped", dropped.empty() ? "none" : dropped},
                      {"padding", formatPercent(report.paddingFraction)},
                      {"folder", report.path}});
}

Result<int> importData(Context& context, const ImportArguments& arguments) {
    data::ImportIdsOptions options = arguments.options;
    if (arguments.from == "auto") {
        ASSAY_TRY(options.format, data::importFormatOf(options.path));
    } else {
        ASSAY_TRY(options.format, data::exportFormatOf(arguments.from));
    }
    constexpr std::pair<std::string_view, config::OverLength> kPolicies[] = {
        {"split", config::OverLength::kSplit}, {"truncate", config::OverLength::kTruncate}, {"drop", config::OverLength::kDrop}, {"error", config::OverLength::kError}};
    for (const auto& [name, value] : kPolicies)
        if (arguments.overLength == name) options.overLength = value;
    for (const auto packing : {config::Packing::kNone, config::Packing::kConcat, config::Packing::kBestFit})
        if (arguments.packing == config::packingName(packing)) options.packing = packing;
    options.out = outputFolder(options.out);
    auto report = doLocally(context, "import", options, [&] { return data::importIds(options); });
    if (!report) return fail(std::move(report).error());
    context.out.result(data::reportToJson(*report), [&] { return importForPeople(*report); });
    return 0;
}

}  // namespace

void addDataImport(Commands& commands) {
    auto a = std::make_shared<ImportArguments>();
    CLI::App* app = commands.add("data import", "make a prepared folder of token ids that another program prepared", [a](Context& c) { return importData(c, *a); });
    app->add_option("PATH", a->options.path, "Megatron's .idx, nanoGPT's .bin, or a table with a column of ids")->required();
    app->add_option("--tokenizer", a->options.tokenizer, "that the ids were made with")->required();
    app->add_option("--out", a->options.out, "new folder to write")->required();
    app->add_option("--from", a->from, "auto, megatron, nanogpt, arrow, parquet or hf");
    app->add_option("--eval", a->options.eval, "held-out ids, of the same format");
    app->add_option("--column", a->options.column, "column of ids in a table");
    app->add_option("--sequence-length", a->options.sequenceLength, "tokens of a sequence");
    app->add_option("--over-length", a->overLength, "split, truncate, drop or error")->check(CLI::IsMember({"split", "truncate", "drop", "error"}));
    app->add_option("--packing", a->packing, "none, concat or best_fit")->check(CLI::IsMember({"none", "concat", "best_fit"}));
}

}  // namespace assay::cli
