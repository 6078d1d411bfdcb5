#pragma once
// From Arrow's errors and exceptions to ours. Nothing that is thrown leaves the library.
#include <arrow/result.h>
#include <arrow/status.h>
#include <assay/core/error.h>

#include <exception>
#include <new>
#include <string>

namespace assay::data {

Error arrowError(const arrow::Status& status, const std::string& path);
Error thrownError(const std::exception& exception, const std::string& path);
Error memoryError(const std::string& path);

template <class F>
auto guarded(const std::string& path, F&& body) -> decltype(body()) {
    try {
        return body();
    } catch (const std::bad_alloc&) {
        return fail(memoryError(path));
    } catch (const std::exception& e) {
        return fail(thrownError(e, path));
    }
}

// ASSAY_ARROW(auto x, path, f()): like ASSAY_TRY for arrow::Result.
#define ASSAY_ARROW_IMPL(temp, declaration, path, expression)                  \
    auto temp = (expression);                                                  \
    if (!temp.ok()) return ::assay::fail(arrowError(temp.status(), path));     \
    declaration = std::move(temp).ValueUnsafe()
#define ASSAY_ARROW(declaration, path, ...) ASSAY_ARROW_IMPL(ASSAY_CONCAT(assayArrow_, __COUNTER__), declaration, path, (__VA_ARGS__))
#define ASSAY_ARROW_VOID(path, ...)                                                                            \
    do {                                                                                                       \
        if (const arrow::Status assayArrowVoid_ = (__VA_ARGS__); !assayArrowVoid_.ok())                        \
            return ::assay::fail(arrowError(assayArrowVoid_, path));                                           \
    } while (0)

}  // namespace assay::data
