#pragma once
// Reads little-endian values from untrusted bytes; never beyond their end.
#include <assay/core/error.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace assay::model {

class Cursor {
public:
    Cursor(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {}

    template <class T>
    Result<T> read(std::string_view what) {
        static_assert(std::is_trivially_copyable_v<T>);
        if (sizeof(T) > left()) return truncated(what);
        T value;
        std::memcpy(&value, bytes_.data() + at_, sizeof(T));
        at_ += sizeof(T);
        return value;
    }
    Result<std::string_view> text(std::string_view what, uint64_t limit) {
        ASSAY_TRY(const auto length, read<uint64_t>(what));
        if (length > limit) return bad(fmt::format("{} has {} bytes, more than the limit of {}", what, length, limit));
        if (length > left()) return truncated(what);
        const std::string_view out = bytes_.substr(at_, length);
        at_ += length;
        return out;
    }
    size_t left() const { return bytes_.size() - at_; }
    size_t at() const { return at_; }
    void skip(size_t n) { at_ += n; }  // n ≤ left()
    tl::unexpected<Error> truncated(std::string_view what) const {
        return bad(fmt::format("the file ends inside {} (byte {} of {}); it may be truncated", what, at_, bytes_.size()));
    }
    tl::unexpected<Error> bad(std::string_view why) const {
        return fail(ErrorCode::kInvalidFile, fmt::format("{} is not a valid GGUF file: {}", path_, why));
    }

private:
    std::string_view bytes_;
    const std::string& path_;
    size_t at_ = 0;
};

}  // namespace assay::model
