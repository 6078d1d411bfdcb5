#include <assay/core/durable.h>

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <unordered_set>

#include "assay/model/gguf.h"
#include "checked.h"
#include "gguf_values.h"

namespace assay::model {
namespace {

constexpr uint64_t kMaxTensors = 1 << 17, kMaxKeys = 1 << 16;
constexpr uint64_t kMaxKeyBytes = 65535, kMaxNameBytes = 64;  // the format's own limits
constexpr uint32_t kMaxDimensions = 4;
constexpr int64_t kMetadataBudget = int64_t{256} << 20;  // bytes kept in memory

struct TypeRow {
    uint32_t id;  // ggml_type
    const char* name;
    int type;  // DType, or -1: known but not read
};
constexpr int as(DType t) { return static_cast<int>(t); }
constexpr TypeRow kGgufTypes[] = {
    {0, "F32", as(DType::kF32)},    {1, "F16", as(DType::kF16)},    {2, "Q4_0", as(DType::kQ4_0)},  {3, "Q4_1", as(DType::kQ4_1)},
    {6, "Q5_0", as(DType::kQ5_0)},  {7, "Q5_1", as(DType::kQ5_1)},  {8, "Q8_0", as(DType::kQ8_0)},  {9, "Q8_1", -1},
    {10, "Q2_K", -1},               {11, "Q3_K", -1},               {12, "Q4_K", as(DType::kQ4_K)}, {13, "Q5_K", as(DType::kQ5_K)},
    {14, "Q6_K", as(DType::kQ6_K)}, {15, "Q8_K", -1},               {16, "IQ2_XXS", -1},            {17, "IQ2_XS", -1},
    {18, "IQ3_XXS", -1},            {19, "IQ1_S", -1},              {20, "IQ4_NL", -1},             {21, "IQ3_S", -1},
    {22, "IQ2_S", -1},              {23, "IQ4_XS", -1},             {24, "I8", as(DType::kI8)},     {25, "I16", -1},
    {26, "I32", as(DType::kI32)},   {27, "I64", as(DType::kI64)},   {28, "F64", as(DType::kF64)},   {29, "IQ1_M", -1},
    {30, "BF16", as(DType::kBF16)}, {34, "TQ1_0", -1},              {35, "TQ2_0", -1},              {39, "MXFP4", -1},
};

class ParsedGguf : public GgufFile {
public:
    ParsedGguf(MappedFile file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}
    const std::string& path() const override { return path_; }
    const Json& metadata() const override { return metadata_; }
    const std::vector<GgufTensor>& tensors() const override { return tensors_; }
    const GgufTensor* find(std::string_view name) const override {
        auto it = index_.find(name);
        return it == index_.end() ? nullptr : &tensors_[it->second];
    }
    std::string_view mapped() const { return file_.bytes(); }

    Result<void> read(std::string_view bytes);

private:
    Result<void> readMetadata(Cursor& cursor, uint64_t count);
    Result<void> readTensor(Cursor& cursor, uint64_t& offset);
    Result<void> placeTensors(Cursor& cursor, std::string_view bytes, const std::vector<uint64_t>& offsets);
    Result<uint64_t> alignment(Cursor& cursor) const;

