#include "tokenizer/sentencepiece.h"

#include <assay/core/hash.h>
#include <assay/data/encoding.h>

#include <algorithm>
#include <set>

#include "tokenizer/added_tokens.h"
#include "tokenizer/flat_map.h"
#include "tokenizer/json_writer.h"
#include "tokenizer/plain_ranges.h"
#include "tokenizer/sentencepiece_encoder.h"
#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

using Piece = SentencePieceModel::Piece;
using PieceKind = SentencePieceModel::Type;
constexpr std::string_view kWordMark = "\xE2\x96\x81";  // U+2581

Json addedPiece(int64_t id, std::string_view content) {
    return Json{{"id", id}, {"content", content}, {"single_word", false}, {"lstrip", false}, {"rstrip", false}, {"normalized", false}, {"special", true}};
}

class SentencePieceTokenizer : public Tokenizer {
public:
    SentencePieceTokenizer(std::unique_ptr<SentencePieceEncoder> encoder, std::string key, const TokenizerExtras& extras, std::string reason)
        : encoder_(std::move(encoder)), key_(std::move(key)), chatTemplate_(extras.chatTemplate), chatTemplates_(extras.chatTemplates), namedTokens_(extras.namedTokens), reason_(std::move(reason)) {
        for (size_t id = 0; id < model().pieces.size(); ++id) {
            if (model().pieces[id].type != PieceKind::kControl) continue;
            AddedToken token;
            token.id = static_cast<int32_t>(id);
            token.content = model().pieces[id].text;
            token.special = true;
            controls_.add(token.content, token);
        }
    }
    void setEnds(int32_t bos, int32_t eos, bool addBos, bool addEos) {
        bos_ = bos;
        eos_ = eos;
        addBos_ = addBos && bos >= 0;
        addEos_ = addEos && eos >= 0;
    }

    using Tokenizer::encode;
    void encode(std::string_view text, const EncodeOptions& options, Encoding& out) const override {
        if (text.size() >= UINT32_MAX / 4) throw EncodeError(Error(ErrorCode::kUnsupported, "a text of 1 GiB or more", "cut it into documents"));
        const auto end = [&](int32_t id) {
            out.ids.push_back(id);
            if (options.offsets) out.offsets.emplace_back(0, 0);
        };
        if (options.addSpecial && addBos_) end(bos_);
        std::vector<AddedTokenMatcher::Part> parts;
        if (options.parseSpecial && !controls_.empty()) {
            controls_.cut(text, true, parts, options.plain.empty() ? AddedTokenMatcher::Plain() : [&](size_t b, size_t e) { return touches(options.plain, b, e); });
        } else {
            parts.push_back({0, text.size(), -1});
        }
        for (const auto& part : parts) {
            if (part.id >= 0) {
                out.ids.push_back(part.id);
                if (options.offsets) out.offsets.emplace_back(part.begin, part.end);
            } else {
                encoder_->encode(text.substr(part.begin, part.end - part.begin), static_cast<uint32_t>(part.begin), part.begin == 0, out.ids, options.offsets ? &out.offsets : nullptr);
            }
        }
        if (options.addSpecial && addEos_) end(eos_);
    }

    std::string decode(std::span<const int32_t> ids, bool) const override { return decodeWith(ids, false); }
    std::string decodeBytes(std::span<const int32_t> ids, bool) const override { return decodeWith(ids, true); }
    std::string tokenText(int32_t id) const override { return known(id) ? model().pieces[static_cast<size_t>(id)].text : std::string(); }
    int64_t vocabSize() const override { return static_cast<int64_t>(model().pieces.size()); }
    int32_t bosId() const override { return bos_; }
    int32_t eosId() const override { return eos_; }
    bool addsBos() const override { return addBos_; }
    const std::string& chatTemplate() const override { return chatTemplate_; }
    bool isControl(int32_t id) const override { return known(id) && model().pieces[static_cast<size_t>(id)].type == PieceKind::kControl; }
    std::span<const NamedText> chatTemplates() const override { return chatTemplates_; }
    std::span<const NamedText> namedTokens() const override { return namedTokens_; }
    const std::string& contentKey() const override { return key_; }
    Result<std::string> toTokenizerJson() const override {
        return fail(ErrorCode::kUnsupported, "this SentencePiece model cannot be written as a tokenizer.json that gives the same ids: " + reason_, "use the tokenizer.json that the model comes with");
    }

private:
    const SentencePieceModel& model() const { return encoder_->model(); }
    bool known(int32_t id) const { return id >= 0 && static_cast<size_t>(id) < model().pieces.size(); }

