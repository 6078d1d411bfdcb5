#pragma once
#include <assay/data/tokenizer.h>

namespace assay::data {

// Ids 0 to 255 are the bytes; 256 is <|endoftext|>, which ends a document. No BOS.
TokenizerPtr byteTokenizer();

}  // namespace assay::data