    MappedFile file_;
    std::string path_;
    Json metadata_ = Json::object();
    std::vector<GgufTensor> tensors_;
    std::unordered_map<std::string_view, size_t> index_;
};

Result<void> ParsedGguf::read(std::string_view bytes) {
    Cursor cursor(bytes, path_);
    if (bytes.size() < 4 || bytes.substr(0, 4) != "GGUF") return cursor.bad("it does not start with the letters GGUF");
    cursor.skip(4);
    ASSAY_TRY(const auto version, cursor.read<uint32_t>("the version"));
    if (version == 1 || (version & 0xffff) == 0)
        return fail(ErrorCode::kUnsupported, fmt::format("{}: {}", path_, version == 1 ? "GGUF version 1 is not supported" : "big-endian GGUF files are not supported"),
                    "convert it with a current tool");
    if (version != 2 && version != 3) return fail(ErrorCode::kUnsupported, fmt::format("{}: GGUF version {} is not supported", path_, version), "supported: 2 and 3");
    ASSAY_TRY(const auto tensorCount, cursor.read<uint64_t>("the tensor count"));
    ASSAY_TRY(const auto keyCount, cursor.read<uint64_t>("the metadata count"));
    if (tensorCount > kMaxTensors) return cursor.bad(fmt::format("{} tensors are more than the limit of {}", tensorCount, kMaxTensors));
    if (keyCount > kMaxKeys) return cursor.bad(fmt::format("{} metadata keys are more than the limit of {}", keyCount, kMaxKeys));
    ASSAY_TRY_VOID(readMetadata(cursor, keyCount));

    constexpr size_t kSmallestInfo = 8 + 4 + 4 + 8;
    if (tensorCount > cursor.left() / kSmallestInfo) return cursor.truncated("the list of tensors");
    tensors_.reserve(tensorCount);
    index_.reserve(tensorCount);
    std::vector<uint64_t> offsets(tensorCount);
    for (uint64_t& offset : offsets) ASSAY_TRY_VOID(readTensor(cursor, offset));
    return placeTensors(cursor, bytes, offsets);
}

Result<void> ParsedGguf::readMetadata(Cursor& cursor, uint64_t count) {
    std::unordered_set<std::string_view> seen;
    auto& object = metadata_.get_ref<Json::object_t&>();
    int64_t budget = kMetadataBudget;
    for (uint64_t i = 0; i < count; ++i) {
        ASSAY_TRY(const std::string_view key, cursor.text(fmt::format("metadata key {}", i), kMaxKeyBytes));
        if (!seen.insert(key).second) return cursor.bad(fmt::format("metadata key {} is given twice", key));
        ASSAY_TRY(const auto kind, cursor.read<uint32_t>(key));
        ASSAY_TRY(Json value, readGgufValue(cursor, kind, key, budget));
        object.emplace_back(std::string(key), std::move(value));
    }
    return {};
}

Result<void> ParsedGguf::readTensor(Cursor& cursor, uint64_t& offset) {
    const std::string where = fmt::format("tensor {}", tensors_.size());
    ASSAY_TRY(const std::string_view name, cursor.text("the name of " + where, kMaxNameBytes));
    if (name.empty()) return cursor.bad(where + " has no name");
    ASSAY_TRY(const auto dims, cursor.read<uint32_t>(name));
    if (dims < 1 || dims > kMaxDimensions) return cursor.bad(fmt::format("tensor {} has {} dimensions, allowed are 1 to {}", name, dims, kMaxDimensions));
    GgufTensor tensor;
    tensor.name = name;
    for (uint32_t d = 0; d < dims; ++d) {
        ASSAY_TRY(const auto size, cursor.read<uint64_t>(name));
        if (size == 0 || size > static_cast<uint64_t>(INT64_MAX)) return cursor.bad(fmt::format("tensor {} has a dimension of {}", name, size));
        tensor.shape.insert(tensor.shape.begin(), static_cast<int64_t>(size));
    }
    ASSAY_TRY(const auto type, cursor.read<uint32_t>(name));
    ASSAY_TRY(offset, cursor.read<uint64_t>(name));
    const auto row = std::find_if(std::begin(kGgufTypes), std::end(kGgufTypes), [&](const TypeRow& r) { return r.id == type; });
    if (row == std::end(kGgufTypes)) return cursor.bad(fmt::format("tensor {} has the unknown type {}", name, type));
    if (row->type < 0)
        return fail(ErrorCode::kUnsupported, fmt::format("{}: tensor {} has the type {}, which is not supported", path_, name, row->name),
                    "supported: F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q5_0, Q5_1, Q4_K, Q5_K, Q6_K");
    tensor.type = static_cast<DType>(row->type);
    tensors_.push_back(std::move(tensor));
    if (!index_.emplace(tensors_.back().name, tensors_.size() - 1).second) return cursor.bad(fmt::format("tensor {} is given twice", name));
    return {};
}

Result<uint64_t> ParsedGguf::alignment(Cursor& cursor) const {
    auto it = metadata_.find("general.alignment");
    if (it == metadata_.end()) return 32;
    const uint64_t value = it->is_number_unsigned() ? it->get<uint64_t>() : 0;
    if (!std::has_single_bit(value) || value < 8 || value > (1 << 20))
        return cursor.bad(fmt::format("general.alignment {} is not a power of two from 8 to 1048576", it->dump()));
    return value;
}

Result<void> ParsedGguf::placeTensors(Cursor& cursor, std::string_view bytes, const std::vector<uint64_t>& offsets) {
    ASSAY_TRY(const uint64_t alignment, this->alignment(cursor));
    const uint64_t start = (cursor.at() + alignment - 1) / alignment * alignment;
    if (start > bytes.size() && !tensors_.empty()) return cursor.truncated("the padding before the data");
    const uint64_t available = bytes.size() - std::min<uint64_t>(start, bytes.size());
    for (size_t i = 0; i < tensors_.size(); ++i) {
        GgufTensor& t = tensors_[i];
        const BlockSize block = blockSizeOf(t.type);
        const auto elements = checkedProduct(t.shape);
        const auto size = elements ? checkedProduct(*elements / block.elements, block.bytes) : std::nullopt;
        if (!size) return cursor.bad(fmt::format("the shape [{}] of tensor {} overflows", fmt::join(t.shape, ", "), t.name));
        if (t.shape.back() % block.elements != 0)
            return cursor.bad(fmt::format("tensor {}: rows of {} elements are no whole blocks of {} ({})", t.name, t.shape.back(), block.elements, dtypeName(t.type)));
        if (offsets[i] % alignment != 0) return cursor.bad(fmt::format("tensor {} starts at {}, which is no multiple of {}", t.name, offsets[i], alignment));
        if (offsets[i] > available || static_cast<uint64_t>(*size) > available - offsets[i])
            return cursor.bad(fmt::format("tensor {} needs bytes {} to {} + {} of the data, the file holds {}; it may be truncated", t.name, offsets[i],
                                          offsets[i], *size, available));
        t.bytes = bytes.substr(start + offsets[i], static_cast<size_t>(*size));
    }
    std::vector<const GgufTensor*> order;
    order.reserve(tensors_.size());
    for (const GgufTensor& t : tensors_) order.push_back(&t);
    std::sort(order.begin(), order.end(), [](auto* a, auto* b) { return a->bytes.data() < b->bytes.data(); });
    for (size_t i = 1; i < order.size(); ++i)
        if (order[i]->bytes.data() < order[i - 1]->bytes.data() + order[i - 1]->bytes.size())
            return cursor.bad(fmt::format("tensors {} and {} overlap", order[i - 1]->name, order[i]->name));
    return {};
}

}  // namespace

Result<std::shared_ptr<const GgufFile>> GgufFile::open(const std::string& path) {
    ASSAY_TRY(MappedFile file, MappedFile::open(path));
    auto parsed = std::make_shared<ParsedGguf>(std::move(file), path);
    ASSAY_TRY_VOID(parsed->read(parsed->mapped()));
    return parsed;
}

Result<std::shared_ptr<const GgufFile>> GgufFile::parse(std::string_view bytes, const std::string& path) {
    auto parsed = std::make_shared<ParsedGguf>(MappedFile{}, path);
    ASSAY_TRY_VOID(parsed->read(bytes));
    return parsed;
}

}  // namespace assay::model
