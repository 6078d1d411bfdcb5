#pragma once
// The one error type of Assay. Codes are a closed set with stable names that travel on the wire, in event files and in
// `--json` output; people read message and hint, programs branch on the code.

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace assay {

enum class ErrorCode {
    kBadUsage,         // command line or request parameters
    kInvalidFile,      // content of a file from outside is wrong (spec, dataset, model, tokenizer)
    kNotFound,         // file, run, metric, method
    kUnreachable,      // engine or host cannot be reached
    kVersionMismatch,  // engine, store or protocol of another version
    kUnauthorized,     // token wrong or missing
    kBusy,             // store locked, port taken, run in a state that forbids the request
    kGone,             // cursor older than what is retained
    kCancelled,        // only inside a Result; long operations report Outcome::Cancelled
    kIo,               // reading or writing failed
    kDiskFull,         // ENOSPC, EDQUOT
    kOutOfMemory,      // host or device memory
    kNonFinite,        // loss or gradient is NaN or infinite
    kUnsupported,      // valid input that this build cannot do exactly
    kWorkerDied,       // worker process ended without an end record
    kInternal,         // a defect of Assay
};

std::string_view errorCodeName(ErrorCode code);  // "bad_usage", "invalid_file", …
ErrorCode errorCodeFromName(std::string_view name);  // unknown names: kInternal
int exitCodeOf(ErrorCode code);  // CONTRACT.md: 1 failed, 2 bad usage or file, 3 not found, 4 unreachable, 130 cancelled

struct [[nodiscard]] Error {
    ErrorCode code = ErrorCode::kInternal;
    std::string message;               // what happened and where (file:line:column where there is one)
    std::string hint;                  // what to do about it; may be empty
    std::vector<std::string> context;  // outermost last

    Error() = default;
    Error(ErrorCode c, std::string m, std::string h = {}) : code(c), message(std::move(m)), hint(std::move(h)) {}
    Error&& with(std::string where) && {
        context.push_back(std::move(where));
        return std::move(*this);
    }
    std::string text() const;  // "message (context); hint"
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(ErrorCode code, std::string message, std::string hint = {}) {
    return tl::unexpected<Error>(Error(code, std::move(message), std::move(hint)));
}
inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

// Error for a failed system call: reads errno, maps ENOENT, ENOSPC, EACCES … to codes and hints.
Error systemError(std::string_view what, std::string_view path, int errorNumber);

// Aborts with a message on a broken invariant; never reachable from input.
[[noreturn]] void checkFailed(const char* expression, const char* file, int line, const std::string& message);
#define ASSAY_CHECK(expression, message)                                          \
    do {                                                                          \
        if (!(expression)) ::assay::checkFailed(#expression, __FILE__, __LINE__, message); \
    } while (0)

// ASSAY_TRY(auto x, f()): x = value of f(), or return its error.
#define ASSAY_CONCAT_(a, b) a##b
#define ASSAY_CONCAT(a, b) ASSAY_CONCAT_(a, b)
#define ASSAY_TRY_IMPL(temp, declaration, expression)                 \
    auto temp = (expression);                                         \
    if (!temp) return ::tl::unexpected<::assay::Error>(std::move(temp).error()); \
    declaration = std::move(*temp)
#define ASSAY_TRY(declaration, ...) ASSAY_TRY_IMPL(ASSAY_CONCAT(assayTry_, __COUNTER__), declaration, (__VA_ARGS__))
#define ASSAY_TRY_VOID(...)                                                                 \
    do {                                                                                    \
        if (auto assayTryVoid_ = (__VA_ARGS__); !assayTryVoid_)                             \
            return ::tl::unexpected<::assay::Error>(std::move(assayTryVoid_).error());      \
    } while (0)

}  // namespace assay
