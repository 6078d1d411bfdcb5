// Byte-pair encoding (Sennrich et al. 2016): the pair of lowest rank, leftmost first, is merged until none is left.
// Short words are merged in place, long ones with a heap over a linked list, so that no word costs quadratic time.
#include <array>
#include <atomic>
#include <queue>

#include "tokenizer/byte_level.h"
#include "tokenizer/flat_map.h"
#include "tokenizer/model.h"
#include "tokenizer/unicode.h"
#include "tokenizer/word_cache.h"

namespace assay::data {
namespace {

constexpr size_t kShort = 40;  // symbols up to which scanning beats a heap

struct Symbol {
    int32_t id;
    uint32_t end;  // within the word
};

class Bpe : public WordModel {
public:
    Result<void> build(const ModelData& d) {
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
        merges_.reserve(d.merges.size());
        for (const auto& m : d.merges) merges_.set(m.left, m.right, {m.rank, m.result});
        cutAtMetaspace_ = !d.byteLevel && d.continuingPrefix.empty() && d.endSuffix.empty() && !d.ignoreMerges && noTokenCrossesMetaspace(d);
        return {};
    }

    void encode(std::string_view word, std::vector<int32_t>& ids, std::vector<uint32_t>* ends) const override {
        if (!cutAtMetaspace_) return encodeCached(word, 0, ids, ends);
        // A whole text as one word: no token spans "x▁", so cutting there changes nothing and keeps words short.
        size_t from = 0;
        for (size_t at = word.find(kMetaspace, 1); at != word.npos; at = word.find(kMetaspace, at + kMetaspace.size())) {
            if (at >= kMetaspace.size() && word.substr(at - kMetaspace.size(), kMetaspace.size()) == kMetaspace) continue;
            encodeCached(word.substr(from, at - from), static_cast<uint32_t>(from), ids, ends);
            from = at;
        }
        if (from < word.size()) encodeCached(word.substr(from), static_cast<uint32_t>(from), ids, ends);
    }

private:
    static constexpr std::string_view kMetaspace = "▁";

    static bool noTokenCrossesMetaspace(const ModelData& d) {
        for (const auto& m : d.merges) {
            const std::string& left = d.tokens[static_cast<size_t>(m.left)];
            if (d.tokens[static_cast<size_t>(m.right)].starts_with(kMetaspace) && !left.ends_with(kMetaspace)) return false;
        }
        return true;
    }

    void encodeCached(std::string_view word, uint32_t offset, std::vector<int32_t>& ids, std::vector<uint32_t>* ends) const {
        if (ends || word.size() > WordCache::kMaxWord) return encodeWord(word, offset, ids, ends);
        WordCache& cache = WordCache::ofThread(instance_);
        const uint64_t hash = xxh3(word);
        if (cache.find(hash, word, ids)) return;
        const size_t before = ids.size();
        encodeWord(word, 0, ids, nullptr);
        cache.put(hash, word, ids.data() + before, ids.size() - before);
    }

    void encodeWord(std::string_view word, uint32_t offset, std::vector<int32_t>& ids, std::vector<uint32_t>* ends) const {
        if (options_.ignoreMerges) {
            if (const int32_t id = table_.find(word); id >= 0) {
                ids.push_back(id);
                if (ends) ends->push_back(offset + static_cast<uint32_t>(word.size()));
                return;
            }
        }
        thread_local std::vector<Symbol> symbols;
        symbols.clear();
        initialSymbols(word, symbols);
        if (symbols.size() <= kShort) {
            mergeShort(symbols);
        } else {
            mergeLong(symbols);
        }
        for (const Symbol& s : symbols) {
            ids.push_back(s.id);
            if (ends) ends->push_back(offset + s.end);
        }
    }

    void initialSymbols(std::string_view word, std::vector<Symbol>& out) const {
        bool pendingUnknown = false;  // the last symbol is an unknown that the next one may join
        auto unknown = [&](size_t end) {
            if (unknown_ < 0) {  // without an unk_token the character is lost, as in the reference implementation
                return;
            }
            if (pendingUnknown && options_.fuseUnknown) {
                out.back().end = static_cast<uint32_t>(end);
            } else {
                out.push_back({unknown_, static_cast<uint32_t>(end)});
            }
            pendingUnknown = true;
        };
        if (options_.byteLevel && options_.continuingPrefix.empty() && options_.endSuffix.empty()) {
            for (size_t i = 0; i < word.size(); ++i) {
                const int32_t id = bytes_[static_cast<unsigned char>(word[i])];
                if (id >= 0) {
                    out.push_back({id, static_cast<uint32_t>(i + 1)});
                    pendingUnknown = false;
                } else {
                    unknown(i + 1);
                }
            }
            return;
        }
        std::string text;
        for (size_t i = 0; i < word.size();) {
            const CodePoint c = codePointAt(word, i);
            const size_t end = i + c.bytes;
            std::string_view key = word.substr(i, c.bytes);
            if ((i > 0 && !options_.continuingPrefix.empty()) || (end == word.size() && !options_.endSuffix.empty())) {
                text = i > 0 ? options_.continuingPrefix : "";
                text += key;
                if (end == word.size()) text += options_.endSuffix;
                key = text;
            }
            const int32_t id = key.size() == 1 ? bytes_[static_cast<unsigned char>(key[0])] : table_.find(key);
            if (id >= 0) {
                out.push_back({id, static_cast<uint32_t>(end)});
                pendingUnknown = false;
            } else if (options_.byteFallback && allFallback(key)) {
                for (size_t k = 0; k < key.size(); ++k)
                    out.push_back({fallback_[static_cast<unsigned char>(key[k])], static_cast<uint32_t>(k + 1 == key.size() ? end : std::min(i + k + 1, end))});
                pendingUnknown = false;
            } else {
                unknown(end);
            }
            i = end;
        }
    }
    bool allFallback(std::string_view bytes) const {
        for (char b : bytes)
            if (fallback_[static_cast<unsigned char>(b)] < 0) return false;
        return true;
    }

