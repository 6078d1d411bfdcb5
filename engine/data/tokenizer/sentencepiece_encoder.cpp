#include "tokenizer/sentencepiece_encoder.h"

#include <algorithm>
#include <cfloat>
#include <queue>
#include <unordered_map>

#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

constexpr std::string_view kSpaceSymbol = "\xE2\x96\x81";  // U+2581
constexpr float kUnknownPenalty32 = 10;
using PieceType = SentencePieceModel::Type;

}  // namespace

Result<std::unique_ptr<SentencePieceEncoder>> SentencePieceEncoder::make(SentencePieceModel model) {
    auto e = std::make_unique<SentencePieceEncoder>();
    e->model_ = std::move(model);
    const SentencePieceModel& m = e->model_;
    if (!m.charsmap.empty()) {
        ASSAY_TRY(e->rules_, CharsMap::parse(m.charsmap));
    }
    std::vector<std::pair<std::string_view, int32_t>> plain, reserved, user;
    e->lowest_ = FLT_MAX;
    e->highest_ = FLT_MIN;
    for (size_t i = 0; i < m.pieces.size(); ++i) {
        const auto& p = m.pieces[i];
        const auto id = static_cast<int32_t>(i);
        const bool inText = p.type == PieceType::kNormal || p.type == PieceType::kUserDefined || p.type == PieceType::kUnused;
        (inText ? plain : reserved).emplace_back(p.text, id);
        if (p.type == PieceType::kUserDefined) user.emplace_back(p.text, id);
        if (p.type == PieceType::kNormal) {
            e->lowest_ = std::min(e->lowest_, p.score);
            e->highest_ = std::max(e->highest_, p.score);
        }
    }
    e->pieces_ = PieceTrie(std::move(plain));
    e->reserved_ = PieceTrie(std::move(reserved));
    e->user_ = PieceTrie(std::move(user));
    for (int b = 0; m.byteFallback && b < 256; ++b) {
        char name[8];
        std::snprintf(name, sizeof name, "<0x%02X>", b);
        e->bytes_.push_back(e->idOf(name));
    }
    return e;
}

int32_t SentencePieceEncoder::idOf(std::string_view piece) const {
    if (const int32_t id = reserved_.find(piece); id >= 0) return id;
    if (const int32_t id = pieces_.find(piece); id >= 0) return id;
    return model_.unknownId;
}

// What stands at the start of the text: a user-defined symbol as it is, the longest rule, or one character.
std::pair<std::string_view, size_t> SentencePieceEncoder::normalizePrefix(std::string_view text) const {
    size_t user = 0;
    user_.prefixes(text, [&](size_t length, int32_t) { user = length; });
    if (user > 0) return {text.substr(0, user), user};
    if (rules_)
        if (const auto match = rules_->longest(text); match.length > 0) return {match.by, match.length};
    const CodePoint c = codePointAt(text, 0);
    if (!c.valid) return {"\xEF\xBF\xBD", 1};
    return {text.substr(0, c.bytes), c.bytes};
}

void SentencePieceEncoder::normalize(std::string_view text, bool start, Normalized& out) const {
    size_t at = 0;
    if (model_.removeExtraWhitespace) {
        while (at < text.size()) {
            const auto [by, length] = normalizePrefix(text.substr(at));
            if (by != " ") break;
            at += length;
        }
        if (at == text.size()) return;
    }
    const std::string_view space = model_.escapeWhitespace ? kSpaceSymbol : std::string_view(" ");
    const auto put = [&](std::string_view bytes) {
        out.text += bytes;
        out.place.insert(out.place.end(), bytes.size(), static_cast<uint32_t>(at));
    };
    if (!model_.whitespaceSuffix && model_.dummyPrefix && start) put(space);
    bool afterSpace = model_.removeExtraWhitespace;
    while (at < text.size()) {
        auto [by, length] = normalizePrefix(text.substr(at));
        while (afterSpace && by.starts_with(' ')) by.remove_prefix(1);
        for (const char& c : by) put(c == ' ' ? space : std::string_view(&c, 1));
        if (!by.empty()) afterSpace = by.ends_with(' ');
        if (!model_.removeExtraWhitespace) afterSpace = false;
        at += length;
    }
    if (model_.removeExtraWhitespace) {
        while (out.text.ends_with(space)) {
            const size_t length = out.text.size() - space.size();
            at = out.place[length];
            out.text.resize(length);
            out.place.resize(length);
        }
    }
    if (model_.whitespaceSuffix && model_.dummyPrefix) put(space);
    out.place.push_back(static_cast<uint32_t>(at));
}

