#pragma once
#include <assay/core/json.h>

#include "tokenizer/text.h"

namespace assay::data {

class Normalizer {
public:
    virtual ~Normalizer() = default;
    virtual void apply(Text& text) const = 0;
    // It may put in characters that stand for nothing of the input; the reference implementation then repeats text in the
    // steps after it, so that ids depend on alignments.
    virtual bool insertsNothings() const { return false; }
};
using NormalizerPtr = std::shared_ptr<const Normalizer>;

// From the "normalizer" value of a tokenizer.json; null gives a null pointer.
Result<NormalizerPtr> makeNormalizer(const Json& json);

// Replaces every match of a literal or regular expression: shared by normalizers and decoders.
class Replacer {
public:
    static Result<Replacer> make(const Json& json);  // {"pattern": {"String"|"Regex": …}, "content": …}
    void apply(Text& text) const;
    bool matchesEmpty() const;

private:
    std::string literal_, content_;
    std::shared_ptr<const class Regex> regex_;
};

}  // namespace assay::data
