#include "columnar/dataset_folder.h"

#include <assay/core/json.h>

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <map>

namespace assay::data {
namespace {
namespace fs = std::filesystem;

constexpr size_t kMaxDatasetFiles = 20'000, kMaxDatasetEntries = 100'000;
constexpr int kMaxFolderDepth = 5;
constexpr JsonLimits kStateLimits{size_t{64} << 20, 64};

// A file or folder beside the state file, and nothing else.
bool isPlainName(const std::string& name) { return !name.empty() && name[0] != '.' && name.find_first_of(std::string("/\0", 2)) == name.npos; }

std::string lowerCase(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

int64_t bytesOf(const std::string& path) {
    std::error_code ec;
    const auto size = fs::file_size(path, ec);
    return ec ? 0 : static_cast<int64_t>(size);
}

// The words by which the hub tells splits apart.
std::string splitIn(std::string_view text) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kWords{{{"train", "train"}, {"training", "train"}, {"validation", "validation"}, {"valid", "validation"}, {"val", "validation"},
                                                                                           {"dev", "validation"}, {"test", "test"}, {"testing", "test"}, {"eval", "test"}, {"evaluation", "test"}}};
    std::string word;
    for (size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && std::isalpha(static_cast<unsigned char>(text[i]))) {
            word += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
            continue;
        }
        for (const auto& [name, split] : kWords)
            if (word == name) return std::string(split);
        word.clear();
    }
    return {};
}

// "train-00000-of-00002" and "train-00000-of-00002-0123456789abcdef" are shards of "train".
std::string withoutShard(const std::string& stem) {
    const size_t of = stem.rfind("-of-");
    if (of == stem.npos || of == 0) return stem;
    size_t digits = of;
    while (digits > 0 && std::isdigit(static_cast<unsigned char>(stem[digits - 1]))) --digits;
    if (digits == of || digits == 0 || stem[digits - 1] != '-') return stem;
    size_t after = of + 4;
    while (after < stem.size() && std::isdigit(static_cast<unsigned char>(stem[after]))) ++after;
    const bool hash = after < stem.size() && stem[after] == '-' && stem.find_first_not_of("0123456789abcdef", after + 1) == stem.npos;
    if (after == of + 4 || (after != stem.size() && !hash)) return stem;
    return stem.substr(0, digits - 1);
}

std::string formatByName(fs::path name) {
    std::string e = lowerCase(name.extension().string());
    if (e == ".gz" || e == ".zst") e = lowerCase(name.stem().extension().string());
    if (e == ".parquet") return "parquet";
    if (e == ".arrow") return "arrow";
    if (e == ".jsonl" || e == ".ndjson" || e == ".json") return "jsonl";
    if (e == ".csv" || e == ".tsv") return "csv";
    return e == ".txt" ? "text" : "";
}
bool isColumnar(const std::string& format) { return format == "parquet" || format == "arrow" || format == "hf"; }

// Files beside the data that are none.
bool isCompanion(const std::string& name) {
    static constexpr const char* kNames[] = {"dataset_info.json", "dataset_infos.json", "dataset_dict.json", "state.json", "dataset_card.json", "README.txt", "LICENSE.txt", "config.json", "tokenizer.json", "tokenizer_config.json", "manifest.json"};
    return std::any_of(std::begin(kNames), std::end(kNames), [&](const char* n) { return name == n; }) || name.starts_with("cache-") || name.starts_with("tmp");
}

Result<std::vector<std::string>> namedFiles(const std::string& folder, const Json& state, const char* key) {
    std::vector<std::string> files;
    const auto list = state.find(key);
    if (list == state.end() || list->is_null()) return files;
    const auto bad = [&](const std::string& why) { return fail(ErrorCode::kInvalidFile, folder + "/state.json: " + key + " " + why, "save the dataset again with save_to_disk"); };
    if (!list->is_array() || list->size() > kMaxDatasetFiles) return bad("is no list of files");
    for (const Json& entry : *list) {
        const std::string name = entry.is_object() ? jsonStringOr(entry, "filename", "") : std::string();
        if (!isPlainName(name)) return bad("names \"" + name + "\", which is no file of this folder");
        std::error_code ec;
        if (!fs::is_regular_file(folder + "/" + name, ec)) return fail(ErrorCode::kNotFound, folder + "/" + name + ", a shard of the dataset, is not there", "copy the whole folder");
        files.push_back(folder + "/" + name);
    }
    return files;
}

Result<DatasetPart> savedPart(const std::string& folder, std::string split) {
    ASSAY_TRY(const Json state, readJsonFile(folder + "/state.json", kStateLimits));
    if (!state.is_object()) return fail(ErrorCode::kInvalidFile, folder + "/state.json is no JSON object", "save the dataset again with save_to_disk");
    DatasetPart part;
    part.path = folder;
    part.split = split.empty() ? jsonStringOr(state, "_split", "") : std::move(split);
    part.format = "hf";
    ASSAY_TRY(part.files, namedFiles(folder, state, "_data_files"));
    if (part.files.empty()) return fail(ErrorCode::kInvalidFile, folder + "/state.json names no data files", "save the dataset again with save_to_disk");
    // Versions before 2.0 kept an unflattened order of rows in files of its own.
    for (const char* key : {"_indices_data_files", "_indices_files"}) {
        ASSAY_TRY(std::vector<std::string> files, namedFiles(folder, state, key));
        if (part.indices.empty()) part.indices = std::move(files);
    }
    for (const auto* list : {&part.files, &part.indices})
        for (const std::string& file : *list) part.bytes += bytesOf(file);
    return part;
}

Result<std::vector<DatasetPart>> dictionaryParts(const std::string& folder) {
    ASSAY_TRY(const Json dictionary, readJsonFile(folder + "/dataset_dict.json", kStateLimits));
    const auto splits = dictionary.is_object() ? dictionary.find("splits") : dictionary.end();
    std::vector<DatasetPart> parts;
    if (splits == dictionary.end() || !splits->is_array() || splits->size() > 1000) return fail(ErrorCode::kInvalidFile, folder + "/dataset_dict.json lists no splits", "save the dataset again with save_to_disk");
    for (const Json& split : *splits) {
        const std::string name = split.is_string() ? split.get<std::string>() : std::string();
        if (!isPlainName(name)) return fail(ErrorCode::kInvalidFile, folder + "/dataset_dict.json names the split \"" + name + "\"", "splits are folders beside it");
        ASSAY_TRY(DatasetPart part, savedPart(folder + "/" + name, name));
        parts.push_back(std::move(part));
    }
    return parts;
}

Result<std::vector<DatasetPart>> looseParts(const std::string& folder) {
    std::map<std::string, DatasetPart> groups;  // by folder, name without shard, extension
    std::error_code ec;
    size_t looked = 0, files = 0;
    fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, ec);
    for (const fs::recursive_directory_iterator end; !ec && it != end; it.increment(ec)) {
        if (++looked > kMaxDatasetEntries || files > kMaxDatasetFiles) return fail(ErrorCode::kUnsupported, folder + " holds more than " + std::to_string(kMaxDatasetFiles) + " files", "name one file of it");
        const std::string name = it->path().filename().string();
        std::error_code gone;
        if (it->is_directory(gone)) {
            if (name.starts_with('.') || it.depth() + 1 >= kMaxFolderDepth) it.disable_recursion_pending();
            continue;
        }
        const std::string format = formatByName(name);
        if (name.starts_with('.') || format.empty() || isCompanion(name) || !fs::is_regular_file(it->path(), gone)) continue;
        ++files;
        const fs::path parent = it->path().parent_path();
        const std::string extension = it->path().extension().string();
        const std::string base = isColumnar(format) ? withoutShard(it->path().stem().string()) : it->path().stem().string();
        DatasetPart& part = groups[parent.string() + "/" + base + extension];
        part.format = format;
        part.files.push_back(it->path().string());
        part.bytes += bytesOf(it->path().string());
        if (part.files.size() > 1) continue;
        const std::string inside = fs::relative(parent, folder, gone).generic_string();
        part.split = splitIn(base);
        if (part.split.empty()) part.split = splitIn(inside);
        if (inside != "." && inside != "data" && splitIn(inside) != lowerCase(inside)) part.config = inside;
    }
    if (ec) return fail(systemError("cannot read the folder", folder, ec.value()));
    std::vector<DatasetPart> parts;
    for (auto& [key, part] : groups) {
        std::sort(part.files.begin(), part.files.end());
        const fs::path first = part.files[0];
        part.path = part.files.size() == 1 ? first.string() : (first.parent_path() / (withoutShard(first.stem().string()) + "-*" + first.extension().string())).string();
        parts.push_back(std::move(part));
    }
    return parts;
}

}  // namespace

