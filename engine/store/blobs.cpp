// Files by content: <store>/blobs/<sha256>. An upload is written into <sha256>.part and becomes visible only when its
// content has the name.
#include "store_state.h"

#include "assay/core/hash.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace assay::store {
namespace {

constexpr int64_t kMaxBlobBytes = int64_t{16} << 30;

Result<void> checkDigest(const std::string& sha256) {
    bool good = sha256.size() == 64;
    for (char c : sha256) good &= (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    if (good) return {};
    return fail(ErrorCode::kBadUsage, "\"" + sha256.substr(0, 80) + "\" is not a SHA-256 in lower-case hex");
}

bool hasFile(const std::string& path, int64_t size) {
    struct stat st {};
    return ::stat(path.c_str(), &st) == 0 && S_ISREG(st.st_mode) && (size < 0 || st.st_size == size);
}

}  // namespace

Result<bool> Store::putBlob(const std::string& sha256, int64_t offset, int64_t total, std::string_view bytes) {
    ASSAY_TRY_VOID(checkDigest(sha256));
    if (total < 0 || total > kMaxBlobBytes) return fail(ErrorCode::kBadUsage, "blob size " + std::to_string(total) + " is not in 0.." + std::to_string(kMaxBlobBytes));
    if (offset < 0 || offset > total || static_cast<int64_t>(bytes.size()) > total - offset) return fail(ErrorCode::kBadUsage, "chunk reaches beyond the blob's size");
    std::lock_guard lock(state_->blobMutex);
    const std::string path = state_->folder + "/blobs/" + sha256, part = path + ".part";
    if (hasFile(path, total)) return true;
    int fd = ::open(part.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return fail(systemError("cannot open", part, errno));
    auto work = [&]() -> Result<bool> {
        struct stat st {};
        if (::fstat(fd, &st) != 0) return fail(systemError("cannot read", part, errno));
        if (offset > st.st_size) return fail(ErrorCode::kBadUsage, "chunk at " + std::to_string(offset) + " leaves a hole: " + std::to_string(st.st_size) + " bytes are there", "send chunks in order");
        for (size_t done = 0; done < bytes.size();) {
            ssize_t n = ::pwrite(fd, bytes.data() + done, bytes.size() - done, offset + static_cast<off_t>(done));
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) return fail(systemError("cannot write", part, errno));
            done += static_cast<size_t>(n);
        }
        if (offset + static_cast<int64_t>(bytes.size()) < total) return false;
        if (::ftruncate(fd, total) != 0 || ::fsync(fd) != 0) return fail(systemError("cannot write", part, errno));
        ASSAY_TRY(auto actual, sha256HexOfFile(part));
        if (actual != sha256) {
            ::unlink(part.c_str());
            return fail(ErrorCode::kInvalidFile, "the uploaded content has the SHA-256 " + actual + ", not " + sha256, "the file changed during the upload; send it again");
        }
        if (::rename(part.c_str(), path.c_str()) != 0) return fail(systemError("cannot move into place", path, errno));
        ASSAY_TRY_VOID(syncFolder(state_->folder + "/blobs"));
        return true;
    };
    auto result = work();
    ::close(fd);
    return result;
}

Result<std::string> Store::blobPath(const std::string& sha256) const {
    ASSAY_TRY_VOID(checkDigest(sha256));
    std::string path = state_->folder + "/blobs/" + sha256;
    if (!hasFile(path, -1)) return fail(ErrorCode::kNotFound, "the store has no blob " + sha256, "upload the file again");
    return path;
}

}  // namespace assay::store
