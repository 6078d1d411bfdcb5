#include "assay/core/durable.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace assay {
namespace fs = std::filesystem;
namespace {

struct Fd {
    int fd;
    ~Fd() {
        if (fd >= 0) ::close(fd);
    }
};

Result<void> writeAll(int fd, std::string_view bytes, const std::string& path) {
    while (!bytes.empty()) {
        ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0) {
            if (errno == EINTR) continue;
            return fail(systemError("cannot write", path, errno));
        }
        bytes.remove_prefix(static_cast<size_t>(n));
    }
    return {};
}

std::string parentOf(const std::string& path) {
    std::string parent = fs::path(path).parent_path().string();
    return parent.empty() ? "." : parent;
}

Result<void> syncPath(const std::string& path, int flags) {
    Fd f{::open(path.c_str(), flags | O_CLOEXEC)};
    if (f.fd < 0) return fail(systemError("cannot open", path, errno));
    if (::fsync(f.fd) != 0) return fail(systemError("cannot sync", path, errno));
    return {};
}

Result<void> syncTree(const std::string& folder) {
    std::error_code ec;
    for (fs::recursive_directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec)) {
        const fs::file_status status = it->symlink_status(ec);
        if (fs::is_directory(status)) {
            ASSAY_TRY_VOID(syncFolder(it->path().string()));
        } else if (fs::is_regular_file(status)) {
            ASSAY_TRY_VOID(syncFile(it->path().string()));
        }
    }
    if (ec) return fail(systemError("cannot read", folder, ec.value()));
    return syncFolder(folder);
}

}  // namespace

namespace {
Result<std::string> readWhole(const std::string& path, size_t maxBytes, bool regularOnly) {
    // A pipe that nobody writes to would hold up a plain open for ever.
    Fd f{::open(path.c_str(), O_RDONLY | O_CLOEXEC | (regularOnly ? O_NONBLOCK : 0))};
    if (f.fd < 0) return fail(systemError("cannot open", path, errno));
    struct stat st {};
    if (::fstat(f.fd, &st) != 0) return fail(systemError("cannot read", path, errno));
    if (S_ISDIR(st.st_mode)) return fail(systemError("cannot read", path, EISDIR));
    if (regularOnly && !S_ISREG(st.st_mode)) return fail(ErrorCode::kInvalidFile, path + " is no regular file (a pipe, a socket or a device)", "write what it holds to a file and name that");
    if (static_cast<size_t>(st.st_size) > maxBytes)
        return fail(ErrorCode::kInvalidFile, path + " has " + std::to_string(st.st_size) +
                                                 " bytes, more than the limit of " +
                                                 std::to_string(maxBytes));
    std::string out;
    out.reserve(static_cast<size_t>(st.st_size));
    char buffer[1 << 16];
    while (true) {
        ssize_t n = ::read(f.fd, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail(systemError("cannot read", path, errno));
        if (n == 0) break;
        out.append(buffer, static_cast<size_t>(n));
        if (out.size() > maxBytes)
            return fail(ErrorCode::kInvalidFile,
                        path + " is larger than " + std::to_string(maxBytes) + " bytes");
    }
    return out;
}
}  // namespace

Result<std::string> readFile(const std::string& path, size_t maxBytes) { return readWhole(path, maxBytes, false); }
Result<std::string> readRegularFile(const std::string& path, size_t maxBytes) { return readWhole(path, maxBytes, true); }

Result<void> requireFreeSpace(const std::string& folder, uint64_t bytes) {
    struct statvfs info {};
    if (::statvfs(folder.c_str(), &info) != 0) return fail(systemError("cannot look at", folder, errno));
    const uint64_t free = uint64_t{info.f_bavail} * info.f_frsize;
    if (free >= bytes) return {};
    Error error = systemError("cannot use", folder, ENOSPC);
    error.message += " (" + std::to_string(free) + " bytes are free, at least " + std::to_string(bytes) + " are needed)";
    return fail(std::move(error));
}

Result<void> makeFolders(const std::string& path, int mode) {
    if (path.empty()) return {};
    std::string partial;
    for (const fs::path& part : fs::path(path)) {
        partial = partial.empty() ? part.string() : (fs::path(partial) / part).string();
        if (partial == "/" || part.empty()) continue;
        if (::mkdir(partial.c_str(), static_cast<mode_t>(mode)) != 0 && errno != EEXIST)
            return fail(systemError("cannot make folder", partial, errno));
    }
    struct stat st {};
    if (::stat(path.c_str(), &st) != 0 || !S_ISDIR(st.st_mode))
        return fail(ErrorCode::kIo, path + " is not a folder", "choose another path");
    return {};
}

Result<void> syncFile(const std::string& path) {
    return syncPath(path, O_RDONLY);
}
Result<void> syncFolder(const std::string& path) {
    return syncPath(path, O_RDONLY | O_DIRECTORY);
}

Result<void> writeFileDurably(const std::string& path, std::string_view bytes, int mode) {
    static std::atomic<unsigned> counter{0};
    const std::string temporary =
        path + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
    auto attempt = [&]() -> Result<void> {
        Fd f{::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)};
        if (f.fd < 0) return fail(systemError("cannot write", path, errno));
        ASSAY_TRY_VOID(writeAll(f.fd, bytes, path));
        if (::fchmod(f.fd, static_cast<mode_t>(mode)) != 0 || ::fsync(f.fd) != 0)
            return fail(systemError("cannot write", path, errno));
        if (::rename(temporary.c_str(), path.c_str()) != 0)
            return fail(systemError("cannot write", path, errno));
        return syncFolder(parentOf(path));
    };
    auto done = attempt();
    if (!done) ::unlink(temporary.c_str());
    return done;
}

