#include "prepare/fast_key.h"

#include <assay/config/config.h>
#include <assay/core/clock.h>
#include <assay/core/durable.h>
#include <assay/core/hash.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "import/source.h"
#include "prepare/inputs.h"

namespace assay::data {
namespace {
namespace fs = std::filesystem;

constexpr size_t kMaxRemembered = 1000, kMaxSiblings = 256;
constexpr double kSettledSeconds = 2;  // a file may change again within the same time stamp

// The file and its identity; false: absent or too fresh.
bool addIdentity(const std::string& path, double now, std::string& out) {
    struct stat st {};
    if (::stat(path.c_str(), &st) != 0) return false;
    if (now - static_cast<double>(st.st_mtim.tv_sec) < kSettledSeconds || now - static_cast<double>(st.st_ctim.tv_sec) < kSettledSeconds) return false;
    out += path + "\n" + fileIdentity(st) + "\n";
    return true;
}

// A tokenizer is read from one file or from several of its folder (templates, settings).
bool addTokenizer(const std::string& path, double now, std::string& out) {
    if (path.empty() || path == "bytes") {
        out += "bytes\n";
        return true;
    }
    std::error_code ec;
    const fs::path folder = fs::is_directory(path, ec) ? fs::path(path) : fs::path(path).parent_path();
    std::vector<std::string> files;
    for (fs::directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec)) {
        if (it->is_regular_file(ec) && files.size() < kMaxSiblings) files.push_back(it->path().string());
    }
    if (files.size() >= kMaxSiblings) files = {path};
    if (std::find(files.begin(), files.end(), path) == files.end() && !fs::is_directory(path, ec)) files.push_back(path);
    std::sort(files.begin(), files.end());
    return std::all_of(files.begin(), files.end(), [&](const std::string& file) { return addIdentity(file, now, out); });
}

}  // namespace

std::string fastKey(const config::DataSpec& spec, const PrepareOptions& options) {
    config::Spec whole;
    whole.data = spec;
    std::string text = std::to_string(pipelineVersion()) + "\n" + dumpJson(config::specToJson(whole)["data"]) + "\n";
    const double now = wallSeconds();
    const auto add = [&](const config::DataSource& source) {
        auto path = sourcePath(source);
        if (!path) return false;
        auto files = filesOfSource(*path, source.format);
        return files && std::all_of(files->begin(), files->end(), [&](const std::string& file) { return addIdentity(file, now, text); });
    };
    for (const config::DataSource& source : spec.train)
        if (!add(source)) return {};
    if (spec.eval && !add(*spec.eval)) return {};
    using Kind = config::TokenizerSpec::Kind;
    if (spec.tokenizer.kind == Kind::kPath || spec.tokenizer.kind == Kind::kModel) {
        const std::string& path = spec.tokenizer.kind == Kind::kPath ? spec.tokenizer.path : options.modelTokenizer;
        if (path.empty() || path.starts_with("asset:") || !addTokenizer(path, now, text)) return {};
    }
    if (spec.chatTemplate.ends_with(".jinja") && !addIdentity(spec.chatTemplate, now, text)) return {};
    return sha256Hex(text);
}

std::string rememberedKey(const std::string& folder, const std::string& fast) {
    if (fast.empty()) return {};
    auto known = readJsonFile(folder + "/declared.json");
    if (!known || !known->is_object()) return {};
    const std::string key = jsonStringOr(*known, fast, "");
    return key.size() == 64 && key.find_first_not_of("0123456789abcdef") == key.npos ? key : std::string();
}

void rememberKey(const std::string& folder, const std::string& fast, const std::string& key) {
    if (fast.empty()) return;
    Json index = Json::object();
    if (auto known = readJsonFile(folder + "/declared.json"); known && known->is_object()) index = std::move(*known);
    if (jsonStringOr(index, fast, "") == key) return;
    while (index.size() >= kMaxRemembered) index.erase(index.begin());
    index[fast] = key;
    (void)writeFileDurably(folder + "/declared.json", dumpJson(index, 1));
}

}  // namespace assay::data
