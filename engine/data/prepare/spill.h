#pragma once
// An array in a file without a name: it grows beyond what memory should hold, and the kernel writes out what is not in use.
#include <assay/core/error.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

namespace assay::data {

// A new file in `folder` that has no name any more: gone when it is closed. The descriptor is the caller's.
Result<int> namelessFile(const std::string& folder);

// Bytes of a nameless file in a folder, mapped. Growing reserves room on the disk first, so that a full disk is an error
// (kDiskFull) and not a signal.
class SpillFile {
public:
    explicit SpillFile(std::string folder) : folder_(std::move(folder)) {}
    ~SpillFile();
    SpillFile(SpillFile&& other) noexcept { *this = std::move(other); }
    SpillFile& operator=(SpillFile&& other) noexcept {
        std::swap(folder_, other.folder_);
        std::swap(fd_, other.fd_);
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    Result<void> grow(size_t bytes);  // to at least that many; new ones are zero
    void letGo(size_t from, size_t to);  // these bytes will not be needed soon
    char* data() const { return data_; }
    size_t size() const { return size_; }

private:
    std::string folder_;
    int fd_ = -1;
    char* data_ = nullptr;
    size_t size_ = 0;
};

template <class T>
class SpillArray {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    explicit SpillArray(std::string folder) : file_(std::move(folder)) {}
    Result<void> push(const T& value) { return append(&value, 1); }
    Result<void> append(const T* values, size_t n) {
        if ((size_ + n) * sizeof(T) > file_.size()) ASSAY_TRY_VOID(file_.grow((size_ + n) * sizeof(T)));
        std::memcpy(file_.data() + size_ * sizeof(T), values, n * sizeof(T));
        size_ += n;
        return {};
    }
    Result<void> resize(size_t n) {  // new elements are zero
        if (n * sizeof(T) > file_.size()) ASSAY_TRY_VOID(file_.grow(n * sizeof(T)));
        size_ = n;
        return {};
    }
    T& operator[](size_t i) { return reinterpret_cast<T*>(file_.data())[i]; }
    const T& operator[](size_t i) const { return reinterpret_cast<const T*>(file_.data())[i]; }
    const T* data() const { return reinterpret_cast<const T*>(file_.data()); }
    size_t size() const { return size_; }
    void letGo(size_t from, size_t to) { file_.letGo(from * sizeof(T), to * sizeof(T)); }

private:
    SpillFile file_;
    size_t size_ = 0;
};

}  // namespace assay::data
