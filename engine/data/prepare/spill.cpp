#include "prepare/spill.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

namespace assay::data {

namespace {
constexpr size_t kFirstSpill = size_t{1} << 20, kLargestStep = size_t{256} << 20;
}

Result<int> namelessFile(const std::string& folder) {
    std::string path = folder + "/.spill-XXXXXX";
    const int fd = ::mkostemp(path.data(), O_CLOEXEC);
    if (fd < 0) return fail(systemError("cannot make a temporary file in", folder, errno));
    ::unlink(path.c_str());
    return fd;
}

SpillFile::~SpillFile() {
    if (data_) ::munmap(data_, size_);
    if (fd_ >= 0) ::close(fd_);
}

Result<void> SpillFile::grow(size_t bytes) {
    if (bytes <= size_) return {};
    if (fd_ < 0) {
        ASSAY_TRY(fd_, namelessFile(folder_));
    }
    const size_t wanted = std::max({bytes, size_ + std::min(size_, kLargestStep), kFirstSpill});
    const size_t size = (wanted + 4095) / 4096 * 4096;
    if (const int rc = ::posix_fallocate(fd_, static_cast<off_t>(size_), static_cast<off_t>(size - size_)); rc != 0)
        return fail(systemError("cannot make room for temporary data in", folder_, rc));
    void* at = data_ ? ::mremap(data_, size_, size, MREMAP_MAYMOVE) : ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    if (at == MAP_FAILED) return fail(systemError("cannot map temporary data in", folder_, errno));
    data_ = static_cast<char*>(at);
    size_ = size;
    return {};
}

void SpillFile::letGo(size_t from, size_t to) {
    const size_t begin = (from + 4095) / 4096 * 4096, end = std::min(to, size_) / 4096 * 4096;
    if (begin < end) ::madvise(data_ + begin, end - begin, MADV_DONTNEED);
}

}  // namespace assay::data
