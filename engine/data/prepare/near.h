#pragma once
// Near-duplicates: MinHash signatures over word shingles in one permutation (Li, Owen, Zhang 2012) with the empty bins
// filled by optimal densification (Shrivastava 2017), banded for candidates (Leskovec, Rajaraman, Ullman, ch. 3), and every
// candidate verified by the Jaccard similarity of the shingle sets themselves.
//
// A cluster is a document (its leader, the first of it) and what is similar to the leader itself: A ~ B ~ C with A unlike C
// gives {A, B} and {C}. Similarity never passes from one to the next, so a chain of small changes erases nothing.
//
// Any number of documents in kNearBytes of memory: bands and shingles go to nameless files; when all are there, the bands
// are sorted (external_sort.h), those that only one document has fall away, and the documents are gone through once more,
// in their order, with what they share.
#include <array>
#include <functional>
#include <stop_token>
#include <tuple>

#include "prepare/bounded_array.h"
#include "prepare/external_sort.h"

namespace assay::data {

constexpr size_t kShingleWords = 5;
constexpr size_t kBands = 16, kBandRows = 5, kMinHashes = kBands * kBandRows;
// Two sorts (one is merged into the other), the state of the bands, groups or members, and what was compared last; of
// one document more than that when it alone is longer.
constexpr size_t kNearBytes = 2 * kSortBytes + 2 * kResidentBytes + (size_t{16} << 20);

struct NearSketch {
    std::vector<uint32_t> shingles;     // ascending, each once: hashes of five words that follow one another; of a shorter
                                        // text one hash of all its words; of one without words the hash of its bytes
    std::array<uint64_t, kBands> bands{};
};
NearSketch sketchOf(std::string_view text);
double jaccard(const uint32_t* a, size_t n, const uint32_t* b, size_t m);

class NearDuplicates {
public:
    NearDuplicates(std::string folder, double similarity);

    // In the order of the documents; held-out ones, which training documents are compared with, before all others.
    Result<void> add(const NearSketch& sketch, uint64_t hash, uint64_t document, int64_t line, bool heldOut = false);

    struct Match {
        uint64_t document = 0, leader = 0;
        int64_t line = 0;
        bool equal = false;    // the two have the same hash
        bool heldOut = false;  // the leader is a held-out document
    };
    struct Rules {
        bool keepHeldOut = false;                              // what is similar to a held-out document is told, and stays
        std::function<bool(uint64_t document)> leftOut;        // documents that are out already; may be empty
        std::function<void(double)> progress;                  // 0 to 1; may be empty
        std::stop_token stop;
    };
    // Calls `match` for every document that is similar to an earlier leader, which leaves it out, in the order of the
    // documents. One of findMatches and findGroups, once, at the end.
    Result<void> findMatches(const Rules& rules, const std::function<void(const Match&)>& match);
    // Clusters by connection instead, nothing is left out: for splits whose sides no pair of similar documents may straddle.
    // `joined(document, first document of its group)` for all but the first.
    Result<void> findGroups(const Rules& rules, const std::function<void(uint64_t document, uint64_t first)>& joined);

    struct Cluster {
        uint64_t leader = 0, members = 0;  // document; members without it
    };
    int64_t clusters() const { return clusters_; }
    Result<std::vector<Cluster>> largest(size_t count);

private:
    struct Band {
        uint32_t high, low, index;
        bool operator<(const Band& b) const { return std::tie(high, low, index) < std::tie(b.high, b.low, b.index); }
    };
    struct Shared {  // a document has a band that others have too
        uint32_t index, band;
        bool operator<(const Shared& b) const { return std::tie(index, band) < std::tie(b.index, b.band); }
    };
    struct Document {
        uint64_t document, hash, shinglesAt;
        int64_t line;
        uint64_t shingles;
    };
    struct State {  // of a band: first and latest document there, index + 1; 0: none
        uint32_t first, latest, heldFirst, heldLatest;
    };
    struct Recent {
        uint32_t index = UINT32_MAX;
        Document document{};
        std::vector<uint32_t> shingles;
    };

    Result<void> shareBands(const Rules& rules);
    // Calls visit(index, its bands) for every document that shares one, in order.
    Result<void> visitShared(const Rules& rules, const std::function<Result<void>(uint32_t, const std::vector<uint32_t>&)>& visit);
    Result<Document> documentAt(uint32_t index);
    Result<const Recent*> recent(uint32_t index);
    Result<bool> similar(const Document& document, const std::vector<uint32_t>& shingles, uint32_t index);
    std::vector<uint32_t> candidates(const std::vector<uint32_t>& bands, bool ofHeldOut);
    void enter(uint32_t index, const std::vector<uint32_t>& bands);
    Result<std::vector<uint32_t>> shinglesOf(const Document& document);
    uint32_t rootOf(uint32_t index);

    double similarity_;
    RunFile shingles_, documents_;
    ExternalSort<Band> bands_;
    ExternalSort<Shared> shared_;
    BoundedArray<State> states_;
    BoundedArray<uint32_t> parents_, members_;  // of groups: index + 1, 0: itself; of leaders
    std::vector<Recent> recent_;                // what was compared last, by index
    size_t count_ = 0, heldOut_ = 0, sharedBands_ = 0;
    int64_t clusters_ = 0;
};

}  // namespace assay::data
