#pragma once
// Folders that appear whole or not at all.
#include <assay/core/durable.h>

namespace assay::data {

// A folder that goes away unless it was committed.
class StagedFolder {
public:
    explicit StagedFolder(std::string path) : path_(std::move(path)) {}
    ~StagedFolder() { (void)removeTree(path_); }
    StagedFolder(const StagedFolder&) = delete;
    StagedFolder& operator=(const StagedFolder&) = delete;
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

// The absolute path behind `out`, which must not exist or be an empty folder; its parent is made. What
// writers that died left beside it is taken away.
Result<std::string> newOutputFolder(const std::string& out);
// Puts the finished folder there.
Result<void> commitOutput(const StagedFolder& staged, const std::string& out);

}  // namespace assay::data
