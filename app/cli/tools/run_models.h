#pragma once
// Models that runs of the store have made, read from the run folders (engine/runtime/EVENTS.md): no database is opened,
// which only its engine may do.
#include <assay/core/json.h>

#include <string>
#include <vector>

namespace assay::cli {

struct RunSetup {
    std::string name, scheme, path;
};
struct RunFolder {
    std::string id, name, kind;
    bool done = false;
    std::string model;             // the model that it trained; empty: none
    std::string about;             // the model that a quantize run was made from, as its job names it
    std::vector<RunSetup> setups;  // with files
};
// Newest first; at most `limit`.
std::vector<RunFolder> readRunFolders(const std::string& store, size_t limit = 2000);

// run:ID (or a prefix of at least 4 characters that one run has) or run:ID/SET-UP → path of its model.
Result<std::string> resolveRunModel(const std::string& store, const std::string& reference);

}  // namespace assay::cli