void SentencePieceEncoder::unigram(std::string_view text, std::vector<Found>& out) const {
    struct Best {
        int32_t id = -1;
        float score = 0;
        int64_t from = -1;
    };
    std::vector<Best> best(text.size() + 1);
    // In single precision, as SentencePiece does: rounding decides between ways of equal sums.
    const auto reach = [&](size_t from, size_t to, int32_t id, float score) {
        score += best[from].score;
        if (best[to].from == -1 || score > best[to].score) best[to] = {id, score, static_cast<int64_t>(from)};
    };
    for (size_t at = 0; at < text.size();) {
        const size_t character = codePointAt(text, at).bytes;
        bool single = false;
        pieces_.prefixes(text.substr(at), [&](size_t length, int32_t id) {
            const auto& p = model_.pieces[static_cast<size_t>(id)];
            if (p.type == PieceType::kUnused) return;
            reach(at, at + length, id, p.type == PieceType::kUserDefined ? static_cast<float>(static_cast<float>(length) * highest_ - 0.1) : p.score);
            single |= length == character;
        });
        if (!single) reach(at, at + character, model_.unknownId, lowest_ - kUnknownPenalty32);
        at += character;
    }
    for (size_t to = text.size(); to > 0; to = static_cast<size_t>(best[to].from)) out.push_back({static_cast<uint32_t>(best[to].from), static_cast<uint32_t>(to), best[to].id});
    std::reverse(out.begin(), out.end());
}

// Length of a user-defined symbol, which never merges, or of one character.
size_t SentencePieceEncoder::symbolAt(std::string_view text, size_t at, bool& fixed) const {
    size_t length = 0;
    user_.prefixes(text.substr(at), [&](size_t n, int32_t) { length = n; });
    fixed = length > 0;
    return fixed ? length : codePointAt(text, at).bytes;
}

void SentencePieceEncoder::bpe(std::string_view text, std::vector<Found>& out) const {
    struct Symbol {
        int64_t previous, next;
        uint32_t begin, end;
        bool fixed;
    };
    struct Pair {
        float score;
        int64_t left, right;
        uint32_t size;
        bool operator<(const Pair& o) const { return score != o.score ? score < o.score : left > o.left; }
    };
    std::vector<Symbol> symbols;
    for (size_t at = 0; at < text.size();) {
        bool fixed = false;
        const size_t end = at + symbolAt(text, at, fixed);
        const auto i = static_cast<int64_t>(symbols.size());
        symbols.push_back({i - 1, end == text.size() ? -1 : i + 1, static_cast<uint32_t>(at), static_cast<uint32_t>(end), fixed});
        at = end;
    }
    std::priority_queue<Pair> queue;
    // How a piece that must not be used came about, so that it can be taken apart again.
    std::unordered_map<std::string_view, uint32_t> unused;
    const auto consider = [&](int64_t left, int64_t right) {
        if (left < 0 || right < 0) return;
        const Symbol& a = symbols[static_cast<size_t>(left)];
        const Symbol& b = symbols[static_cast<size_t>(right)];
        if (a.fixed || b.fixed) return;
        const std::string_view piece = text.substr(a.begin, b.end - a.begin);
        const int32_t id = pieces_.find(piece);
        if (id < 0) return;
        queue.push({model_.pieces[static_cast<size_t>(id)].score, left, right, static_cast<uint32_t>(piece.size())});
        if (model_.pieces[static_cast<size_t>(id)].type == PieceType::kUnused) unused[piece] = a.end - a.begin;
    };
    for (size_t i = 1; i < symbols.size(); ++i) consider(static_cast<int64_t>(i) - 1, static_cast<int64_t>(i));
    while (!queue.empty()) {
        const Pair top = queue.top();
        queue.pop();
        Symbol& a = symbols[static_cast<size_t>(top.left)];
        Symbol& b = symbols[static_cast<size_t>(top.right)];
        if (a.begin == a.end || b.begin == b.end || a.end - a.begin + b.end - b.begin != top.size) continue;
        a.end = b.end;
        a.next = b.next;
        if (b.next >= 0) symbols[static_cast<size_t>(b.next)].previous = top.left;
        b.begin = b.end;
        consider(a.previous, top.left);
        consider(top.left, a.next);
    }
    std::vector<std::pair<uint32_t, uint32_t>> apart;
    for (int64_t i = symbols.empty() ? -1 : 0; i >= 0; i = symbols[static_cast<size_t>(i)].next) {
        apart.emplace_back(symbols[static_cast<size_t>(i)].begin, symbols[static_cast<size_t>(i)].end);
        while (!apart.empty()) {
            const auto [begin, end] = apart.back();
            apart.pop_back();
            const std::string_view piece = text.substr(begin, end - begin);
            const int32_t id = idOf(piece);
            const auto split = unused.find(piece);
            if (model_.pieces[static_cast<size_t>(id)].type != PieceType::kUnused || split == unused.end()) {
                out.push_back({begin, end, id});
                continue;
            }
            apart.emplace_back(begin + split->second, end);
            apart.emplace_back(begin, begin + split->second);
        }
    }
}

