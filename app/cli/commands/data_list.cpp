#include <assay/data/datasets.h>

#include "command.h"
#include "registry.h"
#include "text/format.h"
#include "text/table.h"
#include "text/terminal.h"

namespace assay::cli {
namespace {

std::string listForPeople(const data::FoundDatasets& found) {
    if (found.datasets.empty()) {
        if (found.folders.empty()) return "There is no cache of Hugging Face on this machine. HF_HOME says where it would be.\n";
        return "No datasets in " + found.folders[0] + ".\n";
    }
    Table table({{"name"}, {"split"}, {"format"}, {"size", Table::Align::kRight}, {"path"}});
    for (const data::FoundDataset& d : found.datasets)
        table.row({safeText(d.config.empty() ? d.name : d.name + " (" + d.config + ")"), d.split.empty() ? "-" : safeText(d.split), d.format.empty() ? "-" : d.format, formatBytes(static_cast<double>(d.bytes)),
                   safeText(d.error.empty() ? d.path : d.error)});
    return table.text(0) + (found.cut ? "There are more datasets than are shown.\n" : "");
}

}  // namespace

void addDataList(Commands& commands) {
    commands.add("data list", "datasets in the Hugging Face cache of this machine", [](Context& context) -> Result<int> {
        const data::FoundDatasets found = data::findDatasets();
        context.out.result(data::foundToJson(found), [&] { return listForPeople(found); });
        return 0;
    });
}

}  // namespace assay::cli
