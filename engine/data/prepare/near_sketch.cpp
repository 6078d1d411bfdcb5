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

}  // namespace assay::data
