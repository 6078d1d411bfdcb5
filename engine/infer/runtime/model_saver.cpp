#include <assay/infer/inference_model.h>

#include <assay/core/durable.h>
#include <assay/core/ids.h>
#include <assay/data/tokenizer.h>

#include <fmt/format.h>

#include <cstring>
#include <filesystem>

namespace assay::infer {
namespace {

// [out, in] as held → [in, out] as GPT-2's files have it.
void turn(StoredTensor& tensor) {
    const int64_t rows = tensor.shape[0], columns = tensor.shape[1], size = model::dtypeBytes(tensor.type);
    std::string out(tensor.bytes.size(), '\0');
    for (int64_t r = 0; r < rows; ++r)
        for (int64_t c = 0; c < columns; ++c)
            std::memcpy(out.data() + (c * rows + r) * size, tensor.bytes.data() + (r * columns + c) * size, size);
    tensor.bytes = std::move(out);
    tensor.shape = {columns, rows};
}

// tokenizer.json made from whatever the model has (a GGUF carries its own), and the files beside it that name the chat
// template and special tokens.
Result<void> writeTokenizer(const std::string& path, const std::string& folder) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const fs::path from = fs::is_directory(path, ignored) ? fs::path(path) : fs::path(path).parent_path();
    const bool json = fs::exists(from / "tokenizer.json", ignored) && fs::path(path).extension() != ".gguf";
    if (json) {
        for (const char* name : {"tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "chat_template.jinja"}) {
            if (!fs::exists(from / name, ignored)) continue;
            ASSAY_TRY(const auto bytes, readFile((from / name).string(), size_t{256} << 20));
            ASSAY_TRY_VOID(writeFileDurably(folder + "/" + name, bytes));
        }
        return {};
    }
    ASSAY_TRY(const auto tokenizer, data::loadTokenizer(path));
    ASSAY_TRY(const auto text, tokenizer->toTokenizerJson());
    ASSAY_TRY_VOID(writeFileDurably(folder + "/tokenizer.json", text));
    if (!tokenizer->chatTemplate().empty())
        ASSAY_TRY_VOID(writeFileDurably(folder + "/chat_template.jinja", tokenizer->chatTemplate()));
    return {};
}

}  // namespace

Result<int64_t> InferenceModel::save(const std::string& folder, const std::string& base, const std::string& tokenizerPath) const {
    std::error_code ignored;
    if (std::filesystem::exists(folder, ignored))
        return fail(ErrorCode::kBadUsage, fmt::format("{} exists already", folder), "Give another folder or remove it first.");
    const auto parent = std::filesystem::path(folder).parent_path().string();
    if (!parent.empty()) ASSAY_TRY_VOID(makeFolders(parent));
    const std::string staged = fmt::format("{}.{}.partial", folder, randomHex(4));

    std::vector<StoredTensor> tensors;
    std::vector<model::SafetensorsEntry> entries;
    for (const auto& named : named_)
        for (auto& tensor : named.weight->store()) {
            if (named.transposed && tensor.suffix.empty()) turn(tensor);
            tensor.suffix = named.name + tensor.suffix;  // now the whole name
            tensors.push_back(std::move(tensor));
        }
    for (const auto& tensor : tensors) entries.push_back({tensor.suffix, tensor.type, tensor.shape, tensor.bytes});
    for (const auto& [name, buffer] : plain_)
        entries.push_back({name, model::DType::kF32, plainShape_.at(name), {buffer.as<char>(), size_t(buffer.bytes())}});

    model::QuantizationRecord record{scheme_, base, basePrecision_, bitsPerWeight(), layersInfo_};
    const auto write = [&]() -> Result<int64_t> {
        ASSAY_TRY_VOID(makeFolders(staged));
        auto config = model::configToHuggingFace(config_);
        if (tokenizerPath == "bytes") config["assay_tokenizer"] = "bytes";
        else if (!tokenizerPath.empty()) ASSAY_TRY_VOID(writeTokenizer(tokenizerPath, staged));
        const Json generation{{"bos_token_id", config["bos_token_id"]}, {"eos_token_id", config["eos_token_id"]}};
        ASSAY_TRY_VOID(writeFileDurably(staged + "/config.json", dumpJson(config, 2) + "\n"));
        ASSAY_TRY_VOID(writeFileDurably(staged + "/generation_config.json", dumpJson(generation, 2) + "\n"));
        ASSAY_TRY(const int64_t bytes, model::writeSafetensors(staged + "/model.safetensors", entries, Json{{"format", "pt"}}));
        ASSAY_TRY_VOID(writeFileDurably(staged + "/assay_quantization.json", dumpJson(model::recordToJson(record), 2) + "\n"));
        ASSAY_TRY_VOID(commitFolder(staged, folder));
        return bytes;
    };
    auto written = write();
    if (!written) (void)removeTree(staged);
    return written;
}

}  // namespace assay::infer
