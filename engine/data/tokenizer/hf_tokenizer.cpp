#include "tokenizer/hf_tokenizer.h"

#include <assay/core/hash.h>

#include <algorithm>
#include <map>

#include "tokenizer/byte_level.h"
#include "tokenizer/decoder.h"
#include "tokenizer/detailed.h"
#include "tokenizer/fast_encoder.h"
#include "tokenizer/hf_parse.h"
#include "tokenizer/hf_tracked.h"
#include "tokenizer/normalizer.h"
#include "tokenizer/plain_ranges.h"
#include "tokenizer/post_processor.h"
#include "tokenizer/pre_tokenizer.h"
#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

class HfTokenizer : public Tokenizer {
public:
    Result<void> build(std::string text, const std::string& what, const TokenizerExtras& extras) {
        json_ = std::move(text);
        ASSAY_TRY(ParsedTokenizer parsed, parseTokenizerJson(json_, what));
        ASSAY_TRY(normalizer_, makeNormalizer(parsed.normalizer));
        ASSAY_TRY(plan_, makePreTokenizer(parsed.preTokenizer));
        ASSAY_TRY(post_, makePostProcessor(parsed.postProcessor));
        ASSAY_TRY(decoder_, makeDecoder(parsed.decoder));
        // Where ids depend on what bytes stand for, the fast way is not taken.
        const bool odd = normalizer_ && normalizer_->insertsNothings();
        exactOnly_ = odd || plan_.looksAtRewrittenPlace || (plan_.looksAtPlace && normalizer_);
        if (plan_.endsInByteLevel) {
            if (parsed.model.kind == ModelData::Kind::kBpe && !parsed.model.byteFallback && parsed.model.endSuffix.empty() && parsed.model.continuingPrefix.empty() && !odd) {
                parsed.model.byteLevel = true;
            } else {
                plan_.steps.push_back(byteLevelMapping());
            }
        }
        ASSAY_TRY(model_, makeModel(parsed.model));
        truncation_ = parsed.truncation;
        padding_ = parsed.padding;
        tokens_ = std::move(parsed.model.tokens);
        for (const AddedToken& token : parsed.added) ASSAY_TRY_VOID(addToken(token, what));
        makeFast(parsed);
        decodedBytes();
        for (const PostStep& step : post_.steps) {
            for (const auto* pieces : {&step.single, &step.pair})
                for (const PostStep::Piece& piece : *pieces)
                    for (const int32_t id : piece.ids) ASSAY_TRY_VOID(checkId(id, what));
            if (step.kind != PostStep::Kind::kBert && step.kind != PostStep::Kind::kRoberta) continue;
            ASSAY_TRY_VOID(checkId(step.cls, what));
            ASSAY_TRY_VOID(checkId(step.sep, what));
        }
        return findEnds(extras, parsed.added, what);
    }

    using Tokenizer::encode;
    void encode(std::string_view text, const EncodeOptions& options, Encoding& out) const override {
        if (text.size() >= UINT32_MAX) throw EncodeError(Error(ErrorCode::kUnsupported, "a text of 4 GiB or more", "cut it into documents"));
        if (options.offsets || exactOnly_ || !post_.simple || (!options.plain.empty() && normalizer_ && !normalized_.empty()))
            return encodeExact(text, options, out);
        if (options.addSpecial) out.ids.insert(out.ids.end(), post_.before.begin(), post_.before.end());
        if (options.parseSpecial || cutsRaw_) {
            thread_local std::vector<AddedTokenMatcher::Part> parts;
            std::vector<AddedTokenMatcher::Part> mine;
            mine.swap(parts);
            mine.clear();
            raw_.cut(text, options.parseSpecial, mine, plainOf(options, 0));
            for (const auto& part : mine) {
                if (part.id >= 0) {
                    out.ids.push_back(part.id);
                } else {
                    encodeStretch(text.substr(part.begin, part.end - part.begin), part.begin, options, out);
                }
            }
            parts.swap(mine);
        } else if (!text.empty()) {
            encodeStretch(text, 0, options, out);
        }
        if (options.addSpecial) out.ids.insert(out.ids.end(), post_.after.begin(), post_.after.end());
    }

