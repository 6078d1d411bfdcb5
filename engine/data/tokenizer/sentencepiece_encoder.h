#pragma once
// Text → ids as SentencePiece 0.2 does it: its normalization, and its four kinds of model.
#include <memory>
#include <vector>

#include "tokenizer/piece_trie.h"
#include "tokenizer/precompiled.h"
#include "tokenizer/sentencepiece_model.h"

namespace assay::data {

class SentencePieceEncoder {
public:
    static Result<std::unique_ptr<SentencePieceEncoder>> make(SentencePieceModel model);
    const SentencePieceModel& model() const { return model_; }
    int32_t idOf(std::string_view piece) const;  // the unknown piece's when there is none

    // Appends. `offset` is added to byte offsets. `start`: the text begins here, so that the dummy prefix goes in front.
    void encode(std::string_view text, uint32_t offset, bool start, std::vector<int32_t>& ids, std::vector<std::pair<uint32_t, uint32_t>>* offsets) const;

private:
    struct Normalized {
        std::string text;
        std::vector<uint32_t> place;  // of every byte in the input, and of the end
    };
    struct Found {
        uint32_t begin, end;  // in the normalized text
        int32_t id;
    };
    std::pair<std::string_view, size_t> normalizePrefix(std::string_view text) const;
    void normalize(std::string_view text, bool start, Normalized& out) const;
    void unigram(std::string_view text, std::vector<Found>& out) const;
    void bpe(std::string_view text, std::vector<Found>& out) const;
    void words(std::string_view text, std::vector<Found>& out) const;
    void characters(std::string_view text, std::vector<Found>& out) const;
    size_t symbolAt(std::string_view text, size_t at, bool& fixed) const;

    SentencePieceModel model_;
    std::optional<CharsMap> rules_;
    PieceTrie pieces_, reserved_, user_;
    std::vector<int32_t> bytes_;
    float lowest_ = 0, highest_ = 0;
};

}  // namespace assay::data
