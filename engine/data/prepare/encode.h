#pragma once
// Rows → ids with the mask of what is learned.
#include <assay/data/chat.h>

#include <functional>
#include <optional>
#include <stop_token>

#include "import/problems.h"
#include "import/source.h"

namespace assay::data {

// How the rows of a data set become tokens. Immutable; any number of threads.
class RowEncoder {
public:
    struct Options {
        std::string chatTemplate = "auto";
        config::LossOn lossOn = config::LossOn::kAll;
        std::optional<config::LossOn> heldOutLossOn = {};  // of held-out rows; absent: as of the others
    };
    // Templates are looked up for the shape that most rows have. kUnsupported for shapes that are not trained on, and
    // kBadUsage when loss_on asks for answers and the rows are plain text.
    static Result<RowEncoder> create(TokenizerPtr tokenizer, const OpenedSource& source, const Options& options);

    struct Row {
        std::vector<int32_t> ids;
        std::vector<uint8_t> mask;   // per id: may be predicted; empty: all
        std::string text;            // of conversations: as rendered
        std::string reason, hint;    // why it is not used
        std::string notice, noticeHint;
    };
    // Text: BOS when the tokenizer adds one, the text with control-token text as plain text, EOS when there is one.
    // Prompts with answers: the same with both joined; a token that holds bytes of both counts as the answer's.
    // Conversations: what the template makes of them.
    void encode(const RowParts& parts, Row& out, bool heldOut = false) const;

    const Tokenizer& tokenizer() const { return *tokenizer_; }
    const std::string& templateName() const { return templateName_; }      // empty: no template is used
    const std::string& templateSource() const { return templateSource_; }

private:
    void text(std::string_view text, Row& out) const;
    void prompt(std::string_view prompt, std::string_view completion, bool masked, Row& out) const;
    void conversation(const RowParts& parts, config::LossOn lossOn, Row& out) const;

    TokenizerPtr tokenizer_;
    Options options_;
    ChatTemplatePtr template_, toolTemplate_;
    std::string templateName_, templateSource_;
};

// Rows of a batch, encoded.
struct EncodedRows {
    struct Document {
        int64_t row = 0, line = 0;
        uint64_t begin = 0, end = 0;          // of ids
        uint64_t textBegin = 0, textEnd = 0;  // of texts
        uint8_t side = 1;                     // as `wanted` said
    };
    std::vector<int32_t> ids;
    std::vector<uint8_t> mask;  // as long as ids when rows have masks, else empty
    std::vector<Document> documents;
    std::string texts;          // of the documents for which `wanted` gave kWithText
    Problems problems;
    int64_t rows = 0, bytes = 0;  // bytes: of the file read so far
    int64_t lost = 0;           // tokens of rows that were refused after encoding
};

enum Wanted : uint8_t { kSkip = 0, kTrain = 1, kEval = 2, kWithText = 2 };  // texts are kept for held-out rows
using BatchSource = std::function<Result<bool>(RowBatch& out, int64_t& fileBytes)>;  // false at the end
Result<void> encodeBatches(const BatchSource& batches, const Mapping& mapping, const RowEncoder& encoder, int threads, const std::function<uint8_t(int64_t row)>& wanted, bool mapped,
                           const std::function<Result<void>(EncodedRows&)>& take, const std::stop_token& stop);
// Encodes the rows for which `wanted` is not kSkip and hands them over in order. `mapped`: also count rows that cannot be
// used at all (the survey did so already where there was one).
Result<void> encodeSource(const OpenedSource& source, const RowEncoder& encoder, int threads, const std::function<uint8_t(int64_t row)>& wanted, bool mapped,
                          const std::function<Result<void>(EncodedRows&)>& take, const std::stop_token& stop);

}  // namespace assay::data
