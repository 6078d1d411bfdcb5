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
#include "assay/model/safetensors_stream.h"
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

struct Placed {
    const SafetensorsEntry* entry;
    const ByteSource* source;
};

Result<std::string> headerOf(const std::vector<Placed>& order, const Json& metadata) {
    std::string text = "{";
    if (metadata.is_object() && !metadata.empty()) {
        for (const auto& [key, value] : metadata.items())
            if (!value.is_string()) return fail(ErrorCode::kInternal, "safetensors metadata \"" + key + "\" is no string");
        text += "\"__metadata__\":" + dumpJson(metadata) + ",";
    }
    size_t position = 0;
    for (const auto& [e, source] : order) {
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

Result<void> writeEntry(int fd, const Placed& placed, const std::string& path) {
    const SafetensorsEntry& e = *placed.entry;
    if (!placed.source) return writeAll(fd, e.bytes, path);
    constexpr size_t kPiece = size_t{2} << 20;  // whoever wants to change the bytes waits for one of these at most
    for (size_t at = 0; at < e.bytes.size(); at += kPiece)
        ASSAY_TRY_VOID(placed.source->read(at, std::min(kPiece, e.bytes.size() - at), [&](std::string_view piece) { return writeAll(fd, piece, path); }));
    return {};
}

// The same protocol as writeFileDurably, for content that is streamed because it may be larger than memory.
Result<void> streamDurably(const std::string& path, const std::string& header, const std::vector<Placed>& order) {
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
        for (const Placed& placed : order) ASSAY_TRY_VOID(writeEntry(fd, placed, path));
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

Result<int64_t> streamSafetensors(const std::string& path, const std::vector<SafetensorsEntry>& entries, const std::vector<const ByteSource*>& sources, const Json& metadata) {
    ASSAY_TRY_VOID(checkEntries(entries));
    ASSAY_CHECK(sources.empty() || sources.size() == entries.size(), "a source for each tensor");
    std::vector<Placed> order;
    order.reserve(entries.size());
    int64_t total = 8;
    for (size_t i = 0; i < entries.size(); ++i) {
        order.push_back({&entries[i], sources.empty() ? nullptr : sources[i]});
        total += static_cast<int64_t>(entries[i].bytes.size());
    }
    std::stable_sort(order.begin(), order.end(), [](const Placed& a, const Placed& b) { return alignmentOf(*a.entry) > alignmentOf(*b.entry); });
    ASSAY_TRY(const std::string header, headerOf(order, metadata));
    ASSAY_TRY_VOID(streamDurably(path, header, order));
    return total + static_cast<int64_t>(header.size());
}

Result<int64_t> writeSafetensors(const std::string& path, const std::vector<SafetensorsEntry>& entries, const Json& metadata) { return streamSafetensors(path, entries, {}, metadata); }

}  // namespace assay::model
