#pragma once
// One shard file of a prepared folder (CACHE.md).
#include <assay/core/durable.h>

#include <cstdint>
#include <memory>
#include <string>

#include "prepare/pack.h"

namespace assay::data {

constexpr uint64_t kShardTokens = uint64_t{1} << 24;

constexpr uint32_t kShardVersion = 2;

struct ShardTokens {
    const std::vector<int32_t>& ids;   // what the segments of the rows point into
    const std::vector<uint8_t>& mask;  // empty: every token is learned
};
// The bytes of the shard that holds rows [first, last).
std::string encodeShard(const ShardTokens& tokens, const Rows& rows, size_t first, size_t last, int idBytes, int64_t sequenceLength);

class Shard {
public:
    // `bytes` must outlive the shard. Checks that the structure is sound: every index lies inside.
    static Result<Shard> open(std::string_view bytes, const std::string& what);

    uint64_t sequences() const { return sequences_; }
    uint64_t tokens() const { return tokens_; }
    // Segments of row r: lengths and tails, and the place of its first id.
    uint64_t firstSegment(uint64_t row) const { return rowSegment_[row]; }
    uint64_t firstToken(uint64_t row) const { return rowToken_[row]; }
    uint32_t length(uint64_t segment) const { return lengths_[segment]; }
    int32_t tail(uint64_t segment) const { return tails_[segment]; }
    int32_t id(uint64_t token) const { return idBytes_ == 2 ? small_[token] : large_[token]; }
    const uint16_t* small() const { return small_; }  // null when ids have four bytes
    const int32_t* large() const { return large_; }
    // Whether a token is learned: it may be a label of the position before it.
    bool masked() const { return mask_ != nullptr; }
    bool learned(uint64_t token) const { return !mask_ || (mask_[token / 8] >> token % 8 & 1) != 0; }
    uint64_t rowTokens(uint64_t row) const { return rowToken_[row + 1] - rowToken_[row]; }

private:
    uint64_t sequences_ = 0, segments_ = 0, tokens_ = 0;
    uint32_t idBytes_ = 4;
    const uint64_t *rowToken_ = nullptr, *rowSegment_ = nullptr;
    const uint32_t* lengths_ = nullptr;
    const int32_t *tails_ = nullptr, *large_ = nullptr;
    const uint16_t* small_ = nullptr;
    const uint8_t* mask_ = nullptr;
};

}  // namespace assay::data
