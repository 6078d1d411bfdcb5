#pragma once
// The model of a tokenizer: one word (a piece of the pre-tokenizer) → ids.
#include <assay/core/error.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay::data {

// What a tokenizer file says about its model.
struct ModelData {
    enum class Kind { kBpe, kWordPiece, kUnigram, kWordLevel };
    Kind kind = Kind::kBpe;
    std::vector<std::string> tokens;  // by id; holes are empty with present[id] == false
    std::vector<bool> present;
    struct Merge {
        int32_t left, right, result;
        uint32_t rank;
    };
    std::vector<Merge> merges;        // BPE
    std::string unknown;              // unk_token; empty: none
    std::string continuingPrefix;     // "##"
    std::string endSuffix;            // "</w>"
    bool fuseUnknown = false, byteFallback = false, ignoreMerges = false;
    bool byteLevel = false;           // words are raw bytes, tokens are written in GPT-2's alphabet
    int64_t maxWordCharacters = 100;  // WordPiece
    std::vector<double> scores;       // Unigram, by id
    int32_t unknownId = -1;           // Unigram
};

class WordModel {
public:
    virtual ~WordModel() = default;
    // Appends the ids of a word; with `ends` also the end of each id within the word, in bytes (the same end again: one more
    // id of the same stretch). Throws EncodeError when the word needs an unknown token and there is none.
    virtual void encode(std::string_view word, std::vector<int32_t>& ids, std::vector<uint32_t>* ends) const = 0;
    // A byte-level model that has neither a token for the byte nor for the unknown: it is lost, and ends do not count it.
    virtual bool losesByte(unsigned char) const { return false; }
};

Result<std::unique_ptr<WordModel>> makeBpe(const ModelData& data);
Result<std::unique_ptr<WordModel>> makeWordPiece(const ModelData& data);
Result<std::unique_ptr<WordModel>> makeUnigram(const ModelData& data);
Result<std::unique_ptr<WordModel>> makeWordLevel(const ModelData& data);

}  // namespace assay::data
