#pragma once
// Exact duplicates of any number of documents, and documents that equal a held-out one: 128-bit hashes, sorted outside of
// memory when there are many (kSortBytes of it at most).
#include <functional>
#include <tuple>

#include "prepare/external_sort.h"

namespace assay::data {

struct ContentHash {
    uint64_t low = 0, high = 0;
    bool operator==(const ContentHash&) const = default;
};

class ExactDuplicates {
public:
    explicit ExactDuplicates(std::string folder) : entries_(std::move(folder)) {}
    Result<void> add(const ContentHash& hash, uint64_t document);  // documents in any order, each above 0
    Result<void> addHeldOut(const ContentHash& hash) { return add(hash, 0); }
    struct Match {
        uint64_t document = 0;
        bool heldOut = false;    // it equals a held-out document
        bool duplicate = false;  // it equals a document with a lower number
    };
    // Calls `match` for each document of which either is so, in no order. Once, at the end.
    Result<void> finish(const std::function<void(const Match&)>& match);

private:
    struct Entry {
        ContentHash hash;
        uint64_t document;
        bool operator<(const Entry& b) const { return std::tie(hash.high, hash.low, document) < std::tie(b.hash.high, b.hash.low, b.document); }
    };
    ExternalSort<Entry> entries_;
};

}  // namespace assay::data
