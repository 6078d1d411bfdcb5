#include "import/byte_stream.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "import/unpack.h"

namespace assay::data {
namespace {

constexpr int kOpen = O_RDONLY | O_CLOEXEC | O_NONBLOCK;  // opening a pipe must not wait for its writer; files read as ever

class FileStream final : public ByteStream {
public:
    FileStream(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
    ~FileStream() override { ::close(fd_); }
    FileStream(const FileStream&) = delete;
    FileStream& operator=(const FileStream&) = delete;

    Result<size_t> read(char* out, size_t room) override {
        size_t got = 0;
        while (got < room) {
            const ssize_t n = ::read(fd_, out + got, room - got);
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) return fail(systemError("cannot read", path_, errno));
            if (n == 0) break;
            got += static_cast<size_t>(n);
        }
        position_ += static_cast<int64_t>(got);
        return got;
    }
    int64_t position() const override { return position_; }
    bool seekable() const override { return true; }
    Result<void> seek(uint64_t offset) override {
        if (::lseek(fd_, static_cast<off_t>(offset), SEEK_SET) < 0) return fail(systemError("cannot read", path_, errno));
        position_ = static_cast<int64_t>(offset);
        return {};
    }

private:
    int fd_;
    std::string path_;
    int64_t position_ = 0;
};

// Bytes that were looked at already, then the rest of a stream.
class Prefixed final : public ByteStream {
public:
    Prefixed(std::string head, ByteStreamPtr rest) : head_(std::move(head)), rest_(std::move(rest)) {}
    Result<size_t> read(char* out, size_t room) override {
        const size_t n = std::min(room, head_.size() - at_);
        std::memcpy(out, head_.data() + at_, n);
        at_ += n;
        if (n == room) return n;
        ASSAY_TRY(const size_t more, rest_->read(out + n, room - n));
        return n + more;
    }
    int64_t position() const override { return rest_->position(); }

private:
    std::string head_;
    size_t at_ = 0;
    ByteStreamPtr rest_;
};

// A seekable stream whose first bytes (a byte order mark) do not count.
class Shifted final : public ByteStream {
public:
    Shifted(ByteStreamPtr base, uint64_t skip) : base_(std::move(base)), skip_(skip) {}
    Result<size_t> read(char* out, size_t room) override { return base_->read(out, room); }
    int64_t position() const override { return base_->position(); }
    bool seekable() const override { return true; }
    Result<void> seek(uint64_t offset) override { return base_->seek(offset + skip_); }

private:
    ByteStreamPtr base_;
    uint64_t skip_;
};

class Utf16Stream final : public ByteStream {
public:
    Utf16Stream(ByteStreamPtr base, bool big, std::string path) : base_(std::move(base)), big_(big), path_(std::move(path)), in_(64 << 10) {}
    Result<size_t> read(char* out, size_t room) override {
        while (out_.size() - at_ < room && !ended_) ASSAY_TRY_VOID(more());
        const size_t n = std::min(room, out_.size() - at_);
        std::memcpy(out, out_.data() + at_, n);
        at_ += n;
        if (at_ == out_.size()) {
            out_.clear();
            at_ = 0;
        }
        return n;
    }
    int64_t position() const override { return base_->position(); }

private:
    Result<void> more() {
        ASSAY_TRY(const size_t n, base_->read(in_.data(), in_.size()));
        if (n % 2 != 0) return fail(ErrorCode::kInvalidFile, path_ + ": the UTF-16 text ends inside a character at byte " + std::to_string(base_->position()), "the file is damaged or cut off: fetch it again");
        for (size_t i = 0; i < n; i += 2) unit(static_cast<uint32_t>(static_cast<unsigned char>(in_[i + (big_ ? 0 : 1)])) << 8 | static_cast<unsigned char>(in_[i + (big_ ? 1 : 0)]));
        if (n < in_.size()) {
            ended_ = true;
            if (high_) put(high_);
            high_ = 0;
        }
        return {};
    }
    void unit(uint32_t u) {
        if (high_ && u >= 0xDC00 && u < 0xE000) {
            put(0x10000 + ((high_ - 0xD800) << 10) + (u - 0xDC00));
            high_ = 0;
            return;
        }
        if (high_) put(high_);
        high_ = 0;
        if (u >= 0xD800 && u < 0xDC00) {
            high_ = u;
        } else {
            put(u);
        }
    }
    void put(uint32_t c) {  // surrogates too: three bytes that are no UTF-8
        if (c < 0x80) {
            out_ += static_cast<char>(c);
        } else if (c < 0x800) {
            out_ += static_cast<char>(0xC0 | c >> 6);
            out_ += static_cast<char>(0x80 | (c & 63));
        } else if (c < 0x10000) {
            out_ += static_cast<char>(0xE0 | c >> 12);
            out_ += static_cast<char>(0x80 | (c >> 6 & 63));
            out_ += static_cast<char>(0x80 | (c & 63));
        } else {
            out_ += static_cast<char>(0xF0 | c >> 18);
            out_ += static_cast<char>(0x80 | (c >> 12 & 63));
            out_ += static_cast<char>(0x80 | (c >> 6 & 63));
            out_ += static_cast<char>(0x80 | (c & 63));
        }
    }

