// Unigram (Kudo 2018): of all ways to cut a word into pieces the one with the largest sum of scores. One pass over the word
// keeps the best way to reach every place.
#include <assay/data/encoding.h>

#include <algorithm>

#include "tokenizer/model.h"
#include "tokenizer/piece_trie.h"
#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

constexpr double kUnknownPenalty = 10;

class Unigram : public WordModel {
public:
    Result<void> build(const ModelData& d) {
        scores_ = d.scores;
        unknown_ = d.unknownId;
        std::vector<std::pair<std::string_view, int32_t>> pieces;
        for (size_t id = 0; id < d.tokens.size(); ++id) {
            lowest_ = std::min(lowest_, scores_[id]);
            pieces.emplace_back(d.tokens[id], static_cast<int32_t>(id));  // of two the same the later one counts
        }
        trie_ = PieceTrie(std::move(pieces));
        if (d.byteFallback) {
            for (int b = 0; b < 256; ++b) {
                char name[8];
                std::snprintf(name, sizeof name, "<0x%02X>", b);
                bytes_.push_back(trie_.find(name));
            }
        }
        return {};
    }

    void encode(std::string_view word, std::vector<int32_t>& ids, std::vector<uint32_t>* ends) const override {
        struct Best {
            double score = 0;
            uint32_t from = UINT32_MAX;
            int32_t id = -1;
        };
        thread_local std::vector<Best> best;
        best.assign(word.size() + 1, {});
        const auto reach = [&](size_t from, size_t to, int32_t id, double score) {
            score += best[from].score;
            if (best[to].from == UINT32_MAX || score > best[to].score) best[to] = {score, static_cast<uint32_t>(from), id};
        };
        for (size_t at = 0; at < word.size();) {
            const size_t character = codePointAt(word, at).bytes;
            bool single = false;
            trie_.prefixes(word.substr(at), [&](size_t length, int32_t id) {
                reach(at, at + length, id, scores_[static_cast<size_t>(id)]);
                single |= length == character;
            });
            if (!single) {
                if (unknown_ < 0)
                    throw EncodeError(Error(ErrorCode::kUnsupported, "the tokenizer has no piece for \"" + std::string(word.substr(at, character)) + "\" and none for the unknown", "use a tokenizer whose model has an unk_id"));
                reach(at, at + character, unknown_, lowest_ - kUnknownPenalty);
            }
            at += character;
        }
        struct Piece {
            size_t from, to;
            int32_t id;
        };
        thread_local std::vector<Piece> path;
        path.clear();
        for (size_t to = word.size(); to > 0; to = best[to].from) {
            const Best& b = best[to];
            if (b.id == unknown_ && !path.empty() && path.back().id == unknown_) {
                path.back().from = b.from;  // unknowns in a row are one
            } else {
                path.push_back({b.from, to, b.id});
            }
        }
        for (auto piece = path.rbegin(); piece != path.rend(); ++piece) put(word.substr(piece->from, piece->to - piece->from), piece->to, piece->id, ids, ends);
    }

private:
    void put(std::string_view text, size_t end, int32_t id, std::vector<int32_t>& ids, std::vector<uint32_t>* ends) const {
        const auto one = [&](int32_t token) {
            ids.push_back(token);
            if (ends) ends->push_back(static_cast<uint32_t>(end));
        };
        if (id != unknown_) return one(id);
        if (const int32_t known = trie_.find(text); known >= 0) return one(known);  // unknowns that together are a piece
        const bool asBytes = !bytes_.empty() && std::all_of(text.begin(), text.end(), [&](char c) { return bytes_[static_cast<unsigned char>(c)] >= 0; });
        if (!asBytes) return one(unknown_);
        for (const char c : text) one(bytes_[static_cast<unsigned char>(c)]);
    }

    PieceTrie trie_;
    std::vector<double> scores_;
    std::vector<int32_t> bytes_;  // ids of the byte pieces; empty without byte fallback
    double lowest_ = 1e300;
    int32_t unknown_ = -1;
};

}  // namespace

Result<std::unique_ptr<WordModel>> makeUnigram(const ModelData& data) {
    auto model = std::make_unique<Unigram>();
    ASSAY_TRY_VOID(model->build(data));
    return model;
}

}  // namespace assay::data
