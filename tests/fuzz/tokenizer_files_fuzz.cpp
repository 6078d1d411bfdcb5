// Vocabularies in other formats than tokenizer.json: SentencePiece models, tiktoken ranks, tekken.json, vocab.txt, RWKV's and
// vocab.json with merges. The first byte chooses; what loads must encode and decode any bytes.
#include <cstdint>
#include <string>

#include "tokenizer/rank_vocabulary.h"
#include "tokenizer/rwkv.h"
#include "tokenizer/sentencepiece.h"
#include "tokenizer/vocabulary_files.h"

namespace {

assay::Result<assay::data::TokenizerPtr> opened(uint8_t kind, std::string text) {
    using namespace assay::data;
    switch (kind % 6) {
        case 0: return tokenizerFromSentencePiece(std::move(text), "fuzz", {}, {});
        case 1: return tokenizerFromTiktoken(text, "fuzz", {});
        case 2: return tokenizerFromTekken(text, "fuzz", {});
        case 3: return tokenizerFromVocabTxt(text, assay::Json(), "fuzz", {});
        case 5: return tokenizerFromRwkv(text, "fuzz", {});
        default: break;
    }
    const size_t end = text.find('\0');
    return tokenizerFromVocabAndMerges(text.substr(0, end), end == text.npos ? std::string() : text.substr(end + 1), assay::Json(), "fuzz", {});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    auto tokenizer = opened(data[0], std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
    if (!tokenizer) return 0;
    assay::data::Encoding encoding;
    if (!tryEncode(**tokenizer, "Hello  wörld 12\n\xFF▁x e\u0301 한国 a\u3000b ", {.addSpecial = true, .parseSpecial = true, .offsets = true}, encoding)) return 0;
    (*tokenizer)->decode(encoding.ids);
    return 0;
}
