#pragma once
// Unicode normalization forms (UAX #15) with the data of Unicode 9, as the reference implementation has it: characters
// newer than that have no decomposition and are starters.
#include "tokenizer/text.h"

namespace assay::data {

struct UnicodeForm {
    bool compatible = false, compose = false;
};
void applyForm(Text& text, UnicodeForm form);

}  // namespace assay::data
