#pragma once
// Byte-pair encoding as a word model.
#include <array>
#include <bitset>

#include "tokenizer/bpe_merges.h"
#include "tokenizer/model.h"
#include "tokenizer/word_cache.h"

namespace assay::data {

class Bpe final : public WordModel {
public:
    Result<void> build(const ModelData& data);
    void encode(std::string_view word, std::vector<int32_t>& ids, std::vector<uint32_t>* ends) const override;
    bool losesByte(unsigned char byte) const override;

    // For callers that have a cache of their own and cut the text themselves.
    void encodeUncached(std::string_view word, std::vector<int32_t>& ids) const { encodeWord(word, 0, ids, nullptr); }
    // Words are raw bytes and nothing is added to them.
    bool plainBytes() const { return options_.byteLevel && options_.continuingPrefix.empty() && options_.endSuffix.empty(); }

private:
    void findCrossings(const ModelData& data);
    void encodeCached(std::string_view word, WordCache& cache, IdBuffer& out) const;
    void encodeWord(std::string_view word, uint32_t offset, std::vector<int32_t>& ids, std::vector<uint32_t>* ends) const;
    void initialSymbols(std::string_view word, std::vector<BpeSymbol>& out) const;
    bool allFallback(std::string_view bytes) const;
    template <class Part>
    void forParts(std::string_view word, Part part) const;

    ModelData options_;
    std::unique_ptr<std::vector<std::string>> texts_;  // what the keys of table_ refer to
    StringTable table_;
    BpeMerges merges_;
    std::array<int32_t, 256> bytes_{}, fallback_{};
    int32_t unknown_ = -1;
    // A text that is one word may be cut before a run of ▁, as no token spans that place; crossing_ holds the bytes after
    // which one does.
    bool cutsAtMetaspace_ = false;
    std::bitset<256> crossing_;
    uint64_t instance_ = WordCache::newInstance();
};

}  // namespace assay::data
