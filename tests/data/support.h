#pragma once
#include <assay/config/spec.h>
#include <assay/core/durable.h>
#include <assay/core/ids.h>
#include <assay/data/prepare.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace assay::data {

// A folder that lives as long as the test.
class TempFolder {
public:
    TempFolder() : path_(std::filesystem::temp_directory_path() / ("assay-data-" + randomHex(8))) { std::filesystem::create_directories(path_); }
    ~TempFolder() {
        std::error_code ec;
        std::filesystem::remove_all(path_, ec);
    }
    std::string operator/(const std::string& name) const { return (path_ / name).string(); }
    std::string path() const { return path_.string(); }
    std::string write(const std::string& name, std::string_view bytes) const {
        std::ofstream(path_ / name, std::ios::binary) << bytes;
        return *this / name;
    }

private:
    std::filesystem::path path_;
};

inline config::DataSpec bytesSpec(const std::string& path, int64_t length = 16) {
    config::DataSpec spec;
    config::DataSource source;
    source.path = path;
    spec.train.push_back(source);
    spec.tokenizer.kind = config::TokenizerSpec::Kind::kBytes;
    spec.sequenceLength = length;
    return spec;
}

inline PrepareOptions cacheIn(const TempFolder& folder) {
    PrepareOptions options;
    options.cacheFolder = folder / "cache";
    return options;
}

}  // namespace assay::data
