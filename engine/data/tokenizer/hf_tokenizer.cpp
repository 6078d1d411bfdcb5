#include "tokenizer/hf_tokenizer.h"

#include <assay/core/hash.h>

#include <algorithm>
#include <map>

#include "tokenizer/byte_level.h"
#include "tokenizer/decoder.h"
#include "tokenizer/hf_parse.h"
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
        if (plan_.endsInByteLevel) {
            if (parsed.model.wordPiece || parsed.model.byteFallback) {
                plan_.steps.push_back(byteLevelMapping());
            } else {
                parsed.model.byteLevel = true;
            }
        }
        ASSAY_TRY(model_, parsed.model.wordPiece ? makeWordPiece(parsed.model) : makeBpe(parsed.model));
        tokens_ = std::move(parsed.model.tokens);
        for (const AddedToken& token : parsed.added) ASSAY_TRY_VOID(addToken(token, what));
        decodedBytes();
        for (int32_t id : post_.before) ASSAY_TRY_VOID(checkId(id, what));
        for (int32_t id : post_.after) ASSAY_TRY_VOID(checkId(id, what));
        return findEnds(extras, parsed.added, what);
    }

    using Tokenizer::encode;
    void encode(std::string_view text, const EncodeOptions& options, Encoding& out) const override {
        ASSAY_CHECK(text.size() < UINT32_MAX, "text of one document reaches 4 GiB");
        if (options.addSpecial) addFixed(post_.before, options, out);
        thread_local std::vector<AddedTokenMatcher::Part> parts;
        std::vector<AddedTokenMatcher::Part> mine;
        mine.swap(parts);
        mine.clear();
        if (raw_.empty()) {
            if (!text.empty()) mine.push_back({0, text.size(), -1});
        } else {
            raw_.cut(text, options.parseSpecial, mine,
                     options.plain.empty() ? AddedTokenMatcher::Plain() : [&](size_t begin, size_t end) { return touches(options.plain, begin, end); });
        }
        for (const auto& part : mine) {
            if (part.id >= 0) {
                out.ids.push_back(part.id);
                if (options.offsets) out.offsets.emplace_back(part.begin, part.end);
            } else {
                encodeStretch(text.substr(part.begin, part.end - part.begin), static_cast<uint32_t>(part.begin), options, out);
            }
        }
        parts.swap(mine);
        if (options.addSpecial) addFixed(post_.after, options, out);
    }

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
        }
        return {};
    }

    void decodedBytes() {
        if (!decoder_ || !decoder_->isByteLevel()) return;
        bytes_.reserve(tokens_.size());
        for (const std::string& token : tokens_) {
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

    static void addFixed(const std::vector<int32_t>& ids, const EncodeOptions& options, Encoding& out) {
        out.ids.insert(out.ids.end(), ids.begin(), ids.end());
        if (options.offsets) out.offsets.insert(out.offsets.end(), ids.size(), {0, 0});
    }

    void encodeStretch(std::string_view stretch, uint32_t offset, const EncodeOptions& options, Encoding& out) const {
        Text text = Text::of(stretch, offset, options.offsets || (!options.plain.empty() && !normalized_.empty()));
        if (normalizer_) normalizer_->apply(text);
        if (normalized_.empty()) return encodePlain(std::move(text), offset == 0, options, out);
        std::vector<AddedTokenMatcher::Part> parts;
        normalized_.cut(text.bytes, options.parseSpecial, parts, options.plain.empty() ? AddedTokenMatcher::Plain() : [&](size_t begin, size_t end) {
            return touches(options.plain, text.begin[begin], text.end[end - 1]);
        });
        for (const auto& part : parts) {
            if (part.id >= 0) {
                out.ids.push_back(part.id);
                if (options.offsets) out.offsets.emplace_back(text.begin[part.begin], text.end[part.end - 1]);
                continue;
            }
            Text plain = Text::like(text);
            plain.copy(text, part.begin, part.end);
            encodePlain(std::move(plain), offset == 0 && part.begin == 0, options, out);
        }
    }

    void encodePlain(Text text, bool startsInput, const EncodeOptions& options, Encoding& out) const {
        if (text.bytes.empty()) return;
        Pieces pieces;
        pieces.text = std::move(text);
        pieces.startsInput = startsInput;
        pieces.spans.push_back({0, static_cast<uint32_t>(pieces.text.bytes.size())});
        for (const auto& step : plan_.steps) step->apply(pieces);
        const std::string_view all = pieces.text.bytes;
        if (!options.offsets) {
            out.ids.reserve(out.ids.size() + pieces.spans.size());
            for (const Span& span : pieces.spans)
                if (span.end > span.begin) model_->encode(all.substr(span.begin, span.end - span.begin), out.ids, nullptr);
            return;
        }
        std::vector<uint32_t> ends;
        for (const Span& span : pieces.spans) {
            if (span.end <= span.begin) continue;
            ends.clear();
            model_->encode(all.substr(span.begin, span.end - span.begin), out.ids, &ends);
            uint32_t from = span.begin;
            for (const uint32_t end : ends) {
                const uint32_t to = span.begin + end;
                out.offsets.emplace_back(pieces.text.begin[from], pieces.text.end[to - 1]);
                if (post_.trimOffsets && plan_.endsInByteLevel) trim(all.substr(from, to - from), out.offsets);
                from = to;
            }
        }
    }

    // Takes the spaces at the ends of a token out of its offsets, the last of `offsets`.
    void trim(std::string_view token, std::vector<std::pair<uint32_t, uint32_t>>& offsets) const {
        const size_t first = token.find_first_not_of(' ');
        auto& [begin, end] = offsets.back();
        // One space in front of the text may be one that was put there; more than one were there before.
        const bool keep = first == 1 || (first == token.npos && token.size() == 1);
        const auto leading = static_cast<uint32_t>(first == token.npos ? token.size() : first);
        if (!(keep && post_.prefixSpace && (offsets.size() == 1 || begin == 0))) begin = std::min(begin + leading, end);
        end = first == token.npos ? begin : end - static_cast<uint32_t>(token.size() - 1 - token.find_last_not_of(' '));
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
        if (error.message.starts_with("tokenizer")) error.message = what + ": " + error.message;
        return fail(std::move(error));
    }
    return tokenizer;
}

}  // namespace assay::data
