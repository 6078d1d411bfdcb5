#include "series_codec.h"

#include <zstd.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace assay::store {
namespace {

constexpr uint8_t kPlain = 1, kZstd = 2;            // first byte of a block
constexpr uint8_t kMicros = 1, kFloatValues = 2;    // second byte: how columns are kept
constexpr size_t kCompressFrom = 16;
constexpr double kMaxMicros = 9e12;                 // seconds whose microseconds fit 64 bits with room for differences

void putVarint(std::string& out, int64_t value) {
    uint64_t zigzag = (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
    while (zigzag >= 0x80) {
        out += static_cast<char>(zigzag | 0x80);
        zigzag >>= 7;
    }
    out += static_cast<char>(zigzag);
}

struct Cursor {
    std::string_view bytes;
    bool bad = false;
    int64_t varint() {
        uint64_t zigzag = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (bytes.empty()) break;
            auto byte = static_cast<uint8_t>(bytes[0]);
            bytes.remove_prefix(1);
            zigzag |= static_cast<uint64_t>(byte & 0x7f) << shift;
            if (byte < 0x80) return static_cast<int64_t>(zigzag >> 1) ^ -static_cast<int64_t>(zigzag & 1);
        }
        bad = true;
        return 0;
    }
    std::string_view take(size_t n) {
        if (bytes.size() < n) {
            bad = true;
            return {};
        }
        auto part = bytes.substr(0, n);
        bytes.remove_prefix(n);
        return part;
    }
};

// Byte k of all words stands together: exponents and zero mantissa ends compress well.
template <class Word>
void putTransposed(std::string& out, const std::vector<Word>& words) {
    const size_t n = words.size(), start = out.size();
    out.resize(start + n * sizeof(Word));
    for (size_t i = 0; i < n; ++i)
        for (size_t k = 0; k < sizeof(Word); ++k) out[start + k * n + i] = static_cast<char>(words[i] >> (8 * k));
}
template <class Word>
bool takeTransposed(Cursor& cursor, size_t n, std::vector<Word>& words) {
    auto bytes = cursor.take(n * sizeof(Word));
    if (cursor.bad) return false;
    words.assign(n, 0);
    for (size_t k = 0; k < sizeof(Word); ++k)
        for (size_t i = 0; i < n; ++i) words[i] |= static_cast<Word>(static_cast<uint8_t>(bytes[k * n + i])) << (8 * k);
    return true;
}

template <class To, class From>
To bitsAs(From value) {
    To out;
    static_assert(sizeof out == sizeof value);
    std::memcpy(&out, &value, sizeof out);
    return out;
}

// Wrapping difference: defined for every pair of steps.
int64_t minus(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b)); }
int64_t plus(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }

tl::unexpected<Error> damaged() { return fail(ErrorCode::kInvalidFile, "a block of metric points in the database is damaged"); }

}  // namespace

std::string encodeBlock(std::span<const Point> points) {
    bool micros = true, floats = true;
    for (const Point& p : points) {
        micros &= std::abs(p.seconds) < kMaxMicros;
        floats &= std::isnan(p.value) || static_cast<double>(static_cast<float>(p.value)) == p.value;
    }
    std::string body;
    body.reserve(points.size() * 16);
    int64_t last = 0;
    for (const Point& p : points) {
        putVarint(body, minus(p.step, last));
        last = p.step;
    }
    last = 0;
    for (const Point& p : points) {
        putVarint(body, minus(p.tokens, last));
        last = p.tokens;
    }
    if (micros) {
        last = 0;
        for (const Point& p : points) {
            const int64_t now = std::llround(p.seconds * 1e6);
            putVarint(body, now - last);
            last = now;
        }
    } else {
        std::vector<uint64_t> words;
        for (const Point& p : points) words.push_back(bitsAs<uint64_t>(p.seconds));
        putTransposed(body, words);
    }
    if (floats) {
        std::vector<uint32_t> words;
        for (const Point& p : points) words.push_back(bitsAs<uint32_t>(static_cast<float>(p.value)));
        putTransposed(body, words);
    } else {
        std::vector<uint64_t> words;
        for (const Point& p : points) words.push_back(bitsAs<uint64_t>(p.value));
        putTransposed(body, words);
    }

    std::string out;
    out += static_cast<char>(kPlain);
    out += static_cast<char>((micros ? kMicros : 0) | (floats ? kFloatValues : 0));
    const auto n = static_cast<uint16_t>(points.size());
    out += static_cast<char>(n & 0xff);
    out += static_cast<char>(n >> 8);
    if (points.size() >= kCompressFrom) {
        std::string packed(ZSTD_compressBound(body.size()), '\0');
        const size_t size = ZSTD_compress(packed.data(), packed.size(), body.data(), body.size(), 1);
        if (!ZSTD_isError(size) && size < body.size()) {
            out[0] = static_cast<char>(kZstd);
            out.append(packed.data(), size);
            return out;
        }
    }
    return out += body;
}

