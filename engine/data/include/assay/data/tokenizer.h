#pragma once
// Text to ids and back. A tokenizer is immutable after loading and may be used from any number of threads.

#include <assay/core/json.h>
#include <assay/data/encoding.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::data {

struct EncodeOptions {
    bool addSpecial = false;    // what the tokenizer's post-processor / add_bos adds
    bool parseSpecial = false;  // text of control tokens inside the input becomes that token; otherwise it is plain text
    bool offsets = false;
    // With parseSpecial: byte ranges, ascending, in which it stays plain text all the same (what people wrote into a chat).
    std::span<const std::pair<uint32_t, uint32_t>> plain = {};
};
struct Encoding {
    std::vector<int32_t> ids;
    std::vector<std::pair<uint32_t, uint32_t>> offsets;  // byte begin, end; only when asked for
};

struct NamedText {
    std::string name, text;
};

class Tokenizer {
public:
    virtual ~Tokenizer() = default;
    // Appends. Throws EncodeError where the text cannot be encoded exactly.
    virtual void encode(std::string_view text, const EncodeOptions& options, Encoding& out) const = 0;
    // One text, or a pair, with type ids, masks, windows and padding.
    virtual Result<DetailedEncoding> encodeDetailed(std::string_view text, const DetailOptions& options, const std::string_view* pair = nullptr) const;
    // What the tokenizer's own file says about truncation and padding; encoding does neither unless asked to.
    virtual std::optional<Truncation> fileTruncation() const { return {}; }
    virtual std::optional<Padding> filePadding() const { return {}; }
    // Valid UTF-8: what is no character becomes U+FFFD.
    virtual std::string decode(std::span<const int32_t> ids, bool skipSpecial = false) const = 0;
    // The same with bytes as they are: characters may be cut at the ends.
    virtual std::string decodeBytes(std::span<const int32_t> ids, bool skipSpecial = false) const = 0;
    virtual std::string tokenText(int32_t id) const = 0;  // as the vocabulary writes it
    virtual int64_t vocabSize() const = 0;                // largest id + 1
    virtual int32_t bosId() const = 0;                    // -1: none
    virtual int32_t eosId() const = 0;
    virtual bool addsBos() const = 0;                     // its own configuration puts a BOS in front
    virtual const std::string& chatTemplate() const = 0;  // Jinja source; empty: none
    virtual bool isControl(int32_t) const { return false; }  // a token that parseSpecial is about
    // The templates of a tokenizer that has several (default, tool_use, rag …): name and source.
    virtual std::span<const NamedText> chatTemplates() const { return {}; }
    // Texts of its tokens by the name that templates use: bos_token, eos_token, pad_token …
    virtual std::span<const NamedText> namedTokens() const { return {}; }
    virtual const std::string& contentKey() const = 0;    // SHA-256 of what defines it: same key, same ids
    // tokenizer.json text (Hugging Face format) that makes the same tokenizer; kUnsupported when there is no such form.
    virtual Result<std::string> toTokenizerJson() const = 0;

    std::vector<int32_t> encode(std::string_view text) const {
        Encoding e;
        encode(text, {}, e);
        return std::move(e.ids);
    }
};
using TokenizerPtr = std::shared_ptr<const Tokenizer>;

// encode() with the EncodeError that it may throw as a Result.
Result<void> tryEncode(const Tokenizer& tokenizer, std::string_view text, const EncodeOptions& options, Encoding& out);

// "bytes", a folder or a file: tokenizer.json, SentencePiece .model, tiktoken ranks, tekken.json, vocab.txt, vocab.json with
// merges.txt beside it, RWKV's World vocabulary, .gguf (README.md: which goes first in a folder). What cannot be done exactly
// is kUnsupported.
Result<TokenizerPtr> loadTokenizer(const std::string& path);

// Decodes ids as they come and never emits half a character. Bounded memory: keeps the last few ids only.
class StreamDecoder {
public:
    explicit StreamDecoder(TokenizerPtr tokenizer) : tokenizer_(std::move(tokenizer)) {}
    std::string push(int32_t id);  // the new whole characters, maybe none
    std::string finish();          // what is left, invalid bytes as U+FFFD

private:
    std::string take(bool all);
    TokenizerPtr tokenizer_;
    std::vector<int32_t> context_, pending_;  // ids whose text is out already (decoders look at the first token), and not yet
    size_t emitted_ = 0;                      // bytes of the pending text that are out
};

}  // namespace assay::data
