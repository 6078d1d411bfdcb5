// WordPiece as BERT uses it: the longest piece of the vocabulary from the left; a word with no such piece is unknown.
#include "tokenizer/flat_map.h"
#include "tokenizer/model.h"
#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

class WordPiece : public WordModel {
public:
    Result<void> build(const ModelData& d) {
        tokens_ = d.tokens;
        prefix_ = d.continuingPrefix;
        maxCharacters_ = static_cast<size_t>(d.maxWordCharacters);
        table_.reserve(tokens_.size());
        for (size_t id = 0; id < tokens_.size(); ++id) {
            if (!d.present[id]) continue;
            table_.insert(tokens_[id], static_cast<int32_t>(id));
            longest_ = std::max(longest_, tokens_[id].size());
        }
        unknown_ = table_.find(d.unknown);
        if (unknown_ < 0) return fail(ErrorCode::kInvalidFile, "tokenizer: unk_token \"" + d.unknown + "\" is not in the vocabulary");
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
        size_t characters = 0;
        for (char c : word) characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
        if (characters > maxCharacters_) return whole();
        std::string key;
        for (size_t from = 0; from < word.size();) {
            size_t to = std::min(word.size(), from + longest_);
            int32_t id = -1;
            for (; to > from; --to) {
                if (to < word.size() && (static_cast<unsigned char>(word[to]) & 0xC0) == 0x80) continue;
                if (from == 0) {
                    id = table_.find(word.substr(0, to));
                } else {
                    key = prefix_;
                    key += word.substr(from, to - from);
                    id = table_.find(key);
                }
                if (id >= 0) break;
            }
            if (id < 0) return whole();
            ids.push_back(id);
            if (ends) ends->push_back(static_cast<uint32_t>(to));
            from = to;
        }
    }

private:
    std::vector<std::string> tokens_;
    std::string prefix_;
    StringTable table_;
    size_t maxCharacters_ = 100, longest_ = 0;
    int32_t unknown_ = -1;
};

}  // namespace

Result<std::unique_ptr<WordModel>> makeWordPiece(const ModelData& data) {
    auto model = std::make_unique<WordPiece>();
    ASSAY_TRY_VOID(model->build(data));
    return model;
}

}  // namespace assay::data