    ByteStreamPtr base_;
    bool big_, ended_ = false;
    std::string path_;
    std::vector<char> in_;
    std::string out_;
    size_t at_ = 0;
    uint32_t high_ = 0;
};

}  // namespace

Result<std::string> readStart(const std::string& path, size_t bytes) {
    const int fd = ::open(path.c_str(), kOpen);
    if (fd < 0) return fail(systemError("cannot open", path, errno));
    FileStream file(fd, path);
    std::string out(bytes, '\0');
    ASSAY_TRY(const size_t got, file.read(out.data(), bytes));
    out.resize(got);
    return out;
}

Result<OpenedBytes> openBytes(const std::string& path) {
    const int fd = ::open(path.c_str(), kOpen);
    if (fd < 0) return fail(systemError("cannot open", path, errno));
    OpenedBytes out;
    out.stream = std::make_unique<FileStream>(fd, path);
    struct stat st {};
    if (::fstat(fd, &st) != 0) return fail(systemError("cannot open", path, errno));
    if (S_ISDIR(st.st_mode)) return fail(ErrorCode::kInvalidFile, path + " is a folder, not a data file", "name one file");
    if (!S_ISREG(st.st_mode)) return fail(ErrorCode::kInvalidFile, path + " is not a regular file", "name a file");
    ::posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    out.size = st.st_size;
    std::string head(4, '\0');
    ASSAY_TRY(const size_t got, out.stream->read(head.data(), head.size()));
    head.resize(got);
    ASSAY_TRY_VOID(out.stream->seek(0));
    const bool gzip = head.starts_with("\x1F\x8B"), zstd = head == "\x28\xB5\x2F\xFD" || (head.size() == 4 && head.ends_with("\x2A\x4D\x18") && (head[0] & 0xF0) == 0x50);
    if (path.ends_with(".gz") && !gzip) return fail(ErrorCode::kInvalidFile, path + " is named .gz but holds no gzip data", "fetch it again, or take .gz off its name");
    if (path.ends_with(".zst") && !zstd) return fail(ErrorCode::kInvalidFile, path + " is named .zst but holds no zstd data", "fetch it again, or take .zst off its name");
    if (gzip || zstd) {
        out.packing = gzip ? "gzip" : "zstd";
        out.stream = gzip ? unpackGzip(std::move(out.stream), path) : unpackZstd(std::move(out.stream), path);
        ASSAY_TRY_VOID(checkUnpacker(*out.stream));
        head.resize(4);
        ASSAY_TRY(const size_t plain, out.stream->read(head.data(), head.size()));
        head.resize(plain);
        out.stream = std::make_unique<Prefixed>(head, std::move(out.stream));
    }
    auto skip = [&](size_t n) -> Result<void> {
        char mark[4];
        ASSAY_TRY(const size_t taken, out.stream->read(mark, n));
        (void)taken;
        return {};
    };
    out.encoding = "UTF-8";
    if (head.starts_with(std::string_view("\xFF\xFE\0\0", 4)) || head.starts_with(std::string_view("\0\0\xFE\xFF", 4)))
        return fail(ErrorCode::kInvalidFile, path + " is UTF-32 text", "convert it: iconv -f UTF-32 -t UTF-8 IN > OUT");
    if (head.starts_with("\xEF\xBB\xBF")) {
        ASSAY_TRY_VOID(skip(3));
        if (out.stream->seekable()) out.stream = std::make_unique<Shifted>(std::move(out.stream), 3);
    } else if (head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF")) {
        const bool big = head[0] == '\xFE';
        ASSAY_TRY_VOID(skip(2));
        out.encoding = big ? "UTF-16BE" : "UTF-16LE";
        out.stream = std::make_unique<Utf16Stream>(std::move(out.stream), big, path);
    }
    return out;
}

}  // namespace assay::data
