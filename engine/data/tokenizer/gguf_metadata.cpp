#include "tokenizer/gguf_metadata.h"

#include <cstring>

namespace assay::data {

namespace {
enum Type : uint32_t { kU8, kI8, kU16, kI16, kU32, kI32, kF32, kBool, kString, kArray, kU64, kI64, kF64 };
constexpr size_t kSizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
constexpr uint64_t kMaxKeys = 1 << 16, kMaxKeyBytes = 1 << 16;
}  // namespace

class GgufReader {
public:
    GgufReader(std::string_view bytes, const std::string& what) : bytes_(bytes), what_(what) {}

    Result<GgufMetadata> read() {
        GgufMetadata out;
        uint32_t version = 0;
        uint64_t tensors = 0, keys = 0;
        if (bytes_.size() < 4 || bytes_.substr(0, 4) != "GGUF") return bad("does not begin with GGUF: it is no GGUF file");
        at_ = 4;
        if (!number(version)) return cut();
        if (version == 1 || version > 3)
            return fail(ErrorCode::kUnsupported, what_ + ": GGUF version " + std::to_string(version) + " is not supported", "versions 2 and 3 in little-endian order are; convert the file anew");
        if (!number(tensors) || !number(keys)) return cut();
        if (keys > kMaxKeys) return bad("claims " + std::to_string(keys) + " metadata keys");
        for (uint64_t k = 0; k < keys; ++k) {
            std::string_view key;
            uint32_t type = 0;
            if (!text(key)) return cut();
            if (key.size() > kMaxKeyBytes) return bad("a metadata key is longer than 64 KiB");
            if (!number(type)) return cut();
            if (type > kF64) return bad("metadata key " + std::string(key) + " has the unknown type " + std::to_string(type));
            GgufMetadata::Value value;
            if (!read(static_cast<Type>(type), key.starts_with("tokenizer."), value)) {
                if (!error_.empty()) return bad(error_);
                return cut();
            }
            if (!out.values_.emplace(key, std::move(value)).second) return bad("metadata key " + std::string(key) + " appears twice");
        }
        return out;
    }

private:
    tl::unexpected<Error> bad(const std::string& why) const { return fail(ErrorCode::kInvalidFile, what_ + ": " + why); }
    tl::unexpected<Error> cut() const {
        return fail(ErrorCode::kInvalidFile, what_ + ": the file ends inside its metadata (" + std::to_string(bytes_.size()) + " bytes)", "the file is cut off: fetch it again");
    }
    size_t left() const { return bytes_.size() - at_; }
    template <class T>
    bool number(T& out) {
        if (left() < sizeof(T)) return false;
        std::memcpy(&out, bytes_.data() + at_, sizeof(T));
        at_ += sizeof(T);
        return true;
    }
    bool text(std::string_view& out) {
        uint64_t n = 0;
        if (!number(n) || n > left()) return false;
        out = bytes_.substr(at_, n);
        at_ += n;
        return true;
    }
    template <class T>
    bool integerAs(int64_t& out) {
        T v{};
        if (!number(v)) return false;
        out = static_cast<int64_t>(v);
        return true;
    }
    bool integer(Type type, int64_t& out) {
        switch (type) {
            case kU8:
            case kBool: return integerAs<uint8_t>(out);
            case kI8: return integerAs<int8_t>(out);
            case kU16: return integerAs<uint16_t>(out);
            case kI16: return integerAs<int16_t>(out);
            case kU32: return integerAs<uint32_t>(out);
            case kI32: return integerAs<int32_t>(out);
            case kU64: return integerAs<uint64_t>(out);
            case kI64: return integerAs<int64_t>(out);
            default: return false;
        }
    }
    bool read(Type type, bool keep, GgufMetadata::Value& out) {
        if (type == kString) {
            std::string_view s;
            if (!text(s)) return false;
            out = s;
            return true;
        }
        if (type == kArray) return array(keep, out);
        if (type == kF32 || type == kF64) {
            double v = 0;
            float f = 0;
            if (type == kF32 ? !number(f) : !number(v)) return false;
            out = type == kF32 ? static_cast<double>(f) : v;
            return true;
        }
        int64_t v = 0;
        if (!integer(type, v)) return false;
        if (type == kBool) {
            out = v != 0;
        } else {
            out = v;
        }
        return true;
    }
    bool array(bool keep, GgufMetadata::Value& out) {
        uint32_t type = 0;
        uint64_t n = 0;
        if (!number(type) || !number(n)) return false;
        if (type == kArray || type > kF64) {
            error_ = "a metadata array holds values of type " + std::to_string(type);
            return false;
        }
        if (type == kString) {
            if (n > left() / 8) return false;  // each string takes at least its length
            std::vector<std::string_view> items;
            if (keep) items.reserve(n);
            for (uint64_t i = 0; i < n; ++i) {
                std::string_view s;
                if (!text(s)) return false;
                if (keep) items.push_back(s);
            }
            out = std::move(items);
            return true;
        }
        if (n > left() / kSizes[type]) return false;
        if (!keep) {
            at_ += n * kSizes[type];
            out = int64_t{0};
            return true;
        }
        if (type == kF32) {
            std::vector<float> items(n);
            if (n > 0) std::memcpy(items.data(), bytes_.data() + at_, n * sizeof(float));
            at_ += n * sizeof(float);
            out = std::move(items);
            return true;
        }
        std::vector<int64_t> items(type == kF64 ? 0 : n);
        if (type == kF64) at_ += n * 8;
        for (int64_t& item : items)
            if (!integer(static_cast<Type>(type), item)) return false;
        out = std::move(items);
        return true;
    }

    std::string_view bytes_;
    const std::string& what_;
    std::string error_;
    size_t at_ = 0;
};

Result<GgufMetadata> GgufMetadata::parse(std::string_view bytes, const std::string& what) { return GgufReader(bytes, what).read(); }

Result<GgufMetadata> GgufMetadata::read(const std::string& path) {
    ASSAY_TRY(MappedFile file, MappedFile::open(path));
    ASSAY_TRY(GgufMetadata out, parse(file.bytes(), path));
    out.file_ = std::move(file);
    return out;
}

namespace {
template <class T, class Map>
const T* get(const Map& values, const std::string& key) {
    const auto found = values.find(key);
    return found == values.end() ? nullptr : std::get_if<T>(&found->second);
}
template <class T>
std::optional<T> optional(const T* p) {
    return p ? std::optional<T>(*p) : std::nullopt;
}
}  // namespace

std::optional<std::string_view> GgufMetadata::string(const std::string& key) const { return optional(get<std::string_view>(values_, key)); }
std::optional<int64_t> GgufMetadata::integer(const std::string& key) const { return optional(get<int64_t>(values_, key)); }
std::optional<bool> GgufMetadata::boolean(const std::string& key) const { return optional(get<bool>(values_, key)); }
const std::vector<std::string_view>* GgufMetadata::strings(const std::string& key) const { return get<std::vector<std::string_view>>(values_, key); }
const std::vector<int64_t>* GgufMetadata::integers(const std::string& key) const { return get<std::vector<int64_t>>(values_, key); }
const std::vector<float>* GgufMetadata::floats(const std::string& key) const { return get<std::vector<float>>(values_, key); }

}  // namespace assay::data
