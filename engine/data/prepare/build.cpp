#include "prepare/build.h"

#include <assay/core/clock.h>
#include <assay/core/durable.h>
#include <assay/core/hash.h>

#include <cmath>
#include <filesystem>

#include "prepare/bigram.h"
#include "prepare/prepared.h"
#include "prepare/select.h"
#include "prepare/tokenize.h"
#include "tokenizer/bpe_trainer.h"
#include "tokenizer/hf_tokenizer.h"

namespace assay::data {
namespace {

constexpr int64_t kMaxBigramTokens = int64_t{1} << 27;  // 1 GiB of pairs; above that the yardstick is left out

class Builder {
public:
    Builder(const config::DataSpec& spec, const PipelineInputs& inputs, const PrepareOptions& options, const std::string& folder)
        : spec_(spec), inputs_(inputs), options_(options), folder_(folder) {}

    Result<void> run(const Json& pipeline, const std::string& key) {
        const double begin = monotonicSeconds();
        ASSAY_TRY(const Selection selection, selectDocuments(spec_, inputs_, options_.stop));
        ASSAY_TRY_VOID(openTokenizer(selection));
        ProgressMeter meter(options_.progress, "tokenize", "bytes", static_cast<double>(selection.bytes));
        double trainBytes = 0, evalBytes = 0;
        for (const auto text : selection.train) trainBytes += static_cast<double>(text.size());
        for (const auto text : selection.eval) evalBytes += static_cast<double>(text.size());

        std::map<std::string, int64_t> dropped = selection.dropped;
        std::vector<uint64_t> pairs;
        ASSAY_TRY(Json train, part("train", selection.train, selection.trainLines, meter, 0, dropped, &pairs));
        Json eval;
        std::optional<double> bigram;
        if (!selection.eval.empty()) {
            std::map<std::string, int64_t> evalDropped;
            std::vector<uint64_t> evalPairs;
            const bool measured = !pairs.empty();
            ASSAY_TRY(eval, part("eval", selection.eval, selection.evalLines, meter, trainBytes, evalDropped, measured ? &evalPairs : nullptr));
            for (const auto& [reason, count] : evalDropped) dropped["eval_" + reason] += count;
            ASSAY_TRY_VOID(writeEvalText(selection.eval, eval));
            eval["bytes"] = static_cast<int64_t>(evalBytes);
            if (measured && !evalPairs.empty()) bigram = crossEntropy(std::move(pairs), evalPairs);
        }
        meter.finish();
        if (options_.stop.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
        train["bytes"] = static_cast<int64_t>(trainBytes);
        const double seconds = monotonicSeconds() - begin;
        Json droppedJson = Json::object();
        for (const auto& [reason, count] : dropped) droppedJson[reason] = count;
        const Json manifest{{"format", kManifestFormat},
                            {"version", kManifestVersion},
                            {"key", key},
                            {"pipeline", pipeline},
                            {"tokenizer", Json{{"kind", spec_.tokenizer.kind == config::TokenizerSpec::Kind::kBytes || spec_.tokenizer.path == "bytes" ? "bytes" : "file"},
                                               {"key", tokenizer_->contentKey()},
                                               {"vocab_size", tokenizer_->vocabSize()},
                                               {"bos_id", tokenizer_->bosId()},
                                               {"eos_id", tokenizer_->eosId()}}},
                            {"sequence_length", spec_.sequenceLength},
                            {"train", train},
                            {"eval", eval},
                            {"dropped", droppedJson},
                            {"bigram_nll", bigram ? Json(*bigram) : Json()},
                            {"seconds", seconds},
                            {"mb_per_s", seconds > 0 ? (trainBytes + evalBytes) / 1e6 / seconds : 0},
                            {"files", files_}};
        return writeFileDurably(folder_ + "/manifest.json", dumpJson(manifest, 1));
    }

private:
    Result<void> openTokenizer(const Selection& selection) {
        tokenizer_ = inputs_.tokenizer;
        if (!tokenizer_) {
            ASSAY_TRY(std::string json, trainBpe(selection.train, spec_.tokenizer.vocab, options_.progress, options_.stop));
            ASSAY_TRY(tokenizer_, tokenizerFromJson(std::move(json), "trained tokenizer", {}));
        }
        ASSAY_TRY(const std::string json, tokenizer_->toTokenizerJson());
        ASSAY_TRY_VOID(file("tokenizer.json", json));
        // Beside it what a tokenizer.json cannot say, under the names that other programs read.
        Json config{{"tokenizer_class", "PreTrainedTokenizerFast"}, {"clean_up_tokenization_spaces", false}};
        if (tokenizer_->bosId() >= 0) config["bos_token"] = tokenizer_->tokenText(tokenizer_->bosId());
        if (tokenizer_->eosId() >= 0) config["eos_token"] = tokenizer_->tokenText(tokenizer_->eosId());
        if (!tokenizer_->chatTemplate().empty()) config["chat_template"] = tokenizer_->chatTemplate();
        return file("tokenizer_config.json", dumpJson(config, 1));
    }

    Result<void> file(const std::string& name, std::string_view bytes) {
        ASSAY_TRY_VOID(writeFileDurably(folder_ + "/" + name, bytes));
        files_.push_back(describe(name, bytes));
        return {};
    }
    static Json describe(const std::string& name, std::string_view bytes) {
        return Json{{"file", name}, {"bytes", static_cast<int64_t>(bytes.size())}, {"xxh3", hex64(xxh3(bytes))}};
    }

    // Tokenizes, packs and writes one part. `pairs`: (previous id, label) of every scored position, unless there are too many.
    Result<Json> part(const std::string& name, const std::vector<std::string_view>& texts, const std::vector<int64_t>& lines, ProgressMeter& meter, double done,
                      std::map<std::string, int64_t>& dropped, std::vector<uint64_t>* pairs) {
        ASSAY_TRY(const TokenizedDocuments docs, tokenizeDocuments(*tokenizer_, texts, lines, options_.threads, meter, done, options_.stop));
        ASSAY_TRY(const PackResult packed, packDocuments(docs, spec_.sequenceLength, spec_.overLength, spec_.packing));
        for (const auto& [reason, count] : packed.dropped) dropped[reason] += count;
        const Rows& rows = packed.rows;
        if (rows.size() == 0) return fail(ErrorCode::kInvalidFile, "no " + name + " document is left after packing", "raise data.sequence_length or set data.over_length: split");
        if (pairs && packed.lossTokens <= kMaxBigramTokens) {
            pairs->reserve(static_cast<size_t>(packed.lossTokens));
            for (const Segment& s : rows.segments) {
                const int32_t* ids = docs.ids.data() + s.start;
                for (uint32_t i = 0; i + 1 < s.length; ++i) pairs->push_back(bigramKey(ids[i], ids[i + 1]));
                if (s.tail != kNotScored) pairs->push_back(bigramKey(ids[s.length - 1], s.tail));
            }
        }
        const int idBytes = tokenizer_->vocabSize() <= 65536 ? 2 : 4;
        Json shards = Json::array();
        for (size_t first = 0; first < rows.size();) {
            if (options_.stop.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
            size_t last = first;
            for (uint64_t tokens = 0; last < rows.size() && (last == first || tokens < kShardTokens); ++last)
                for (uint64_t s = rows.begin[last]; s < rows.begin[last + 1]; ++s) tokens += rows.segments[s].length;
            char number[16];
            std::snprintf(number, sizeof number, "-%05zu.bin", shards.size());
            const std::string bytes = encodeShard(docs, rows, first, last, idBytes, spec_.sequenceLength);
            ASSAY_TRY_VOID(writeFileDurably(folder_ + "/" + name + number, bytes));
            Json description = describe(name + number, bytes);
            description["sequences"] = static_cast<int64_t>(last - first);
            shards.push_back(std::move(description));
            first = last;
        }
        const double room = static_cast<double>(rows.size()) * static_cast<double>(spec_.sequenceLength);
        return Json{{"documents", packed.documents},
                    {"tokens", packed.tokens},
                    {"loss_tokens", packed.lossTokens},
                    {"dropped_tokens", packed.truncatedTokens},
                    {"sequences", static_cast<int64_t>(rows.size())},
                    {"padding_fraction", 1 - static_cast<double>(packed.tokens) / room},
                    {"id_bytes", idBytes},
                    {"shards", shards}};
    }

    Result<void> writeEvalText(const std::vector<std::string_view>& texts, Json& eval) {
        const char* separator = spec_.document == config::Document::kLine ? "\n" : "\n\n";
        std::string all;
        for (size_t i = 0; i < texts.size(); ++i) {
            if (i > 0) all += separator;
            all += texts[i];
        }
        eval["text"] = "eval.txt";
        return file("eval.txt", all);
    }

    double crossEntropy(std::vector<uint64_t> pairs, const std::vector<uint64_t>& scored) const {
        const BigramModel model(std::move(pairs), tokenizer_->vocabSize());
        double sum = 0;
        for (const uint64_t pair : scored) sum -= std::log(model.probability(static_cast<int32_t>(pair >> 32), static_cast<int32_t>(pair & UINT32_MAX)));
        return sum / static_cast<double>(scored.size());
    }

    const config::DataSpec& spec_;
    const PipelineInputs& inputs_;
    const PrepareOptions& options_;
    const std::string& folder_;
    TokenizerPtr tokenizer_;
    Json files_ = Json::array();
};

}  // namespace

Result<void> buildPrepared(const config::DataSpec& spec, const PipelineInputs& inputs, const PrepareOptions& options, const Json& pipeline, const std::string& key,
                           const std::string& folder) {
    return Builder(spec, inputs, options, folder).run(pipeline, key);
}

}  // namespace assay::data
