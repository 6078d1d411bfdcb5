#pragma once
// A file that is written from its beginning to its end. Any failure is the result of the call that met it.
#include <assay/core/error.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace assay::data {

class FileSink {
public:
    static Result<FileSink> create(const std::string& path);  // the file must not exist
    FileSink(FileSink&& other) noexcept;
    FileSink& operator=(FileSink&&) = delete;
    ~FileSink();
    Result<void> write(std::string_view bytes);
    template <class T>
        requires std::is_arithmetic_v<T>
    Result<void> write(std::span<const T> values) {  // as they lie in memory: little-endian
        return write(std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes()));
    }
    template <class T>
        requires std::is_arithmetic_v<T>
    Result<void> number(T value) {
        return write(std::span<const T>(&value, 1));
    }
    Result<void> finish();  // all is on the disk
    uint64_t size() const { return size_; }

private:
    FileSink(int fd, std::string path) : path_(std::move(path)), fd_(fd) {}
    Result<void> flush();

    std::string path_, buffer_;
    int fd_ = -1;
    uint64_t size_ = 0;
};

}  // namespace assay::data
