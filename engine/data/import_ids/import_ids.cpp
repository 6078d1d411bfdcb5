#include <assay/config/config.h>
#include <assay/core/clock.h>
#include <assay/core/durable.h>
#include <assay/core/hash.h>

#include <unistd.h>

#include <filesystem>

#include "import_ids/id_source.h"
#include "prepare/inputs.h"
#include "prepare/output_folder.h"
#include "prepare/part_writer.h"
#include "prepare/prepared.h"

namespace assay::data {
namespace {
namespace fs = std::filesystem;

constexpr const char* kImportNames[] = {"arrow", "parquet", "hf", "megatron", "nanogpt"};

class IdImporter {
public:
    IdImporter(const ImportIdsOptions& options, std::string folder) : options_(options), folder_(std::move(folder)) {}

    Result<void> run() {
        const double begin = monotonicSeconds();
        ASSAY_TRY(tokenizer_, loadTokenizer(options_.tokenizer));
        ASSAY_TRY_VOID(writeTokenizer());
        Json inputs = Json::array();
        ASSAY_TRY(Json train, part("train", options_.path, inputs));
        Json eval;
        if (!options_.eval.empty()) {
            ASSAY_TRY(eval, part("eval", options_.eval, inputs));
        }
        static constexpr const char* kOver[] = {"split", "truncate", "drop", "error"};
        const Json pipeline{{"import", kImportNames[static_cast<int>(options_.format)]},
                            {"inputs", inputs},
                            {"tokenizer", Json{{"key", tokenizer_->contentKey()}}},
                            {"sequence_length", options_.sequenceLength},
                            {"over_length", kOver[static_cast<int>(options_.overLength)]},
                            {"packing", config::packingName(options_.packing)}};
        Json dropped = Json::object();
        for (const auto& [reason, count] : dropped_) dropped[reason] = count;
        const double seconds = monotonicSeconds() - begin;
        const Json manifest{{"format", kManifestFormat},
                            {"version", kManifestVersion},
                            {"key", pipelineKey(pipeline)},
                            {"pipeline", pipeline},
                            {"tokenizer", Json{{"kind", options_.tokenizer == "bytes" ? "bytes" : "file"},
                                               {"key", tokenizer_->contentKey()},
                                               {"vocab_size", tokenizer_->vocabSize()},
                                               {"bos_id", tokenizer_->bosId()},
                                               {"eos_id", tokenizer_->eosId()}}},
                            {"template", nullptr},
                            {"sequence_length", options_.sequenceLength},
                            {"packing", config::packingName(options_.packing)},
                            {"train", train},
                            {"eval", eval},
                            {"mixture", nullptr},
                            {"dropped", dropped},
                            {"problems", Json::array()},
                            {"near_duplicates", nullptr},
                            {"bigram_nll", nullptr},
                            {"seconds", seconds},
                            {"mb_per_s", seconds > 0 ? static_cast<double>(bytes_) / 1e6 / seconds : 0},
                            {"files", files_}};
        return writeFileDurably(folder_ + "/manifest.json", dumpJson(manifest, 1));
    }

private:
    Result<void> file(const std::string& name, std::string_view bytes) {
        ASSAY_TRY_VOID(writeFileDurably(folder_ + "/" + name, bytes));
        files_.push_back(describeFile(name, bytes));
        return {};
    }
    Result<void> writeTokenizer() {
        ASSAY_TRY(const std::string json, tokenizer_->toTokenizerJson());
        ASSAY_TRY_VOID(file("tokenizer.json", json));
        Json config{{"tokenizer_class", "PreTrainedTokenizerFast"}, {"clean_up_tokenization_spaces", false}};
        if (tokenizer_->bosId() >= 0) config["bos_token"] = tokenizer_->tokenText(tokenizer_->bosId());
        if (tokenizer_->eosId() >= 0) config["eos_token"] = tokenizer_->tokenText(tokenizer_->eosId());
        return file("tokenizer_config.json", dumpJson(config, 1));
    }

