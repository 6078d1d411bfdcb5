#pragma once
// Unicode data of the versions that the reference implementations use, made by tests/golden/unicode/make.py.
#include <cstddef>
#include <cstdint>

namespace assay::data::tables {

// Runs of code points: the low 21 bits are the first one, the bits above the value until the next run.
// kClasses: index into kBits. Its bits: 0-4 general category (Category in unicode.h, Unicode 16), 5 punctuation, 6 control or
// format, 7 non-spacing mark of the old tables, 8 combining mark of Unicode 9, 9 numeral of Unicode 17, 10 has a
// decomposition or combining class that is newer than Unicode 9, 11 PCRE2 has another category (kPcreOdd: which one, where it
// is not "unassigned").
extern const uint16_t kBits[];
extern const uint32_t kClasses[], kPcreOdd[], kWordExtra[], kGraphemes[], kScripts[], kOldScripts[];
extern const size_t kBitsCount, kClassesCount, kPcreOddCount, kWordExtraCount, kGraphemesCount, kScriptsCount, kOldScriptsCount;
// Lower case, three numbers a run: first code point with the stride from bit 24 on, count, what is added.
extern const uint32_t kLower[];
extern const size_t kLowerCount;
extern const char* const kScriptNames[];
extern const size_t kScriptNamesCount;
extern const char kPcreUnicode[];

}  // namespace assay::data::tables
