#pragma once
// Batches for training and evaluation, assembled ahead by background threads. The order is a pure function of (seed,
// epoch, position): independent of threads, ranks and of where a run was resumed. Without packing rows of about the same
// length stand together (in groups of 32 out of each 1,024 of the epoch's order), so that little is padded.

#include <assay/data/prepare.h>

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace assay::data {

struct Batch {
    int64_t rows = 0, columns = 0;   // columns: sequence_length; without packing the longest row of the batch
    // rows × columns, row-major. Padding: id 0, label -100, segment -1.
    std::vector<int32_t> ids;
    std::vector<int32_t> labels;     // label[i] is the token to predict at position i (already shifted); -100: not scored
    std::vector<int32_t> positions;  // position inside the segment: starts anew where a document was cut, so it stays below columns
    std::vector<int32_t> segments;   // index of the stretch of a document inside the row: attention never crosses segments
    bool oneSegmentPerRow = true;    // plain causal attention is enough
    int64_t realTokens = 0;          // without padding
    int64_t labelledTokens = 0;
    int64_t firstSequence = 0;       // global position of row 0 in this epoch's order
};

struct LoaderOptions {
    bool evaluation = false;   // the held-out part, in file order, each sequence once, no wrap
    uint64_t seed = 0;
    int64_t microBatch = 1;    // rows per batch
    int64_t rank = 0, world = 1;  // rank takes rows rank, rank+world, … of each global group of microBatch × world rows
    int64_t startSequence = 0; // sequences consumed by all ranks before this loader starts: O(1) resume
    int workers = 2;
    size_t queueBytes = size_t{64} << 20;
};

class Loader {
public:
    static Result<std::unique_ptr<Loader>> create(PreparedPtr data, const LoaderOptions& options);
    virtual ~Loader() = default;
    // Training: never ends (epoch after epoch, each in its own order). Evaluation: rows == 0 at the end.
    virtual Result<void> next(Batch& out) = 0;
    virtual double waitSeconds() const = 0;  // total time next() had to wait: data starvation
};

}  // namespace assay::data
