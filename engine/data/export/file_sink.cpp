#include "export/file_sink.h"

#include <fcntl.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <utility>

namespace assay::data {
namespace {
static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");
constexpr size_t kSinkBuffer = size_t{1} << 20;
}  // namespace

Result<FileSink> FileSink::create(const std::string& path) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0) return fail(systemError("cannot create", path, errno));
    return FileSink(fd, path);
}

FileSink::FileSink(FileSink&& other) noexcept
    : path_(std::move(other.path_)), buffer_(std::move(other.buffer_)), fd_(std::exchange(other.fd_, -1)), size_(other.size_) {}

FileSink::~FileSink() {
    if (fd_ >= 0) ::close(fd_);
}

Result<void> FileSink::write(std::string_view bytes) {
    size_ += bytes.size();
    buffer_.append(bytes);
    return buffer_.size() >= kSinkBuffer ? flush() : Result<void>();
}

Result<void> FileSink::flush() {
    for (size_t at = 0; at < buffer_.size();) {
        const ssize_t n = ::write(fd_, buffer_.data() + at, buffer_.size() - at);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail(systemError("cannot write", path_, errno));
        at += static_cast<size_t>(n);
    }
    buffer_.clear();
    return {};
}

Result<void> FileSink::finish() {
    ASSAY_TRY_VOID(flush());
    if (::fsync(fd_) != 0) return fail(systemError("cannot write", path_, errno));
    if (::close(std::exchange(fd_, -1)) != 0) return fail(systemError("cannot write", path_, errno));
    return {};
}

}  // namespace assay::data
