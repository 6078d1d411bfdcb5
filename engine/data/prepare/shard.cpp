#include "prepare/shard.h"

#include <bit>
#include <cstring>

namespace assay::data {
namespace {

static_assert(std::endian::native == std::endian::little, "shards are little-endian and read in place");

struct Header {
    char magic[8];
    uint32_t version, idBytes;
    uint64_t sequences, segments, tokens, sequenceLength;
    uint64_t maskBytes;  // 0: every token is learned
    uint64_t reserved;
};
static_assert(sizeof(Header) == 64);
constexpr char kMagic[8] = {'A', 'S', 'S', 'A', 'Y', 'S', 'E', 'Q'};

template <class T>
void append(std::string& out, T value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

std::string encodeShard(const ShardTokens& tokens, const Rows& rows, size_t first, size_t last, int idBytes, int64_t sequenceLength) {
    Header h{};
    std::memcpy(h.magic, kMagic, sizeof kMagic);
    h.version = kShardVersion;
    h.idBytes = static_cast<uint32_t>(idBytes);
    h.sequences = last - first;
    h.segments = rows.begin[last] - rows.begin[first];
    h.sequenceLength = static_cast<uint64_t>(sequenceLength);
    for (uint64_t s = rows.begin[first]; s < rows.begin[last]; ++s) h.tokens += rows.segments[s].length;
    if (!tokens.mask.empty()) h.maskBytes = (h.tokens + 7) / 8;

    std::string out;
    out.reserve(sizeof h + (h.sequences + 1) * 16 + h.segments * 8 + h.tokens * h.idBytes + h.maskBytes);
    append(out, h);
    uint64_t token = 0;
    for (size_t r = first; r < last; ++r) {
        append(out, token);
        for (uint64_t s = rows.begin[r]; s < rows.begin[r + 1]; ++s) token += rows.segments[s].length;
    }
    append(out, token);
    for (size_t r = first; r <= last; ++r) append(out, uint64_t{rows.begin[r] - rows.begin[first]});
    for (uint64_t s = rows.begin[first]; s < rows.begin[last]; ++s) append(out, rows.segments[s].length);
    for (uint64_t s = rows.begin[first]; s < rows.begin[last]; ++s) append(out, rows.segments[s].tail);
    for (uint64_t s = rows.begin[first]; s < rows.begin[last]; ++s) {
        const int32_t* ids = tokens.ids.data() + rows.segments[s].start;
        const uint32_t n = rows.segments[s].length;
        if (idBytes == 4) {
            out.append(reinterpret_cast<const char*>(ids), size_t{n} * 4);
        } else {
            const size_t at = out.size();
            out.resize(at + size_t{n} * 2);
            for (uint32_t i = 0; i < n; ++i) {
                const auto id = static_cast<uint16_t>(ids[i]);
                std::memcpy(out.data() + at + size_t{i} * 2, &id, 2);
            }
        }
    }
    if (h.maskBytes > 0) {
        const size_t at = out.size();
        out.resize(at + h.maskBytes, '\0');
        size_t bit = 0;
        for (uint64_t s = rows.begin[first]; s < rows.begin[last]; ++s)
            for (uint32_t i = 0; i < rows.segments[s].length; ++i, ++bit)
                if (tokens.mask[rows.segments[s].start + i]) out[at + bit / 8] = static_cast<char>(static_cast<unsigned char>(out[at + bit / 8]) | 1u << bit % 8);
    }
    return out;
}

Result<Shard> Shard::open(std::string_view bytes, const std::string& what) {
    auto bad = [&](const char* why) { return fail(ErrorCode::kInvalidFile, what + ": " + why, "prepare the data anew"); };
    Header h;
    if (bytes.size() < sizeof h) return bad("shorter than its header");
    std::memcpy(&h, bytes.data(), sizeof h);
    if (std::memcmp(h.magic, kMagic, sizeof kMagic) != 0) return bad("is no shard of prepared data");
    if (h.version != kShardVersion) return fail(ErrorCode::kVersionMismatch, what + ": shard format " + std::to_string(h.version), "prepare the data anew");
    const uint64_t limit = bytes.size();
    if ((h.idBytes != 2 && h.idBytes != 4) || h.sequences > limit / 16 || h.segments > limit / 8 || h.tokens > limit / 2 || (h.maskBytes != 0 && h.maskBytes != (h.tokens + 7) / 8)) return bad("its header is wrong");
    if (sizeof h + (h.sequences + 1) * 16 + h.segments * 8 + h.tokens * h.idBytes + h.maskBytes != limit) return bad("its size does not fit its header");
    Shard s;
    s.sequences_ = h.sequences;
    s.segments_ = h.segments;
    s.tokens_ = h.tokens;
    s.idBytes_ = h.idBytes;
    const char* at = bytes.data() + sizeof h;
    auto take = [&at](size_t n) {
        const char* p = at;
        at += n;
        return p;
    };
    s.rowToken_ = reinterpret_cast<const uint64_t*>(take((h.sequences + 1) * 8));
    s.rowSegment_ = reinterpret_cast<const uint64_t*>(take((h.sequences + 1) * 8));
    s.lengths_ = reinterpret_cast<const uint32_t*>(take(h.segments * 4));
    s.tails_ = reinterpret_cast<const int32_t*>(take(h.segments * 4));
    if (h.idBytes == 2) {
        s.small_ = reinterpret_cast<const uint16_t*>(at);
    } else {
        s.large_ = reinterpret_cast<const int32_t*>(at);
    }
    if (h.maskBytes > 0) s.mask_ = reinterpret_cast<const uint8_t*>(at) + h.tokens * h.idBytes;
    if (s.rowToken_[0] != 0 || s.rowSegment_[0] != 0 || s.rowToken_[h.sequences] != h.tokens || s.rowSegment_[h.sequences] != h.segments) return bad("its index is wrong");
    for (uint64_t r = 0; r < h.sequences; ++r) {
        if (s.rowSegment_[r + 1] < s.rowSegment_[r] || s.rowSegment_[r + 1] > h.segments) return bad("its index is wrong");
        uint64_t tokens = 0;
        for (uint64_t g = s.rowSegment_[r]; g < s.rowSegment_[r + 1]; ++g) {
            if (s.lengths_[g] == 0) return bad("a segment is empty");
            tokens += s.lengths_[g];
        }
        if (tokens > h.sequenceLength || s.rowToken_[r + 1] != s.rowToken_[r] + tokens) return bad("a row does not fit its segments");
    }
    return s;
}

}  // namespace assay::data
