#pragma once
// A SentencePiece model file (sentencepiece_model.proto, a protocol-buffers message) read with limits.
#include <assay/core/error.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::data {

struct SentencePieceModel {
    enum class Kind { kUnigram = 1, kBpe = 2, kWord = 3, kChar = 4 };
    enum class Type : uint8_t { kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4, kUnused = 5, kByte = 6 };
    struct Piece {
        std::string text;
        float score = 0;
        Type type = Type::kNormal;
    };
    std::vector<Piece> pieces;  // by id
    Kind kind = Kind::kUnigram;
    bool whitespaceSuffix = false, byteFallback = false;
    std::string unknownSurface = " \xE2\x81\x87 ";  // what an unknown piece decodes to
    std::string bosPiece = "<s>", eosPiece = "</s>";
    std::string charsmap;                           // normalization rules, see precompiled.h; empty: none
    bool dummyPrefix = true, removeExtraWhitespace = true, escapeWhitespace = true;
    int32_t unknownId = -1;

    static Result<SentencePieceModel> parse(std::string_view bytes, const std::string& what);
};

}  // namespace assay::data
