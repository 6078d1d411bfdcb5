#include "prepare/part_writer.h"

#include <assay/core/durable.h>
#include <assay/core/hash.h>
#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>

#include "prepare/prepared.h"
#include "prepare/shard.h"

namespace assay::data {
namespace {
constexpr size_t kTextBuffer = size_t{1} << 20;
}

Json describeFile(const std::string& name, std::string_view bytes) {
    return Json{{"file", name}, {"bytes", static_cast<int64_t>(bytes.size())}, {"xxh3", hex64(xxh3(bytes))}};
}

Result<void> PartWriter::add(const int32_t* ids, const uint8_t* mask, size_t n, int64_t line) {
    ASSAY_TRY_VOID(packer_.add(ids, mask, n, line));
    return packer_.full() ? flush(false) : Result<void>();
}

Result<void> PartWriter::flush(bool last) {
    const Rows rows = packer_.take(last);
    if (pairs_) countPairs(rows);
    ASSAY_TRY_VOID(writeShards(rows));
    packer_.release();
    return {};
}

void PartWriter::countPairs(const Rows& rows) {
    const auto& mask = packer_.mask();
    for (const Segment& s : rows.segments) {
        const int32_t* ids = packer_.ids().data() + s.start;
        for (uint32_t i = 0; i + 1 < s.length; ++i)
            if (mask.empty() || mask[s.start + i + 1]) pairs_->add(bigramKey(ids[i], ids[i + 1]));
        if (s.tail != kNotScored) pairs_->add(bigramKey(ids[s.length - 1], s.tail));
    }
}

Result<void> PartWriter::writeShards(const Rows& rows) {
    for (size_t first = 0; first < rows.size();) {
        size_t last = first;
        for (uint64_t tokens = 0; last < rows.size() && (last == first || tokens < kShardTokens); ++last)
            for (uint64_t s = rows.begin[last]; s < rows.begin[last + 1]; ++s) tokens += rows.segments[s].length;
        char number[32];
        std::snprintf(number, sizeof number, "-%05zu.bin", shards_.size());
        const std::string bytes = encodeShard({packer_.ids(), packer_.mask()}, rows, first, last, idBytes_, options_.sequenceLength);
        ASSAY_TRY_VOID(writeFileDurably(folder_ + "/" + name_ + number, bytes));
        Json description = describeFile(name_ + number, bytes);
        description["sequences"] = static_cast<int64_t>(last - first);
        shards_.push_back(std::move(description));
        first = last;
    }
    return {};
}

Result<Json> PartWriter::finish() {
    ASSAY_TRY_VOID(flush(true));
    const PackCounts& c = packer_.counts();
    if (c.sequences == 0) return fail(ErrorCode::kInvalidFile, "no " + name_ + " document is left after packing", "raise data.sequence_length or set data.over_length: split");
    Json lost = Json::object();
    int64_t all = 0;
    for (const auto& [reason, tokens] : c.lost) {
        lost[reason] = tokens;
        all += tokens;
    }
    const double room = static_cast<double>(c.sequences) * static_cast<double>(options_.sequenceLength);
    return Json{{"documents", c.documents},
                {"tokens", c.tokens},
                {"loss_tokens", c.lossTokens},
                {"tokens_in", c.tokensIn},
                {"tokens_lost", std::move(lost)},
                {"dropped_tokens", all},
                {"sequences", c.sequences},
                {"padding_fraction", 1 - static_cast<double>(c.tokens) / room},
                {"id_bytes", idBytes_},
                {"shards", shards_}};
}

TextWriter::~TextWriter() {
    if (fd_ >= 0) ::close(fd_);
    if (hash_) XXH3_freeState(static_cast<XXH3_state_t*>(hash_));
}

Result<void> TextWriter::open(const std::string& path) {
    path_ = path;
    fd_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd_ < 0) return fail(systemError("cannot write", path, errno));
    hash_ = XXH3_createState();
    if (!hash_) return fail(ErrorCode::kOutOfMemory, "not enough memory to write " + path);
    XXH3_64bits_reset(static_cast<XXH3_state_t*>(hash_));
    return {};
}

Result<void> TextWriter::flush() {
    XXH3_64bits_update(static_cast<XXH3_state_t*>(hash_), buffer_.data(), buffer_.size());
    for (size_t at = 0; at < buffer_.size();) {
        const ssize_t n = ::write(fd_, buffer_.data() + at, buffer_.size() - at);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail(systemError("cannot write", path_, errno));
        at += static_cast<size_t>(n);
    }
    bytes_ += static_cast<int64_t>(buffer_.size());
    buffer_.clear();
    return {};
}

Result<void> TextWriter::append(std::string_view text) {
    buffer_ += text;
    return buffer_.size() >= kTextBuffer ? flush() : Result<void>();
}

Result<Json> TextWriter::finish(const std::string& name) {
    ASSAY_TRY_VOID(flush());
    if (::fsync(fd_) != 0) return fail(systemError("cannot write", path_, errno));
    ::close(fd_);
    fd_ = -1;
    return Json{{"file", name}, {"bytes", bytes_}, {"xxh3", hex64(XXH3_64bits_digest(static_cast<XXH3_state_t*>(hash_)))}};
}

}  // namespace assay::data
