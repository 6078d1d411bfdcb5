#pragma once
// One part of a prepared folder, written as its documents come: packed in windows, in shards.
#include <assay/core/json.h>
#include <assay/data/tokenizer.h>

#include "prepare/bigram.h"
#include "prepare/pack.h"

namespace assay::data {

class PartWriter {
public:
    // Files are `folder`/`name`-NNNNN.bin. `pairs`: counts (previous id, label) of every scored position; may be null.
    PartWriter(std::string folder, std::string name, const PackOptions& options, int idBytes, BigramCounter* pairs)
        : folder_(std::move(folder)), name_(std::move(name)), options_(options), idBytes_(idBytes), pairs_(pairs), packer_(options) {}
    Result<void> add(const int32_t* ids, const uint8_t* mask, size_t n, int64_t line);
    Result<Json> finish();  // what the manifest says of the part
    const PackCounts& counts() const { return packer_.counts(); }

private:
    Result<void> flush(bool last);
    Result<void> writeShards(const Rows& rows);
    void countPairs(const Rows& rows);

    const std::string folder_, name_;
    const PackOptions options_;
    const int idBytes_;
    BigramCounter* pairs_;
    Packer packer_;
    Json shards_ = Json::array();
};

// A text file written piece by piece, with its checksum.
class TextWriter {
public:
    TextWriter() = default;
    ~TextWriter();
    TextWriter(const TextWriter&) = delete;
    TextWriter& operator=(const TextWriter&) = delete;
    Result<void> open(const std::string& path);
    Result<void> append(std::string_view text);
    Result<Json> finish(const std::string& name);  // {"file", "bytes", "xxh3"}, synced

private:
    Result<void> flush();
    std::string path_, buffer_;
    int fd_ = -1;
    int64_t bytes_ = 0;
    void* hash_ = nullptr;
};

Json describeFile(const std::string& name, std::string_view bytes);

}  // namespace assay::data
