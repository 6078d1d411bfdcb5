#include "status.h"

#include <arrow/util/io_util.h>

#include <cerrno>
#include <cstring>

#include "columnar/columnar.h"

namespace assay::data {
namespace {

constexpr size_t kMaxShown = 300;

// Messages may quote the file: they are cut, and only printable ASCII of them is shown.
std::string shown(std::string text) {
    if (text.size() > kMaxShown) text = text.substr(0, kMaxShown) + "...";
    for (char& c : text)
        if (c < ' ' || c > '~') c = c == '\n' || c == '\t' ? ' ' : '?';
    return text;
}

Error damaged(const std::string& path, const std::string& why) {
    return Error(ErrorCode::kInvalidFile, path + " is damaged or cut off: " + shown(why), "fetch or write the file again");
}

}  // namespace

Error memoryError(const std::string& path) {
    return Error(ErrorCode::kOutOfMemory, path + ": a part of it needs more than " + std::to_string(kMaxColumnarMemory >> 30) + " GiB of memory at once",
                 "write it in smaller row groups or record batches; if it is small, it is damaged");
}

Error arrowError(const arrow::Status& status, const std::string& path) {
    const int number = arrow::internal::ErrnoFromStatus(status);
    if (number != 0) {
        const ErrorCode code = number == ENOSPC || number == EDQUOT ? ErrorCode::kDiskFull : number == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo;
        const char* hint = code == ErrorCode::kDiskFull ? "free some space and try again" : number == EFBIG ? "raise the limit of file sizes (ulimit -f), or choose a file system that holds larger files" : "";
        return Error(code, path + ": " + std::strerror(number), hint);
    }
    if (status.IsOutOfMemory()) return memoryError(path);
    if (status.IsNotImplemented())
        return Error(ErrorCode::kUnsupported, path + " uses a part of its format that cannot be read: " + shown(status.message()), "write it again with plain types");
    return damaged(path, status.message());
}

Error thrownError(const std::exception& e, const std::string& path) { return damaged(path, e.what()); }

}  // namespace assay::data