bool isSavedDataset(const std::string& folder) {
    std::error_code ec;
    return fs::is_regular_file(folder + "/dataset_dict.json", ec) || fs::is_regular_file(folder + "/state.json", ec);
}

Result<std::vector<DatasetPart>> datasetParts(const std::string& folder) {
    std::error_code ec;
    if (fs::is_regular_file(folder + "/dataset_dict.json", ec)) return dictionaryParts(folder);
    if (!fs::is_regular_file(folder + "/state.json", ec)) return looseParts(folder);
    ASSAY_TRY(DatasetPart part, savedPart(folder, ""));
    std::vector<DatasetPart> one;
    one.push_back(std::move(part));
    return one;
}

Result<DatasetPart> chosenPart(const std::string& folder) {
    ASSAY_TRY(std::vector<DatasetPart> all, datasetParts(folder));
    std::erase_if(all, [](const DatasetPart& part) { return !isColumnar(part.format); });
    if (all.empty()) return fail(ErrorCode::kInvalidFile, folder + " is a folder without Parquet or Arrow files", "name one file, or a folder that Hugging Face datasets saved");
    if (all.size() == 1) return std::move(all[0]);
    std::vector<DatasetPart> train;
    for (const DatasetPart& part : all)
        if (part.split == "train") train.push_back(part);
    if (train.size() == 1) return std::move(train[0]);
    std::string names;
    for (size_t i = 0; i < all.size() && i < 8; ++i) names += (names.empty() ? "" : ", ") + all[i].path;
    return fail(ErrorCode::kBadUsage, folder + " holds " + std::to_string(all.size()) + " datasets and it is not clear which one is meant", "name one: " + names + (all.size() > 8 ? ", …" : ""));
}

