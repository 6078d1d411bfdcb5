#include "prepare/near.h"

#include <assay/core/hash.h>
#include <assay/core/random.h>

#include <algorithm>

#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

// Scripts without spaces: each character is a word.
bool isWordByItself(char32_t c) { return (c >= 0x2E80 && c < 0xA000) || (c >= 0xAC00 && c < 0xD7A4) || (c >= 0xF900 && c < 0xFB00) || (c >= 0x20000 && c < 0x32000) || (c >= 0x0E00 && c < 0x0EE0); }

// Hashes of the words: letters, marks and digits, with ASCII letters in lower case.
void wordsOf(std::string_view text, std::vector<uint64_t>& out) {
    constexpr uint64_t kSeed = 0xCBF29CE484222325ull, kPrime = 0x100000001B3ull;  // FNV-1a
    uint64_t hash = kSeed;
    bool open = false;
    const auto close = [&] {
        if (open) out.push_back(mixBits(hash));
        open = false;
        hash = kSeed;
    };
    for (size_t at = 0; at < text.size();) {
        const auto byte = static_cast<unsigned char>(text[at]);
        if (byte < 0x80) {
            const bool upper = byte >= 'A' && byte <= 'Z';
            if (upper || (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9')) {
                hash = (hash ^ (upper ? byte + 32u : byte)) * kPrime;
                open = true;
            } else {
                close();
            }
            ++at;
            continue;
        }
        const CodePoint c = codePointAt(text, at);
        at += c.bytes;
        if (isWordByItself(c.value)) {
            close();
            hash = (hash ^ c.value) * kPrime;
            open = true;
            close();
        } else if ((charClass(c.value) & (kLetter | kMark | kNumber)) != 0) {
            hash = (hash ^ c.value) * kPrime;
            open = true;
        } else {
            close();
        }
    }
    close();
}

}  // namespace

NearSketch sketchOf(std::string_view text) {
    NearSketch out;
    thread_local std::vector<uint64_t> words;
    words.clear();
    wordsOf(text, words);
    if (words.empty()) {  // signs only: like nothing but itself
        const uint64_t h = xxh3(text);
        out.shingles.push_back(static_cast<uint32_t>(h));
        out.bands.fill(h | 1);
        return out;
    }
    const size_t n = std::min(words.size(), kShingleWords);
    constexpr uint32_t kEmpty = UINT32_MAX;
    std::array<uint32_t, kMinHashes> minima;
    minima.fill(kEmpty);
    out.shingles.reserve(words.size() - n + 1);
    for (size_t i = 0; i + n <= words.size(); ++i) {
        uint64_t h = n;
        for (size_t j = 0; j < n; ++j) h = (h ^ words[i + j]) * 0x9E3779B97F4A7C15ull + (h >> 29);
        h = mixBits(h);
        out.shingles.push_back(static_cast<uint32_t>(h));
        // The high half chooses the bin, the low half is the value.
        const size_t bin = static_cast<size_t>((h >> 32) * kMinHashes >> 32);
        minima[bin] = std::min(minima[bin], static_cast<uint32_t>(mixBits(h)));
    }
    std::sort(out.shingles.begin(), out.shingles.end());
    out.shingles.erase(std::unique(out.shingles.begin(), out.shingles.end()), out.shingles.end());
    std::array<uint32_t, kMinHashes> full = minima;
    for (size_t b = 0; b < kMinHashes; ++b)
        for (uint64_t attempt = 1; full[b] == kEmpty; ++attempt) full[b] = minima[mixBits(b, attempt) % kMinHashes];
    for (size_t band = 0; band < kBands; ++band) {
        uint64_t key = band + 1;
        for (size_t r = 0; r < kBandRows; ++r) key = mixBits(key, full[band * kBandRows + r]);
        out.bands[band] = key | 1;  // never the mark of a free slot
    }
    return out;
}

double jaccard(const uint32_t* a, size_t n, const uint32_t* b, size_t m) {
    size_t i = 0, j = 0, both = 0;
    while (i < n && j < m) {
        if (a[i] == b[j]) {
            ++both;
            ++i;
            ++j;
        } else if (a[i] < b[j]) {
            ++i;
        } else {
            ++j;
        }
    }
    const size_t all = n + m - both;
    return all == 0 ? 0 : static_cast<double>(both) / static_cast<double>(all);
}

bool NearDuplicates::similar(const NearSketch& s, uint32_t index) const {
    const uint64_t begin = index == 0 ? 0 : offsets_[index - 1];
    const size_t n = offsets_[index] - begin, m = s.shingles.size();
    if (static_cast<double>(std::min(n, m)) < similarity_ * static_cast<double>(std::max(n, m))) return false;  // an upper bound
    return jaccard(shingles_.data() + begin, n, s.shingles.data(), m) >= similarity_;
}

