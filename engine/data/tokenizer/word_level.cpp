// WordLevel: a word is a token of the vocabulary or the unknown.
#include <assay/data/encoding.h>

#include "tokenizer/flat_map.h"
#include "tokenizer/model.h"

namespace assay::data {
namespace {

class WordLevel : public WordModel {
public:
    explicit WordLevel(const ModelData& d) : tokens_(d.tokens) {
        table_.reserve(tokens_.size());
        for (size_t id = 0; id < tokens_.size(); ++id)
            if (d.present[id]) table_.insert(tokens_[id], static_cast<int32_t>(id));
        unknown_ = table_.find(d.unknown);
    }
    void encode(std::string_view word, std::vector<int32_t>& ids, std::vector<uint32_t>* ends) const override {
        int32_t id = table_.find(word);
        if (id < 0) id = unknown_;
        if (id < 0)
            throw EncodeError(Error(ErrorCode::kUnsupported, "the tokenizer has no token for \"" + std::string(word.substr(0, 100)) + "\" and none for the unknown", "use a tokenizer whose unk_token is in the vocabulary"));
        ids.push_back(id);
        if (ends) ends->push_back(static_cast<uint32_t>(word.size()));
    }

private:
    std::vector<std::string> tokens_;
    StringTable table_;
    int32_t unknown_ = -1;
};

}  // namespace

Result<std::unique_ptr<WordModel>> makeWordLevel(const ModelData& data) { return std::make_unique<WordLevel>(data); }

}  // namespace assay::data