bool isPattern(const std::string& path) {
    const size_t slash = path.rfind('/'), star = path.rfind('*');
    std::error_code ec;
    return star != path.npos && (slash == path.npos || star > slash) && !fs::exists(path, ec);
}

Result<std::vector<std::string>> matchingFiles(const std::string& pattern) {
    const fs::path path(pattern);
    const std::string wanted = path.filename().string(), parent = path.has_parent_path() ? path.parent_path().string() : ".";
    std::vector<std::string> files;
    std::error_code ec;
    fs::directory_iterator it(parent, ec);
    for (const fs::directory_iterator end; !ec && it != end; it.increment(ec)) {
        std::error_code gone;
        if (::fnmatch(wanted.c_str(), it->path().filename().c_str(), FNM_PERIOD | FNM_NOESCAPE) == 0 && fs::is_regular_file(it->path(), gone)) files.push_back(it->path().string());
        if (files.size() > kMaxDatasetFiles) return fail(ErrorCode::kUnsupported, pattern + " matches more than " + std::to_string(kMaxDatasetFiles) + " files");
    }
    if (ec) return fail(systemError("cannot read the folder", parent, ec.value()));
    if (files.empty()) return fail(ErrorCode::kNotFound, "no file matches " + pattern, "check the folder and the name");
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace assay::data
