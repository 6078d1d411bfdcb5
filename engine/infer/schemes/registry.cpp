#include "schemes/schemes.h"

#include <fmt/format.h>

#include <atomic>
#include <charconv>
#include <cmath>

namespace assay::infer {
namespace {

struct Entry {
    std::string_view names;  // for people
    SchemeMatcher match;
};
constexpr Entry kSchemes[] = {
    {"fp32", matchFp32},
    {"fp16", matchFp16},
    {"int8", matchInt8},
    {"int4-g32", matchInt4},
};

}  // namespace

Result<SchemePtr> findScheme(std::string_view name) {
    std::string known;
    for (const auto& entry : kSchemes) {
        ASSAY_TRY(auto scheme, entry.match(name));
        if (scheme) return scheme;
        known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.names);
    }
    return fail(ErrorCode::kBadUsage, fmt::format("unknown quantization scheme '{}'", name),
                fmt::format("Known: {}; int8 and int4 take a group size as in int4-g128.", known));
}

Result<WeightPtr> Scheme::fromStored(int64_t, int64_t, const StoredLookup&, const std::string& what) const {
    return fail(ErrorCode::kInternal, fmt::format("{}: scheme {} has no packed form", what, name()));
}

std::vector<std::string> schemeNames() {
    std::vector<std::string> names;
    for (const auto& entry : kSchemes) names.emplace_back(entry.names);
    return names;
}

std::optional<int64_t> groupOf(std::string_view name, std::string_view prefix, int64_t fallback) {
    if (!name.starts_with(prefix)) return std::nullopt;
    name.remove_prefix(prefix.size());
    if (name.empty()) return fallback;
    if (!name.starts_with("-g")) return std::nullopt;
    name.remove_prefix(2);
    int64_t group = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), group);
    if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
    return group;
}

Result<void> checkGroup(std::string_view name, int64_t group) {
    if (group >= 32 && group % 32 == 0 && group <= 65536) return {};
    return fail(ErrorCode::kBadUsage, fmt::format("scheme '{}': the group must be a multiple of 32", name),
                "Use 32, 64 or 128, for example int4-g64.");
}

Result<void> checkFinite(const float* weights, int64_t rows, int64_t columns, const std::string& what, ThreadPool& pool) {
    std::atomic<int64_t> bad{-1};
    pool.parallelFor((rows + 63) / 64, [&](int64_t part, int) {
        const int64_t end = std::min(rows, (part + 1) * 64) * columns;
        for (int64_t i = part * 64 * columns; i < end; ++i)
            if (!std::isfinite(weights[i])) {
                bad = i;
                return;
            }
    });
    if (bad < 0) return {};
    return fail(ErrorCode::kNonFinite,
                fmt::format("{}: the weight in row {}, column {} is {}", what, bad / columns, bad % columns,
                            weights[bad.load()]),
                "The model is damaged or its training diverged; use an earlier checkpoint.");
}

Result<void> checkStored(std::string_view bytes, int64_t expected, const std::string& what, std::string_view suffix) {
    if (bytes.data() == nullptr)
        return fail(ErrorCode::kInvalidFile, fmt::format("{}{} is missing", what, suffix),
                    "The quantized folder is not complete; make it again with assay quantize.");
    if (int64_t(bytes.size()) != expected)
        return fail(ErrorCode::kInvalidFile,
                    fmt::format("{}{} has {} bytes instead of {}", what, suffix, bytes.size(), expected),
                    "The quantized folder is damaged; make it again with assay quantize.");
    return {};
}

double relativeError(const LinearWeight& held, const float* weights, ThreadPool& pool) {
    const int64_t rows = held.rows(), columns = held.columns(), parts = (rows + 15) / 16;
    std::vector<double> error(parts), norm(parts);
    std::vector<std::vector<float>> work(pool.threads(), std::vector<float>(columns));
    pool.parallelFor(parts, [&](int64_t part, int thread) {
        float* row = work[thread].data();
        for (int64_t r = part * 16; r < std::min(rows, part * 16 + 16); ++r) {
            held.readRow(r, row);
            for (int64_t j = 0; j < columns; ++j) {
                const double w = weights[r * columns + j], d = w - row[j];
                error[part] += d * d;
                norm[part] += w * w;
            }
        }
    });
    double e = 0, n = 0;
    for (int64_t part = 0; part < parts; ++part) {
        e += error[part];
        n += norm[part];
    }
    return n > 0 ? std::sqrt(e / n) : std::sqrt(e);
}

}  // namespace assay::infer
