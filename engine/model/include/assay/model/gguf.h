#pragma once
// GGUF v2/v3 container (ggml-org/ggml docs/gguf.md) and the arithmetic of its block types. Every count, length, offset and
// product is checked against the file before it is used. Immutable after opening: any thread.

#include <assay/model/config.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay::model {

struct GgufTensor {
    std::string name;            // as in the file: blk.0.attn_q.weight
    DType type = DType::kF32;
    std::vector<int64_t> shape;  // row-major: the file's dims reversed
    std::string_view bytes;      // into the mapping
};

class GgufFile {
public:
    static Result<std::shared_ptr<const GgufFile>> open(const std::string& path);
    // The same over bytes in memory, which must outlive the object; `path` is for messages.
    static Result<std::shared_ptr<const GgufFile>> parse(std::string_view bytes, const std::string& path);
    virtual ~GgufFile() = default;
    virtual const std::string& path() const = 0;
    // Key → value. Arrays of more than kLongArray elements are checked but kept out of memory: {"array": kind, "count": n}.
    virtual const Json& metadata() const = 0;
    virtual const std::vector<GgufTensor>& tensors() const = 0;
    virtual const GgufTensor* find(std::string_view name) const = 0;
};
constexpr int64_t kLongArray = 1024;

// Elements and bytes of one block; 1 and dtypeBytes for plain types.
struct BlockSize {
    int64_t elements = 1, bytes = 0;
};
BlockSize blockSizeOf(DType type);
bool isBlockType(DType type);

// Widens or dequantizes `count` elements (a multiple of the block) from `bytes` to fp32 exactly as ggml defines it.
// Floating-point and block types only; `bytes` need not be aligned.
Result<void> toF32(DType type, const char* bytes, int64_t count, float* out);

}  // namespace assay::model