void SentencePieceEncoder::words(std::string_view text, std::vector<Found>& out) const {
    size_t from = 0;
    const auto word = [&](size_t to) {
        if (to > from) out.push_back({static_cast<uint32_t>(from), static_cast<uint32_t>(to), idOf(text.substr(from, to - from))});
        from = to;
    };
    if (model_.whitespaceSuffix) {
        for (size_t at = text.find(kSpaceSymbol); at != text.npos; at = text.find(kSpaceSymbol, at + kSpaceSymbol.size())) word(at + kSpaceSymbol.size());
    } else {
        for (size_t at = text.find(kSpaceSymbol); at != text.npos; at = text.find(kSpaceSymbol, at + kSpaceSymbol.size())) word(at);
    }
    word(text.size());
}

void SentencePieceEncoder::characters(std::string_view text, std::vector<Found>& out) const {
    for (size_t at = 0; at < text.size();) {
        bool fixed = false;
        const size_t end = at + symbolAt(text, at, fixed);
        out.push_back({static_cast<uint32_t>(at), static_cast<uint32_t>(end), idOf(text.substr(at, end - at))});
        at = end;
    }
}

void SentencePieceEncoder::encode(std::string_view text, uint32_t offset, bool start, std::vector<int32_t>& ids, std::vector<std::pair<uint32_t, uint32_t>>* offsets) const {
    if (text.empty()) return;
    Normalized n;
    normalize(text, start, n);
    std::vector<Found> found;
    switch (model_.kind) {
        case SentencePieceModel::Kind::kUnigram: unigram(n.text, found); break;
        case SentencePieceModel::Kind::kBpe: bpe(n.text, found); break;
        case SentencePieceModel::Kind::kWord: words(n.text, found); break;
        case SentencePieceModel::Kind::kChar: characters(n.text, found); break;
    }
    bool afterUnknown = false;
    for (const Found& f : found) {
        const uint32_t begin = offset + n.place[f.begin], end = offset + n.place[f.end];
        const bool unknown = f.id == model_.unknownId;
        if (unknown && !bytes_.empty()) {  // the last byte stands for the character, the others for nothing
            for (uint32_t i = f.begin; i < f.end; ++i) {
                ids.push_back(bytes_[static_cast<unsigned char>(n.text[i])]);
                if (offsets) offsets->emplace_back(begin, i + 1 == f.end ? end : begin);
            }
        } else if (unknown && afterUnknown) {  // unknowns in a row are one
            if (offsets) offsets->back().second = end;
        } else {
            ids.push_back(f.id);
            const bool control = model_.pieces[static_cast<size_t>(f.id)].type == PieceType::kControl;
            if (offsets) offsets->emplace_back(begin, control ? begin : end);
        }
        afterUnknown = unknown;
    }
}

}  // namespace assay::data
