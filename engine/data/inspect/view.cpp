#include <algorithm>
#include <unordered_map>

#include "inspect/data_file.h"

namespace assay::data {

bool isSpecialToken(const Tokenizer& tokenizer, int32_t id) {
    const int32_t one[] = {id};
    return tokenizer.decodeBytes(one, true).empty() && !tokenizer.decodeBytes(one, false).empty();
}

namespace {

// Texts of the tokens of one stretch: what each adds to the text, or its name in the vocabulary when that is no whole character.
void nameTokens(const Tokenizer& tokenizer, std::vector<ViewToken>& tokens, size_t from, std::string& text) {
    StreamDecoder decoder(TokenizerPtr(TokenizerPtr(), &tokenizer));  // the caller's tokenizer lives longer
    std::string all;
    for (size_t i = from; i < tokens.size(); ++i) {
        const std::string added = decoder.push(tokens[i].id);
        all += added;
        tokens[i].text = added.empty() ? tokenizer.tokenText(tokens[i].id) : added;
    }
    text += all + decoder.finish();
}

}  // namespace

Result<SequenceView> viewSequence(const DataFile& file, const Tokenizer& tokenizer, const ViewOptions& options, const std::stop_token& stop) {
    if (options.sequenceLength < 2 || options.sequenceLength > (1 << 24)) return fail(ErrorCode::kBadUsage, "sequence_length is out of range", "use 2 to 16777216");
    if (options.row < 1) return fail(ErrorCode::kBadUsage, "row is out of range", "rows are counted from 1");
    ASSAY_TRY(const DocumentSample sample, sampleDocuments(file, tokenizer, options.choice, false, stop));
    const TokenizedDocuments& docs = sample.documents;
    ASSAY_TRY(const PackResult packed, packDocuments(docs, {options.sequenceLength, options.overLength, options.packing}));
    SequenceView out;
    out.row = options.row;
    out.rows = static_cast<int64_t>(packed.rows.size());
    out.sampled = sample.sampled;
    if (out.rows == 0) return fail(ErrorCode::kInvalidFile, file.path() + " holds no usable document", "data_inspect says why its rows are not used");
    if (options.row > out.rows)
        return fail(ErrorCode::kNotFound, "there is no sequence " + std::to_string(options.row) + ", the last one is " + std::to_string(out.rows));
    std::unordered_map<int32_t, bool> special;
    const auto r = static_cast<size_t>(options.row - 1);
    const uint64_t first = packed.rows.begin[r], last = packed.rows.begin[r + 1];
    for (uint64_t s = first; s < last; ++s) {
        const Segment& segment = packed.rows.segments[s];
        const auto document = std::upper_bound(docs.offsets.begin(), docs.offsets.end(), segment.start) - docs.offsets.begin() - 1;
        const uint64_t begin = docs.offsets[static_cast<size_t>(document)];
        const size_t from = out.tokens.size();
        for (uint32_t i = 0; i < segment.length; ++i) {
            const uint64_t at = segment.start + i;
            ViewToken token;
            token.id = docs.ids[at];
            const auto learned = [&](uint64_t t) { return docs.mask.empty() || docs.mask[t] != 0; };
            token.label = i + 1 == segment.length ? segment.tail : learned(at + 1) ? docs.ids[at + 1] : kNotScored;
            token.loss = at != begin && learned(at);  // the first token of a document is predicted from nothing
            token.border = i == 0 && (s > first || at == begin);
            auto [known, fresh] = special.try_emplace(token.id, false);
            if (fresh) known->second = isSpecialToken(tokenizer, token.id);
            token.special = known->second;
            out.lossTotal += token.loss;
            out.tokens.push_back(std::move(token));
        }
        nameTokens(tokenizer, out.tokens, from, out.text);
        out.parts.push_back({docs.lines[static_cast<size_t>(document)], static_cast<int64_t>(from), static_cast<int64_t>(out.tokens.size())});
    }
    return out;
}

}  // namespace assay::data
