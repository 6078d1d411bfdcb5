#include "tokenizer/sentencepiece_model.h"

#include <cmath>
#include <cstring>
#include <unordered_set>

#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

constexpr size_t kMaxPieces = 4'000'000, kMaxPieceBytes = 64 << 10;

// The fields of one message in the wire format: varints, fixed 64 and 32 bits, and stretches of bytes.
class ProtoFields {
public:
    explicit ProtoFields(std::string_view bytes) : rest_(bytes) {}
    uint64_t number = 0, value = 0;  // of the field; `value` for varints and fixed ones
    std::string_view bytes;          // for stretches
    bool stretch = false;

    // False at the end and when the message is broken (then `broken`).
    bool next() {
        if (rest_.empty()) return false;
        uint64_t tag = 0, size = 0;
        if (!varint(tag)) return fault();
        number = tag >> 3;
        stretch = false;
        switch (tag & 7) {
            case 0: return varint(value) || fault();
            case 1: return fixed(8) || fault();
            case 5: return fixed(4) || fault();
            case 2:
                if (!varint(size) || size > rest_.size()) return fault();
                bytes = rest_.substr(0, size);
                rest_.remove_prefix(size);
                stretch = true;
                return true;
            default: return fault();
        }
    }
    bool broken = false;

private:
    bool fault() {
        broken = true;
        return false;
    }
    bool varint(uint64_t& out) {
        out = 0;
        for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
            const auto byte = static_cast<unsigned char>(rest_[0]);
            rest_.remove_prefix(1);
            out |= static_cast<uint64_t>(byte & 0x7F) << shift;
            if (byte < 0x80) return true;
        }
        return false;
    }
    bool fixed(size_t n) {
        if (rest_.size() < n) return false;
        value = 0;
        std::memcpy(&value, rest_.data(), n);
        rest_.remove_prefix(n);
        return true;
    }
    std::string_view rest_;
};

bool readPiece(std::string_view bytes, SentencePieceModel::Piece& piece) {
    ProtoFields f(bytes);
    while (f.next()) {
        if (f.number == 1 && f.stretch) piece.text = f.bytes;
        if (f.number == 2 && !f.stretch) {
            const auto bits = static_cast<uint32_t>(f.value);
            std::memcpy(&piece.score, &bits, sizeof bits);
        }
        if (f.number == 3 && !f.stretch) piece.type = static_cast<SentencePieceModel::Type>(f.value);
    }
    return !f.broken;
}

bool readTrainer(std::string_view bytes, SentencePieceModel& m) {
    ProtoFields f(bytes);
    while (f.next()) {
        switch (f.number) {
            case 3: m.kind = static_cast<SentencePieceModel::Kind>(f.value); break;
            case 24: m.whitespaceSuffix = f.value != 0; break;
            case 35: m.byteFallback = f.value != 0; break;
            case 44: m.unknownSurface = f.bytes; break;
            case 46: m.bosPiece = f.bytes; break;
            case 47: m.eosPiece = f.bytes; break;
            default: break;
        }
    }
    return !f.broken;
}

bool readNormalizer(std::string_view bytes, SentencePieceModel& m) {
    ProtoFields f(bytes);
    while (f.next()) {
        switch (f.number) {
            case 2: m.charsmap = f.bytes; break;
            case 3: m.dummyPrefix = f.value != 0; break;
            case 4: m.removeExtraWhitespace = f.value != 0; break;
            case 5: m.escapeWhitespace = f.value != 0; break;
            default: break;
        }
    }
    return !f.broken;
}

}  // namespace

Result<SentencePieceModel> SentencePieceModel::parse(std::string_view bytes, const std::string& what) {
    const auto bad = [&](const std::string& why) { return fail(ErrorCode::kInvalidFile, what + ": " + why, "use the .model file that belongs to the model"); };
    SentencePieceModel m;
    ProtoFields f(bytes);
    while (f.next()) {
        bool whole = true;
        if (f.number == 1 && f.stretch) {
            if (m.pieces.size() >= kMaxPieces) return bad("more than " + std::to_string(kMaxPieces) + " pieces");
            whole = readPiece(f.bytes, m.pieces.emplace_back());
        } else if (f.number == 2 && f.stretch) {
            whole = readTrainer(f.bytes, m);
        } else if (f.number == 3 && f.stretch) {
            whole = readNormalizer(f.bytes, m);
        } else if (f.number == 5 && f.stretch) {
            SentencePieceModel back;
            whole = readNormalizer(f.bytes, back);
            if (!back.charsmap.empty()) return fail(ErrorCode::kUnsupported, what + ": a SentencePiece model with rules for decoding (denormalizer_spec)");
        }
        if (!whole) f.broken = true;
        if (f.broken) break;
    }
    if (f.broken) return bad("is no SentencePiece model (the message is broken)");
    if (m.pieces.empty()) return bad("is no SentencePiece model (it has no pieces)");
    if (m.kind < Kind::kUnigram || m.kind > Kind::kChar) return fail(ErrorCode::kUnsupported, what + ": SentencePiece model type " + std::to_string(static_cast<int64_t>(m.kind)));
    std::unordered_set<std::string_view> plain, reserved;
    int64_t byteTokens = 0;
    for (size_t id = 0; id < m.pieces.size(); ++id) {
        const Piece& p = m.pieces[id];
        const std::string name = "piece " + std::to_string(id);
        if (p.text.empty() || p.text.size() > kMaxPieceBytes || firstInvalidUtf8(p.text) != std::string_view::npos) return bad(name + " is empty, too long or no UTF-8");
        if (!std::isfinite(p.score)) return bad(name + " has a score that is no number");
        if (p.type < Type::kNormal || p.type > Type::kByte) return bad(name + " has an unknown type");
        const bool inText = p.type == Type::kNormal || p.type == Type::kUserDefined || p.type == Type::kUnused;
        if (!(inText ? plain : reserved).insert(p.text).second) return bad(name + " \"" + p.text + "\" is there twice");
        if (p.type == Type::kUnknown && std::exchange(m.unknownId, static_cast<int32_t>(id)) >= 0) return bad("has two unknown pieces");
        byteTokens += p.type == Type::kByte;
    }
    if (m.unknownId < 0) return bad("has no unknown piece");
    if (byteTokens != (m.byteFallback ? 256 : 0)) return bad("has " + std::to_string(byteTokens) + " byte pieces");
    return m;
}

}  // namespace assay::data
