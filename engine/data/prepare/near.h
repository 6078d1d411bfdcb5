#pragma once
// Near-duplicates: MinHash signatures over word shingles in one permutation (Li, Owen, Zhang 2012) with the empty bins
// filled by optimal densification (Shrivastava 2017), banded for candidates (Leskovec, Rajaraman, Ullman, ch. 3), and every
// candidate verified by the Jaccard similarity of the shingle sets themselves.
//
// A cluster is a document (its leader, the first of it) and what is similar to the leader itself: A ~ B ~ C with A unlike C
// gives {A, B} and {C}. Similarity never passes from one to the next, so a chain of small changes erases nothing.
#include <array>

#include "prepare/duplicates.h"

namespace assay::data {

constexpr size_t kShingleWords = 5;
constexpr size_t kBands = 16, kBandRows = 5, kMinHashes = kBands * kBandRows;

struct NearSketch {
    std::vector<uint32_t> shingles;     // ascending, each once: hashes of five words that follow one another; of a shorter
                                        // text one hash of all its words; of one without words the hash of its bytes
    std::array<uint64_t, kBands> bands{};
};
NearSketch sketchOf(std::string_view text);
double jaccard(const uint32_t* a, size_t n, const uint32_t* b, size_t m);

class NearDuplicates {
public:
    // `group`: clusters by connection instead, nothing is dropped: for splits whose sides no pair of similar documents may
    // straddle.
    NearDuplicates(std::string folder, double similarity, bool group)
        : folder_(folder), similarity_(similarity), group_(group), shingles_(folder), offsets_(folder), documents_(folder), hashes_(folder), table_(folder), parent_(folder), members_(folder) {}
    struct Found {
        uint64_t leader = 0;  // of the cluster it falls into; itself: none
        bool equal = false;   // the leader has the same hash
    };
    // In the order of the documents.
    Result<Found> add(const NearSketch& sketch, uint64_t hash, uint64_t document);
    uint64_t rootOf(uint64_t index);           // group: index of the first document of the group, counted as added
    uint64_t document(size_t index) const { return documents_[index]; }
    size_t size() const { return documents_.size(); }

    struct Cluster {
        uint64_t leader = 0, members = 0;      // document; members without it
    };
    int64_t clusters() const { return clusters_; }
    std::vector<Cluster> largest(size_t count) const;

private:
    struct Slot {
        uint64_t key = 0;                      // 0: free
        uint32_t first = 0, latest = 0;        // indices of documents
    };
    Result<Slot*> slot(uint64_t key);
    Result<void> growTable();
    Result<uint64_t> keep(const NearSketch& sketch, uint64_t hash, uint64_t document);
    bool similar(const NearSketch& sketch, uint32_t index) const;

    const std::string& folder() const { return folder_; }

    std::string folder_;
    double similarity_;
    bool group_;
    SpillArray<uint32_t> shingles_;
    SpillArray<uint64_t> offsets_, documents_, hashes_;
    SpillArray<Slot> table_;
    size_t used_ = 0;
    SpillArray<uint32_t> parent_, members_;
    int64_t clusters_ = 0;
};

}  // namespace assay::data
