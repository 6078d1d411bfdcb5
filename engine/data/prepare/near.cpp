#include "prepare/near.h"

#include <algorithm>

namespace assay::data {
namespace {

constexpr size_t kRecentDocuments = 256, kRecentShingles = 16384;  // 16 MiB; longer ones are read when they are needed
constexpr size_t kCheckEvery = 1 << 14;

}  // namespace

NearDuplicates::NearDuplicates(std::string folder, double similarity)
    : similarity_(similarity), shingles_(folder), documents_(folder), bands_(folder), shared_(folder), states_(folder), parents_(folder), members_(folder), recent_(kRecentDocuments) {}

Result<void> NearDuplicates::add(const NearSketch& sketch, uint64_t hash, uint64_t document, int64_t line, bool heldOut) {
    if (count_ >= UINT32_MAX - 1) return fail(ErrorCode::kUnsupported, "more than four thousand million documents cannot be compared", "set data.clean.deduplicate: exact");
    const auto index = static_cast<uint32_t>(count_++);
    heldOut_ += heldOut;
    const Document d{document, hash, shingles_.size(), line, sketch.shingles.size()};
    ASSAY_TRY_VOID(documents_.append(&d, sizeof d));
    ASSAY_TRY_VOID(shingles_.append(sketch.shingles.data(), sketch.shingles.size() * sizeof(uint32_t)));
    for (const uint64_t band : sketch.bands) ASSAY_TRY_VOID(bands_.add({static_cast<uint32_t>(band >> 32), static_cast<uint32_t>(band), index}));
    return {};
}

Result<void> NearDuplicates::shareBands(const Rules& rules) {
    Band before{};
    uint64_t done = 0;
    bool any = false, counted = false;
    uint32_t band = 0;
    ASSAY_TRY_VOID(bands_.finish([&](const Band& b) -> Result<void> {
        if (++done % kCheckEvery == 0) {
            if (rules.stop.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
            if (rules.progress) rules.progress(0.5 * static_cast<double>(done) / static_cast<double>(count_ * kBands));
        }
        if (any && b.high == before.high && b.low == before.low) {
            if (!counted) {
                if (sharedBands_ >= UINT32_MAX) return fail(ErrorCode::kUnsupported, "too many documents share their words to be compared", "set data.clean.deduplicate: exact");
                band = static_cast<uint32_t>(sharedBands_++);
                ASSAY_TRY_VOID(shared_.add({before.index, band}));
            }
            counted = true;
            ASSAY_TRY_VOID(shared_.add({b.index, band}));
        } else {
            counted = false;
        }
        before = b;
        any = true;
        return {};
    }));
    return states_.resize(sharedBands_);
}

Result<void> NearDuplicates::visitShared(const Rules& rules, const std::function<Result<void>(uint32_t, const std::vector<uint32_t>&)>& visit) {
    ASSAY_TRY_VOID(shareBands(rules));
    std::vector<uint32_t> bands;
    uint32_t index = 0;
    size_t visited = 0;
    ASSAY_TRY_VOID(shared_.finish([&](const Shared& s) -> Result<void> {
        if (!bands.empty() && s.index != index) {
            ASSAY_TRY_VOID(visit(index, bands));
            bands.clear();
            if (++visited % kCheckEvery == 0) {
                if (rules.stop.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
                if (rules.progress) rules.progress(0.5 + 0.5 * static_cast<double>(index) / static_cast<double>(count_));
            }
        }
        index = s.index;
        if (bands.empty() || bands.back() != s.band) bands.push_back(s.band);
        return {};
    }));
    return bands.empty() ? Result<void>() : visit(index, bands);
}

Result<NearDuplicates::Document> NearDuplicates::documentAt(uint32_t index) {
    Document d{};
    ASSAY_TRY_VOID(documents_.read(uint64_t{index} * sizeof d, &d, sizeof d));
    return d;
}

Result<std::vector<uint32_t>> NearDuplicates::shinglesOf(const Document& d) {
    std::vector<uint32_t> out(static_cast<size_t>(d.shingles));
    ASSAY_TRY_VOID(shingles_.read(d.shinglesAt, out.data(), out.size() * sizeof(uint32_t)));
    return out;
}

// The document from memory, or read and remembered.
Result<const NearDuplicates::Recent*> NearDuplicates::recent(uint32_t index) {
    Recent& r = recent_[index % kRecentDocuments];
    if (r.index == index) return &r;
    r.index = UINT32_MAX;
    ASSAY_TRY(r.document, documentAt(index));
    r.shingles.clear();
    if (r.document.shingles <= kRecentShingles) {
        ASSAY_TRY(r.shingles, shinglesOf(r.document));
    }
    r.index = index;
    return &r;
}

Result<bool> NearDuplicates::similar(const Document& d, const std::vector<uint32_t>& shingles, uint32_t index) {
    ASSAY_TRY(const Recent* other, recent(index));
    const auto n = static_cast<double>(other->document.shingles), m = static_cast<double>(d.shingles);
    if (std::min(n, m) < similarity_ * std::max(n, m)) return false;  // an upper bound
    if (other->shingles.size() == other->document.shingles) return jaccard(other->shingles.data(), other->shingles.size(), shingles.data(), shingles.size()) >= similarity_;
    ASSAY_TRY(const std::vector<uint32_t> whole, shinglesOf(other->document));
    return jaccard(whole.data(), whole.size(), shingles.data(), shingles.size()) >= similarity_;
}

std::vector<uint32_t> NearDuplicates::candidates(const std::vector<uint32_t>& bands, bool ofHeldOut) {
    std::vector<uint32_t> out;
    for (const uint32_t band : bands) {
        const State s = states_.at(band);
        const uint32_t first = ofHeldOut ? s.heldFirst : s.first, latest = ofHeldOut ? s.heldLatest : s.latest;
        if (first == 0) continue;
        out.push_back(first - 1);
        if (latest != first) out.push_back(latest - 1);
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

void NearDuplicates::enter(uint32_t index, const std::vector<uint32_t>& bands) {
    for (const uint32_t band : bands) {
        State& s = states_.at(band);
        uint32_t& first = index < heldOut_ ? s.heldFirst : s.first;
        if (first == 0) first = index + 1;
        (index < heldOut_ ? s.heldLatest : s.latest) = index + 1;
    }
}

Result<void> NearDuplicates::findMatches(const Rules& rules, const std::function<void(const Match&)>& match) {
    ASSAY_TRY_VOID(members_.resize(count_));
    return visitShared(rules, [&](uint32_t index, const std::vector<uint32_t>& bands) -> Result<void> {
        ASSAY_TRY(const Document d, documentAt(index));
        if (index < heldOut_) {  // they were cleaned by themselves
            enter(index, bands);
            return {};
        }
        if (rules.leftOut && rules.leftOut(d.document)) return {};
        std::vector<uint32_t> shingles;  // read when there is something to compare
        bool read = false;
        for (const bool heldOut : {true, false}) {
            const std::vector<uint32_t> others = candidates(bands, heldOut);
            if (!others.empty() && !read) {
                ASSAY_TRY(shingles, shinglesOf(d));
                read = true;
            }
            for (const uint32_t other : others) {
                ASSAY_TRY(const bool alike, similar(d, shingles, other));
                if (!alike) continue;
                ASSAY_TRY(const Document leader, documentAt(other));
                match({d.document, leader.document, d.line, leader.hash == d.hash, heldOut});
                if (heldOut && rules.keepHeldOut) break;
                if (!heldOut) clusters_ += members_.at(other)++ == 0;
                return {};
            }
        }
        enter(index, bands);
        return {};
    });
}

Result<void> NearDuplicates::findGroups(const Rules& rules, const std::function<void(uint64_t, uint64_t)>& joined) {
    ASSAY_TRY_VOID(parents_.resize(count_));
    ASSAY_TRY_VOID(visitShared(rules, [&](uint32_t index, const std::vector<uint32_t>& bands) -> Result<void> {
        ASSAY_TRY(const Document d, documentAt(index));
        const std::vector<uint32_t> others = candidates(bands, false);
        std::vector<uint32_t> shingles;
        if (!others.empty()) {
            ASSAY_TRY(shingles, shinglesOf(d));
        }
        for (const uint32_t other : others) {
            const uint32_t a = rootOf(other), b = rootOf(index);
            if (a == b) continue;
            ASSAY_TRY(const bool alike, similar(d, shingles, other));
            if (alike) parents_.at(std::max(a, b)) = std::min(a, b) + 1;
        }
        enter(index, bands);
        return {};
    }));
    for (uint32_t i = 0; i < count_; ++i) {
        const uint32_t root = rootOf(i);
        if (root == i) continue;
        ASSAY_TRY(const Document d, documentAt(i));
        ASSAY_TRY(const Document first, documentAt(root));
        joined(d.document, first.document);
    }
    return {};
}

uint32_t NearDuplicates::rootOf(uint32_t index) {
    for (uint32_t parent; (parent = parents_.at(index)) != 0; index = parent - 1) {
        const uint32_t above = parents_.at(parent - 1);
        if (above != 0) parents_.at(index) = above;
    }
    return index;
}

Result<std::vector<NearDuplicates::Cluster>> NearDuplicates::largest(size_t count) {
    std::vector<Cluster> all;
    const auto more = [](const Cluster& a, const Cluster& b) { return a.members > b.members; };
    for (size_t i = 0; i < members_.size(); ++i) {
        const uint32_t members = members_.at(i);
        if (members == 0) continue;
        ASSAY_TRY(const Document d, documentAt(static_cast<uint32_t>(i)));
        all.push_back({d.document, members});
        if (all.size() >= count * 2 + 1024) {
            std::stable_sort(all.begin(), all.end(), more);
            all.resize(count);
        }
    }
    std::stable_sort(all.begin(), all.end(), more);
    if (all.size() > count) all.resize(count);
    return all;
}

}  // namespace assay::data