    Result<DetailedEncoding> encodeDetailed(std::string_view text, const DetailOptions& options, const std::string_view* pair) const override {
        if (text.size() >= UINT32_MAX || (pair && pair->size() >= UINT32_MAX)) return fail(ErrorCode::kUnsupported, "a text of 4 GiB or more", "cut it into documents");
        try {
            std::optional<Window> second;
            if (pair) second = window(*pair, options);
            return postProcess(window(text, options), std::move(second), post_, options);
        } catch (const EncodeError& e) {
            return fail(e.error);
        }
    }
    std::optional<Truncation> fileTruncation() const override { return truncation_; }
    std::optional<Padding> filePadding() const override { return padding_; }

    std::string decode(std::span<const int32_t> ids, bool skipSpecial) const override { return lossyUtf8(decodeWith(ids, skipSpecial, false)); }
    std::string decodeBytes(std::span<const int32_t> ids, bool skipSpecial) const override { return decodeWith(ids, skipSpecial, true); }
    std::string tokenText(int32_t id) const override { return known(id) ? tokens_[static_cast<size_t>(id)] : std::string(); }
    int64_t vocabSize() const override { return static_cast<int64_t>(tokens_.size()); }
    int32_t bosId() const override { return bos_; }
    int32_t eosId() const override { return eos_; }
    bool addsBos() const override { return bos_ >= 0 && !post_.before.empty() && post_.before.front() == bos_; }
    const std::string& chatTemplate() const override { return chatTemplate_; }
    bool isControl(int32_t id) const override { return std::find(special_.begin(), special_.end(), id) != special_.end(); }
    std::span<const NamedText> chatTemplates() const override { return chatTemplates_; }
    std::span<const NamedText> namedTokens() const override { return namedTokens_; }
    const std::string& contentKey() const override { return key_; }
    Result<std::string> toTokenizerJson() const override { return json_; }

private:
    bool known(int32_t id) const { return id >= 0 && static_cast<size_t>(id) < tokens_.size(); }
    Result<void> checkId(int32_t id, const std::string& what) const {
        if (known(id)) return {};
        return fail(ErrorCode::kInvalidFile, what + ": post_processor names the id " + std::to_string(id) + ", which no token has");
    }

    Result<void> addToken(const AddedToken& token, const std::string& what) {
        const auto id = static_cast<size_t>(token.id);
        if (id >= tokens_.size()) {
            if (id > tokens_.size() + 1'000'000) return fail(ErrorCode::kInvalidFile, what + ": the ids of added tokens have huge gaps");
            tokens_.resize(id + 1);
        }
        tokens_[id] = token.content;
        if (token.special) special_.push_back(token.id);
        if (token.normalized && normalizer_) {
            Text text = Text::of(token.content, 0, false);
            normalizer_->apply(text);
            normalized_.add(text.bytes, token);
            normalizedText_[token.id] = std::move(text.bytes);  // what decoders see
        } else {
            // Without a normalizer both passes see the same text; the pass for raw tokens comes first.
            (token.normalized ? normalized_ : raw_).add(token.content, token);
            cutsRaw_ |= !token.normalized && !token.special;
        }
        return {};
    }

    void decodedBytes() {
        if (!decoder_ || !decoder_->isByteLevel()) return;
        bytes_.reserve(tokens_.size());
        for (size_t id = 0; id < tokens_.size(); ++id) {
            const auto normalized = normalizedText_.find(static_cast<int32_t>(id));
            const std::string& token = normalized == normalizedText_.end() ? tokens_[id] : normalized->second;
            auto raw = fromByteChars(token);
            bytes_.push_back(raw ? std::move(*raw) : token);
        }
    }

