#include "prepare/run_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "prepare/spill.h"

namespace assay::data {
namespace {
constexpr size_t kWriteBytes = size_t{256} << 10;
}

RunFile::~RunFile() {
    if (fd_ >= 0) ::close(fd_);
}

RunFile& RunFile::operator=(RunFile&& other) noexcept {
    std::swap(folder_, other.folder_);
    std::swap(fd_, other.fd_);
    std::swap(written_, other.written_);
    std::swap(waiting_, other.waiting_);
    return *this;
}

Result<void> RunFile::flush() {
    if (waiting_.empty()) return {};
    if (fd_ < 0) {
        ASSAY_TRY(fd_, namelessFile(folder_));
    }
    for (size_t done = 0; done < waiting_.size();) {
        const ssize_t n = ::pwrite(fd_, waiting_.data() + done, waiting_.size() - done, static_cast<off_t>(written_ + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return fail(systemError("cannot make room for temporary data in", folder_, n < 0 ? errno : ENOSPC));
        done += static_cast<size_t>(n);
    }
    written_ += waiting_.size();
    waiting_.clear();
    return {};
}

Result<void> RunFile::append(const void* bytes, size_t n) {
    const char* from = static_cast<const char*>(bytes);
    while (n > 0) {
        if (waiting_.capacity() < kWriteBytes) waiting_.reserve(kWriteBytes);
        const size_t part = std::min(n, kWriteBytes - waiting_.size());
        waiting_.insert(waiting_.end(), from, from + part);
        from += part;
        n -= part;
        if (waiting_.size() == kWriteBytes) ASSAY_TRY_VOID(flush());
    }
    return {};
}

Result<void> RunFile::read(uint64_t from, void* bytes, size_t n) {
    char* to = static_cast<char*>(bytes);
    if (n == 0) return {};
    if (from >= written_) {  // of what waits it is a copy
        std::memcpy(to, waiting_.data() + (from - written_), n);
        return {};
    }
    if (from + n > written_) ASSAY_TRY_VOID(flush());
    while (n > 0) {
        const ssize_t got = ::pread(fd_, to, n, static_cast<off_t>(from));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return fail(systemError("cannot read temporary data in", folder_, got < 0 ? errno : EIO));
        to += got;
        from += static_cast<uint64_t>(got);
        n -= static_cast<size_t>(got);
    }
    return {};
}

void RunFile::discard(uint64_t from, uint64_t to) {
#ifdef FALLOC_FL_PUNCH_HOLE
    if (fd_ >= 0 && from < to) (void)::fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(from), static_cast<off_t>(to - from));
#else
    (void)from, (void)to;
#endif
}

}  // namespace assay::data
