#pragma once
// Exact duplicates of any number of documents: 128-bit hashes, spilled to parts on the disk when there are many.
#include <functional>
#include <memory>
#include <vector>

#include "prepare/spill.h"

namespace assay::data {

struct ContentHash {
    uint64_t low = 0, high = 0;
    bool operator==(const ContentHash&) const = default;
};

class ExactDuplicates {
public:
    explicit ExactDuplicates(std::string folder) : folder_(std::move(folder)) {}
    Result<void> add(const ContentHash& hash, uint64_t document);  // documents in ascending order
    // Calls `drop` for each document that equals an earlier one. Once, at the end.
    Result<void> finish(const std::function<void(uint64_t document)>& drop);

private:
    struct Entry {
        ContentHash hash;
        uint64_t document;
    };
    Result<void> spill();
    static void mark(Entry* entries, size_t n, const std::function<void(uint64_t)>& drop);

    std::string folder_;
    std::vector<Entry> entries_;
    std::vector<SpillArray<Entry>> parts_;  // by the highest bits of the hash; empty while all fits in memory
};

}  // namespace assay::data
