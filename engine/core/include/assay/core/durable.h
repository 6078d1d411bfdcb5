#pragma once
// The one durable-write helper: temporary file beside the target, fsync, rename, fsync of the directory. After a crash
// a reader sees the old content or the new, never a part. All functions may be called from any thread.

#include <assay/core/error.h>

#include <functional>
#include <string>
#include <string_view>

namespace assay {

Result<std::string> readFile(const std::string& path, size_t maxBytes = size_t{1} << 32);  // directories are errors
// The same for files that others name: never waits for a pipe; kInvalidFile for all that is no regular file.
Result<std::string> readRegularFile(const std::string& path, size_t maxBytes = size_t{1} << 32);
// kDiskFull when the file system of `folder` has less room than that.
Result<void> requireFreeSpace(const std::string& folder, uint64_t bytes);
Result<void> writeFileDurably(const std::string& path, std::string_view bytes, int mode = 0644);
Result<void> makeFolders(const std::string& path, int mode = 0755);
Result<void> syncFile(const std::string& path);
Result<void> syncFolder(const std::string& path);
// Renames the finished folder `staged` to `target` (which must not exist) after fsync of its files and of both parents.
Result<void> commitFolder(const std::string& staged, const std::string& target);
Result<void> removeTree(const std::string& path);  // absent is fine

// Read-only memory map of a whole file; unmapped on destruction. Move-only.
class MappedFile {
public:
    static Result<MappedFile> open(const std::string& path);
    MappedFile() = default;
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    ~MappedFile();
    std::string_view bytes() const { return {static_cast<const char*>(data_), size_}; }

private:
    void* data_ = nullptr;
    size_t size_ = 0;
};

// Exclusive advisory lock held as long as the object lives (and released by the kernel when the process dies).
class FileLock {
public:
    // kBusy when another process holds it; `note` is written into the file for people (pid, what).
    static Result<FileLock> acquire(const std::string& path, const std::string& note);
    FileLock() = default;
    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;
    ~FileLock();

private:
    int fd_ = -1;
};

}  // namespace assay
