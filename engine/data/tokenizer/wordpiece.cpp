// WordPiece as BERT uses it: the longest piece of the vocabulary from the left; a word with no such piece is unknown.
#include <assay/data/encoding.h>

#include <algorithm>

#include "tokenizer/byte_trie.h"
#include "tokenizer/model.h"

namespace assay::data {
namespace {

constexpr size_t kMaxVocabularyText = size_t{32} << 20;  // a hundred times that of the largest known; the trie is twelve times larger

constexpr size_t kMostLooks = 512;  // a byte: only a vocabulary that was made to be slow needs more

[[noreturn]] void tooDear(size_t bytes) {
    throw EncodeError(Error(ErrorCode::kUnsupported, "the vocabulary makes a word of " + std::to_string(bytes) + " bytes too dear to encode",
                            "set max_input_chars_per_word to 100, or use the vocabulary that belongs to the model"));
}

class WordPiece : public WordModel {
public:
    Result<void> build(const ModelData& d) {
        maxCharacters_ = static_cast<size_t>(std::max<int64_t>(d.maxWordCharacters, 0));
        std::vector<std::pair<std::string_view, int32_t>> starts, rests;
        size_t bytes = 0;
        for (const std::string& token : d.tokens) bytes += token.size();
        if (bytes > kMaxVocabularyText)
            return fail(ErrorCode::kInvalidFile, "tokenizer: the WordPiece vocabulary holds " + std::to_string(bytes >> 20) + " MiB of text; at most 32 are read",
                        "use the vocabulary that belongs to the model");
        for (size_t id = 0; id < d.tokens.size(); ++id) {
            if (!d.present[id] || d.tokens[id].empty()) continue;
            const std::string_view token = d.tokens[id];
            if (token == d.unknown) unknown_ = static_cast<int32_t>(id);
            starts.emplace_back(token, static_cast<int32_t>(id));
            if (token.size() > d.continuingPrefix.size() && token.starts_with(d.continuingPrefix))
                rests.emplace_back(token.substr(d.continuingPrefix.size()), static_cast<int32_t>(id));
        }
        if (unknown_ < 0) return fail(ErrorCode::kInvalidFile, "tokenizer: unk_token \"" + d.unknown + "\" is not in the vocabulary");
        start_ = trie_.addRoot(std::move(starts));
        rest_ = trie_.addRoot(std::move(rests));
        return {};
    }

    void encode(std::string_view word, std::vector<int32_t>& ids, std::vector<uint32_t>* ends) const override {
        const size_t first = ids.size(), firstEnd = ends ? ends->size() : 0;
        auto whole = [&] {
            ids.resize(first);
            ids.push_back(unknown_);
            if (ends) {
                ends->resize(firstEnd);
                ends->push_back(static_cast<uint32_t>(word.size()));
            }
        };
        if (word.size() > maxCharacters_) {
            size_t characters = 0;
            for (const char c : word) characters += !continues(c);
            if (characters > maxCharacters_) return whole();
        }
        size_t looks = 0;
        for (size_t from = 0; from < word.size();) {
            if (looks > kMostLooks * (word.size() + 16)) tooDear(word.size());
            int32_t id = -1;
            size_t to = from;
            ByteTrie::Node node = from == 0 ? start_ : rest_;
            for (size_t i = from; i < word.size();) {
                node = trie_.child(node, static_cast<unsigned char>(word[i]));
                if (node == ByteTrie::kNoNode) break;
                ++i;
                ++looks;
                if (trie_.value(node) < 0 || (i < word.size() && continues(word[i]))) continue;
                id = trie_.value(node);
                to = i;
            }
            if (id < 0) return whole();
            ids.push_back(id);
            if (ends) ends->push_back(static_cast<uint32_t>(to));
            from = to;
        }
    }

private:
    static bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

    ByteTrie trie_;
    ByteTrie::Node start_ = 0, rest_ = 0;
    size_t maxCharacters_ = 100;
    int32_t unknown_ = -1;
};

}  // namespace

Result<std::unique_ptr<WordModel>> makeWordPiece(const ModelData& data) {
    auto model = std::make_unique<WordPiece>();
    ASSAY_TRY_VOID(model->build(data));
    return model;
}

}  // namespace assay::data
