#include "plan/facts.h"

#include <assay/core/durable.h>
#include <assay/core/paths.h>
#include <assay/data/tokenizer.h>
#include <assay/model/model_file.h>
#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "system/machine.h"
#include "tools/run_models.h"

namespace assay::cli {
namespace fs = std::filesystem;
namespace {

constexpr size_t kSample = 256 << 10;
using Kind = config::TokenizerSpec::Kind;

// Tokens of a text before its tokenizer exists: about 0.3 · log2(vocabulary) bytes each, seen on English prose.
double guessedBytesPerToken(int64_t vocabulary) { return vocabulary <= 300 ? 1.0 : 0.3 * std::log2(static_cast<double>(vocabulary)); }

}  // namespace

Result<std::string> Facts::modelPath(const std::string& reference) const {
    if (reference.starts_with("run:")) return resolveRunModel(options_.store, reference);
    return model::resolveModel(reference);
}

std::string Facts::tokenizerOf(const config::Spec& spec) const {
    if (spec.data && spec.data->tokenizer.kind == Kind::kBytes) return "bytes";
    if (spec.data && spec.data->tokenizer.kind == Kind::kPath) {
        auto path = resolveAsset(spec.data->tokenizer.path);
        return path ? *path : std::string();
    }
    if (!spec.model || spec.model->from.empty()) return {};
    auto path = modelPath(spec.model->from);
    if (!path) return {};
    auto file = model::openModel(*path);
    return file ? (*file)->tokenizerPath() : std::string();
}

Result<int64_t> Facts::vocabularyOf(const config::Spec& spec) {
    if (!spec.data) return fail(ErrorCode::kInvalidFile, "model.from.vocab: auto needs a tokenizer, and there is no data section", "give vocab a number");
    const config::TokenizerSpec& t = spec.data->tokenizer;
    if (t.kind == Kind::kTrainBpe || t.kind == Kind::kTrainWordPiece) return t.vocab;
    if (t.kind == Kind::kModel) return fail(ErrorCode::kInvalidFile, "data.tokenizer: a described model has no tokenizer of its own", "name one, or use bytes or {train: bpe, vocab: N}");
    std::string path = "bytes";
    if (t.kind == Kind::kPath) {
        ASSAY_TRY(path, resolveAsset(t.path));
    }
    ASSAY_TRY(const data::TokenizerPtr tokenizer, data::loadTokenizer(path));
    return tokenizer->vocabSize();
}

Result<plan::ModelFacts> Facts::model(const config::Spec& spec) {
    plan::ModelFacts facts;
    const bool given = !spec.inputs.model.empty() && !spec.inputs.model.starts_with("run:@");
    if (!given && spec.model && spec.model->description) {
        const config::ModelDescription& d = *spec.model->description;
        int64_t vocabulary = d.vocab;
        if (vocabulary == 0) {
            ASSAY_TRY(vocabulary, vocabularyOf(spec));
        }
        ASSAY_TRY(facts.config, plan::describedModel(d, vocabulary, spec.data ? spec.data->sequenceLength : 0));
        return facts;
    }
    const std::string reference = given ? spec.inputs.model : spec.model ? spec.model->from : std::string();
    if (reference.empty()) return fail(ErrorCode::kInvalidFile, "the experiment names no model", "add model: {from: …}");
    if (auto known = models_.find(reference); known != models_.end()) return known->second;
    ASSAY_TRY(const std::string path, modelPath(reference));
    ASSAY_TRY(const auto file, model::openModel(path));
    facts.config = file->config();
    facts.quantized = file->metadata().is_object() && file->metadata().contains("quantization");
    models_.emplace(reference, facts);
    return facts;
}

const Facts::Text& Facts::text(const std::string& path, const std::string& tokenizer, int64_t vocabulary) {
    const auto [at, fresh] = texts_.emplace(path + "\n" + tokenizer + "\n" + std::to_string(vocabulary), Text());
    Text& out = at->second;
    if (!fresh) return out;
    out.bytesPerToken = guessedBytesPerToken(vocabulary);
    const auto resolved = resolveAsset(path);
    std::error_code error;
    if (!resolved || !fs::is_regular_file(*resolved, error)) return out;
    const auto size = fs::file_size(*resolved, error);
    if (error) return out;
    out.bytes = static_cast<int64_t>(size);
    const std::string extension = fs::path(*resolved).extension().string();
    if (tokenizer.empty() || (extension != ".txt" && extension != ".jsonl" && extension != ".csv" && extension != ".md")) return out;
    std::ifstream stream(*resolved, std::ios::binary);
    std::string sample(std::min<size_t>(kSample, size), '\0');
    stream.read(sample.data(), static_cast<std::streamsize>(sample.size()));
    sample.resize(static_cast<size_t>(stream.gcount()));
    if (auto loaded = data::loadTokenizer(tokenizer); loaded && !sample.empty()) {
        const size_t tokens = (*loaded)->encode(sample).size();
        if (tokens > 0) {
            out.bytesPerToken = static_cast<double>(sample.size()) / static_cast<double>(tokens);
            out.counted = true;
        }
    }
    return out;
}

plan::DataFacts Facts::data(const config::Spec& spec, const plan::ModelFacts& model) {
    plan::DataFacts out;
    const std::string tokenizer = tokenizerOf(spec);
    int64_t vocabulary = model.config.vocab;
    if (vocabulary == 0 && spec.data) vocabulary = spec.data->tokenizer.vocab;
    bool counted = true;
    const auto tokensOf = [&](const Text& t) { return t.bytes ? static_cast<double>(*t.bytes) / t.bytesPerToken : 0.0; };
    if (spec.data && !spec.data->train.empty()) {
        int64_t bytes = 0;
        double tokens = 0;
        bool here = true;
        for (const auto& source : spec.data->train) {
            const Text& t = text(source.path, tokenizer, vocabulary);
            here = here && t.bytes.has_value();
            counted = counted && t.counted;
            bytes += t.bytes.value_or(0);
            tokens += tokensOf(t);
        }
        if (spec.data->eval) {
            const Text& t = text(spec.data->eval->path, tokenizer, vocabulary);
            const double share = spec.data->eval->split.kind == config::SplitRule::Kind::kNone ? 1.0 : spec.data->eval->split.percent / 100;
            out.evalTokens = static_cast<int64_t>(tokensOf(t) * share);
            const bool same = std::any_of(spec.data->train.begin(), spec.data->train.end(), [&](const auto& s) { return s.path == spec.data->eval->path; });
            if (same && share < 1) tokens -= static_cast<double>(out.evalTokens);
        }
        if (here) {
            out.bytes = bytes;
            out.trainTokens = static_cast<int64_t>(tokens);
            out.assumptions.push_back(counted ? fmt::format("About {:.3g} training tokens: bytes of the data by the tokenizer's rate on its first {} KB", tokens, kSample >> 10)
                                              : fmt::format("About {:.3g} training tokens: a guess from the bytes and the vocabulary", tokens));
        } else {
            out.assumptions.push_back("The size of the data is not known: it is not on this machine");
        }
    }
    out.accuracyTokens = out.evalTokens;
    if (spec.accuracy && spec.accuracy->perplexity) {
        const auto& p = *spec.accuracy->perplexity;
        if (!p.path.empty()) out.accuracyTokens = static_cast<int64_t>(tokensOf(text(p.path, tokenizer, vocabulary)));
        if (p.maxTokens > 0) out.accuracyTokens = std::min(out.accuracyTokens, p.maxTokens);
    }
    return out;
}

plan::Machine planMachine(const GlobalOptions& options, int64_t threads) {
    const Cpu cpu = thisCpu();
    plan::Machine out;
    out.cpuModel = cpu.model;
    out.threads = threads > 0 ? static_cast<int>(std::min<int64_t>(threads, 1024)) : std::max(1, std::min(cpu.cores, cpu.physicalCores));
    out.memoryBytes = memoryBytes();
    if (auto limit = readFile("/sys/fs/cgroup/memory.max", 64)) {  // a container's own limit; "max" is none
        int64_t bytes = 0;
        const auto [end, error] = std::from_chars(limit->data(), limit->data() + limit->size(), bytes);
        if (error == std::errc{} && bytes > 0) out.memoryBytes = std::min(out.memoryBytes, bytes);
    }
    const CudaDriver driver = cudaDriver();
    out.gpuTrouble = driver.trouble;
    if (const std::string plugin = cudaPluginPath(); !driver.gpus.empty() && !fs::exists(plugin)) out.gpuTrouble = fmt::format("the CUDA plugin {} is not there", plugin);
    else
        for (const CudaGpu& gpu : driver.gpus) out.gpus.push_back({gpu.name, gpu.memoryBytes});
    std::string place = options.store;
    std::error_code error;
    while (place.size() > 1 && !fs::exists(place, error)) place = fs::path(place).parent_path().string();
    struct statvfs disk {};
    if (!place.empty() && ::statvfs(place.c_str(), &disk) == 0) out.diskFreeBytes = static_cast<int64_t>(disk.f_bavail) * static_cast<int64_t>(disk.f_frsize);
    return out;
}

}  // namespace assay::cli