Result<void> commitFolder(const std::string& staged, const std::string& target) {
    ASSAY_TRY_VOID(syncTree(staged));
    // A plain rename would silently replace an empty folder.
    if (::renameat2(AT_FDCWD, staged.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) != 0) {
        if (errno != EINVAL && errno != ENOSYS)
            return fail(systemError("cannot move into place", target, errno));
        // The file system does not know that flag.
        if (::access(target.c_str(), F_OK) == 0)
            return fail(systemError("cannot move into place", target, EEXIST));
        if (::rename(staged.c_str(), target.c_str()) != 0)
            return fail(systemError("cannot move into place", target, errno));
    }
    ASSAY_TRY_VOID(syncFolder(parentOf(target)));
    if (parentOf(staged) != parentOf(target)) return syncFolder(parentOf(staged));
    return {};
}

Result<void> removeTree(const std::string& path) {
    std::error_code ec;
    fs::remove_all(path, ec);
    if (ec) return fail(systemError("cannot remove", path, ec.value()));
    return {};
}

Result<MappedFile> MappedFile::open(const std::string& path) {
    Fd f{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (f.fd < 0) return fail(systemError("cannot open", path, errno));
    struct stat st {};
    if (::fstat(f.fd, &st) != 0) return fail(systemError("cannot read", path, errno));
    if (!S_ISREG(st.st_mode))
        return fail(systemError("cannot read", path, S_ISDIR(st.st_mode) ? EISDIR : EINVAL));
    MappedFile file;
    file.size_ = static_cast<size_t>(st.st_size);
    if (file.size_ == 0) return file;
    void* data = ::mmap(nullptr, file.size_, PROT_READ, MAP_PRIVATE, f.fd, 0);
    if (data == MAP_FAILED) return fail(systemError("cannot map", path, errno));
    file.data_ = data;
    return file;
}
MappedFile::MappedFile(MappedFile&& other) noexcept {
    *this = std::move(other);
}
MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}
MappedFile::~MappedFile() {
    if (data_) ::munmap(data_, size_);
}

Result<FileLock> FileLock::acquire(const std::string& path, const std::string& note) {
    FileLock lock;
    lock.fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock.fd_ < 0) return fail(systemError("cannot open lock", path, errno));
    if (::flock(lock.fd_, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK) return fail(systemError("cannot lock", path, errno));
        auto holder = readFile(path, 4096);
        return fail(
            ErrorCode::kBusy,
            "another process holds " + path + (holder && !holder->empty() ? " (" + *holder + ")" : ""),
            "stop it or choose another --store");
    }
    if (::ftruncate(lock.fd_, 0) != 0) return fail(systemError("cannot write lock", path, errno));
    ASSAY_TRY_VOID(writeAll(lock.fd_, note, path));
    return lock;
}
FileLock::FileLock(FileLock&& other) noexcept {
    *this = std::move(other);
}
FileLock& FileLock::operator=(FileLock&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
}
FileLock::~FileLock() {
    if (fd_ >= 0) ::close(fd_);
}

}  // namespace assay
