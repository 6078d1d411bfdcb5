#include "tokenizer/bpe.h"

#include <utility>

#include <algorithm>
#include <cstdio>

#include "tokenizer/byte_level.h"
#include "tokenizer/unicode.h"

namespace assay::data {
namespace {
constexpr std::string_view kMetaspace = "▁";
}

Result<void> Bpe::build(const ModelData& d) {
    options_ = d;
    options_.merges.clear();
    options_.tokens.clear();
    texts_ = std::make_unique<std::vector<std::string>>(d.tokens);
    table_.reserve(d.tokens.size());
    for (size_t id = 0; id < d.tokens.size(); ++id) {
        if (!d.present[id]) continue;
        std::string& text = (*texts_)[id];
        if (d.byteLevel) {
            auto raw = fromByteChars(text);
            if (!raw) continue;  // only reachable as an added token
            text = std::move(*raw);
        }
        table_.insert(text, static_cast<int32_t>(id));
    }
    fallback_.fill(-1);
    for (int b = 0; b < 256; ++b) {
        const char c = static_cast<char>(b);
        bytes_[static_cast<size_t>(b)] = table_.find(std::string_view(&c, 1));
        if (d.byteFallback) {
            char name[8];
            std::snprintf(name, sizeof name, "<0x%02X>", b);
            fallback_[static_cast<size_t>(b)] = table_.find(name);
        }
    }
    if (!d.unknown.empty()) {
        unknown_ = table_.find(d.unknown);
        if (unknown_ < 0) return fail(ErrorCode::kInvalidFile, "tokenizer: unk_token \"" + d.unknown + "\" is not in the vocabulary");
    }
    int32_t firstByte = -1;
    for (const int32_t id : bytes_)
        if (id >= 0 && (firstByte < 0 || id < firstByte)) firstByte = id;
    merges_.build(d.merges, std::max(firstByte, 0));
    findCrossings(d);
    return {};
}

void Bpe::findCrossings(const ModelData& d) {
    if (d.byteLevel || d.ignoreMerges || !d.continuingPrefix.empty() || !d.endSuffix.empty()) return;
    if (d.fuseUnknown && table_.find(kMetaspace) < 0) return;  // an unknown ▁ would join an unknown before it
    for (const auto& m : d.merges) {
        const std::string& left = d.tokens[static_cast<size_t>(m.left)];
        if (left.empty() || !d.tokens[static_cast<size_t>(m.right)].starts_with(kMetaspace) || left.ends_with(kMetaspace)) continue;
        crossing_.set(static_cast<unsigned char>(left.back()));
    }
    cutsAtMetaspace_ = crossing_.count() <= 32;
}

// Calls part(begin, end) for the parts of a word that can be encoded by themselves.
template <class Part>
void Bpe::forParts(std::string_view word, Part part) const {
    size_t from = 0;
    if (cutsAtMetaspace_) {
        for (size_t at = word.find(kMetaspace, 1); at != word.npos; at = word.find(kMetaspace, at + kMetaspace.size())) {
            if (crossing_[static_cast<unsigned char>(word[at - 1])]) continue;
            if (at >= kMetaspace.size() && word.substr(at - kMetaspace.size(), kMetaspace.size()) == kMetaspace) continue;
            part(from, at);
            from = at;
        }
    }
    if (from < word.size()) part(from, word.size());
}

void Bpe::encode(std::string_view word, std::vector<int32_t>& ids, std::vector<uint32_t>* ends) const {
    if (ends) {
        forParts(word, [&](size_t from, size_t to) { encodeWord(word.substr(from, to - from), static_cast<uint32_t>(from), ids, ends); });
        return;
    }
    WordCache& cache = WordCache::ofThread(instance_);
    IdBuffer out(ids);
    forParts(word, [&](size_t from, size_t to) { encodeCached(word.substr(from, to - from), cache, out); });
}

void Bpe::encodeCached(std::string_view word, WordCache& cache, IdBuffer& out) const {
    if (word.size() <= WordCache::kShort) {
        const WordCache::Key key = WordCache::keyOf(word);
        if (cache.find(key, out)) return;
        std::vector<int32_t>& ids = out.flushed();
        const size_t before = ids.size();
        encodeWord(word, 0, ids, nullptr);
        cache.put(key, ids.data() + before, ids.size() - before);
        return;
    }
    if (word.size() > WordCache::kMaxWord) return encodeWord(word, 0, out.flushed(), nullptr);
    const uint64_t hash = xxh3(word);
    if (cache.findLong(hash, word, out)) return;
    std::vector<int32_t>& ids = out.flushed();
    const size_t before = ids.size();
    encodeWord(word, 0, ids, nullptr);
    cache.putLong(hash, word, ids.data() + before, ids.size() - before);
}

void Bpe::encodeWord(std::string_view word, uint32_t offset, std::vector<int32_t>& ids, std::vector<uint32_t>* ends) const {
    if (options_.ignoreMerges) {
        if (const int32_t id = table_.find(word); id >= 0) {
            ids.push_back(id);
            if (ends) ends->push_back(offset + static_cast<uint32_t>(word.size()));
            return;
        }
    }
    thread_local std::vector<BpeSymbol> symbols;
    symbols.clear();
    initialSymbols(word, symbols);
    merges_.merge(symbols);
    for (const BpeSymbol& s : symbols) {
        ids.push_back(s.id);
        if (ends) ends->push_back(offset + s.end);
    }
    if (symbols.capacity() > (1u << 20)) std::vector<BpeSymbol>().swap(symbols);
}

// Ends are sums of the lengths of what was put before, as in the reference implementation: without an unk_token a character
// that has no token is lost and counts for nothing, and an unknown that waits to be joined comes after the byte tokens that
// follow it.
void Bpe::initialSymbols(std::string_view word, std::vector<BpeSymbol>& out) const {
    uint32_t end = 0;
    size_t waiting = 0;  // length of an unknown that the next one may join; 0: none
    const auto put = [&](int32_t id, size_t length) {
        end += static_cast<uint32_t>(length);
        out.push_back({id, end});
    };
    const auto flush = [&] {
        if (waiting > 0) put(unknown_, std::exchange(waiting, 0));
    };
    const auto unknown = [&](size_t length) {
        if (unknown_ < 0) return;
        if (!options_.fuseUnknown) flush();
        waiting += length;
    };
    if (plainBytes()) {
        for (const char c : word) {
            const int32_t id = bytes_[static_cast<unsigned char>(c)];
            if (id < 0) {
                unknown(1);
                continue;
            }
            flush();
            put(id, 1);
        }
        return flush();
    }
    std::string text;
    for (size_t i = 0; i < word.size();) {
        const size_t length = codePointAt(word, i).bytes;
        const bool last = i + length == word.size();
        std::string_view key = word.substr(i, length);
        if ((i > 0 && !options_.continuingPrefix.empty()) || (last && !options_.endSuffix.empty())) {
            text = i > 0 ? options_.continuingPrefix : "";
            text += key;
            if (last) text += options_.endSuffix;
            key = text;
        }
        const int32_t id = key.size() == 1 ? bytes_[static_cast<unsigned char>(key[0])] : table_.find(key);
        if (id >= 0) {
            flush();
            put(id, length);
        } else if (options_.byteFallback && allFallback(key)) {
            for (size_t k = 0; k < key.size(); ++k) put(fallback_[static_cast<unsigned char>(key[k])], k < length ? 1 : 0);
        } else {
            unknown(length);
        }
        i += length;
    }
    flush();
}

bool Bpe::losesByte(unsigned char byte) const { return unknown_ < 0 && plainBytes() && bytes_[byte] < 0; }

bool Bpe::allFallback(std::string_view bytes) const {
    for (char b : bytes)
        if (fallback_[static_cast<unsigned char>(b)] < 0) return false;
    return true;
}

Result<std::unique_ptr<WordModel>> makeBpe(const ModelData& data) {
    auto bpe = std::make_unique<Bpe>();
    ASSAY_TRY_VOID(bpe->build(data));
    return bpe;
}

}  // namespace assay::data