Result<void> NearDuplicates::growTable() {
    const size_t size = std::max<size_t>(table_.size() * 2, 1 << 12);
    SpillArray<Slot> before = std::move(table_);
    table_ = SpillArray<Slot>(folder());
    ASSAY_TRY_VOID(table_.resize(size));
    for (size_t i = 0; i < before.size(); ++i) {
        if (before[i].key == 0) continue;
        size_t at = before[i].key & (size - 1);
        while (table_[at].key != 0) at = (at + 1) & (size - 1);
        table_[at] = before[i];
    }
    return {};
}

Result<NearDuplicates::Slot*> NearDuplicates::slot(uint64_t key) {
    if ((used_ + 1) * 10 > table_.size() * 7) ASSAY_TRY_VOID(growTable());
    const size_t mask = table_.size() - 1;
    const uint64_t mixed = mixBits(key) | 1;
    size_t at = mixed & mask;
    while (table_[at].key != 0 && table_[at].key != mixed) at = (at + 1) & mask;
    return &table_[at];
}

Result<uint64_t> NearDuplicates::keep(const NearSketch& sketch, uint64_t hash, uint64_t document) {
    const auto index = static_cast<uint32_t>(documents_.size());
    if (documents_.size() >= UINT32_MAX) return fail(ErrorCode::kUnsupported, "more than four thousand million documents cannot be compared", "set data.clean.deduplicate: exact");
    ASSAY_TRY_VOID(shingles_.append(sketch.shingles.data(), sketch.shingles.size()));
    ASSAY_TRY_VOID(offsets_.push(shingles_.size()));
    ASSAY_TRY_VOID(documents_.push(document));
    ASSAY_TRY_VOID(hashes_.push(hash));
    ASSAY_TRY_VOID(parent_.push(index));
    ASSAY_TRY_VOID(members_.push(0));
    return uint64_t{index};
}

Result<NearDuplicates::Found> NearDuplicates::add(const NearSketch& sketch, uint64_t hash, uint64_t document) {
    std::array<uint32_t, kBands * 2> candidates;
    size_t count = 0;
    for (const uint64_t band : sketch.bands) {
        ASSAY_TRY(Slot * s, slot(band));
        if (s->key == 0) continue;
        candidates[count++] = s->first;
        if (s->latest != s->first) candidates[count++] = s->latest;
    }
    std::sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(count));
    count = static_cast<size_t>(std::unique(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(count)) - candidates.begin());
    if (!group_)
        for (size_t i = 0; i < count; ++i)
            if (similar(sketch, candidates[i])) {
                clusters_ += members_[candidates[i]]++ == 0;
                return Found{documents_[candidates[i]], hashes_[candidates[i]] == hash};
            }
    ASSAY_TRY(const uint64_t index, keep(sketch, hash, document));
    uint64_t leader = document;
    for (size_t i = 0; group_ && i < count; ++i) {
        if (!similar(sketch, candidates[i])) continue;
        const uint64_t a = rootOf(candidates[i]), b = rootOf(index);
        if (a == b) continue;
        parent_[std::max(a, b)] = static_cast<uint32_t>(std::min(a, b));
        leader = documents_[std::min(a, b)];
    }
    for (const uint64_t band : sketch.bands) {
        ASSAY_TRY(Slot * s, slot(band));
        if (s->key == 0) {
            s->key = mixBits(band) | 1;
            s->first = static_cast<uint32_t>(index);
            ++used_;
        }
        s->latest = static_cast<uint32_t>(index);
    }
    return Found{leader, false};
}

uint64_t NearDuplicates::rootOf(uint64_t index) {
    while (parent_[index] != index) {
        parent_[index] = parent_[parent_[index]];
        index = parent_[index];
    }
    return index;
}

std::vector<NearDuplicates::Cluster> NearDuplicates::largest(size_t count) const {
    std::vector<Cluster> all;
    for (size_t i = 0; i < members_.size(); ++i) {
        if (members_[i] == 0) continue;
        all.push_back({documents_[i], members_[i]});
        if (all.size() >= count * 2 + 1024) {
            std::stable_sort(all.begin(), all.end(), [](const Cluster& a, const Cluster& b) { return a.members > b.members; });
            all.resize(count);
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const Cluster& a, const Cluster& b) { return a.members > b.members; });
    if (all.size() > count) all.resize(count);
    return all;
}

}  // namespace assay::data
