#include "assay/model/summary.h"

#include <assay/core/durable.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace assay::model {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMaxEntries = 10'000;  // of a folder that is looked through

bool isFile(const fs::path& path) {
    std::error_code ec;
    return fs::is_regular_file(path, ec);
}

bool isWeights(const fs::path& path) {
    const std::string e = path.extension().string();
    return e == ".safetensors" || e == ".gguf";
}

int64_t bytesOnDisk(const fs::path& path) {
    std::error_code ec;
    if (isFile(path)) return static_cast<int64_t>(fs::file_size(path, ec));
    int64_t sum = 0;
    size_t seen = 0;
    for (fs::directory_iterator it(path, ec), end; !ec && it != end && ++seen < kMaxEntries; it.increment(ec)) {
        std::error_code gone;
        if (!isWeights(it->path()) || !isFile(it->path())) continue;
        if (const auto size = fs::file_size(it->path(), gone); !gone) sum += static_cast<int64_t>(size);
    }
    return sum;
}

bool hasChatTemplate(const ModelFile& model) {
    if (const Json& metadata = model.metadata(); metadata.is_object() && metadata.contains("tokenizer.chat_template")) return true;
    const fs::path tokenizer = model.tokenizerPath();
    if (tokenizer.empty() || tokenizer.extension() != ".json") return false;
    const fs::path folder = tokenizer.parent_path();
    if (isFile(folder / "chat_template.jinja")) return true;
    auto config = readJsonFile((folder / "tokenizer_config.json").string());
    return config && config->is_object() && config->contains("chat_template") && !(*config)["chat_template"].is_null();
}

void fill(const ModelFile& model, ModelSummary& out) {
    const ModelConfig& c = model.config();
    out.family = c.family;
    out.parameters = parameterCount(c);
    out.layers = c.layers;
    out.hidden = c.hidden;
    out.heads = c.heads;
    out.kvHeads = c.kvHeads;
    out.ffn = c.ffn;
    out.context = c.context;
    out.vocab = c.vocab;
    out.experts = c.experts;
    out.expertsPerToken = c.expertsPerToken;
    out.activeParameters = activeParameterCount(c);
    out.tokenizer = model.tokenizerPath();
    out.chatTemplate = hasChatTemplate(model);
    std::map<std::string, int64_t> byType;
    for (const TensorView& t : model.tensors()) {
        const auto bytes = static_cast<int64_t>(t.bytes.size());
        out.bytes += bytes;
        byType[std::string(dtypeName(t.type))] += bytes;
        out.tensors.push_back({t.name, std::string(dtypeName(t.type)), t.shape, bytes});
    }
    const auto most = std::max_element(byType.begin(), byType.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most != byType.end()) out.dtype = most->first;
    if (const Json& metadata = model.metadata(); metadata.is_object() && metadata.contains("quantization"))
        out.scheme = jsonStringOr(metadata["quantization"], "scheme", "");
    if (!c.sourcePrecision.empty() && model.path().ends_with(".gguf")) out.dtype = c.sourcePrecision;
    if (!out.scheme.empty()) out.dtype = out.scheme;
}

}  // namespace

ModelSummary summarizeModel(const std::string& path) {
    ModelSummary out;
    out.path = path;
    fs::path name(path);
    if (!name.has_filename()) name = name.parent_path();
    out.name = name.extension() == ".gguf" ? name.stem().string() : name.filename().string();
    auto model = openModel(path);
    if (model) {
        fill(**model, out);
        return out;
    }
    out.error = std::move(model.error());
    out.bytes = bytesOnDisk(path);
    // Enough to recognise a model of a kind that this build does not run.
    if (auto config = readJsonFile((fs::path(path) / "config.json").string())) out.family = jsonStringOr(*config, "model_type", "");
    return out;
}

bool looksLikeModel(const std::string& path) {
    const fs::path p(path);
    if (p.extension() == ".gguf") return isFile(p);
    if (!isFile(p / "config.json")) return false;
    std::error_code ec;
    size_t seen = 0;
    for (fs::directory_iterator it(p, ec), end; !ec && it != end && ++seen < kMaxEntries; it.increment(ec)) {
        const std::string file = it->path().filename().string();
        if (it->path().extension() == ".safetensors" || file == "model.safetensors.index.json" || file == "pytorch_model.bin") return true;
    }
    return false;
}

std::vector<std::string> findModels(const std::string& folder, size_t limit) {
    std::vector<std::string> found;
    if (looksLikeModel(folder)) return {folder};
    std::error_code ec;
    size_t seen = 0;
    for (fs::directory_iterator it(folder, ec), end; !ec && it != end && ++seen < kMaxEntries; it.increment(ec))
        if (looksLikeModel(it->path().string())) found.push_back(it->path().string());
    std::sort(found.begin(), found.end());
    if (found.size() > limit) found.resize(limit);
    return found;
}

}  // namespace assay::model