    void mergeShort(std::vector<Symbol>& s) const {
        if (s.size() < 2) return;
        std::array<MergeTable::Merge, kShort> pair;
        size_t n = s.size();
        for (size_t i = 0; i + 1 < n; ++i) pair[i] = merges_.find(s[i].id, s[i + 1].id);
        while (n > 1) {
            size_t best = 0;
            for (size_t i = 1; i + 1 < n; ++i)
                if (pair[i].rank < pair[best].rank) best = i;
            if (pair[best].rank == UINT32_MAX) break;
            s[best] = {pair[best].result, s[best + 1].end};
            for (size_t i = best + 1; i + 1 < n; ++i) {
                s[i] = s[i + 1];
                if (i + 2 < n) pair[i] = pair[i + 1];
            }
            --n;
            if (best + 1 < n) pair[best] = merges_.find(s[best].id, s[best + 1].id);
            if (best > 0) pair[best - 1] = merges_.find(s[best - 1].id, s[best].id);
        }
        s.resize(n);
    }

    void mergeLong(std::vector<Symbol>& s) const {
        const size_t n = s.size();
        constexpr uint32_t kNone = UINT32_MAX;
        std::vector<uint32_t> previous(n), next(n);
        std::vector<bool> gone(n, false);
        for (size_t i = 0; i < n; ++i) {
            previous[i] = i == 0 ? kNone : static_cast<uint32_t>(i - 1);
            next[i] = i + 1 == n ? kNone : static_cast<uint32_t>(i + 1);
        }
        std::vector<uint64_t> queueStorage;
        queueStorage.reserve(n);
        for (size_t i = 0; i + 1 < n; ++i)
            if (const auto m = merges_.find(s[i].id, s[i + 1].id); m.rank != UINT32_MAX)
                queueStorage.push_back(static_cast<uint64_t>(m.rank) << 32 | i);
        std::priority_queue<uint64_t, std::vector<uint64_t>, std::greater<>> queue(std::greater<>{}, std::move(queueStorage));
        auto push = [&](uint32_t i) {
            if (i == kNone || next[i] == kNone) return;
            if (const auto m = merges_.find(s[i].id, s[next[i]].id); m.rank != UINT32_MAX) queue.push(static_cast<uint64_t>(m.rank) << 32 | i);
        };
        while (!queue.empty()) {
            const uint64_t top = queue.top();
            queue.pop();
            const auto i = static_cast<uint32_t>(top);
            if (gone[i] || next[i] == kNone) continue;
            const uint32_t j = next[i];
            const auto m = merges_.find(s[i].id, s[j].id);
            if (m.rank != static_cast<uint32_t>(top >> 32)) continue;  // the pair changed since it was queued
            s[i] = {m.result, s[j].end};
            gone[j] = true;
            next[i] = next[j];
            if (next[i] != kNone) previous[next[i]] = i;
            push(previous[i]);
            push(i);
        }
        size_t out = 0;
        for (uint32_t i = 0; i != kNone; i = next[i]) s[out++] = s[i];
        s.resize(out);
    }

    ModelData options_;
    std::unique_ptr<std::vector<std::string>> texts_;  // what the keys of table_ refer to
    StringTable table_;
    MergeTable merges_;
    std::array<int32_t, 256> bytes_{}, fallback_ = [] {
        std::array<int32_t, 256> none;
        none.fill(-1);
        return none;
    }();
    int32_t unknown_ = -1;
    bool cutAtMetaspace_ = false;
    uint64_t instance_ = WordCache::newInstance();
};

}  // namespace

Result<std::unique_ptr<WordModel>> makeBpe(const ModelData& data) {
    auto bpe = std::make_unique<Bpe>();
    ASSAY_TRY_VOID(bpe->build(data));
    return bpe;
}

}  // namespace assay::data