    Result<void> findEnds(const TokenizerExtras& extras, const std::vector<AddedToken>& added, const std::string& what) {
        auto byText = [&](const std::string& text) -> int32_t {
            if (text.empty()) return -1;
            for (const AddedToken& token : added)
                if (token.content == text) return token.id;
            const auto found = std::find(tokens_.begin(), tokens_.end(), text);
            return found == tokens_.end() ? -1 : static_cast<int32_t>(found - tokens_.begin());
        };
        auto special = [&](std::initializer_list<const char*> names) -> int32_t {
            for (const char* name : names)
                for (const AddedToken& token : added)
                    if (token.special && token.content == name) return token.id;
            return -1;
        };
        bos_ = extras.bosId >= 0 ? extras.bosId : byText(extras.bosToken);
        eos_ = extras.eosId >= 0 ? extras.eosId : byText(extras.eosToken);
        if (bos_ < 0 && !post_.before.empty()) bos_ = post_.before.front();
        if (eos_ < 0 && !post_.after.empty()) eos_ = post_.after.back();
        if (eos_ < 0) eos_ = special({"<|endoftext|>", "</s>", "<|end_of_text|>", "<eos>", "<｜end▁of▁sentence｜>", "[SEP]"});
        for (const int32_t id : {bos_, eos_})
            if (id >= 0 && !known(id)) return fail(ErrorCode::kInvalidFile, what + ": the id " + std::to_string(id) + " of BOS or EOS belongs to no token");
        chatTemplate_ = extras.chatTemplate;
        chatTemplates_ = extras.chatTemplates;
        namedTokens_ = extras.namedTokens;
        Sha256 hash;
        hash.update("assay tokenizer 1\n" + std::to_string(bos_) + " " + std::to_string(eos_) + "\n");
        hash.update(json_);
        key_ = hash.finishHex();
        return {};
    }

    static Result<std::unique_ptr<WordModel>> makeModel(const ModelData& data) {
        switch (data.kind) {
            case ModelData::Kind::kWordPiece: return makeWordPiece(data);
            case ModelData::Kind::kUnigram: return makeUnigram(data);
            case ModelData::Kind::kWordLevel: return makeWordLevel(data);
            case ModelData::Kind::kBpe: break;
        }
        return makeBpe(data);
    }

    TrackedSteps steps() const { return {raw_, normalizer_.get(), normalized_, plan_, *model_, tokens_, post_.trims()}; }
    Window window(std::string_view text, const DetailOptions& options) const {
        return encodeTracked(steps(), text, {options.parseSpecial, options.characterOffsets, {}});
    }
    void encodeExact(std::string_view text, const EncodeOptions& options, Encoding& out) const {
        auto done = postProcess(encodeTracked(steps(), text, {options.parseSpecial, false, options.plain}), {}, post_, DetailOptions{options.addSpecial, false, false, {}, {}});
        if (!done) throw EncodeError(std::move(done).error());
        out.ids.insert(out.ids.end(), done->ids.begin(), done->ids.end());
        if (options.offsets) out.offsets.insert(out.offsets.end(), done->offsets.begin(), done->offsets.end());
    }

    // The path for ids alone, where the tokenizer has a shape that there is one for.
    void makeFast(const ParsedTokenizer& parsed) {
        if (exactOnly_) return;
        const bool wordPiece = parsed.model.kind == ModelData::Kind::kWordPiece;
        if (wordPiece && !normalized_.empty()) return;  // that encoder does not show the normalized text
        fast_ = makeFastEncoder({parsed.normalizer, parsed.preTokenizer, *model_, wordPiece, [this](std::string_view text, std::vector<int32_t>& ids) {
                                     Text plain = Text::of(text, 0, false);
                                     if (normalizer_) normalizer_->apply(plain);
                                     Encoding out{std::move(ids), {}};
                                     encodePlain(std::move(plain), true, out);
                                     ids = std::move(out.ids);
                                 }});
    }
    // What of a text that begins at `offset` of the input stays plain; none: nothing is said.
    static AddedTokenMatcher::Plain plainOf(const EncodeOptions& options, size_t offset) {
        if (options.plain.empty()) return {};
        return [&options, offset](size_t begin, size_t end) { return touches(options.plain, offset + begin, offset + end); };
    }
    void encodeFast(std::string_view stretch, size_t offset, const EncodeOptions& options, std::vector<int32_t>& ids) const {
        Text text;
        if (!fast_->takesRaw(stretch)) {
            text = Text::of(stretch, 0, false);
            normalizer_->apply(text);
            stretch = text.bytes;
        }
        if (normalized_.empty()) return fast_->encode(stretch, ids);
        thread_local std::vector<AddedTokenMatcher::Part> parts;
        parts.clear();
        normalized_.cut(stretch, options.parseSpecial, parts, plainOf(options, offset));
        for (const auto& part : parts) {
            if (part.id >= 0) {
                ids.push_back(part.id);
            } else {
                fast_->encode(stretch.substr(part.begin, part.end - part.begin), ids);
            }
        }
    }