Result<void> decodeBlock(std::string_view bytes, std::vector<Point>& out) {
    if (bytes.size() < 4) return damaged();
    const auto codec = static_cast<uint8_t>(bytes[0]), flags = static_cast<uint8_t>(bytes[1]);
    const size_t n = static_cast<uint8_t>(bytes[2]) | static_cast<size_t>(static_cast<uint8_t>(bytes[3])) << 8;
    if (n > kMaxBlockPoints || (codec != kPlain && codec != kZstd)) return damaged();
    std::string unpacked;
    Cursor cursor{bytes.substr(4)};
    if (codec == kZstd) {
        // The most a block of n points can take: three varint columns of 10 bytes and one of 8.
        const auto size = ZSTD_getFrameContentSize(cursor.bytes.data(), cursor.bytes.size());
        if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > n * 38) return damaged();
        unpacked.resize(size);
        if (ZSTD_decompress(unpacked.data(), unpacked.size(), cursor.bytes.data(), cursor.bytes.size()) != size) return damaged();
        cursor.bytes = unpacked;
    }
    const size_t start = out.size();
    out.resize(start + n);
    auto damagedBlock = [&] {
        out.resize(start);
        return damaged();
    };
    int64_t last = 0;
    for (size_t i = 0; i < n; ++i) out[start + i].step = last = plus(last, cursor.varint());
    last = 0;
    for (size_t i = 0; i < n; ++i) out[start + i].tokens = last = plus(last, cursor.varint());
    std::vector<uint64_t> words;
    if (flags & kMicros) {
        last = 0;
        for (size_t i = 0; i < n; ++i) out[start + i].seconds = static_cast<double>(last = plus(last, cursor.varint())) / 1e6;
    } else {
        if (!takeTransposed(cursor, n, words)) return damagedBlock();
        for (size_t i = 0; i < n; ++i) out[start + i].seconds = bitsAs<double>(words[i]);
    }
    if (flags & kFloatValues) {
        std::vector<uint32_t> narrow;
        if (!takeTransposed(cursor, n, narrow)) return damagedBlock();
        for (size_t i = 0; i < n; ++i) out[start + i].value = bitsAs<float>(narrow[i]);
    } else {
        if (!takeTransposed(cursor, n, words)) return damagedBlock();
        for (size_t i = 0; i < n; ++i) out[start + i].value = bitsAs<double>(words[i]);
    }
    if (cursor.bad || !cursor.bytes.empty()) return damagedBlock();
    return {};
}

void keepLastPerStep(std::vector<Point>& points) {
    bool rising = true;
    for (size_t i = 1; i < points.size() && rising; ++i) rising = points[i - 1].step < points[i].step;
    if (rising) return;
    std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.step < b.step; });
    size_t kept = 0;
    for (size_t i = 0; i < points.size(); ++i)
        if (i + 1 == points.size() || points[i + 1].step != points[i].step) points[kept++] = points[i];
    points.resize(kept);
}

// Jugel et al., "M4: A Visualization-Oriented Time Series Data Aggregation", VLDB 2014: first, minimum, maximum and last
// of each of maxPoints/4 buckets of equal width in step. Non-finite values take no part in it; they are kept apart and
// merged back, so that a NaN can neither hide a bucket nor be hidden.
std::vector<Point> sampleM4(std::span<const Point> points, int64_t maxPoints) {
    if (maxPoints <= 0 || static_cast<int64_t>(points.size()) <= maxPoints) return {points.begin(), points.end()};
    const auto odd = static_cast<int64_t>(std::count_if(points.begin(), points.end(), [](const Point& p) { return !std::isfinite(p.value); }));
    const int64_t shown = std::min(odd, maxPoints / 4);
    const int64_t buckets = std::max<int64_t>(1, (maxPoints - shown) / 4);
    const double first = static_cast<double>(points.front().step);
    const double width = (static_cast<double>(points.back().step) - first) / static_cast<double>(buckets);
    std::vector<const Point*> keep, strange;
    const Point *head = nullptr, *low = nullptr, *high = nullptr, *tail = nullptr;
    auto close = [&] {
        if (!head) return;
        const Point* four[] = {head, low, high, tail};
        std::sort(std::begin(four), std::end(four));
        for (size_t i = 0; i < 4; ++i)
            if (i == 0 || four[i] != four[i - 1]) keep.push_back(four[i]);
        head = nullptr;
    };
    int64_t current = -1;
    for (const Point& p : points) {
        if (!std::isfinite(p.value)) {
            strange.push_back(&p);
            continue;
        }
        const int64_t bucket = width > 0 ? std::min(buckets - 1, static_cast<int64_t>((static_cast<double>(p.step) - first) / width)) : 0;
        if (bucket != current) {
            close();
            current = bucket;
        }
        if (!head) head = low = high = &p;
        if (p.value < low->value) low = &p;
        if (p.value > high->value) high = &p;
        tail = &p;
    }
    close();
    // When the run is full of them, an even choice of the non-finite ones stands for all; their number is in the answer.
    for (int64_t i = 0; i < shown; ++i) keep.push_back(strange[static_cast<size_t>(i * odd / shown)]);
    std::sort(keep.begin(), keep.end());
    std::vector<Point> out;
    out.reserve(keep.size());
    for (const Point* p : keep) out.push_back(*p);
    return out;
}

}  // namespace assay::store
