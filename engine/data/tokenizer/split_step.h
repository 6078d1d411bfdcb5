#pragma once
// The pre-tokenizers that only cut: a splitter says where, a behaviour what becomes of what it found.
#include "tokenizer/pre_tokenizer.h"
#include "tokenizer/splitter.h"

namespace assay::data {

enum class Behaviour { kRemoved, kIsolated, kMergedWithPrevious, kMergedWithNext, kContiguous };
Result<Behaviour> behaviourOf(const std::string& name);  // as tokenizer.json writes it

// `invert`: what lies between the matches is what was found.
std::shared_ptr<const PreTokenizer> split(SplitterPtr splitter, Behaviour behaviour, bool invert = false);

// Every single character of a kind is a match.
SplitterPtr numeralSplitter();
SplitterPtr blankSplitter();
SplitterPtr punctuationSplitter();
// Runs of word characters, and runs of what is neither those nor blank.
SplitterPtr wordSplitter();

}  // namespace assay::data
