#pragma once
#include <assay/core/json.h>

#include "tokenizer/text.h"

namespace assay::data {

// A stretch of text cut into pieces; each piece is a word for the model.
struct Pieces {
    Text text;
    std::vector<Span> spans;
    bool startsInput = true;  // the stretch begins at the first byte of the input
};

class PreTokenizer {
public:
    virtual ~PreTokenizer() = default;
    virtual void apply(Pieces& pieces) const = 0;
    virtual bool rewrites() const { return false; }      // changes the text, not only where it is cut
    virtual bool looksAtPlace() const { return false; }  // does something else at the start of the input
};

struct PreTokenizerPlan {
    std::vector<std::shared_ptr<const PreTokenizer>> steps;
    bool looksAtPlace = false, looksAtRewrittenPlace = false;  // some step does; some step does after one that rewrites
    bool endsInByteLevel = false;  // the last step writes every byte as a character; it is left out of `steps`
};

// From the "pre_tokenizer" value of a tokenizer.json; null gives an empty plan.
Result<PreTokenizerPlan> makePreTokenizer(const Json& json);
// The step that `endsInByteLevel` stands for, for models that work on characters.
std::shared_ptr<const PreTokenizer> byteLevelMapping();

}  // namespace assay::data
