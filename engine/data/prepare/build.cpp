#include "prepare/build.h"

#include <assay/config/config.h>
#include <assay/core/clock.h>
#include <assay/core/durable.h>

#include <cmath>

#include "prepare/mixture.h"
#include "prepare/part_writer.h"
#include "prepare/prepared.h"
#include "prepare/survey.h"
#include "tokenizer/bpe_trainer.h"
#include "tokenizer/hf_tokenizer.h"
#include "tokenizer/wordpiece_trainer.h"

namespace assay::data {
namespace {

// Different pairs of ids that the yardstick counts; with more it is left out.
constexpr size_t kMostTrainPairs = 6'000'000, kMostEvalPairs = 3'000'000;
// Texts that a vocabulary is learned from; of more text an even share of the documents.
constexpr int64_t kVocabularyBytes = int64_t{128} << 20;

class Builder {
public:
    Builder(const config::DataSpec& spec, PipelineInputs& inputs, const PrepareOptions& options, const std::string& folder)
        : spec_(spec), inputs_(inputs), options_(options), folder_(folder) {}

    Result<void> run(const Json& pipeline, const std::string& key) {
        const double begin = monotonicSeconds();
        ASSAY_TRY_VOID(survey());
        ASSAY_TRY_VOID(openTokenizer());
        ASSAY_TRY_VOID(writeParts());
        for (const InputFile& f : inputs_.train) ASSAY_TRY_VOID(checkUnchanged(f));
        if (inputs_.eval) ASSAY_TRY_VOID(checkUnchanged(*inputs_.eval));
        if (options_.stop.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
        const double seconds = monotonicSeconds() - begin;
        Json dropped = Json::object(), problems = Json::array();
        for (const auto& [reason, count] : dropped_) dropped[reason] = count;
        for (const SurveyedSource& s : survey_.train) listProblems(s, problems);
        if (survey_.eval) listProblems(*survey_.eval, problems);
        const RowEncoder& encoder = inputs_.encoders.front();
        const Json manifest{{"format", kManifestFormat},
                            {"version", kManifestVersion},
                            {"key", key},
                            {"pipeline", pipeline},
                            {"tokenizer", Json{{"kind", spec_.tokenizer.kind == config::TokenizerSpec::Kind::kBytes || spec_.tokenizer.path == "bytes" ? "bytes" : "file"},
                                               {"key", tokenizer_->contentKey()},
                                               {"vocab_size", tokenizer_->vocabSize()},
                                               {"bos_id", tokenizer_->bosId()},
                                               {"eos_id", tokenizer_->eosId()}}},
                            {"template", encoder.templateName().empty() ? Json() : Json{{"name", encoder.templateName()}, {"source", encoder.templateSource()}}},
                            {"sequence_length", spec_.sequenceLength},
                            {"packing", config::packingName(spec_.packing)},
                            {"train", train_},
                            {"eval", eval_},
                            {"mixture", mixture_},
                            {"dropped", dropped},
                            {"problems", problems},
                            {"near_duplicates", survey_.near},
                            {"bigram_nll", bigram_ ? Json(*bigram_) : Json()},
                            {"seconds", seconds},
                            {"mb_per_s", seconds > 0 ? static_cast<double>(textBytes_) / 1e6 / seconds : 0},
                            {"files", files_}};
        return writeFileDurably(folder_ + "/manifest.json", dumpJson(manifest, 1));
    }

private:
    Result<void> survey() {
        std::vector<OpenedSource> train;
        for (const InputFile& f : inputs_.train) train.push_back(f.source);
        std::optional<OpenedSource> eval;
        if (inputs_.eval && inputs_.evalOfTrain < 0) eval = inputs_.eval->source;
        ASSAY_TRY(survey_, surveySources(spec_, std::move(train), std::move(eval), inputs_.evalOfTrain, {folder_, options_.threads, options_.progress, options_.stop}));
        dropped_ = survey_.dropped;
        for (const SurveyedSource& s : survey_.train) textBytes_ += s.textBytes;
        if (survey_.eval) textBytes_ += survey_.eval->textBytes;
        return {};
    }

    Result<void> checkUnchanged(const InputFile& f) const {
        if (unchanged(f)) return {};
        return fail(ErrorCode::kInvalidFile, f.path + " changed while it was read", "prepare the data again when nothing writes to it");
    }

    // The training texts, or of more than kVocabularyBytes an even share of them.
    Result<std::vector<std::string>> vocabularyTexts() {
        std::vector<std::string> out;
        int64_t all = 0;
        for (const SurveyedSource& s : survey_.train) all += s.textBytes;
        const double share = std::min(1.0, static_cast<double>(kVocabularyBytes) / static_cast<double>(std::max<int64_t>(all, 1)));
        for (const SurveyedSource& s : survey_.train) {
            ASSAY_TRY(RowReaderPtr reader, openRows(s.source.request));
            RowMapper mapper(s.source.mapping);
            RowBatch batch;
            RowParts parts;
            double due = 0;
            for (;;) {
                ASSAY_TRY(const bool more, reader->next(batch));
                if (!more) break;
                if (options_.stop.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
                for (size_t i = 0; i < batch.size(); ++i) {
                    if (s.sides.at(batch.row(i).number) != kTrain) continue;
                    due += share;
                    if (due < 1) continue;
                    due -= 1;
                    mapper.read(batch, i, parts);
                    if (parts.usable()) out.push_back(plainText(parts));
                }
            }
        }
        return out;
    }

    Result<void> openTokenizer() {
        tokenizer_ = inputs_.tokenizer;
        if (!tokenizer_) {
            ASSAY_TRY(const std::vector<std::string> texts, vocabularyTexts());
            const std::vector<std::string_view> views(texts.begin(), texts.end());
            ASSAY_TRY(std::string json, trainVocabulary(views));
            ASSAY_TRY(tokenizer_, tokenizerFromJson(std::move(json), "trained tokenizer", {}));
            ASSAY_TRY_VOID(openEncoders(spec_, tokenizer_, inputs_));
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
    Result<std::string> trainVocabulary(const std::vector<std::string_view>& texts) const {
        if (spec_.tokenizer.kind == config::TokenizerSpec::Kind::kTrainWordPiece) return trainWordPiece(texts, spec_.tokenizer.vocab, options_.progress, options_.stop);
        return trainBpe(texts, spec_.tokenizer.vocab, options_.progress, options_.stop);
    }

    Result<void> file(const std::string& name, std::string_view bytes) {
        ASSAY_TRY_VOID(writeFileDurably(folder_ + "/" + name, bytes));
        files_.push_back(describeFile(name, bytes));
        return {};
    }

    bool weighted() const {
        for (const config::DataSource& s : spec_.train)
            if (s.weight != spec_.train.front().weight) return true;
        return false;
    }

    Result<void> writeParts() {
        const bool held = spec_.eval.has_value();
        const int idBytes = tokenizer_->vocabSize() <= 65536 ? 2 : 4;
        const PackOptions pack{spec_.sequenceLength, spec_.overLength, spec_.packing};
        BigramCounter trainPairs(kMostTrainPairs), evalPairs(kMostEvalPairs);
        PartWriter train(folder_, "train", pack, idBytes, held ? &trainPairs : nullptr), eval(folder_, "eval", pack, idBytes, held ? &evalPairs : nullptr);
        TextWriter text;
        if (held) ASSAY_TRY_VOID(text.open(folder_ + "/eval.txt"));
        std::optional<Mixture> mixture;
        if (weighted()) {
            std::vector<double> weights;
            for (const config::DataSource& s : spec_.train) weights.push_back(s.weight);
            mixture.emplace(folder_, weights);
        }
        double total = 0, done = 0;
        for (const InputFile& f : inputs_.train) total += static_cast<double>(f.bytes);
        if (survey_.eval) total += static_cast<double>(inputs_.eval->bytes);
        ProgressMeter meter(options_.progress, "tokenize", "bytes", total);
        const char* separator = spec_.document == config::Document::kLine ? "\n" : "\n\n";
        int64_t evalTextBytes = 0;
        bool first = true;
        const auto encode = [&](SurveyedSource& s, const RowEncoder& encoder, size_t number, bool evalOnly) -> Result<void> {
            const auto wanted = [&](int64_t row) { return evalOnly && s.sides.at(row) != kEval ? uint8_t{kSkip} : s.sides.at(row); };
            const auto take = [&](EncodedRows& rows) -> Result<void> {
                meter.update(done + static_cast<double>(rows.bytes));
                s.problems.merge(rows.problems);
                for (const auto& [reason, count] : rows.problems.dropped()) dropped_[reason] += count;
                lostInEncoding_ += rows.lost;
                const bool masked = !rows.mask.empty();
                for (const EncodedRows::Document& d : rows.documents) {
                    const int32_t* ids = rows.ids.data() + d.begin;
                    const uint8_t* mask = masked ? rows.mask.data() + d.begin : nullptr;
                    if (d.side == kTrain) {
                        if (mixture) {
                            ASSAY_TRY_VOID(mixture->add(number, ids, mask, d.end - d.begin, d.line));
                        } else {
                            auto added = train.add(ids, mask, d.end - d.begin, d.line);
                            if (!added) return fail(std::move(added).error().with(s.source.source.path));
                        }
                        continue;
                    }
                    ASSAY_TRY_VOID(eval.add(ids, mask, d.end - d.begin, d.line));
                    if (!first) ASSAY_TRY_VOID(text.append(separator));
                    first = false;
                    evalTextBytes += static_cast<int64_t>(d.textEnd - d.textBegin);
                    ASSAY_TRY_VOID(text.append(std::string_view(rows.texts).substr(d.textBegin, d.textEnd - d.textBegin)));
                }
                return {};
            };
            return encodeSource(s.source, encoder, options_.threads, wanted, false, take, options_.stop);
        };
        for (size_t i = 0; i < survey_.train.size(); ++i) {
            ASSAY_TRY_VOID(encode(survey_.train[i], inputs_.encoders[i], i, false));
            done += static_cast<double>(inputs_.train[i].bytes);
        }
        if (survey_.eval) ASSAY_TRY_VOID(encode(*survey_.eval, inputs_.encoders.back(), 0, true));
        if (mixture) ASSAY_TRY_VOID(mix(*mixture, train));
        ASSAY_TRY(train_, train.finish());
        for (const auto& [reason, count] : train.counts().dropped) dropped_[reason] += count;
        train_["bytes"] = textBytes_ - evalTextBytes;
        if (held) {
            ASSAY_TRY(eval_, eval.finish());
            for (const auto& [reason, count] : eval.counts().dropped) dropped_["eval_" + reason] += count;
            eval_["bytes"] = evalTextBytes;
            eval_["text"] = "eval.txt";
            ASSAY_TRY(Json description, text.finish("eval.txt"));
            files_.push_back(std::move(description));
            if (!trainPairs.overflowed() && !evalPairs.overflowed() && evalPairs.total() > 0) bigram_ = crossEntropy(trainPairs, evalPairs);
        }
        meter.finish();
        return {};
    }

    Result<void> mix(Mixture& mixture, PartWriter& train) {
        ASSAY_TRY(const auto shares, mixture.emit(train, [&] { return options_.stop.stop_requested(); }));
        mixture_ = Json::array();
        for (size_t i = 0; i < shares.size(); ++i) {
            const Mixture::Share& s = shares[i];
            mixture_.push_back({{"weight", spec_.train[i].weight},
                                {"documents", s.documents},
                                {"tokens", s.tokensIn},
                                {"epoch_tokens", s.tokens},
                                {"epochs", s.tokensIn > 0 ? static_cast<double>(s.tokens) / static_cast<double>(s.tokensIn) : 0.0}});
            if (s.leftOut > 0) dropped_["over_weight"] += s.leftOut;
        }
        return {};
    }

    double crossEntropy(const BigramCounter& pairs, const BigramCounter& scored) const {
        const BigramModel model(pairs, tokenizer_->vocabSize());
        double sum = 0;
        for (const auto& [pair, count] : scored.sorted())
            sum -= static_cast<double>(count) * std::log(model.probability(static_cast<int32_t>(pair >> 32), static_cast<int32_t>(pair & UINT32_MAX)));
        return sum / static_cast<double>(scored.total());
    }

    static void listProblems(const SurveyedSource& s, Json& out) {
        for (const RowProblem& p : s.problems.list())
            out.push_back({{"file", s.source.source.path}, {"reason", p.reason}, {"row", p.row}, {"line", p.line > 0 ? Json(p.line) : Json()}, {"count", p.count}, {"dropped", p.dropped}, {"hint", p.hint}});
    }

    const config::DataSpec& spec_;
    PipelineInputs& inputs_;
    const PrepareOptions& options_;
    const std::string& folder_;
    Survey survey_;
    TokenizerPtr tokenizer_;
    std::map<std::string, int64_t> dropped_;
    int64_t textBytes_ = 0, lostInEncoding_ = 0;
    Json files_ = Json::array();
    Json train_, eval_, mixture_;
    std::optional<double> bigram_;
};

}  // namespace

Result<void> buildPrepared(const config::DataSpec& spec, PipelineInputs& inputs, const PrepareOptions& options, const Json& pipeline, const std::string& key,
                           const std::string& folder) {
    return Builder(spec, inputs, options, folder).run(pipeline, key);
}

}  // namespace assay::data