    // With plain ranges and normalized tokens only where there is no normalizer, so that places are those of the input.
    void encodeStretch(std::string_view stretch, size_t offset, const EncodeOptions& options, Encoding& out) const {
        if (fast_) return encodeFast(stretch, offset, options, out.ids);
        Text text = Text::of(stretch, 0, false);
        if (normalizer_) normalizer_->apply(text);
        if (normalized_.empty()) return encodePlain(std::move(text), offset == 0, out);
        std::vector<AddedTokenMatcher::Part> parts;
        normalized_.cut(text.bytes, options.parseSpecial, parts, plainOf(options, offset));
        for (const auto& part : parts) {
            if (part.id >= 0) {
                out.ids.push_back(part.id);
                continue;
            }
            Text plain = Text::like(text);
            plain.copy(text, part.begin, part.end);
            encodePlain(std::move(plain), offset == 0 && part.begin == 0, out);
        }
    }

    void encodePlain(Text text, bool startsInput, Encoding& out) const {
        if (text.bytes.empty()) return;
        Pieces pieces;
        pieces.text = std::move(text);
        pieces.startsInput = startsInput;
        pieces.spans.push_back({0, static_cast<uint32_t>(pieces.text.bytes.size())});
        for (const auto& step : plan_.steps) step->apply(pieces);
        const std::string_view all = pieces.text.bytes;
        out.ids.reserve(out.ids.size() + pieces.spans.size());
        for (const Span& span : pieces.spans)
            if (span.end > span.begin) model_->encode(all.substr(span.begin, span.end - span.begin), out.ids, nullptr);
    }

    std::string decodeWith(std::span<const int32_t> ids, bool skipSpecial, bool raw) const {
        auto skipped = [&](int32_t id) {
            return !known(id) || (skipSpecial && std::find(special_.begin(), special_.end(), id) != special_.end());
        };
        std::string text;
        if (!bytes_.empty()) {
            for (int32_t id : ids)
                if (!skipped(id)) text += bytes_[static_cast<size_t>(id)];
            return text;
        }
        std::vector<std::string> tokens;
        for (int32_t id : ids)
            if (!skipped(id)) {
                const auto found = normalizedText_.find(id);
                tokens.push_back(found == normalizedText_.end() ? tokens_[static_cast<size_t>(id)] : found->second);
            }
        if (decoder_) {
            decoder_->apply(tokens, raw);
            for (const std::string& t : tokens) text += t;
        } else {  // the reference joins with spaces when a tokenizer has no decoder
            for (size_t i = 0; i < tokens.size(); ++i) text += (i ? " " : "") + tokens[i];
        }
        return text;
    }

    std::string json_, key_, chatTemplate_;
    std::vector<NamedText> chatTemplates_, namedTokens_;
    NormalizerPtr normalizer_;
    PreTokenizerPlan plan_;
    PostProcessor post_;
    DecoderPtr decoder_;
    std::unique_ptr<WordModel> model_;
    std::unique_ptr<FastEncoder> fast_;  // null: only the general path
    bool cutsRaw_ = false;               // some raw added token is found whether or not special ones are parsed
    std::optional<Truncation> truncation_;
    std::optional<Padding> padding_;
    bool exactOnly_ = false;
    std::vector<std::string> tokens_, bytes_;
    std::vector<int32_t> special_;
    AddedTokenMatcher raw_, normalized_;
    std::map<int32_t, std::string> normalizedText_;
    int32_t bos_ = -1, eos_ = -1;
};

}  // namespace

Result<TokenizerPtr> tokenizerFromJson(std::string text, const std::string& what, const TokenizerExtras& extras) {
    auto tokenizer = std::make_shared<HfTokenizer>();
    if (auto built = tokenizer->build(std::move(text), what, extras); !built) {
        Error error = std::move(built).error();
        if (error.message.find(what) == std::string::npos) error.message = what + ": " + error.message;
        return fail(std::move(error));
    }
    return tokenizer;
}

}  // namespace assay::data
