// BertNormalizer, BertPreTokenizer and WordPiece in one pass. Words of ASCII letters and digits, the usual case, are lowered
// and looked up; a stretch with other characters goes through the general path once and is remembered by its bytes. White
// space, ASCII punctuation and ideographs always stand by themselves, whatever is around them, so cutting there is exact.
#include <array>
#include <string>

#include "tokenizer/fast_encoder.h"
#include "tokenizer/scan.h"
#include "tokenizer/word_cache.h"

#include <assay/core/hash.h>

namespace assay::data {
namespace {

enum Kind : uint8_t { kWordByte, kBlankByte, kSignByte, kOtherByte };  // the last: control characters and all that is not ASCII
constexpr std::array<uint8_t, 256> kKinds = [] {
    std::array<uint8_t, 256> t{};
    for (size_t b = 0; b < 256; ++b) {
        const uint8_t c = b < 128 ? kAsciiClass[b] : uint8_t{0};
        t[b] = c & (kLetter | kNumber) ? kWordByte : b == ' ' || b == '\t' || b == '\n' || b == '\r' ? kBlankByte : c & (kPunctuation | kSymbol) ? kSignByte : kOtherByte;
    }
    return t;
}();

class FastBert : public FastEncoder {
public:
    FastBert(const FastParts& parts, bool lower, bool ideographs) : model_(parts.model), general_(parts.general), lower_(lower), ideographs_(ideographs) {
        for (size_t b = 0; b < 128; ++b) {
            if (kKinds[b] != kSignByte) continue;
            std::vector<int32_t> ids;
            const char c = static_cast<char>(b);
            model_.encode(std::string_view(&c, 1), ids, nullptr);
            signs_[b] = ids.at(0);  // one character is one piece or unknown
        }
    }
    bool takesRaw(std::string_view) const override { return true; }

    void encode(std::string_view text, std::vector<int32_t>& ids) const override {
        WordCache& cache = WordCache::ofThread(instance_);
        IdBuffer out(ids);
        const size_t size = text.size();
        for (size_t i = 0; i < size;) {
            const auto b = static_cast<unsigned char>(text[i]);
            switch (kKinds[b]) {
                case kBlankByte: ++i; break;
                case kSignByte:
                    out.push(signs_[b]);
                    ++i;
                    break;
                case kWordByte: i = word(text, i, cache, out); break;
                default: i = stretch(text, i, i, cache, out);
            }
        }
    }

private:
    // The word that begins with the ASCII letter or digit at i; returns where it ends.
    size_t word(std::string_view text, size_t i, WordCache& cache, IdBuffer& out) const {
#if defined(__SSE2__)
        if (i + 16 <= text.size()) {
            __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + i));
            const __m128i small = _mm_or_si128(v, _mm_set1_epi8(0x20));
            const __m128i letter = _mm_and_si128(_mm_cmpgt_epi8(small, _mm_set1_epi8('a' - 1)), _mm_cmplt_epi8(small, _mm_set1_epi8('z' + 1)));
            const __m128i digit = _mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8('0' - 1)), _mm_cmplt_epi8(v, _mm_set1_epi8('9' + 1)));
            const auto others = static_cast<uint32_t>(_mm_movemask_epi8(_mm_or_si128(letter, digit))) ^ 0xFFFFu;
            if (others) {
                const auto size = static_cast<size_t>(__builtin_ctz(others));
                const uint8_t after = kKinds[static_cast<unsigned char>(text[i + size])];
                if (after != kOtherByte) {
                    if (lower_) v = _mm_or_si128(v, _mm_and_si128(letter, _mm_set1_epi8(0x20)));
                    char bytes[16];
                    _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes), v);
                    const WordCache::Key key = WordCache::keyOf(bytes, size, sizeof bytes);
                    if (!cache.find(key, out)) newWord(std::string_view(bytes, size), key, cache, out);
                    return i + size;
                }
                return stretch(text, i, i + size, cache, out);
            }
        }