    // Held-out documents are written as text too, which perplexity by windows reads.
    Result<Json> part(const std::string& name, const std::string& path, Json& inputs) {
        const bool evaluation = name == "eval";
        ASSAY_TRY(const auto source, openIdSource(path, options_, tokenizer_->eosId()));
        Json hashes = Json::array();
        int64_t bytes = 0;
        for (const std::string& input : source->files()) {
            ASSAY_TRY(const std::string hash, sha256HexOfFile(input));
            hashes.push_back(hash);
            std::error_code ec;
            const auto size = fs::file_size(input, ec);
            if (!ec) bytes += static_cast<int64_t>(size);
        }
        inputs.push_back(Json{{"role", name}, {"sha256", hashes}, {"column", options_.column}});
        bytes_ += bytes;
        const int64_t vocab = tokenizer_->vocabSize();
        PartWriter writer(folder_, name, PackOptions{options_.sequenceLength, options_.overLength, options_.packing}, vocab <= 65536 ? 2 : 4, nullptr);
        TextWriter text;
        if (evaluation) ASSAY_TRY_VOID(text.open(folder_ + "/eval.txt"));
        ProgressMeter meter(options_.progress, "import", "tokens", 0);
        IdDocument document;
        double tokens = 0;
        int64_t textBytes = 0;
        for (bool first = true;; first = false) {
            ASSAY_TRY(const bool more, source->next(document));
            if (!more) break;
            for (const int32_t id : document.ids)
                if (id >= vocab)
                    return fail(ErrorCode::kInvalidFile, path + ": document " + std::to_string(document.number) + " holds the id " + std::to_string(id) + ", and the tokenizer has " + std::to_string(vocab) + " ids",
                                "name the tokenizer that the ids were made with");
            ASSAY_TRY_VOID(writer.add(document.ids.data(), document.mask.empty() ? nullptr : document.mask.data(), document.ids.size(), document.number));
            if (evaluation) {
                const std::string words = (first ? "" : "\n\n") + tokenizer_->decode(document.ids, true);
                textBytes += static_cast<int64_t>(words.size());
                ASSAY_TRY_VOID(text.append(words));
            }
            meter.update(tokens += static_cast<double>(document.ids.size()));
            if (options_.stop.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
        }
        meter.finish();
        ASSAY_TRY(Json description, writer.finish());
        for (const auto& [reason, count] : writer.counts().dropped) dropped_[(evaluation ? "eval_" : "") + reason] += count;
        description["bytes"] = evaluation ? textBytes : bytes;
        if (evaluation) {
            description["text"] = "eval.txt";
            ASSAY_TRY(Json written, text.finish("eval.txt"));
            files_.push_back(std::move(written));
        }
        return description;
    }

    const ImportIdsOptions& options_;
    const std::string folder_;
    TokenizerPtr tokenizer_;
    Json files_ = Json::array();
    std::map<std::string, int64_t> dropped_;
    int64_t bytes_ = 0;
};

}  // namespace

Result<PrepareReport> importIds(const ImportIdsOptions& options) {
    const double begin = monotonicSeconds();
    if (options.tokenizer.empty()) return fail(ErrorCode::kBadUsage, "ids mean nothing without their tokenizer", "name the one they were made with: --tokenizer PATH");
    if (options.sequenceLength < 2 || options.sequenceLength > (1 << 24)) return fail(ErrorCode::kBadUsage, "the sequence length is out of range", "use 2 to 16777216");
    ASSAY_TRY(const std::string out, newOutputFolder(options.out));
    const StagedFolder staged(out + ".importing-" + std::to_string(::getpid()));
    ASSAY_TRY_VOID(removeTree(staged.path()));
    ASSAY_TRY_VOID(makeFolders(staged.path()));
    ASSAY_TRY_VOID(IdImporter(options, staged.path()).run());
    ASSAY_TRY_VOID(commitOutput(staged, out));
    ASSAY_TRY(const auto opened, PreparedFolder::openFolder(out));
    PrepareReport report = reportFromManifest(opened->manifest(), out);
    report.seconds = monotonicSeconds() - begin;
    return report;
}

}  // namespace assay::data
