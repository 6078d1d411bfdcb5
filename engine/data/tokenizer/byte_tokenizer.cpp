#include "tokenizer/byte_tokenizer.h"

#include <assay/core/hash.h>

#include "tokenizer/byte_level.h"
#include "tokenizer/plain_ranges.h"
#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

constexpr int32_t kEnd = 256;
constexpr std::string_view kEndText = "<|endoftext|>";

class ByteTokenizer : public Tokenizer {
public:
    using Tokenizer::encode;
    void encode(std::string_view text, const EncodeOptions& options, Encoding& out) const override {
        for (size_t i = 0; i < text.size();) {
            size_t n = 1;
            if (options.parseSpecial && text.substr(i).starts_with(kEndText) && !touches(options.plain, i, i + kEndText.size())) {
                out.ids.push_back(kEnd);
                n = kEndText.size();
            } else {
                out.ids.push_back(static_cast<unsigned char>(text[i]));
            }
            if (options.offsets) out.offsets.emplace_back(i, i + n);
            i += n;
        }
    }
    std::string decode(std::span<const int32_t> ids, bool skipSpecial) const override { return lossyUtf8(decodeBytes(ids, skipSpecial)); }
    std::string decodeBytes(std::span<const int32_t> ids, bool skipSpecial) const override {
        std::string out;
        for (int32_t id : ids) {
            if (id >= 0 && id < kEnd) out += static_cast<char>(id);
            if (id == kEnd && !skipSpecial) out += kEndText;
        }
        return out;
    }
    std::string tokenText(int32_t id) const override {
        if (id == kEnd) return std::string(kEndText);
        return id >= 0 && id < kEnd ? std::string(byteChar(static_cast<unsigned char>(id))) : std::string();
    }
    int64_t vocabSize() const override { return 257; }
    int32_t bosId() const override { return -1; }
    int32_t eosId() const override { return kEnd; }
    bool addsBos() const override { return false; }
    const std::string& chatTemplate() const override { return empty_; }
    bool isControl(int32_t id) const override { return id == kEnd; }
    const std::string& contentKey() const override { return key_; }
    Result<std::string> toTokenizerJson() const override {
        Json vocab = Json::object();
        for (int b = 0; b < 256; ++b) vocab[std::string(byteChar(static_cast<unsigned char>(b)))] = b;
        const Json byteLevel{{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", false}};
        return dumpJson(Json{{"version", "1.0"},
                             {"truncation", nullptr},
                             {"padding", nullptr},
                             {"added_tokens", Json::array({Json{{"id", kEnd},
                                                                {"content", kEndText},
                                                                {"single_word", false},
                                                                {"lstrip", false},
                                                                {"rstrip", false},
                                                                {"normalized", false},
                                                                {"special", true}}})},
                             {"normalizer", nullptr},
                             {"pre_tokenizer", byteLevel},
                             {"post_processor", nullptr},
                             {"decoder", byteLevel},
                             {"model", Json{{"type", "BPE"},
                                            {"dropout", nullptr},
                                            {"unk_token", nullptr},
                                            {"continuing_subword_prefix", nullptr},
                                            {"end_of_word_suffix", nullptr},
                                            {"fuse_unk", false},
                                            {"byte_fallback", false},
                                            {"ignore_merges", false},
                                            {"vocab", std::move(vocab)},
                                            {"merges", Json::array()}}}},
                        1);
    }

private:
    std::string empty_, key_ = sha256Hex("assay tokenizer bytes 1");
};

}  // namespace

TokenizerPtr byteTokenizer() {
    static const TokenizerPtr tokenizer = std::make_shared<ByteTokenizer>();
    return tokenizer;
}

}  // namespace assay::data
