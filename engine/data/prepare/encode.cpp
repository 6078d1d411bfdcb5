#include "prepare/encode.h"

#include <algorithm>
#include <functional>

#include "import/messages.h"
#include "prepare/ordered.h"

namespace assay::data {
namespace {

const char* lossName(config::LossOn loss) { return loss == config::LossOn::kAssistant ? "assistant" : "completion"; }

bool isConversation(const RowParts& p) {
    return p.shape == Shape::kMessages || p.shape == Shape::kAlpaca || (p.shape == Shape::kPrompt && p[Role::kCompletion].kind == Cell::Kind::kJson);
}

}  // namespace

Result<RowEncoder> RowEncoder::create(TokenizerPtr tokenizer, const OpenedSource& source, const Options& options) {
    RowEncoder out;
    out.tokenizer_ = std::move(tokenizer);
    out.options_ = options;
    const Shape shape = source.mapping.shape;
    if (shape != Shape::kNone && !trainable(shape))
        return fail(ErrorCode::kUnsupported, source.source.path + " holds rows of the shape " + shapeName(shape) + ", which this build inspects but does not train on",
                    shape == Shape::kClassification ? "to train on the text alone, say columns: {text: NAME}" : "to train on the chosen answers alone, say columns: {prompt: NAME, completion: NAME}");
    if (options.lossOn != config::LossOn::kAll && shape == Shape::kText)
        return fail(ErrorCode::kBadUsage, source.source.path + " holds plain text, and data.loss_on is " + lossName(options.lossOn) + ": no row has an answer to learn",
                    "set data.loss_on: all, or name the columns of prompts and answers");
    if (options.heldOutLossOn.value_or(config::LossOn::kAll) != config::LossOn::kAll && shape == Shape::kText)
        return fail(ErrorCode::kBadUsage, source.source.path + " holds plain text, and data.eval.loss_on is " + lossName(*options.heldOutLossOn) + ": no row has an answer to score",
                    "set data.eval.loss_on: all, or name the columns of prompts and answers");
    bool conversations = shape == Shape::kMessages || shape == Shape::kAlpaca;
    for (const auto& [s, rows] : source.mapping.shapes) conversations |= s == Shape::kMessages || s == Shape::kAlpaca;
    const bool asked = options.chatTemplate != "auto" && !options.chatTemplate.empty();
    if (!conversations && shape != Shape::kPrompt && !asked) return out;
    auto found = chatTemplateFor(*out.tokenizer_, asked ? options.chatTemplate : "auto");
    if (!found && !asked && found.error().code == ErrorCode::kNotFound) found = chatTemplateFor(*out.tokenizer_, shape == Shape::kAlpaca ? "alpaca" : "plain");
    if (!found && !conversations && !asked) return out;  // prompts and answers as plain text need none
    if (!found) return fail(std::move(found).error());
    out.template_ = *found;
    auto tools = chatTemplateFor(*out.tokenizer_, asked ? options.chatTemplate : "auto", true);
    out.toolTemplate_ = tools ? *tools : out.template_;
    out.templateName_ = out.template_->name();
    out.templateSource_ = out.template_->source();
    if (out.toolTemplate_->source() != out.templateSource_) out.templateSource_ += '\0' + out.toolTemplate_->source();
    return out;
}

void RowEncoder::text(std::string_view text, Row& out) const {
    Encoding encoding;
    encoding.ids = std::move(out.ids);
    if (tokenizer_->addsBos()) encoding.ids.push_back(tokenizer_->bosId());
    tokenizer_->encode(text, {}, encoding);
    if (tokenizer_->eosId() >= 0) encoding.ids.push_back(tokenizer_->eosId());
    out.ids = std::move(encoding.ids);
}

void RowEncoder::prompt(std::string_view prompt, std::string_view completion, bool masked, Row& out) const {
    out.text.assign(prompt);
    out.text += completion;
    if (!masked) return text(out.text, out);
    Encoding encoding;
    EncodeOptions options;
    options.offsets = true;
    tokenizer_->encode(out.text, options, encoding);
    if (tokenizer_->addsBos()) {
        out.ids.push_back(tokenizer_->bosId());
        out.mask.push_back(0);
    }
    for (size_t i = 0; i < encoding.ids.size(); ++i) {
        out.ids.push_back(encoding.ids[i]);
        out.mask.push_back(encoding.offsets[i].second > prompt.size());
    }
    if (tokenizer_->eosId() >= 0) {
        out.ids.push_back(tokenizer_->eosId());
        out.mask.push_back(1);
    }
}

void RowEncoder::conversation(const RowParts& parts, config::LossOn lossOn, Row& out) const {
    const auto refuse = [&](const char* reason, std::string hint) {
        out.reason = reason;
        out.hint = std::move(hint);
    };
    auto conversation = conversationOf(parts);
    if (!conversation) return refuse("not_messages", conversation.error().text());
    const bool tools = conversation->contains("tools");
    const ChatTemplatePtr& chat = tools ? toolTemplate_ : template_;
    if (!chat) return refuse("no_template", "the row is a conversation and most rows are not: no chat template was chosen; set data.template");
    ChatEncodeOptions how;
    how.loss = lossOn == config::LossOn::kAll ? ChatLoss::kAll : lossOn == config::LossOn::kAssistant ? ChatLoss::kAssistant : ChatLoss::kCompletion;
    how.terminate = true;
    auto encoded = encodeChat(*tokenizer_, *chat, *conversation, how);
    if (!encoded) return refuse("template_error", encoded.error().text());
    out.ids = std::move(encoded->ids);
    if (lossOn != config::LossOn::kAll) out.mask = std::move(encoded->lossMask);
    out.text = std::move(encoded->text);
    if (!encoded->warnings.empty()) {
        out.notice = "template_warning";
        out.noticeHint = encoded->warnings.front();
    }
}

void RowEncoder::encode(const RowParts& parts, Row& out, bool heldOut) const {
    const config::LossOn lossOn = heldOut ? options_.heldOutLossOn.value_or(options_.lossOn) : options_.lossOn;
    const bool masked = lossOn != config::LossOn::kAll;
    const std::string key = heldOut && options_.heldOutLossOn ? "data.eval.loss_on" : "data.loss_on";
    out.ids.clear();
    out.mask.clear();
    out.text.clear();
    out.reason.clear();
    out.hint.clear();
    out.notice.clear();
    out.noticeHint.clear();
    if (isConversation(parts)) {
        conversation(parts, lossOn, out);
    } else if (parts.shape == Shape::kPrompt) {
        prompt(parts.text(Role::kPrompt), parts.text(Role::kCompletion), masked, out);
    } else if (parts.shape == Shape::kText) {
        if (masked) {
            out.reason = "no_answer";
            out.hint = "the row is plain text and " + key + " is " + lossName(lossOn) + "; set it to all";
            return;
        }
        text(parts.text(Role::kText), out);
    } else {
        out.reason = "unsupported_shape";
        out.hint = std::string("rows of the shape ") + shapeName(parts.shape) + " are not trained on";
        return;
    }
    if (!out.reason.empty()) return;
    if (out.ids.empty()) {
        out.reason = "no_tokens";
        out.hint = "the tokenizer makes nothing of the text";
    } else if (!out.mask.empty() && std::find(out.mask.begin() + 1, out.mask.end(), 1) == out.mask.end()) {
        out.reason = "no_loss";
        out.hint = "no token of the row is one that " + key + ": " + lossName(lossOn) + " counts";
    }
}

Result<void> encodeSource(const OpenedSource& source, const RowEncoder& encoder, int threads, const std::function<uint8_t(int64_t row)>& wanted, bool mapped,
                          const std::function<Result<void>(EncodedRows&)>& take, const std::stop_token& stop) {
    RowRequest request = source.request;
    request.batchBytes = size_t{256} << 10;
    ASSAY_TRY(RowReaderPtr reader, openRows(request));
    const BatchSource batches = [&](RowBatch& batch, int64_t& bytes) -> Result<bool> {
        ASSAY_TRY(const bool more, reader->next(batch));
        bytes = reader->bytesDone();
        return more;
    };
    return encodeBatches(batches, source.mapping, encoder, threads, wanted, mapped, take, stop);
}

Result<void> encodeBatches(const BatchSource& batches, const Mapping& mapping, const RowEncoder& encoder, int threads, const std::function<uint8_t(int64_t row)>& wanted, bool mapped,
                           const std::function<Result<void>(EncodedRows&)>& take, const std::stop_token& stop) {
    struct Batch {
        RowBatch rows;
        int64_t bytes = 0;
    };
    const auto read = [&](Batch& batch) { return batches(batch.rows, batch.bytes); };
    const auto work = [&](int, Batch& batch, EncodedRows& out) -> Result<void> {
        RowMapper mapper(mapping);
        RowParts parts;
        RowEncoder::Row row;
        out.rows = static_cast<int64_t>(batch.rows.size());
        out.bytes = batch.bytes;
        for (size_t i = 0; i < batch.rows.size(); ++i) {
            if (stop.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
            const RowBatch::Row& at = batch.rows.row(i);
            const uint8_t side = wanted(at.number);
            if (side == kSkip) continue;
            mapper.read(batch.rows, i, parts);
            if (!parts.usable()) {
                if (mapped) out.problems.add(parts.reason, at.number, at.line, parts.hint);
                continue;
            }
            if (mapped && !parts.notice.empty()) out.problems.add(parts.notice, at.number, at.line, parts.noticeHint, false);
            encoder.encode(parts, row, side == kEval);
            if (!row.reason.empty()) {
                out.problems.add(row.reason, at.number, at.line, row.hint);
                out.lost += static_cast<int64_t>(row.ids.size());
                continue;
            }
            if (!row.notice.empty()) out.problems.add(row.notice, at.number, at.line, row.noticeHint, false);
            EncodedRows::Document d;
            d.row = at.number;
            d.line = at.line;
            d.side = side;
            d.begin = out.ids.size();
            out.ids.insert(out.ids.end(), row.ids.begin(), row.ids.end());
            d.end = out.ids.size();
            if (!row.mask.empty()) {
                out.mask.resize(d.begin, 1);
                out.mask.insert(out.mask.end(), row.mask.begin(), row.mask.end());
            }
            if (side == kWithText) {
                d.textBegin = out.texts.size();
                out.texts += parts.shape == Shape::kText ? parts.text(Role::kText) : std::string_view(row.text);
                d.textEnd = out.texts.size();
            }
            out.documents.push_back(d);
        }
        if (!out.mask.empty()) out.mask.resize(out.ids.size(), 1);
        return {};
    };
    return runOrdered<Batch, EncodedRows>(threads, read, work, take, stop);
}

}  // namespace assay::data
