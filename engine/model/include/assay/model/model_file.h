#pragma once
// One reader over every model file: Hugging Face folders (safetensors, sharded or not), GGUF files, Assay checkpoints and
// quantized folders. Files are hostile: sizes, overlaps, holes, counts and names are checked before anything is allocated.
// Data stays memory-mapped; a reader may be used from several threads.

#include <assay/model/config.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay::model {

struct TensorView {
    std::string name;            // Hugging Face name, whatever the file called it
    DType type = DType::kF32;
    std::vector<int64_t> shape;  // row-major, Hugging Face orientation (GGUF's reversed dims undone)
    std::string_view bytes;      // into the mapping; for block types the raw blocks, rows contiguous
    bool permutedRows = false;   // GGUF llama q/k rows: readRow/readF32 undo the permutation
};

class ModelFile {
public:
    virtual ~ModelFile() = default;
    virtual const ModelConfig& config() const = 0;
    virtual const std::vector<TensorView>& tensors() const = 0;
    virtual const TensorView* find(std::string_view name) const = 0;
    virtual const Json& metadata() const = 0;      // safetensors __metadata__, GGUF keys, Assay's quantization record
    virtual const std::string& path() const = 0;
    // Where the tokenizer of this model is (folder, tokenizer.json or the .gguf itself); empty: none.
    virtual const std::string& tokenizerPath() const = 0;
    // Dequantizes/widens the whole tensor into out (product of shape elements). Multithreaded with `threads`.
    virtual Result<void> readF32(const TensorView& tensor, float* out, int threads) const = 0;
};

// `path`: Hugging Face folder, .gguf file, .safetensors file, checkpoint folder, quantized folder. Checks that the tensors are
// exactly those of the family (missing, extra, wrong shape: named), that tied weights agree.
Result<std::shared_ptr<const ModelFile>> openModel(const std::string& path);
// "asset:NAME/FILE" or a path → the path of what openModel reads; kNotFound names what was looked for.
Result<std::string> resolveModel(std::string_view reference);

// --- safetensors (format of huggingface/safetensors: 8-byte little-endian header length, JSON, data) ---
struct SafetensorsEntry {
    std::string name;
    DType type = DType::kF32;
    std::vector<int64_t> shape;
    std::string_view bytes;
};
class SafetensorsFile {
public:
    static Result<std::shared_ptr<const SafetensorsFile>> open(const std::string& path);
    // The same over bytes in memory, which must outlive the object; `path` is for messages.
    static Result<std::shared_ptr<const SafetensorsFile>> parse(std::string_view bytes, const std::string& path);
    virtual ~SafetensorsFile() = default;
    virtual const std::vector<SafetensorsEntry>& entries() const = 0;
    virtual const SafetensorsEntry* find(std::string_view name) const = 0;
    virtual const Json& metadata() const = 0;
};
// Streams tensors to a temporary file, fsyncs, renames. The bytes views must stay valid during the call. The data area
// starts at a multiple of 64, and tensors are laid out so that each starts at a multiple of 64 or, behind tensors of odd
// size (the format forbids holes), of the largest power of two that divides its own bytes. Same input, same file.
// Returns the file's bytes.
Result<int64_t> writeSafetensors(const std::string& path, const std::vector<SafetensorsEntry>& entries, const Json& metadata);

// Writes config.json, generation_config.json, model.safetensors (and the tokenizer files found at `tokenizerPath`) into a
// fresh folder so that transformers loads it. Tied weights are written once.
Result<int64_t> writeHuggingFaceFolder(const std::string& folder, const ModelConfig& config,
                                       const std::vector<SafetensorsEntry>& weights, const std::string& tokenizerPath);

// --- quantized folder: config.json + model.safetensors + assay_quantization.json ---
// Each quantized weight W [out, in] is stored as NAME.packed and NAME.scale (and others the scheme names); all other
// tensors stay as they are. `layers` says per tensor which scheme holds it.
struct QuantizedTensorInfo {
    std::string name, scheme;
    std::vector<int64_t> shape;
    double relativeError = 0;  // ‖W − Ŵ‖F / ‖W‖F
};
struct QuantizationRecord {
    std::string scheme;
    std::string base;              // path or reference of the model it was made from
    std::string basePrecision;     // "fp32", "dequantized Q4_1"
    double bitsPerWeight = 0;      // all weight bytes × 8 / parameters
    std::vector<QuantizedTensorInfo> layers;
};
Json recordToJson(const QuantizationRecord& record);
Result<QuantizationRecord> recordFromJson(const Json& json);
Result<QuantizationRecord> readQuantizationRecord(const std::string& folder);  // kNotFound when the folder is not quantized

}  // namespace assay::model
