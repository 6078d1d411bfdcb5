#pragma once
#include <assay/data/prepare.h>

#include "prepare/shard.h"

namespace assay::data {

constexpr const char* kManifestFormat = "assay-data";
constexpr int kManifestVersion = 2;

// The folder behind PreparedData, with the rows that the loader copies from.
class PreparedFolder : public PreparedData {
public:
    static Result<std::shared_ptr<const PreparedFolder>> openFolder(const std::string& folder);

    const Json& manifest() const override { return manifest_; }
    const std::string& folder() const override { return folder_; }
    std::string tokenizerPath() const override;
    int64_t vocabSize() const override { return vocab_; }
    int64_t sequenceLength() const override { return length_; }
    int64_t sequences(bool evaluation) const override { return part(evaluation).sequences; }
    int64_t tokens(bool evaluation) const override { return part(evaluation).tokens; }
    std::string evalTextPath() const override;

    struct Row {
        const Shard* shard;
        uint64_t index;
    };
    Row row(bool evaluation, int64_t sequence) const;
    bool padsToLongest() const { return packing_ == "none"; }  // rows have the length of their document

private:
    struct Part {
        std::vector<MappedFile> files;
        std::vector<Shard> shards;
        std::vector<int64_t> begin{0};  // first sequence of each shard, and the end
        int64_t sequences = 0, tokens = 0;
    };
    const Part& part(bool evaluation) const { return evaluation ? eval_ : train_; }
    Result<void> openPart(const Json& description, Part& out);

    std::string folder_, packing_;
    Json manifest_;
    int64_t vocab_ = 0, length_ = 0;
    Part train_, eval_;
};

std::string hex64(uint64_t value);
PrepareReport reportFromManifest(const Json& manifest, const std::string& folder);

}  // namespace assay::data
