#pragma once
// Documents (lists of ids) → rows of at most sequence_length tokens.
#include <assay/config/spec.h>
#include <assay/core/error.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace assay::data {

constexpr int32_t kNotScored = -100;  // label of a position without a target

struct TokenizedDocuments {
    std::vector<int32_t> ids;
    std::vector<uint8_t> mask;         // per id: may be predicted; empty: all
    std::vector<uint64_t> offsets{0};  // offsets[d], offsets[d + 1]: document d within ids
    std::vector<int64_t> lines;        // where each document begins in its file; for messages
    size_t size() const { return offsets.size() - 1; }
};

// A stretch of one document inside a row. `tail` is the label of its last position: the document's next id when it was
// cut there and that id is learned, kNotScored at the end of the document.
struct Segment {
    uint64_t start;
    uint32_t length;
    int32_t tail;
};
struct Rows {
    std::vector<Segment> segments;
    std::vector<uint64_t> begin{0};  // row r holds segments[begin[r] … begin[r + 1])
    size_t size() const { return begin.size() - 1; }
};

struct PackOptions {
    int64_t sequenceLength = 256;
    config::OverLength overLength = config::OverLength::kSplit;
    config::Packing packing = config::Packing::kConcat;
};

struct PackCounts {
    int64_t documents = 0, tokens = 0, lossTokens = 0, sequences = 0;
    int64_t tokensIn = 0;                    // of all documents that came: tokens + what is lost
    std::map<std::string, int64_t> dropped;  // documents: "over_length", "truncated"
    std::map<std::string, int64_t> lost;     // tokens: "over_length", "truncated", "no_loss"
};

// Packs a stream in windows: documents are added until the window is full, rows are taken, and what does not fill its row
// well waits for the next window. Memory is that of a window.
class Packer {
public:
    explicit Packer(const PackOptions& options) : options_(options), length_(static_cast<uint32_t>(options.sequenceLength)) {}
    // `mask` empty: every token is learned. kInvalidFile under over_length: error.
    Result<void> add(const int32_t* ids, const uint8_t* mask, size_t n, int64_t line);
    bool full() const;
    // Rows of what is here; their segments point into ids(). `last`: nothing follows, so every token comes out.
    Rows take(bool last);
    void release();  // after take: the rows are written, only what waits stays
    const std::vector<int32_t>& ids() const { return ids_; }
    const std::vector<uint8_t>& mask() const { return mask_; }  // empty: all
    const PackCounts& counts() const { return counts_; }

private:
    struct Piece {
        Segment segment;
        bool waited = false;
    };
    void addPiece(uint64_t start, uint64_t n, int32_t tail);
    void count(const Rows& rows);

    const PackOptions options_;
    const uint32_t length_;
    std::vector<int32_t> ids_;
    std::vector<uint8_t> mask_;
    std::vector<Piece> pieces_, waiting_;
    PackCounts counts_;
};

// The same for documents that are all here.
struct PackResult {
    Rows rows;
    PackCounts counts;
};
Result<PackResult> packDocuments(const TokenizedDocuments& documents, const PackOptions& options);

}  // namespace assay::data
