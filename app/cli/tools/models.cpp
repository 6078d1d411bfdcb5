// models_list and model_describe.
#include <assay/core/paths.h>
#include <assay/data/tokenizer.h>
#include <assay/model/summary.h>

#include <algorithm>
#include <filesystem>

#include "tools/params.h"
#include "tools/run_models.h"
#include "tools/tool.h"

namespace assay::cli {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMaxModels = 1000, kMaxTensors = 12'000;

struct Origin {
    std::string reference, source, run, name;
};

// Folders of the name "model" are told apart by the folder they lie in.
std::string shownName(const model::ModelSummary& m, const Origin& origin) {
    if (!origin.name.empty()) return origin.name;
    const std::string parent = fs::path(m.path).parent_path().filename().string();
    return m.name == "model" && !parent.empty() ? parent : m.name;
}

Json modelJson(const model::ModelSummary& m, const Origin& origin) {
    const auto known = [](int64_t value) { return value > 0 ? Json(value) : Json(); };
    const auto text = [](const std::string& value) { return value.empty() ? Json() : Json(value); };
    return Json{{"reference", origin.reference},
                {"name", shownName(m, origin)},
                {"path", m.path},
                {"source", origin.source},
                {"run", text(origin.run)},
                {"family", text(m.family)},
                {"parameters", known(m.parameters)},
                {"bytes", m.bytes},
                {"dtype", text(m.dtype)},
                {"layers", known(m.layers)},
                {"hidden", known(m.hidden)},
                {"heads", known(m.heads)},
                {"kv_heads", known(m.kvHeads)},
                {"ffn", known(m.ffn)},
                {"context", known(m.context)},
                {"vocab", known(m.vocab)},
                {"experts", known(m.experts)},
                {"experts_per_token", known(m.expertsPerToken)},
                {"active_parameters", known(m.activeParameters)},
                {"tokenizer", text(m.tokenizer)},
                {"chat_template", m.chatTemplate},
                {"setups", Json::array()},
                {"error", m.error ? errorToJson(*m.error) : Json()}};
}

// asset:NAME/FILE for what lies among the assets, else the path.
std::string referenceOf(const std::string& path) {
    const std::string root = assetsRoot() + "/";
    return path.starts_with(root) ? "asset:" + path.substr(root.size()) : path;
}

class List {
public:
    void add(const std::string& path, const Origin& origin) {
        std::error_code ec;
        const fs::path real = fs::weakly_canonical(path, ec);
        const std::string key = ec ? path : real.string();
        if (models_.size() >= kMaxModels || std::find(paths_.begin(), paths_.end(), key) != paths_.end()) return;
        paths_.push_back(key);
        models_.push_back(modelJson(model::summarizeModel(path), origin));
    }
    // Set-ups of a run belong to the model they were made from.
    void addSetups(const RunFolder& run) {
        auto about = resolveAsset(run.about);
        std::error_code ec;
        const std::string key = about ? fs::weakly_canonical(*about, ec).string() : "";
        const auto found = std::find(paths_.begin(), paths_.end(), key);
        if (key.empty() || found == paths_.end()) return;
        for (const RunSetup& setup : run.setups) {
            const model::ModelSummary m = model::summarizeModel(setup.path);
            models_[static_cast<size_t>(found - paths_.begin())]["setups"].push_back({{"name", setup.name},
                                                                                     {"scheme", setup.scheme.empty() ? m.scheme : setup.scheme},
                                                                                     {"bytes", m.bytes},
                                                                                     {"reference", "run:" + run.id + "/" + setup.name},
                                                                                     {"path", setup.path}});
        }
    }
    Json take() { return Json(std::move(models_)); }

private:
    std::vector<std::string> paths_;
    std::vector<Json> models_;
};

std::vector<std::string> assetFolders() {
    std::vector<std::string> folders;
    std::error_code ec;
    for (fs::directory_iterator it(assetsRoot(), ec), end; !ec && it != end && folders.size() < kMaxModels; it.increment(ec)) folders.push_back(it->path().string());
    std::sort(folders.begin(), folders.end());
    return folders;
}

}  // namespace

Result<Json> toolModelsList(const GlobalOptions& options, const Json& params) {
    List list;
    for (const std::string& folder : assetFolders())
        for (const std::string& path : model::findModels(folder)) list.add(path, {referenceOf(path), "asset", "", ""});
    const std::vector<RunFolder> runs = readRunFolders(options.store);
    for (const RunFolder& run : runs)
        if (run.done && !run.model.empty()) list.add(run.model, {"run:" + run.id, "run", run.id, run.name});
    if (auto folders = params.find("folders"); folders != params.end() && !folders->is_null()) {
        if (!folders->is_array() || folders->size() > 100) return fail(ErrorCode::kBadUsage, "\"folders\" must be a list of at most 100 folders");
        for (const Json& folder : *folders) {
            if (!folder.is_string()) return fail(ErrorCode::kBadUsage, "\"folders\" must hold texts");
            ASSAY_TRY(const std::string path, toolPath(options, folder.get<std::string>(), "folders"));
            for (const std::string& found : model::findModels(path)) list.add(found, {found, "folder", "", ""});
        }
    }
    for (const RunFolder& run : runs)
        if (!run.setups.empty()) list.addSetups(run);
    return Json{{"models", list.take()}};
}

Result<Json> toolModelDescribe(const GlobalOptions& options, const Json& params) {
    ASSAY_TRY(const std::string reference, requiredText(params, "model"));
    ASSAY_TRY(const std::string path, toolModelPath(options, reference, "model"));
    std::error_code ec;
    if (!fs::exists(path, ec)) return fail(ErrorCode::kNotFound, "model " + path + " does not exist", "give a model folder, a .gguf file, a .safetensors file or asset:NAME/FILE");
    const model::ModelSummary m = model::summarizeModel(path);
    Origin origin{reference, reference.starts_with("asset:") ? "asset" : reference.starts_with("run:") ? "run" : "folder", "", ""};
    if (origin.source == "run") origin.run = reference.substr(4, reference.find('/') == reference.npos ? reference.npos : reference.find('/') - 4);
    Json out = modelJson(m, origin);
    Json tensors = Json::array();
    for (size_t i = 0; i < std::min(m.tensors.size(), kMaxTensors); ++i)
        tensors.push_back({{"name", m.tensors[i].name}, {"shape", m.tensors[i].shape}, {"dtype", m.tensors[i].dtype}, {"bytes", m.tensors[i].bytes}});
    out["tensors"] = std::move(tensors);
    out["chat_template_text"] = nullptr;
    if (m.chatTemplate && !m.tokenizer.empty())
        if (const auto tokenizer = data::loadTokenizer(m.tokenizer); tokenizer && !(*tokenizer)->chatTemplate().empty()) out["chat_template_text"] = (*tokenizer)->chatTemplate();
    return out;
}

}  // namespace assay::cli
