#include "gguf_values.h"

#include <limits>

#include "assay/model/gguf.h"

namespace assay::model {
namespace {

enum Kind : uint32_t { kU8, kI8, kU16, kI16, kU32, kI32, kF32, kBool, kString, kArray, kU64, kI64, kF64 };
constexpr const char* kNames[] = {"u8", "i8", "u16", "i16", "u32", "i32", "f32", "bool", "string", "array", "u64", "i64", "f64"};
constexpr size_t kBytes[] = {1, 1, 2, 2, 4, 4, 4, 1, 8, 12, 8, 8, 8};  // smallest encoding of one value
constexpr uint32_t kKinds = 13;
constexpr uint64_t kMaxString = uint64_t{64} << 20;  // chat templates are some kB
constexpr int kMaxDepth = 4;                         // arrays of arrays

template <class T>
Result<Json> scalar(Cursor& cursor, std::string_view key) {
    ASSAY_TRY(const T value, cursor.read<T>(key));
    if constexpr (std::is_floating_point_v<T>)
        return jsonNumber(static_cast<double>(value));
    else
        return Json(value);
}

Result<Json> readValue(Cursor& cursor, uint32_t kind, std::string_view key, int depth, int64_t& budget);

// An array that is too long to keep: every element is still read, so that what follows is found and wrong ones are refused.
Result<void> skipElements(Cursor& cursor, uint32_t kind, uint64_t count, std::string_view key, int depth, int64_t& budget) {
    if (kind == kString) {
        for (uint64_t i = 0; i < count; ++i) ASSAY_TRY_VOID(cursor.text(key, kMaxString));
    } else if (kind == kBool || kind == kArray) {
        for (uint64_t i = 0; i < count; ++i) ASSAY_TRY_VOID(readValue(cursor, kind, key, depth, budget));
    } else {
        cursor.skip(static_cast<size_t>(count) * kBytes[kind]);  // count was checked against what is left
    }
    return {};
}

Result<Json> readArray(Cursor& cursor, std::string_view key, int depth, int64_t& budget) {
    if (depth > kMaxDepth) return cursor.bad(fmt::format("metadata {}: arrays nested deeper than {}", key, kMaxDepth));
    ASSAY_TRY(const auto kind, cursor.read<uint32_t>(key));
    ASSAY_TRY(const auto count, cursor.read<uint64_t>(key));
    if (kind >= kKinds) return cursor.bad(fmt::format("metadata {}: unknown kind {} of array elements", key, kind));
    if (count > cursor.left() / kBytes[kind])
        return cursor.bad(fmt::format("metadata {}: {} elements do not fit the rest of the file", key, count));
    if (count > static_cast<uint64_t>(kLongArray)) {
        ASSAY_TRY_VOID(skipElements(cursor, kind, count, key, depth + 1, budget));
        return Json{{"array", kNames[kind]}, {"count", count}};
    }
    Json out = Json::array();
    for (uint64_t i = 0; i < count; ++i) {
        ASSAY_TRY(Json value, readValue(cursor, kind, key, depth + 1, budget));
        out.push_back(std::move(value));
    }
    return out;
}

Result<Json> readValue(Cursor& cursor, uint32_t kind, std::string_view key, int depth, int64_t& budget) {
    budget -= 32;
    if (budget < 0) return cursor.bad("its metadata is too large");
    switch (kind) {
        case kU8: return scalar<uint8_t>(cursor, key);
        case kI8: return scalar<int8_t>(cursor, key);
        case kU16: return scalar<uint16_t>(cursor, key);
        case kI16: return scalar<int16_t>(cursor, key);
        case kU32: return scalar<uint32_t>(cursor, key);
        case kI32: return scalar<int32_t>(cursor, key);
        case kF32: return scalar<float>(cursor, key);
        case kU64: return scalar<uint64_t>(cursor, key);
        case kI64: return scalar<int64_t>(cursor, key);
        case kF64: return scalar<double>(cursor, key);
        case kBool: {
            ASSAY_TRY(const auto value, cursor.read<uint8_t>(key));
            if (value > 1) return cursor.bad(fmt::format("metadata {}: {} is no truth value", key, value));
            return Json(value == 1);
        }
        case kString: {
            ASSAY_TRY(const std::string_view text, cursor.text(key, kMaxString));
            budget -= static_cast<int64_t>(text.size());
            if (budget < 0) return cursor.bad("its metadata is too large");
            return Json(std::string(text));
        }
        case kArray: return readArray(cursor, key, depth, budget);
        default: return cursor.bad(fmt::format("metadata {} has the unknown kind {}", key, kind));
    }
}

}  // namespace

Result<Json> readGgufValue(Cursor& cursor, uint32_t kind, std::string_view key, int64_t& budget) {
    return readValue(cursor, kind, key, 0, budget);
}

}  // namespace assay::model
