#include "prepare/inputs.h"

#include <assay/config/config.h>
#include <assay/core/clock.h>
#include <assay/core/durable.h>
#include <assay/core/hash.h>
#include <assay/core/paths.h>

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

namespace assay::data {
namespace {
namespace fs = std::filesystem;

constexpr size_t kMaxIndex = 1000;
constexpr size_t kMostIndexed = 64;   // files of one source; hashes of more are not remembered one by one
constexpr int kPipelineVersion = 3;  // raise when the same declaration comes to mean other ids

Result<InputFile> openInput(const config::DataSource& source, config::Document document, std::string role, const std::string& index) {
    InputFile f;
    f.role = std::move(role);
    if (source.path.empty()) return fail(ErrorCode::kBadUsage, "data." + f.role + " names no file");
    ASSAY_TRY(f.path, sourcePath(source));
    ASSAY_TRY(f.files, filesOfSource(f.path, source.format));
    std::string all;
    for (const std::string& file : f.files) {
        int64_t bytes = 0;
        ASSAY_TRY(const std::string hash, hashInput(file, f.files.size() <= kMostIndexed ? index : std::string(), bytes));
        f.bytes += bytes;
        all += hash;
        struct stat st {};
        if (::stat(file.c_str(), &st) == 0) f.identity += fileIdentity(st) + "\n";
    }
    f.sha256 = f.files.size() == 1 ? all : sha256Hex(all);
    ASSAY_TRY(f.source, openSource(source, document));
    ASSAY_TRY_VOID(requireMapping(f.source));
    return f;
}

Json splitJson(const config::SplitRule& split) {
    switch (split.kind) {
        case config::SplitRule::Kind::kNone: return nullptr;
        case config::SplitRule::Kind::kLast: return Json{{"last", split.percent}};
        case config::SplitRule::Kind::kHash: return Json{{"hash", split.percent}};
    }
    return nullptr;
}

Json sourceJson(const config::DataSource& source, const InputFile& file) {
    Json columns = Json::object();
    for (const auto& [role, name] : file.source.mapping.roles) columns[role] = name;
    // The extension decides how a file is read; the rest of its name does not matter.
    return Json{{"sha256", file.sha256}, {"bytes", file.bytes}, {"extension", fs::path(file.path).extension().string()}, {"format", source.format}, {"columns", columns}, {"by_name", file.source.mapping.isDefault}, {"shape", shapeName(file.source.mapping.shape)}, {"weight", source.weight}};
}

Result<void> checkSupported(const config::DataSpec& spec) {
    for (const auto& source : spec.train)
        if (source.split.kind != config::SplitRule::Kind::kNone) return fail(ErrorCode::kBadUsage, "data.train has a split rule", "put split under data.eval");
    if (spec.train.empty()) return fail(ErrorCode::kBadUsage, "data.train names no file", "add data.train: {path: FILE}");
    if (spec.sequenceLength < 2 || spec.sequenceLength > (1 << 24)) return fail(ErrorCode::kBadUsage, "data.sequence_length is out of range", "use 2 to 16777216");
    return {};
}

}  // namespace

std::string fileIdentity(const struct stat& st) {
    return std::to_string(st.st_dev) + ":" + std::to_string(st.st_ino) + ":" + std::to_string(st.st_size) + ":" + std::to_string(st.st_mtim.tv_sec) + "." +
           std::to_string(st.st_mtim.tv_nsec) + ":" + std::to_string(st.st_ctim.tv_sec) + "." + std::to_string(st.st_ctim.tv_nsec);
}

int pipelineVersion() { return kPipelineVersion; }

Result<std::string> hashInput(const std::string& path, const std::string& indexPath, int64_t& bytes) {
    struct stat st {};
    if (::stat(path.c_str(), &st) != 0) return fail(systemError("cannot open", path, errno));
    if (S_ISDIR(st.st_mode)) return fail(ErrorCode::kInvalidFile, path + " is a folder, not a data file", "name one file");
    if (!S_ISREG(st.st_mode)) return fail(ErrorCode::kInvalidFile, path + " is not a regular file", "name a file");
    bytes = st.st_size;
    if (bytes == 0) return fail(ErrorCode::kInvalidFile, path + " is empty", "name a file with at least one row");
    const std::string identity = fileIdentity(st);
    Json index = Json::object();
    if (indexPath.empty()) return sha256HexOfFile(path);
    if (auto known = readJsonFile(indexPath); known && known->is_object()) index = std::move(*known);  // a broken index is only slow
    if (const std::string hash = jsonStringOr(index, identity, ""); hash.size() == 64) return hash;
    ASSAY_TRY(const std::string hash, sha256HexOfFile(path));
    struct stat after {};
    // A file changed within the last two seconds may change again within the same time stamp.
    const bool settled = ::stat(path.c_str(), &after) == 0 && fileIdentity(after) == identity && wallSeconds() - static_cast<double>(st.st_mtim.tv_sec) > 2 &&
                         wallSeconds() - static_cast<double>(st.st_ctim.tv_sec) > 2;
    if (settled) {
        while (index.size() >= kMaxIndex) index.erase(index.begin());
        index[identity] = hash;
        if (auto written = writeFileDurably(indexPath, dumpJson(index, 1)); !written) return hash;  // only a shortcut
    }
    return hash;
}

Result<PipelineInputs> openInputs(const config::DataSpec& spec, const PrepareOptions& options) {
    ASSAY_TRY_VOID(checkSupported(spec));
    const std::string index = options.cacheFolder + "/data/inputs.json";
    PipelineInputs in;
    for (size_t i = 0; i < spec.train.size(); ++i) {
        ASSAY_TRY(InputFile f, openInput(spec.train[i], spec.document, "train", index));
        in.train.push_back(std::move(f));
    }
    if (spec.eval) {
        ASSAY_TRY(in.eval, openInput(*spec.eval, spec.document, "eval", index));
        std::error_code ec;
        for (size_t i = 0; i < in.train.size(); ++i)
            if (in.train[i].files == in.eval->files || fs::equivalent(in.train[i].path, in.eval->path, ec)) in.evalOfTrain = static_cast<int>(i);
        if (in.evalOfTrain >= 0 && spec.eval->split.kind == config::SplitRule::Kind::kNone)
            return fail(ErrorCode::kBadUsage, "data.eval is the training file itself: every held-out document would be trained on", "add a split to data.eval, for example split: last 5%");
    }
    using Kind = config::TokenizerSpec::Kind;
    if (spec.tokenizer.kind == Kind::kTrainBpe || spec.tokenizer.kind == Kind::kTrainWordPiece) return in;
    std::string path = spec.tokenizer.path;
    if (spec.tokenizer.kind == Kind::kBytes) path = "bytes";
    if (spec.tokenizer.kind == Kind::kModel) path = options.modelTokenizer;
    if (path.empty()) return fail(ErrorCode::kBadUsage, "data.tokenizer is not set and there is no model to take it from", "set data.tokenizer to a path, bytes or {train: bpe, vocab: N}");
    ASSAY_TRY(in.tokenizer, loadTokenizer(path));
    ASSAY_TRY_VOID(openEncoders(spec, in.tokenizer, in));
    return in;
}

Result<void> openEncoders(const config::DataSpec& spec, const TokenizerPtr& tokenizer, PipelineInputs& in) {
    in.encoders.clear();
    const RowEncoder::Options options{spec.chatTemplate, spec.lossOn, spec.eval ? spec.eval->lossOn : std::nullopt};
    for (const InputFile& f : in.train) {
        ASSAY_TRY(RowEncoder encoder, RowEncoder::create(tokenizer, f.source, options));
        in.encoders.push_back(std::move(encoder));
    }
    if (in.eval) {
        ASSAY_TRY(RowEncoder encoder, RowEncoder::create(tokenizer, in.eval->source, options));
        in.encoders.push_back(std::move(encoder));
    }
    return {};
}

bool unchanged(const InputFile& file) {
    std::string now;
    for (const std::string& path : file.files) {
        struct stat st {};
        if (::stat(path.c_str(), &st) == 0) now += fileIdentity(st) + "\n";
    }
    return now == file.identity;
}

Json declaredPipeline(const config::DataSpec& spec, const PipelineInputs& in) {
    static constexpr const char* kDocuments[] = {"line", "paragraph", "file"};
    static constexpr const char* kOver[] = {"split", "truncate", "drop", "error"};
    static constexpr const char* kDeduplicateNames[] = {"none", "exact", "near"};
    static constexpr const char* kLoss[] = {"all", "assistant", "completion"};
    const bool near = spec.deduplicate == config::Deduplicate::kNear || (spec.eval && spec.eval->split.kind == config::SplitRule::Kind::kHash);
    // What the templates say, not what they are called; of a vocabulary to be trained they are the built-in ones.
    Json templates = Json::array();
    for (const RowEncoder& e : in.encoders) templates.push_back(e.templateSource().empty() ? Json() : Json(sha256Hex(e.templateSource())));
    if (in.encoders.empty()) templates.push_back(spec.chatTemplate);
    Json train = Json::array();
    for (size_t i = 0; i < in.train.size(); ++i) train.push_back(sourceJson(spec.train[i], in.train[i]));
    Json eval;
    if (in.eval) {
        eval = sourceJson(*spec.eval, *in.eval);
        eval["split"] = splitJson(spec.eval->split);
        eval["of_train"] = in.evalOfTrain;
        if (spec.eval->lossOn) eval["loss_on"] = kLoss[static_cast<int>(*spec.eval->lossOn)];
    }
    return Json{{"version", kPipelineVersion},
                {"train", train},
                {"eval", eval},
                {"document", kDocuments[static_cast<int>(spec.document)]},
                {"deduplicate", kDeduplicateNames[static_cast<int>(spec.deduplicate)]},
                {"similarity", near ? Json(spec.similarity) : Json()},
                {"min_chars", spec.minChars},
                {"max_chars", spec.maxChars},
                {"languages", spec.languages},
                {"contamination", in.eval && in.evalOfTrain < 0 ? Json(spec.contamination == config::Contamination::kRemove ? "remove" : "keep") : Json()},
                {"tokenizer", in.tokenizer ? Json{{"key", in.tokenizer->contentKey()}} : Json{{"train", spec.tokenizer.kind == config::TokenizerSpec::Kind::kTrainBpe ? "bpe" : "wordpiece"}, {"vocab", spec.tokenizer.vocab}}},
                {"template", templates},
                {"loss_on", kLoss[static_cast<int>(spec.lossOn)]},
                {"sequence_length", spec.sequenceLength},
                {"over_length", kOver[static_cast<int>(spec.overLength)]},
                {"packing", config::packingName(spec.packing)}};
}

std::string pipelineKey(const Json& pipeline) {
    return sha256Hex(nlohmann::json(pipeline).dump());  // nlohmann::json sorts keys: one text for one meaning
}

}  // namespace assay::data
