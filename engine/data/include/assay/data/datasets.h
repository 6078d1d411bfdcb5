#pragma once
// Datasets that other programs left on this machine.
#include <assay/core/json.h>

#include <string>
#include <vector>

namespace assay::data {

struct FoundDataset {
    std::string name, revision, config, split;  // "HuggingFaceH4/no_robots"; commit of the hub; empty: not said
    std::string source;                         // hub: files as downloaded; datasets: as the datasets library made them of those
    std::string format, path;                   // path: what `data.train.path` and DataFile::open take
    int64_t files = 0, bytes = 0;
    std::string error;                          // why it cannot be read; then there is no path
};
struct FoundDatasets {
    std::vector<std::string> folders;           // that were looked into and exist
    std::vector<FoundDataset> datasets;         // by name, revision, configuration, split
    bool cut = false;                           // there are more than kMaxFoundDatasets
};
constexpr size_t kMaxFoundDatasets = 2000;

// The caches of huggingface_hub and of the datasets library: $HF_HUB_CACHE and $HF_DATASETS_CACHE, else below $HF_HOME, else
// below ${XDG_CACHE_HOME:-~/.cache}/huggingface. Reads names and sizes, no contents. Never fails: what cannot be read is left out
// or has its error.
FoundDatasets findDatasets();
Json foundToJson(const FoundDatasets& found);   // {"folders", "datasets": [{"name", "revision", …}], "cut"}

bool looksLikeDataset(const std::string& folder);  // a folder that save_to_disk made, or a dictionary of such

}  // namespace assay::data
