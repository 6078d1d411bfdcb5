#pragma once
// A file without a name that is written at its end and read anywhere, through calls and not through memory: what lies in it
// is never counted as memory of the process. Not for several threads at a time.
#include <assay/core/error.h>

#include <string>
#include <vector>

namespace assay::data {

class RunFile {
public:
    explicit RunFile(std::string folder) : folder_(std::move(folder)) {}
    ~RunFile();
    RunFile(RunFile&& other) noexcept { *this = std::move(other); }
    RunFile& operator=(RunFile&& other) noexcept;

    Result<void> append(const void* bytes, size_t n);  // kDiskFull when there is no room
    Result<void> read(uint64_t from, void* bytes, size_t n);  // what was appended before
    void discard(uint64_t from, uint64_t to);          // gives the room back where the file system can
    uint64_t size() const { return written_ + waiting_.size(); }

private:
    Result<void> flush();

    std::string folder_;
    int fd_ = -1;
    uint64_t written_ = 0;
    std::vector<char> waiting_;  // the end of the file that is not written yet
};

}  // namespace assay::data
