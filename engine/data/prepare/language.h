#pragma once
// Which language a text is in: by the script of its letters, and among languages that share one by the three-letter pieces
// of its words (naive Bayes over character n-grams, as McNamee 2005 and Lui & Baldwin 2012 do it; the table is made by
// tests/golden/languages/make.py). No state; any number of threads.
//
// What it cannot know: a language that is not listed is taken for the nearest of its script. Latin letters: en de fr es it pt
// nl sv da nb pl cs hu ro fi tr vi id; Cyrillic: ru uk sr; by the script alone: el, he, th, ko, ja (kana), zh (Han without
// kana), ar (Arabic letters, so Persian and Urdu too). A script of none of these is "other".
#include <string_view>

namespace assay::data {

constexpr int kUnknownLanguage = -1;

struct IdentifiedLanguage {
    int language = kUnknownLanguage;  // unknown: too few letters, no script of which half the letters are, or two languages
                                      // that are about as likely
    double margin = 0;                // of the likeliest over the next, nats; 0 where the script alone decides
};
IdentifiedLanguage identifyLanguage(std::string_view text);  // of its first kMostLetters letters

constexpr int kMostLetters = 4096;
constexpr int kLeastLetters = 12;     // of alphabets; of Han, kana and Hangul a third of it
constexpr double kLeastMargin = 4;    // nats

const char* languageCode(int language);  // "en", "other"
const char* languageName(int language);  // "English"
int languageByCode(std::string_view code);  // kUnknownLanguage: not known

// The table: pieces of three code points ("_" is a word's edge), each followed by a level for each language.
extern const char* const kLatinLanguages;
extern const char* const kLatinPieces;
extern const char* const kCyrillicLanguages;
extern const char* const kCyrillicPieces;

}  // namespace assay::data