    // Control pieces decode to nothing. The space before the first word goes where one was put in.
    std::string decodeWith(std::span<const int32_t> ids, bool raw) const {
        std::string text, bytes;
        const auto flush = [&] {
            text += raw ? bytes : eachInvalidByte(bytes);
            bytes.clear();
        };
        bool first = true, tookSpace = false;
        for (const int32_t id : ids) {
            if (!known(id)) continue;
            const Piece& p = model().pieces[static_cast<size_t>(id)];
            if (p.type == PieceKind::kByte) {
                bytes += static_cast<char>(std::stoi(p.text.substr(3, 2), nullptr, 16));
                continue;
            }
            flush();
            if (tookSpace || !text.empty()) first = false;
            tookSpace = false;
            if (p.type == PieceKind::kControl) continue;
            if (p.type == PieceKind::kUnknown) {
                text += model().unknownSurface;
                continue;
            }
            std::string_view piece = p.text;
            if (first && (model().dummyPrefix || model().removeExtraWhitespace) && piece.starts_with(kWordMark)) {
                piece.remove_prefix(kWordMark.size());
                tookSpace = !model().removeExtraWhitespace;
            }
            for (size_t i = 0; i < piece.size();) {
                if (piece.substr(i).starts_with(kWordMark)) {
                    text += ' ';
                    i += kWordMark.size();
                } else {
                    text += piece[i++];
                }
            }
        }
        flush();
        return text;
    }
    static std::string eachInvalidByte(const std::string& bytes) {  // one U+FFFD for every byte that is in no character
        std::string out;
        for (size_t i = 0; i < bytes.size();) {
            const CodePoint c = codePointAt(bytes, i);
            out += c.valid ? bytes.substr(i, c.bytes) : "\xEF\xBF\xBD";
            i += c.bytes;
        }
        return out;
    }

    std::unique_ptr<SentencePieceEncoder> encoder_;
    AddedTokenMatcher controls_;
    std::string key_, chatTemplate_;
    std::vector<NamedText> chatTemplates_, namedTokens_;
    std::string reason_;
    int32_t bos_ = -1, eos_ = -1;
    bool addBos_ = false, addEos_ = false;
};

// Why a tokenizer.json cannot give the same ids for every text; empty when it can.
std::string whyNotJson(const SentencePieceModel& m, const StringTable& ids) {
    if (m.kind != SentencePieceModel::Kind::kBpe) return "only BPE models can";
    if (!m.charsmap.empty()) return "it has normalization rules";
    if (m.removeExtraWhitespace || !m.escapeWhitespace || m.whitespaceSuffix) return "it treats white space in a way that the format does not know";
    std::set<float> scores;
    for (const Piece& p : m.pieces) {
        if (p.type == PieceKind::kUserDefined) return "it has user-defined symbols";
        if (p.type == PieceKind::kUnused) return "it has unused pieces";
        if (p.type != PieceKind::kNormal) continue;
        // A piece of one character never comes from a merge, so its score does not matter.
        const bool single = codePointAt(p.text, 0).bytes == p.text.size();
        if (!single && !scores.insert(p.score).second) return "two pieces have the same score";
        for (size_t i = 0; i < p.text.size();) {
            const size_t n = codePointAt(p.text, i).bytes;
            if (ids.find(std::string_view(p.text).substr(i, n)) < 0) return "a character of the piece \"" + p.text + "\" is no piece";
            i += n;
        }
    }
    return {};
}

