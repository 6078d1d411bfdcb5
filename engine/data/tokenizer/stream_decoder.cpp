#include <assay/data/tokenizer.h>

#include "tokenizer/unicode.h"

namespace assay::data {

std::string StreamDecoder::take(bool all) {
    std::vector<int32_t> ids = context_;
    ids.insert(ids.end(), pending_.begin(), pending_.end());
    const size_t known = context_.empty() ? 0 : tokenizer_->decodeBytes(context_).size();
    const std::string text = tokenizer_->decodeBytes(ids);
    const size_t from = std::min(text.size(), known + emitted_);
    const std::string_view fresh = std::string_view(text).substr(from);
    const size_t held = all ? 0 : incompleteTail(fresh);
    const std::string out = lossyUtf8(fresh.substr(0, fresh.size() - held));
    if (held == 0) {
        if (text.size() > known) {  // ids without text stay, so that the context is never silent
            context_ = std::move(pending_);
            pending_.clear();
            emitted_ = 0;
        }
    } else {
        emitted_ = text.size() - held - known;
    }
    return out;
}

std::string StreamDecoder::push(int32_t id) {
    pending_.push_back(id);
    return take(false);
}

std::string StreamDecoder::finish() {
    if (pending_.empty()) return {};
    std::string out = take(true);
    pending_.clear();
    context_.clear();
    emitted_ = 0;
    return out;
}

}  // namespace assay::data
