#include "prepare/pack.h"

#include <algorithm>
#include <numeric>

namespace assay::data {
namespace {

using config::OverLength;
using config::Packing;

void endRow(Rows& rows) {
    if (rows.segments.size() > rows.begin.back()) rows.begin.push_back(rows.segments.size());
}

// Rows are filled to the last token; a document may go on in the next row.
void concat(const TokenizedDocuments& docs, const std::vector<Segment>& pieces, uint32_t length, Rows& rows) {
    uint32_t room = length;
    for (const Segment& piece : pieces) {
        uint64_t at = piece.start;
        uint32_t left = piece.length;
        while (left > 0) {
            const uint32_t n = std::min(room, left);
            rows.segments.push_back({at, n, n < left ? docs.ids[at + n] : piece.tail});
            at += n;
            left -= n;
            room -= n;
            if (room == 0) {
                endRow(rows);
                room = length;
            }
        }
    }
    endRow(rows);
}

// Best-fit decreasing: the longest piece first, each into the fullest row that has room. Pieces are at most one row long.
// Rows come out in the order of their first document.
void bestFit(const std::vector<Segment>& pieces, uint32_t length, Rows& rows) {
    std::vector<uint32_t> order(pieces.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return pieces[a].length > pieces[b].length; });
    std::vector<std::vector<uint32_t>> bins;                 // piece numbers
    std::vector<std::vector<uint32_t>> byRoom(length + 1);   // rows with that much room
    std::vector<uint64_t> used((length + 64) / 64, 0);       // bit r: byRoom[r] is not empty
    auto firstFit = [&](uint32_t need) -> int64_t {
        for (size_t word = need / 64; word < used.size(); ++word) {
            uint64_t bits = used[word];
            if (word == need / 64) bits &= ~uint64_t{0} << (need % 64);
            if (bits) return static_cast<int64_t>(word * 64) + __builtin_ctzll(bits);
        }
        return -1;
    };
    for (const uint32_t p : order) {
        const uint32_t need = pieces[p].length;
        uint32_t bin, room;
        if (const int64_t found = firstFit(need); found >= 0) {
            room = static_cast<uint32_t>(found);
            bin = byRoom[room].back();
            byRoom[room].pop_back();
            if (byRoom[room].empty()) used[room / 64] &= ~(uint64_t{1} << (room % 64));
        } else {
            bin = static_cast<uint32_t>(bins.size());
            bins.emplace_back();
            room = length;
        }
        bins[bin].push_back(p);
        if (const uint32_t rest = room - need; rest > 0) {
            byRoom[rest].push_back(bin);
            used[rest / 64] |= uint64_t{1} << (rest % 64);
        }
    }
    for (auto& bin : bins) std::sort(bin.begin(), bin.end());
    std::sort(bins.begin(), bins.end(), [](const auto& a, const auto& b) { return a.front() < b.front(); });
    for (const auto& bin : bins) {
        for (const uint32_t p : bin) rows.segments.push_back(pieces[p]);
        endRow(rows);
    }
}

}  // namespace

Result<PackResult> packDocuments(const TokenizedDocuments& docs, int64_t sequenceLength, OverLength overLength, Packing packing) {
    PackResult out;
    const auto length = static_cast<uint32_t>(sequenceLength);
    std::vector<Segment> pieces;
    pieces.reserve(docs.size());
    for (size_t d = 0; d < docs.size(); ++d) {
        const uint64_t start = docs.offsets[d];
        uint64_t size = docs.offsets[d + 1] - start;
        if (size == 0) continue;
        if (size > length && overLength != OverLength::kSplit) {
            if (overLength == OverLength::kError)
                return fail(ErrorCode::kInvalidFile,
                            "the document at line " + std::to_string(docs.lines[d]) + " has " + std::to_string(size) + " tokens, more than sequence_length " + std::to_string(length),
                            "raise data.sequence_length or set data.over_length to split, truncate or drop");
            if (overLength == OverLength::kDrop) {
                ++out.dropped["over_length"];
                out.truncatedTokens += static_cast<int64_t>(size);
                continue;
            }
            ++out.dropped["truncated"];
            out.truncatedTokens += static_cast<int64_t>(size - length);
            size = length;
        }
        ++out.documents;
        if (packing == Packing::kConcat) {
            // Cut where a 32-bit length ends; rows are shorter anyway.
            for (uint64_t at = 0; at < size; at += UINT32_MAX) {
                const uint64_t n = std::min<uint64_t>(UINT32_MAX, size - at);
                pieces.push_back({start + at, static_cast<uint32_t>(n), at + n < size ? docs.ids[start + at + n] : kNotScored});
            }
            continue;
        }
        for (uint64_t at = 0; at < size; at += length) {
            const uint64_t n = std::min<uint64_t>(length, size - at);
            pieces.push_back({start + at, static_cast<uint32_t>(n), at + n < size ? docs.ids[start + at + n] : kNotScored});
        }
    }
    switch (packing) {
        case Packing::kConcat: concat(docs, pieces, length, out.rows); break;
        case Packing::kBestFit: bestFit(pieces, length, out.rows); break;
        case Packing::kNone:
            for (const Segment& piece : pieces) {
                out.rows.segments.push_back(piece);
                endRow(out.rows);
            }
            break;
    }
    for (const Segment& s : out.rows.segments) {
        out.tokens += s.length;
        out.lossTokens += s.length - (s.tail == kNotScored ? 1 : 0);
    }
    return out;
}

}  // namespace assay::data