TokenizerJson asJson(const SentencePieceModel& m, const StringTable& ids, int32_t bos, int32_t eos) {
    TokenizerJson out;
    std::vector<size_t> order;
    for (size_t id = 0; id < m.pieces.size(); ++id) {
        const Piece& p = m.pieces[id];
        out.tokens.emplace_back(p.text, static_cast<int64_t>(id));
        if (p.type == PieceKind::kControl || p.type == PieceKind::kUnknown) out.added.push_back(addedPiece(static_cast<int64_t>(id), p.text));
        if (p.type == PieceKind::kNormal) order.push_back(id);
    }
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return m.pieces[a].score > m.pieces[b].score; });
    for (const size_t id : order) {
        const std::string_view piece = m.pieces[id].text;
        for (size_t cut = codePointAt(piece, 0).bytes; cut < piece.size(); cut += codePointAt(piece, cut).bytes)
            if (ids.find(piece.substr(0, cut)) >= 0 && ids.find(piece.substr(cut)) >= 0) out.merges.emplace_back(piece.substr(0, cut), piece.substr(cut));
    }
    const Json replace{{"type", "Replace"}, {"pattern", Json{{"String", " "}}}, {"content", "▁"}};
    out.normalizer = m.dummyPrefix ? Json{{"type", "Sequence"}, {"normalizers", Json::array({Json{{"type", "Prepend"}, {"prepend", "▁"}}, replace})}} : replace;
    Json decoders = Json::array({Json{{"type", "Replace"}, {"pattern", Json{{"String", "▁"}}}, {"content", " "}}, Json{{"type", "ByteFallback"}}, Json{{"type", "Fuse"}}});
    if (m.dummyPrefix) decoders.push_back(Json{{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}});
    out.decoder = Json{{"type", "Sequence"}, {"decoders", decoders}};
    if (bos >= 0 || eos >= 0) {
        Json single = Json::array(), pair = Json::array(), special = Json::object();
        const auto piece = [&](int32_t id, int type) {
            const std::string& name = m.pieces[static_cast<size_t>(id)].text;
            special[name] = Json{{"id", name}, {"ids", Json::array({id})}, {"tokens", Json::array({name})}};
            return Json{{"SpecialToken", Json{{"id", name}, {"type_id", type}}}};
        };
        for (Json* list : {&single, &pair}) {
            for (const int type : {0, 1}) {
                if (type == 1 && list == &single) break;
                if (bos >= 0) list->push_back(piece(bos, type));
                list->push_back(Json{{"Sequence", Json{{"id", type == 0 ? "A" : "B"}, {"type_id", type}}}});
                if (eos >= 0) list->push_back(piece(eos, type));
            }
        }
        out.postProcessor = Json{{"type", "TemplateProcessing"}, {"single", single}, {"pair", pair}, {"special_tokens", special}};
    }
    out.unknown = m.pieces[static_cast<size_t>(m.unknownId)].text;
    out.byteFallback = m.byteFallback;
    out.fuseUnknown = true;
    return out;
}

}  // namespace

Result<TokenizerPtr> tokenizerFromSentencePiece(std::string bytes, const std::string& what, const TokenizerExtras& extras, const SentencePieceEnds& ends) {
    ASSAY_TRY(SentencePieceModel model, SentencePieceModel::parse(bytes, what));
    const auto idOf = [&](const std::string& text, PieceKind kind) -> int32_t {
        for (size_t id = 0; id < model.pieces.size(); ++id)
            if (model.pieces[id].text == text && model.pieces[id].type == kind) return static_cast<int32_t>(id);
        return -1;
    };
    const int32_t bos = idOf(extras.bosToken.empty() ? model.bosPiece : extras.bosToken, PieceKind::kControl);
    const int32_t eos = idOf(extras.eosToken.empty() ? model.eosPiece : extras.eosToken, PieceKind::kControl);
    const bool isBpe = model.kind == SentencePieceModel::Kind::kBpe;
    const bool addBos = ends.addBos.value_or(isBpe) && bos >= 0, addEos = ends.addEos.value_or(!isBpe) && eos >= 0;
    StringTable ids;  // of pieces that stand in text
    ids.reserve(model.pieces.size());
    for (size_t id = 0; id < model.pieces.size(); ++id)
        if (const PieceKind kind = model.pieces[id].type; kind == PieceKind::kNormal || kind == PieceKind::kUserDefined || kind == PieceKind::kUnused) ids.insert(model.pieces[id].text, static_cast<int32_t>(id));
    std::string reason = whyNotJson(model, ids);
    if (reason.empty()) {
        TokenizerExtras known = extras;
        known.bosId = bos;
        known.eosId = eos;
        return tokenizerFromJson(writeTokenizerJson(asJson(model, ids, addBos ? bos : -1, addEos ? eos : -1)), what, known);
    }
    Sha256 hash;
    hash.update("assay sentencepiece 1\n" + std::to_string(addBos) + std::to_string(addEos) + "\n");
    hash.update(bytes);
    ASSAY_TRY(auto encoder, SentencePieceEncoder::make(std::move(model)));
    auto tokenizer = std::make_shared<SentencePieceTokenizer>(std::move(encoder), hash.finishHex(), extras, std::move(reason));
    tokenizer->setEnds(bos, eos, addBos, addEos);
    return tokenizer;
}

}  // namespace assay::data
