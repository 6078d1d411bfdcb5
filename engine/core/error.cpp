#include "assay/core/error.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace assay {
namespace {
struct Row {
    ErrorCode code;
    std::string_view name;
    int exitCode;
};
constexpr std::array kRows{
    Row{ErrorCode::kBadUsage, "bad_usage", 2},       Row{ErrorCode::kInvalidFile, "invalid_file", 2},
    Row{ErrorCode::kNotFound, "not_found", 3},       Row{ErrorCode::kUnreachable, "unreachable", 4},
    Row{ErrorCode::kVersionMismatch, "version_mismatch", 4}, Row{ErrorCode::kUnauthorized, "unauthorized", 4},
    Row{ErrorCode::kBusy, "busy", 1},                Row{ErrorCode::kGone, "gone", 1},
    Row{ErrorCode::kCancelled, "cancelled", 130},    Row{ErrorCode::kIo, "io", 1},
    Row{ErrorCode::kDiskFull, "disk_full", 1},       Row{ErrorCode::kOutOfMemory, "out_of_memory", 1},
    Row{ErrorCode::kNonFinite, "non_finite", 1},     Row{ErrorCode::kUnsupported, "unsupported", 2},
    Row{ErrorCode::kWorkerDied, "worker_died", 1},   Row{ErrorCode::kInternal, "internal", 1},
};
}  // namespace

std::string_view errorCodeName(ErrorCode code) {
    for (const Row& row : kRows)
        if (row.code == code) return row.name;
    return "internal";
}

ErrorCode errorCodeFromName(std::string_view name) {
    for (const Row& row : kRows)
        if (row.name == name) return row.code;
    return ErrorCode::kInternal;
}

int exitCodeOf(ErrorCode code) {
    for (const Row& row : kRows)
        if (row.code == code) return row.exitCode;
    return 1;
}

std::string Error::text() const {
    std::string out = message;
    for (const std::string& where : context) out += " (" + where + ")";
    if (!hint.empty()) out += "; " + hint;
    return out;
}

Error systemError(std::string_view what, std::string_view path, int errorNumber) {
    ErrorCode code = ErrorCode::kIo;
    std::string hint;
    switch (errorNumber) {
        case ENOENT:
        case ENOTDIR:
            code = ErrorCode::kNotFound;
            hint = "check the path";
            break;
        case ENOSPC:
        case EDQUOT:
            code = ErrorCode::kDiskFull;
            hint = "free space on that file system or choose another place";
            break;
        case EFBIG:
            hint = "raise the limit of file sizes (ulimit -f), or choose a file system that holds larger files";
            break;
        case EACCES:
        case EPERM:
            hint = "check the permissions";
            break;
        case EROFS:
            hint = "choose a folder on a file system that may be written";
            break;
        case EISDIR:
            code = ErrorCode::kInvalidFile;
            hint = "give a file, not a folder";
            break;
        case ENOMEM:
            code = ErrorCode::kOutOfMemory;
            break;
        default:
            break;
    }
    return {code, std::string(what) + " " + std::string(path) + ": " + std::strerror(errorNumber), std::move(hint)};
}

void checkFailed(const char* expression, const char* file, int line, const std::string& message) {
    std::fprintf(stderr, "assay: broken invariant %s at %s:%d: %s\n", expression, file, line, message.c_str());
    std::abort();
}

}  // namespace assay
