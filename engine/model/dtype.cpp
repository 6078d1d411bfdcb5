#include "assay/model/gguf.h"

namespace assay::model {
namespace {
struct Row {
    DType type;
    const char* name;
    int64_t elements, bytes;  // per block
};
// Order of DType. Block layouts: ggml-common.h.
constexpr Row kTypes[] = {
    {DType::kF32, "F32", 1, 4},       {DType::kF16, "F16", 1, 2},       {DType::kBF16, "BF16", 1, 2},    {DType::kI8, "I8", 1, 1},
    {DType::kU8, "U8", 1, 1},         {DType::kI32, "I32", 1, 4},       {DType::kI64, "I64", 1, 8},      {DType::kBool, "BOOL", 1, 1},
    {DType::kF64, "F64", 1, 8},       {DType::kQ4_0, "Q4_0", 32, 18},   {DType::kQ4_1, "Q4_1", 32, 20},  {DType::kQ5_0, "Q5_0", 32, 22},
    {DType::kQ5_1, "Q5_1", 32, 24},   {DType::kQ8_0, "Q8_0", 32, 34},   {DType::kQ4_K, "Q4_K", 256, 144}, {DType::kQ5_K, "Q5_K", 256, 176},
    {DType::kQ6_K, "Q6_K", 256, 210},
};
const Row& rowOf(DType type) {
    const Row& row = kTypes[static_cast<size_t>(type)];
    ASSAY_CHECK(row.type == type, "table of types is out of order");
    return row;
}
}  // namespace

std::string_view dtypeName(DType type) { return rowOf(type).name; }
int64_t dtypeBytes(DType type) { return isBlockType(type) ? 0 : rowOf(type).bytes; }
BlockSize blockSizeOf(DType type) { return {rowOf(type).elements, rowOf(type).bytes}; }
bool isBlockType(DType type) { return rowOf(type).elements > 1; }

}  // namespace assay::model
