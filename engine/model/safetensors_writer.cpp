#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <assay/core/durable.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unordered_set>

#include "assay/model/gguf.h"
#include "checked.h"
#include "safetensors_header.h"

namespace assay::model {
namespace {

constexpr size_t kAlignment = 64;  // a cache line, the widest vector load

// The largest power of two up to 64 that divides the tensor's bytes. Laying tensors out by falling alignment keeps each
// start a multiple of the tensor's own, without the holes that the format forbids.
size_t alignmentOf(const SafetensorsEntry& e) {
    const size_t bytes = e.bytes.size();
    return bytes == 0 ? kAlignment : std::min(kAlignment, size_t{1} << std::countr_zero(bytes));
}

Result<void> checkEntries(const std::vector<SafetensorsEntry>& entries) {
    std::unordered_set<std::string_view> names;
    for (const SafetensorsEntry& e : entries) {
        if (e.name.empty() || e.name == "__metadata__" || !names.insert(e.name).second)
            return fail(ErrorCode::kInternal, "cannot write two tensors named \"" + e.name + "\", or one without a name");
        auto elements = checkedProduct(e.shape);
        auto bytes = elements && !isBlockType(e.type) ? checkedProduct(*elements, dtypeBytes(e.type)) : std::nullopt;
        if (!bytes || static_cast<size_t>(*bytes) != e.bytes.size())
            return fail(ErrorCode::kInternal, fmt::format("cannot write tensor \"{}\": {} bytes do not fit {} [{}]", e.name, e.bytes.size(),
                                                          dtypeName(e.type), fmt::join(e.shape, ", ")));
    }
    return {};
}

Result<std::string> headerOf(const std::vector<const SafetensorsEntry*>& order, const Json& metadata) {
    std::string text = "{";
    if (metadata.is_object() && !metadata.empty()) {
        for (const auto& [key, value] : metadata.items())
            if (!value.is_string()) return fail(ErrorCode::kInternal, "safetensors metadata \"" + key + "\" is no string");
        text += "\"__metadata__\":" + dumpJson(metadata) + ",";
    }
    size_t position = 0;
    for (const SafetensorsEntry* e : order) {
        text += fmt::format("{}:{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{},{}]}},", dumpJson(e->name), dtypeName(e->type),
                            fmt::join(e->shape, ","), position, position + e->bytes.size());
        position += e->bytes.size();
    }
    if (text.size() > 1) text.pop_back();
    text += "}";
    while ((8 + text.size()) % kAlignment != 0) text += ' ';
    if (text.size() > kMaxSafetensorsHeader) return fail(ErrorCode::kUnsupported, "the safetensors header is above 100 MB");
    return text;
}

Result<void> writeAll(int fd, std::string_view bytes, const std::string& path) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), std::min(bytes.size(), size_t{64} << 20));
        if (n < 0) {
            if (errno == EINTR) continue;
            return fail(systemError("cannot write", path, errno));
        }
        bytes.remove_prefix(static_cast<size_t>(n));
    }
    return {};
}

// The same protocol as writeFileDurably, for content that is streamed because it may be larger than memory.
Result<void> streamDurably(const std::string& path, const std::string& header, const std::vector<const SafetensorsEntry*>& order) {
    static std::atomic<unsigned> counter{0};
    const std::string temporary = fmt::format("{}.tmp-{}-{}", path, ::getpid(), counter++);
    const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0) return fail(systemError("cannot write", path, errno));
    auto attempt = [&]() -> Result<void> {
        const uint64_t length = header.size();
        char prefix[8];
        std::memcpy(prefix, &length, 8);
        ASSAY_TRY_VOID(writeAll(fd, {prefix, 8}, path));
        ASSAY_TRY_VOID(writeAll(fd, header, path));
        for (const SafetensorsEntry* e : order) ASSAY_TRY_VOID(writeAll(fd, e->bytes, path));
        if (::fsync(fd) != 0) return fail(systemError("cannot write", path, errno));
        return {};
    };
    auto done = attempt();
    if (::close(fd) != 0 && done) done = fail(systemError("cannot write", path, errno));
    if (done && ::rename(temporary.c_str(), path.c_str()) != 0) done = fail(systemError("cannot write", path, errno));
    if (!done) {
        ::unlink(temporary.c_str());
        return done;
    }
    const std::string parent = std::filesystem::path(path).parent_path().string();
    return syncFolder(parent.empty() ? "." : parent);
}

}  // namespace

Result<int64_t> writeSafetensors(const std::string& path, const std::vector<SafetensorsEntry>& entries, const Json& metadata) {
    ASSAY_TRY_VOID(checkEntries(entries));
    std::vector<const SafetensorsEntry*> order;
    order.reserve(entries.size());
    int64_t total = 8;
    for (const SafetensorsEntry& e : entries) {
        order.push_back(&e);
        total += static_cast<int64_t>(e.bytes.size());
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const SafetensorsEntry* a, const SafetensorsEntry* b) { return alignmentOf(*a) > alignmentOf(*b); });
    ASSAY_TRY(const std::string header, headerOf(order, metadata));
    ASSAY_TRY_VOID(streamDurably(path, header, order));
    return total + static_cast<int64_t>(header.size());
}

}  // namespace assay::model
