#include "prepare/pack.h"

#include <algorithm>
#include <numeric>

namespace assay::data {
namespace {

using config::OverLength;
using config::Packing;

// A window has at least so many tokens, or rows: enough that the rows at its end do not matter.
constexpr uint64_t kWindowTokens = uint64_t{1} << 24, kLargestWindow = uint64_t{1} << 26, kWindowRows = 64;
constexpr size_t kWindowPieces = size_t{1} << 21;
constexpr double kWellFilled = 0.98;  // best_fit: other rows wait for the next window, once

void endRow(Rows& rows) {
    if (rows.segments.size() > rows.begin.back()) rows.begin.push_back(rows.segments.size());
}

// Bins for best-fit: the longest piece first, each into the fullest row that has room.
std::vector<std::vector<uint32_t>> bestFitBins(const std::vector<uint32_t>& lengths, uint32_t length) {
    std::vector<uint32_t> order(lengths.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return lengths[a] > lengths[b]; });
    std::vector<std::vector<uint32_t>> bins;                // piece numbers
    std::vector<std::vector<uint32_t>> byRoom(length + 1);  // rows with that much room
    std::vector<uint64_t> used((length + 64) / 64, 0);      // bit r: byRoom[r] is not empty
    auto firstFit = [&](uint32_t need) -> int64_t {
        for (size_t word = need / 64; word < used.size(); ++word) {
            uint64_t bits = used[word];
            if (word == need / 64) bits &= ~uint64_t{0} << (need % 64);
            if (bits) return static_cast<int64_t>(word * 64) + __builtin_ctzll(bits);
        }
        return -1;
    };
    for (const uint32_t p : order) {
        const uint32_t need = lengths[p];
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
    return bins;
}

}  // namespace

void Packer::addPiece(uint64_t start, uint64_t n, int32_t tail) {
    if (!mask_.empty() && options_.packing != Packing::kConcat && tail == kNotScored &&
        std::none_of(mask_.begin() + static_cast<std::ptrdiff_t>(start + 1), mask_.begin() + static_cast<std::ptrdiff_t>(start + n), [](uint8_t m) { return m != 0; })) {
        counts_.lost["no_loss"] += static_cast<int64_t>(n);  // a row of it would teach nothing
        return;
    }
    pieces_.push_back({{start, static_cast<uint32_t>(n), tail}, false});
}

Result<void> Packer::add(const int32_t* ids, const uint8_t* mask, size_t n, int64_t line) {
    if (n == 0) return {};
    counts_.tokensIn += static_cast<int64_t>(n);
    if (n > length_ && options_.overLength != OverLength::kSplit) {
        if (options_.overLength == OverLength::kError)
            return fail(ErrorCode::kInvalidFile,
                        (line > 0 ? "the document at line " + std::to_string(line) : std::string("a document")) + " has " + std::to_string(n) + " tokens, more than sequence_length " + std::to_string(length_),
                        "raise data.sequence_length or set data.over_length to split, truncate or drop");
        if (options_.overLength == OverLength::kDrop) {
            ++counts_.dropped["over_length"];
            counts_.lost["over_length"] += static_cast<int64_t>(n);
            return {};
        }
        ++counts_.dropped["truncated"];
        counts_.lost["truncated"] += static_cast<int64_t>(n - length_);
        n = length_;
        if (mask && std::none_of(mask + 1, mask + n, [](uint8_t m) { return m != 0; })) {
            counts_.lost["no_loss"] += static_cast<int64_t>(n);  // its answer was cut off
            ++counts_.dropped["no_loss"];
            return {};
        }
    }
    ++counts_.documents;
    const uint64_t start = ids_.size();
    ids_.insert(ids_.end(), ids, ids + n);
    if (mask && mask_.size() < start) mask_.resize(start, 1);
    if (mask) {
        mask_.insert(mask_.end(), mask, mask + n);
    } else if (!mask_.empty()) {
        mask_.resize(ids_.size(), 1);
    }
    // A piece is at most one row; of concat, what a 32-bit length holds: its rows are cut later.
    const uint64_t most = options_.packing == Packing::kConcat ? uint64_t{INT32_MAX} : length_;
    for (uint64_t at = 0; at < n; at += most) {
        const uint64_t size = std::min<uint64_t>(most, n - at);
        const bool goesOn = at + size < n && (!mask || mask[at + size]);
        addPiece(start + at, size, goesOn ? ids[at + size] : kNotScored);
    }
    return {};
}

bool Packer::full() const {
    const uint64_t tokens = std::min(kLargestWindow, std::max(kWindowTokens, kWindowRows * length_));
    return ids_.size() >= tokens || pieces_.size() >= kWindowPieces;
}

Rows Packer::take(bool last) {
    Rows rows;
    waiting_.clear();
    if (options_.packing == Packing::kNone) {
        for (const Piece& p : pieces_) {
            rows.segments.push_back(p.segment);
            endRow(rows);
        }
    } else if (options_.packing == Packing::kConcat) {
        // Rows are filled to the last token; a document may go on in the next row.
        uint32_t room = length_;
        for (const Piece& p : pieces_) {
            uint64_t at = p.segment.start;
            uint32_t left = p.segment.length;
            while (left > 0) {
                const uint32_t n = std::min(room, left);
                const bool learned = mask_.empty() || n == left || mask_[at + n] != 0;
                rows.segments.push_back({at, n, n == left ? p.segment.tail : learned ? ids_[at + n] : kNotScored});
                at += n;
                left -= n;
                room -= n;
                if (room == 0) {
                    endRow(rows);
                    room = length_;
                }
            }
        }
        if (last) {
            endRow(rows);
        } else {  // the row that is begun
            for (size_t s = rows.begin.back(); s < rows.segments.size(); ++s) waiting_.push_back({rows.segments[s], true});
            rows.segments.resize(rows.begin.back());
        }
    } else {
        std::vector<uint32_t> lengths;
        lengths.reserve(pieces_.size());
        for (const Piece& p : pieces_) lengths.push_back(p.segment.length);
        for (const auto& bin : bestFitBins(lengths, length_)) {
            uint64_t filled = 0;
            bool waited = false;
            for (const uint32_t p : bin) {
                filled += lengths[p];
                waited |= pieces_[p].waited;
            }
            const bool waits = !last && !waited && static_cast<double>(filled) < kWellFilled * length_;
            for (const uint32_t p : bin) {
                if (waits) {
                    waiting_.push_back({pieces_[p].segment, true});
                } else {
                    rows.segments.push_back(pieces_[p].segment);
                }
            }
            if (!waits) endRow(rows);
        }
    }
    count(rows);
    return rows;
}

void Packer::count(const Rows& rows) {
    counts_.sequences += static_cast<int64_t>(rows.size());
    for (const Segment& s : rows.segments) {
        counts_.tokens += s.length;
        counts_.lossTokens += s.tail == kNotScored ? 0 : 1;
        if (mask_.empty()) {
            counts_.lossTokens += s.length - 1;
        } else {
            for (uint32_t i = 1; i < s.length; ++i) counts_.lossTokens += mask_[s.start + i] != 0;
        }
    }
}

void Packer::release() {
    std::vector<int32_t> ids;
    std::vector<uint8_t> mask;
    for (Piece& p : waiting_) {
        const auto from = static_cast<std::ptrdiff_t>(p.segment.start), to = from + static_cast<std::ptrdiff_t>(p.segment.length);
        p.segment.start = ids.size();
        ids.insert(ids.end(), ids_.begin() + from, ids_.begin() + to);
        if (!mask_.empty()) mask.insert(mask.end(), mask_.begin() + from, mask_.begin() + to);
    }
    // The large buffers stay in use: no page is given back and taken again in every window.
    ids_.assign(ids.begin(), ids.end());
    mask_.assign(mask.begin(), mask.end());
    pieces_.swap(waiting_);
    waiting_.clear();
}

Result<PackResult> packDocuments(const TokenizedDocuments& docs, const PackOptions& options) {
    Packer packer(options);
    // The rows of a packer point into its own ids, which are those of the documents less what is left out: places are given
    // back in terms of the documents.
    std::vector<std::pair<uint64_t, uint64_t>> places;  // start in the packer, start in the documents
    for (size_t d = 0; d < docs.size(); ++d) {
        const uint64_t from = docs.offsets[d], to = docs.offsets[d + 1];
        const uint64_t start = packer.ids().size();
        ASSAY_TRY_VOID(packer.add(docs.ids.data() + from, docs.mask.empty() ? nullptr : docs.mask.data() + from, to - from, d < docs.lines.size() ? docs.lines[d] : 0));
        if (packer.ids().size() > start) places.emplace_back(start, from);
    }
    PackResult out;
    out.rows = packer.take(true);
    out.counts = packer.counts();
    for (Segment& s : out.rows.segments) {
        const auto place = std::upper_bound(places.begin(), places.end(), std::pair(s.start, UINT64_MAX)) - 1;
        s.start = s.start - place->first + place->second;
    }
    return out;
}

}  // namespace assay::data