#endif
        size_t j = i + 1;
        while (j < text.size() && kKinds[static_cast<unsigned char>(text[j])] == kWordByte) ++j;
        if (j < text.size() && kKinds[static_cast<unsigned char>(text[j])] == kOtherByte) return stretch(text, i, j, cache, out);
        asciiWord(text.substr(i, j - i), cache, out);
        return j;
    }
    // What begins at i and is plain up to j, with all up to white space, a sign or an ideograph; returns where it ends.
    [[gnu::noinline]] size_t stretch(std::string_view text, size_t i, size_t j, WordCache& cache, IdBuffer& out) const {
        const Scan scan(text, static_cast<uint32_t>(text.size()));
        while (j < text.size()) {
            const auto b = static_cast<unsigned char>(text[j]);
            if (kKinds[b] == kBlankByte || kKinds[b] == kSignByte) break;
            uint32_t next;
            bool valid;
            const char32_t c = scan.at(static_cast<uint32_t>(j), next, valid);
            // The oldest ideographs: nothing decomposes or changes them in any version.
            if (ideographs_ && valid && ((c >= 0x4E00 && c <= 0x9FA5) || (c >= 0x3400 && c <= 0x4DB5))) {
                if (j > i) break;
                const WordCache::Key key = WordCache::keyOf(text.data() + i, next - i, text.size() - i);
                if (!cache.find(key, out)) newWord(text.substr(i, next - i), key, cache, out);
                return next;
            }
            j = next;
        }
        const std::string_view part = text.substr(i, j - i);
        if (part.size() > WordCache::kMaxWord) {
            general_(part, out.flushed());
        } else if (part.size() > WordCache::kShort) {
            remember(part, cache, out, [&](std::vector<int32_t>& ids) { general_(part, ids); });
        } else {
            const WordCache::Key key = WordCache::keyOf(part);
            if (cache.find(key, out)) return j;
            std::vector<int32_t>& ids = out.flushed();
            const size_t before = ids.size();
            general_(part, ids);
            cache.put(key, ids.data() + before, ids.size() - before);
        }
        return j;
    }
    [[gnu::noinline]] void newWord(std::string_view word, const WordCache::Key& key, WordCache& cache, IdBuffer& out) const {
        std::vector<int32_t>& ids = out.flushed();
        const size_t before = ids.size();
        model_.encode(word, ids, nullptr);
        cache.put(key, ids.data() + before, ids.size() - before);
    }
    [[gnu::noinline]] void asciiWord(std::string_view word, WordCache& cache, IdBuffer& out) const {
        char buffer[WordCache::kMaxWord];
        std::string longer;
        char* small = buffer;
        if (word.size() > sizeof buffer) {
            longer.resize(word.size());
            small = longer.data();
        }
        for (size_t k = 0; k < word.size(); ++k) {
            const char c = word[k];
            small[k] = lower_ && c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
        }
        const std::string_view lowered(small, word.size());
        if (lowered.size() > WordCache::kMaxWord) return model_.encode(lowered, out.flushed(), nullptr);
        if (lowered.size() > WordCache::kShort) return remember(lowered, cache, out, [&](std::vector<int32_t>& ids) { model_.encode(lowered, ids, nullptr); });
        const WordCache::Key key = WordCache::keyOf(lowered);
        if (!cache.find(key, out)) newWord(lowered, key, cache, out);
    }
    // Keys of lowered words are ASCII letters and digits, keys of stretches never are: one cache serves both.
    template <class Encode>
    static void remember(std::string_view key, WordCache& cache, IdBuffer& out, Encode encode) {
        const uint64_t hash = xxh3(key);
        if (cache.findLong(hash, key, out)) return;
        std::vector<int32_t>& ids = out.flushed();
        const size_t before = ids.size();
        encode(ids);
        cache.putLong(hash, key, ids.data() + before, ids.size() - before);
    }

    const WordModel& model_;
    std::function<void(std::string_view, std::vector<int32_t>&)> general_;
    bool lower_, ideographs_;
    std::array<int32_t, 128> signs_{};
    uint64_t instance_ = WordCache::newInstance();
};

}  // namespace

std::unique_ptr<FastEncoder> makeFastBert(const FastParts& parts) {
    const Json& normalizer = parts.normalizer;
    if (jsonStringOr(normalizer, "type", "") != "BertNormalizer" || jsonStringOr(parts.preTokenizer, "type", "") != "BertPreTokenizer") return nullptr;
    return std::make_unique<FastBert>(parts, jsonBoolOr(normalizer, "lowercase", true), jsonBoolOr(normalizer, "handle_chinese_chars", true));
}

}  // namespace assay::data
